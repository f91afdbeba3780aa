"""The soak: hours of play in minutes, with the server killed again and again, and everything checked afterwards.

Two servers run at once, one with twelve tables of hold'em and one with six of Perudo, each with its own log. Then it is
checked that nothing was written to stderr, no bot failed, chips are conserved, memory is flat, every log is sound to
its last hash, every hand replays, and every export is read by our own readers: `make soak`.

The logs are kept in memory where the system has a folder for that: a killed process loses nothing of it, and syncing a
disk would take most of the time.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any

from bots import Bot, calls

from tahur.core.record import Record
from tahur.games.holdem.history import ReplayVerdict, history_of
from tahur.room import facts
from tahur.room.deck import SecureRandomness
from tahur.room.facts import fact_of
from tahur.room.history import exported, replay
from tahur.room.keeper import Keeper
from tahur.room.log import LogEntry, check_chain
from tahur.room.scenes import Scenes
from tahur.room.snapshot import load, snapshot_of
from tahur.room.state import RoomState
from tahur.room.store import Store, sqlite_url
from tahur.room.verify import check_deal, check_snapshot

HERE = Path(__file__).parent
GROWTH = 1.1  # of memory, from the third quarter of a server's life to the last one
LEAST_SAMPLES = 120  # of memory, half a second apart; while caches fill, growth says nothing
TELLING = 15  # seconds between two lines of progress
STEPPED = 50  # one hand in so many is also stepped through as the page does it


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is played: hands or rounds in all, tables, kills of each server, hands until a table opens anew."""

    hands: int
    rooms: int
    kills: int
    per_room: int


@dataclass(slots=True)
class Server:
    """One server process of a game, started again after each kill; what it wrote to stderr is kept."""

    game: str
    folder: Path
    plan: Plan
    port: int = 0
    starts: int = 0
    hands: int = 0  # of the servers before this one
    counted: int = 0  # of this one
    memory: list[list[int]] = field(default_factory=list)  # of each server, in kilobytes
    bots: list[Bot] = field(default_factory=list)
    process: asyncio.subprocess.Process | None = None

    @property
    def errors(self) -> Path:
        return self.folder / "errors.log"

    @property
    def played(self) -> int:
        return self.hands + self.counted

    async def start(self) -> None:
        self.hands, self.counted = self.played, 0
        self.starts += 1
        self.memory.append([])
        numbers = (self.port, self.plan.rooms, self.plan.per_room, self.starts)
        with self.errors.open("ab") as errors:
            self.process = await asyncio.create_subprocess_exec(
                sys.executable, str(HERE / "soak_server.py"), self.game, str(self.folder), *map(str, numbers),
                stdout=asyncio.subprocess.PIPE, stderr=errors,
            )  # fmt: skip
        told = await self._line()
        self.port = int(told["address"].rpartition(":")[2])
        if not self.bots:
            self.bots = [Bot(told["address"], each["room"], each["token"], calls) for each in told["tables"]]

    async def play_until(self, hands: int) -> None:
        while self.played < hands:
            told = await self._line()
            self.counted = told["hands"]
            self.memory[-1].append(told["kilobytes"])

    def kill(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)

    async def stop(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGINT)
        await self.process.communicate()

    async def _line(self) -> dict[str, Any]:
        assert self.process is not None
        assert self.process.stdout is not None
        line = await self.process.stdout.readline()
        if not line:
            raise AssertionError(f"the server of {self.game} stopped: {self.errors.read_text()[-4000:]}")
        found: dict[str, Any] = json.loads(line)
        return found


async def play(server: Server, seed: int) -> None:
    """Play the plan, killing the server at moments that nobody chose."""
    chance = random.Random(seed)
    await server.start()
    over = asyncio.Event()
    remote = [asyncio.create_task(bot.play(lambda _: over.is_set())) for bot in server.bots]
    plan = server.plan
    for stop in sorted(chance.uniform(0.1, 0.85) for _ in range(plan.kills)):
        await server.play_until(int(stop * plan.hands))
        await asyncio.sleep(chance.random() * 0.2)
        server.kill()
        assert server.process is not None
        await server.process.wait()
        await server.start()
    await server.play_until(plan.hands)
    over.set()
    for task in remote:
        task.cancel()
    await asyncio.gather(*remote, return_exceptions=True)
    await server.stop()


# ---- afterwards ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found in one room."""

    room: str
    game: str
    hands: int
    faults: tuple[str, ...]
    acts: Counter[str]
    mucks: int
    all_ins: int  # of three seats or more


def check_room(database: str, room: str) -> Finding:
    """Every check that one room's log allows; for a process of its own."""
    store = Store(database)
    entries = [replace(entry, _fact=fact_of(entry.text)) for entry in store.entries(room)]
    snapshot = store.snapshot(room)
    state, faults = RoomState(), list[str]()
    try:
        for entry in check_chain(room, entries):
            faults += _applied(state, entry)
            if snapshot is not None and entry.number == snapshot.number:
                faults += [fault for fault in [check_snapshot(snapshot, state)] if fault]
        if snapshot_of(load(store, room)[0]) != snapshot_of(state):
            faults.append(f"room {room}: opened from its snapshot it is another room")
    except Exception as error:  # whatever a log does to the replay is a fault of it
        faults.append(f"room {room}, after {state.number} events: {type(error).__name__}: {error}")
        return Finding(room, state.settings.game, state.hand, tuple(faults), Counter(), 0, 0)
    finally:
        store.close()
    acts = Counter(entry.fact.by for entry in entries if isinstance(entry.fact, facts.Acted))
    if acts["failure"]:
        faults.append(f"room {room}: a bot failed {acts['failure']} times")
    ended = [entry for entry in entries if isinstance(entry.fact, facts.Ended)]
    faults += _export_faults(state, ended)
    faults += _replay_faults(state, entries)
    mucks, all_ins = _showdowns(ended)
    return Finding(room, state.settings.game, len(ended), tuple(faults), acts, mucks, all_ins)


def _applied(state: RoomState, entry: LogEntry) -> Iterator[str]:
    """Apply an entry by the rules. Chips come with who sits down or buys, go with who leaves, and else change hands."""
    fact, before = entry.fact, sum(chair.chips for chair in state.chairs)
    if isinstance(fact, facts.Dealt):
        check_deal(fact)
    buying = sum(chair.rebuys for chair in state.chairs)
    leaving = sum(chair.leaving for chair in state.chairs)
    state.apply(entry)
    after = sum(chair.chips for chair in state.chairs)
    if state.settings.game == "perudo" or after == before:
        return
    allowed = {
        facts.Joined: after - before == state.settings.stack,
        facts.MindSat: after - before == state.settings.stack,
        facts.Dealt: 0 < after - before <= buying * state.settings.stack,
        facts.Gone: after < before,
        facts.Ended: after < before and leaving > 0,
    }
    if not allowed.get(type(fact), False):
        yield f"room {state.room}: '{fact.TYPE}' in hand {state.hand} turns {before} chips into {after}"


def _export_faults(state: RoomState, ended: Sequence[LogEntry]) -> Iterator[str]:
    """Every hand in every format as the first person saw it, some also as a spectator did, read by our own readers."""
    from tahur.cli.hands.reading import readings, record_in

    formats = ("json",) if state.settings.game == "perudo" else ("json", "phh", "pokerstars")
    suffix = {"json": "jsonl", "phh": "phhs", "pokerstars": "txt"}
    room = state.room
    first = state.stays[0].person if state.stays else None  # nobody, if the server was killed while the room was opened
    for person, hands in ((first, ended), (None, ended[::STEPPED])):
        told = [(entry.fact, state.seat_in(person, entry.fact.hand), entry.time) for entry in hands]
        for to in formats:
            with tempfile.TemporaryDirectory() as folder:
                file = Path(folder) / f"{room}.{suffix[to]}"
                file.write_text(exported(told, to), "utf-8")  # type: ignore[arg-type]
                records = [record_in(reading) for reading in readings([file])] if told else []
            if len(records) != len(told):
                yield f"room {room}: {len(records)} of {len(told)} hands in its {to}"
            if state.settings.game != "perudo":
                bad = sum(history_of(record).verdict() is not ReplayVerdict.MATCHED for record in records)
                if bad:
                    yield f"room {room}: {bad} hands of its {to} end otherwise"


def _replay_faults(state: RoomState, entries: Sequence[LogEntry]) -> Iterator[str]:
    """Some hands step by step, as the page replays them, for a seat and for a spectator."""
    dealt = {entry.fact.hand: entry.fact for entry in entries if isinstance(entry.fact, facts.Dealt)}
    ended = [entry.fact for entry in entries if isinstance(entry.fact, facts.Ended)]
    keeper = Keeper(state, SecureRandomness(), lambda mind, game: mind, 0.0)
    like = Scenes(keeper).scene(None, 0.0)
    for fact in ended[::STEPPED]:
        for seat in (0, None):
            steps = replay(dealt[fact.hand], fact, seat, like).steps
            if len(steps) < 3:
                yield f"room {state.room}: hand {fact.hand} has {len(steps)} steps"


def _showdowns(ended: Sequence[LogEntry]) -> tuple[int, int]:
    """Hands in which somebody mucked, and those in which three or more were all in."""
    mucks = all_ins = 0
    for entry in ended:
        record = Record.from_json(entry.fact.record)  # type: ignore[union-attr]
        if record.game == "perudo":
            return 0, 0
        history = history_of(record)
        live = history.table.live
        mucks += len(live) > 1 and len(entry.fact.shown) < len(live)  # type: ignore[union-attr]
        all_ins += len(live) > 2 and sum(history.table.stacks[seat] == 0 for seat in live) > 1
    return mucks, all_ins


def memory_fault(server: Server) -> str | None:
    """Growth of the server that lived longest, if it lived long enough to tell: its caches are then nearly full."""
    samples = max(server.memory, key=len)
    if len(samples) < LEAST_SAMPLES:
        return None
    quarter = len(samples) // 4
    early, late = median(samples[2 * quarter : 3 * quarter]), median(samples[-quarter:])
    if late > GROWTH * early:
        return f"{server.game}: memory grew from {early / 1024:.0f} MB to {late / 1024:.0f} MB"
    return None


def soak(folder: Path, holdem: Plan, perudo: Plan, seed: int = 1) -> list[str]:
    """Play and check; what is wrong, in lines. Progress goes to stderr."""
    began = time.monotonic()
    servers = [Server("nlhe", folder / "nlhe", holdem), Server("perudo", folder / "perudo", perudo)]
    for server in servers:
        server.folder.mkdir(parents=True)
    asyncio.run(_play_all(servers, seed))
    played = time.monotonic() - began
    faults = [f"{each.game}: {each.errors.read_text()[:4000]}" for each in servers if each.errors.stat().st_size]
    faults += [fault for server in servers if (fault := memory_fault(server))]
    findings = check_all(servers)
    faults += [fault for finding in findings for fault in finding.faults]
    faults += _coverage_faults(findings, servers)
    _tell(servers, findings, played, time.monotonic() - began - played)
    return faults


async def _play_all(servers: Sequence[Server], seed: int) -> None:
    telling = asyncio.create_task(_tell_progress(servers))
    async with asyncio.TaskGroup() as group:
        for at, server in enumerate(servers):
            group.create_task(play(server, seed + at))
    telling.cancel()


async def _tell_progress(servers: Sequence[Server]) -> None:
    while True:
        await asyncio.sleep(TELLING)
        parts = [f"{each.game} {each.played:,} of {each.plan.hands:,}, server {each.starts}" for each in servers]
        sys.stderr.write("; ".join(parts) + "\n")


def check_all(servers: Sequence[Server]) -> list[Finding]:
    jobs = []
    for server in servers:
        database = sqlite_url(str(server.folder / "rooms.db"))
        store = Store(database)
        jobs += [(database, room) for room in store.rooms()]
        store.close()
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        return list(pool.map(check_room, *zip(*jobs, strict=True)))


def _coverage_faults(findings: Sequence[Finding], servers: Sequence[Server]) -> Iterator[str]:
    """A soak in which nobody mucked, or a table stood still, proves less than it says."""
    if not sum(finding.mucks for finding in findings):
        yield "nobody ever mucked a hand"
    for server in servers:
        hands = [finding.hands for finding in findings if (finding.game == "perudo") == (server.game == "perudo")]
        if len([each for each in hands if each]) < server.plan.rooms:
            yield f"{server.game}: {sum(map(bool, hands))} of {server.plan.rooms} tables played"
        for bot in server.bots:
            if not bot.acked:
                yield f"{server.game}: nobody could play over a socket"


def _tell(servers: Sequence[Server], findings: Sequence[Finding], played: float, checked: float) -> None:
    acts = sum((finding.acts for finding in findings), Counter())
    hands = Counter({"Perudo": 0, "hold'em": 0})
    for finding in findings:
        hands["Perudo" if finding.game == "perudo" else "hold'em"] += finding.hands
    for server in servers:
        peaks = [f"{samples[-1] / 1024:.0f}" for samples in server.memory if samples]
        sys.stderr.write(f"{server.game}: {server.starts} servers, memory at their ends {', '.join(peaks)} MB\n")
    sys.stderr.write(
        f"{sum(hands.values()):,} hands and rounds in {len(findings)} rooms ({dict(hands)}) in {played:.0f} s, "
        f"{sum(hands.values()) / played:.0f} a second; checked in {checked:.0f} s\n"
        f"decisions {dict(acts)}; mucked showdowns {sum(finding.mucks for finding in findings):,}, "
        f"multiway all-ins {sum(finding.all_ins for finding in findings):,}\n"
    )


def in_memory() -> Path | None:
    """A folder that is kept in memory, if there is one."""
    shared = Path("/dev/shm")
    return shared if shared.is_dir() and os.access(shared, os.W_OK) else None


def main() -> None:
    parser = argparse.ArgumentParser(description="Hours of play in minutes, with the server killed, then checked.")
    parser.add_argument("--hands", type=int, default=36_000, help="hands of hold'em")
    parser.add_argument("--rounds", type=int, default=166_000, help="rounds of Perudo")
    parser.add_argument("--kills", type=int, default=5, help="of each server")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tahur-soak-", dir=in_memory()) as folder:
        holdem = Plan(options.hands, rooms=12, kills=options.kills, per_room=400)
        perudo = Plan(options.rounds, rooms=6, kills=options.kills, per_room=3000)
        faults = soak(Path(folder), holdem, perudo, options.seed)
    for fault in faults:
        sys.stdout.write(f"{fault}\n")
    sys.stdout.write("the soak found nothing\n" if not faults else f"the soak found {len(faults)} faults\n")
    raise SystemExit(1 if faults else 0)


if __name__ == "__main__":
    main()
