"""The card room under load: fifty or two hundred rooms of six people over real sockets, each thinking about a second.

Measured are the time from sending an action to the acknowledgement that it is on disk, the server's CPU time for each
action (with all that follows from it: frames for six pages, ends of hands, deals), and the growth of its memory.
`python -m benchmarks.room --seconds 300` measures for longer. Another row kills a server in mid-hand, restarts it, and
measures the time until a client that keeps reconnecting is answered.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import websockets.asyncio.client as sockets

from benchmarks.long_room import opening_seconds
from benchmarks.measure import LIMIT as THE_LIMIT
from benchmarks.measure import Figure, Row, Wait
from tahur.room import wire

ROOMS, SEATS, SECONDS = 50, 6, 60.0
MANY = 200  # rooms of the second load
THINKING = 1.0  # seconds, on average
GROWTH = 16_000_000  # bytes that the server may grow by in the second half of that time
ENTRIES, OPENING = 400_000, 1.0  # of a long room's log, and seconds in which it must open
AGAIN = 2.0  # seconds until a killed server answers again
LIMIT = 0.1  # seconds, for the 95th percentile of all acknowledgements
PROXY = ("--trusted-proxy", "127.0.0.1", "--trusted-proxy", "::1")  # so that one address may open any number of sockets
CPU = 0.0012  # seconds of the server's CPU time for each action


@dataclass(frozen=True, slots=True)
class Load:
    """Seconds to each acknowledgement, the server's CPU seconds, and its memory at half time and at the end."""

    delays: list[float]
    cpu: float
    memory: tuple[int, int]  # bytes
    hands: int

    @property
    def cpu_per_action(self) -> float:
        return self.cpu / len(self.delays)

    def slowest(self, part: float) -> float:
        return float(np.quantile(self.delays, part))


@cache
def measured(rooms: int = ROOMS, seats: int = SEATS, seconds: float = SECONDS) -> Load:
    """Open the rooms, seat everyone, let them play."""
    with tempfile.TemporaryDirectory() as folder, _server(folder) as (address, process):
        tokens = [pair for _ in range(rooms) for pair in _opened(address, seats)]
        return asyncio.run(_played(address, process, tokens, seconds))


def restarted() -> float:
    """Seconds from the restart of a server that was killed in mid-hand to its first answer about that room."""
    with tempfile.TemporaryDirectory() as folder:
        with _server(folder) as (address, process):
            room = _opened(address, 2)[0][0]
            process.kill()
            process.wait()
        port = address.rpartition(":")[2]
        began = time.perf_counter()
        with _server(folder, port) as (address, _), urllib.request.urlopen(f"{address}/api/rooms/{room}") as answer:
            answer.read()
            return time.perf_counter() - began


def opened_long_room() -> float:
    """CPU seconds to open a room with a long log."""
    with tempfile.TemporaryDirectory() as folder:
        return opening_seconds(f"sqlite:///{folder}/rooms.db", ENTRIES)


@contextmanager
def _server(folder: str, port: str = "0") -> Iterator[tuple[str, subprocess.Popen[str]]]:
    words = [sys.executable, "-m", "tahur.web", "--port", port, "--data", folder, "--unlimited", *PROXY]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert process.stdout is not None
        found = re.search(r"http://localhost:\d+", process.stdout.readline())
        assert found is not None, "the server did not start"
        yield found[0], process
    finally:
        process.terminate()
        process.wait()


def _opened(address: str, seats: int) -> list[tuple[str, str]]:
    """One full room: its name and each person's token."""
    host = _post(f"{address}/api/rooms", {"name": "0", "minds": [None] * (seats - 1), "seconds": 0, "pace": "quick"})
    room = host["room"]
    others = [_post(f"{address}/api/rooms/{room}/join", {"name": str(seat)}) for seat in range(1, seats)]
    return [(room, each["token"]) for each in (host, *others)]


def _post(url: str, body: dict[str, Any]) -> dict[str, Any]:
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        found: dict[str, Any] = json.loads(answer.read())
    return found


async def _played(address: str, process: subprocess.Popen[str], tokens: list[tuple[str, str]], seconds: float) -> Load:
    delays: list[float] = []
    hands: dict[str, int] = {}
    rng = np.random.default_rng(0)
    people = [asyncio.create_task(_person(address, *pair, rng, delays, hands)) for pair in tokens]
    while len(hands) < len({room for room, _ in tokens}):
        await asyncio.sleep(0.1)
    await asyncio.sleep(min(5.0, seconds / 4))
    delays.clear()  # everyone is seated and connected
    cpu = _cpu_seconds(process.pid)
    await asyncio.sleep(seconds / 2)
    before = _memory(process.pid)  # including the tables that the first showdown loads
    await asyncio.sleep(seconds / 2)
    after, cpu, measured_delays = _memory(process.pid), _cpu_seconds(process.pid) - cpu, list(delays)
    stopped = [person for person in people if person.done()]
    if stopped:
        raise RuntimeError(f"{len(stopped)} of {len(people)} people lost their connection") from stopped[0].exception()
    for person in people:
        person.cancel()
    await asyncio.gather(*people, return_exceptions=True)
    return Load(delays=measured_delays, cpu=cpu, memory=(before, after), hands=sum(hands.values()))


async def _person(
    address: str, room: str, token: str, rng: np.random.Generator, delays: list[float], hands: dict[str, int]
) -> None:
    url = f"{address.replace('http', 'ws', 1)}/api/rooms/{room}/socket"
    sent: dict[str, float] = {}
    async with sockets.connect(url, additional_headers={"Authorization": f"Bearer {token}"}) as socket:
        await socket.send(wire.encode(wire.Hello(0)))
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "ack" and message["id"] in sent:
                delays.append(time.perf_counter() - sent.pop(message["id"]))
            elif message["type"] == "frame":
                scene, turn = message["scene"], message["scene"]["turn"]
                hands[room] = scene["hand"]
                request: wire.Act | wire.Rebuy | None = None
                if turn and turn["seat"] == scene["you"]:
                    id = f"{scene['hand']}-{turn['at']}"
                    request = wire.Act(id=id, hand=scene["hand"], at=turn["at"], action=1)
                elif scene["may_rebuy"] and not scene["seats"][scene["you"]]["chips"]:
                    request = wire.Rebuy(f"rebuy-{scene['hand']}")
                if request is not None and request.id not in sent:
                    sent[request.id] = float("inf")
                    await asyncio.sleep(THINKING * float(rng.uniform(0.5, 1.5)))
                    sent[request.id] = time.perf_counter()
                    await socket.send(wire.encode(request))


def _cpu_seconds(pid: int) -> float:
    """CPU seconds that a process has used so far, all threads together."""
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _memory(pid: int) -> int:
    """Bytes that a process holds; 0 if the system does not report it."""
    try:
        status = Path(f"/proc/{pid}/status").read_text("utf-8")
    except OSError:
        return 0
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    return 1024 * int(found[1]) if found else 0


@dataclass(frozen=True, slots=True)
class Memory:
    """The growth of the server's memory in the second half of the same time."""

    work: str = f"card room, {ROOMS} rooms of {SEATS}, the last {SECONDS / 2:.0f} s: the server's memory grows by"
    peer: str = THE_LIMIT

    def measure(self) -> Row:
        before, after = measured().memory
        return Row(self.work, self.peer, Figure(GROWTH, "B"), Figure(max(1, after - before), "B"), least=1.0)


BENCHMARKS = (
    Wait(
        f"card room, {ROOMS} rooms of {SEATS}, {SECONDS:.0f} s: action to acknowledgement, p95, wall time",
        LIMIT,
        lambda: measured().slowest(0.95),
        rounds=1,
    ),
    Wait(
        f"card room, {ROOMS} rooms of {SEATS}, {SECONDS:.0f} s: the server's CPU time for an action",
        CPU,
        lambda: measured().cpu_per_action,
        rounds=1,
    ),
    Memory(),
    Wait(
        f"card room, {MANY} rooms of {SEATS}, {SECONDS:.0f} s: action to acknowledgement, p95, wall time",
        LIMIT,
        lambda: measured(MANY).slowest(0.95),
        rounds=1,
    ),
    Wait("card room, killed and started again: its first answer, wall time", AGAIN, restarted, rounds=3),
    Wait(f"card room, a log of {ENTRIES:,} entries: opened, CPU time", OPENING, opened_long_room, rounds=1),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rooms", type=int, default=ROOMS)
    parser.add_argument("--seats", type=int, default=SEATS)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    options = parser.parse_args()
    load = measured(options.rooms, options.seats, options.seconds)
    before, after = (size / 1e6 for size in load.memory)
    print(f"{len(load.delays):,} actions in {load.hands:,} hands of {options.rooms} rooms with {options.seats} seats")
    print(", ".join(f"p{part:g} {1000 * load.slowest(part / 100):.0f} ms" for part in (50, 95, 99)))
    print(f"{1000 * load.cpu_per_action:.2f} ms of the server's CPU time for an action")
    print(f"memory {before:.0f} MB at half time, {after:.0f} MB after {options.seconds:.0f} s")
    print(f"killed and started again: its first answer after {restarted():.2f} s")


if __name__ == "__main__":
    main()
