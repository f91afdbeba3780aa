"""Opening a room from a snapshot is the same as replaying its whole log, and a bad snapshot changes nothing."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import GeneratorType
from typing import Any

import numpy as np
import pytest
import sqlalchemy as sql
from bots import Bot, call, calls
from desk import Desk, Dice, bot_name, settings
from hypothesis import given
from hypothesis import settings as budget
from hypothesis import strategies as st
from postgres import postgres
from served import Served
from test_room_versions import CASES, log
from typer.testing import CliRunner

from tahur.cli.main import app
from tahur.games.holdem.rules import Holdem
from tahur.games.perudo.game import Perudo
from tahur.room import facts, wire
from tahur.room.backup import backup, restore
from tahur.room.codec import parse_text, read_as
from tahur.room.keeper import Keeper
from tahur.room.live import Live
from tahur.room.log import Draft, LogEntry, StoredSnapshot
from tahur.room.scenes import Scenes
from tahur.room.snapshot import Snapshot, checksum_of, load, restored, snapshot_of
from tahur.room.state import ANSWERS_KEPT, MatchSoFar, RoomState, Tally, replay_log
from tahur.room.store import SNAPSHOTS, Store, sqlite_url
from tahur.room.verify import LogVerdict, verify

ROOM = "test-room"
STRIDE = 7  # entries between the snapshots of a kept log
SEEDS_AND_BANS = (facts.SeedOffered, facts.Sealed, facts.SeedRevealed, facts.Banned, facts.BanLifted)
MINDS = {"nlhe": ["caller", None, "random"], "limit": [None, "caller", None], "perudo": ["persona:shark", None, None]}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(sqlite_url(str(tmp_path / "rooms.db")))) as made:
        yield made


def played(game: str, seed: int, steps: int) -> Desk:
    """A room in which people did all that people can do."""
    rng = np.random.default_rng(seed)
    desk = Desk(settings(game, 3, seconds=30, bank=10), MINDS[game], Dice(seed))
    for step in range(steps):
        desk.now += float(rng.uniform(0, 8))
        if not all(chair.taken for chair in desk.state.chairs):
            desk.join(f"p{step + 10}")
        chair = desk.state.chairs[int(rng.choice([at for at, each in enumerate(desk.state.chairs) if each.person]))]
        wishes: Sequence[Any] = (
            lambda id: wire.Say(id, f"word {id}"),
            lambda id, out=not chair.away: wire.SitOut(id, out),
            lambda id: wire.Pause(id, not desk.state.paused),
            lambda id: wire.Muck(id, bool(rng.integers(2))),
            lambda id: wire.Rematch(id),
            lambda id: wire.Rebuy(id),
            lambda id: wire.Leave(id),
        )
        at = 1 if chair.away else int(rng.choice(len(wishes), p=(0.4, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1)))
        desk.ask(chair.person or "", wishes[at](f"wish {step}"))
        if desk.state.paused and desk.state.host and rng.integers(3):
            desk.ask(desk.state.host, wire.Pause(f"go {step}", False))
        _some_actions(desk, rng)
    return desk


def _some_actions(desk: Desk, rng: np.random.Generator) -> None:
    for _ in range(int(rng.integers(0, 12))):
        desk.run(float(rng.choice((0, 0, 0, 3, 200))), one_hand=True)
        ask = desk.state.ask
        if ask is None or desk.state.chairs[ask.view.seat].mind is not None:
            continue
        legal = ask.view.table.actions()
        desk.act(legal[min(int(rng.integers(0, 3)), len(legal) - 1)])


def everything(value: Any, within: tuple[int, ...] = ()) -> Any:
    """All that an object holds, to be compared; generators are left out."""
    if isinstance(value, GeneratorType) or id(value) in within or callable(value):
        return None
    within = (*within, id(value))
    if isinstance(value, str | int | float | bool | None):
        return value
    if isinstance(value, Holdem | Perudo):  # what they work out when first asked does not count
        return value.name, everything(value.settings, within)
    if isinstance(value, dict):
        return [(everything(key, within), everything(each, within)) for key, each in value.items()]
    if hasattr(value, "__iter__"):
        return [everything(each, within) for each in value]
    slots = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
    names = [*getattr(value, "__dict__", ()), *slots]
    return {name: everything(getattr(value, name, None), within) for name in names if name != "_fact"}


def views(state: RoomState) -> list[wire.Frame]:
    """What every seat and a spectator are sent, from several places on, at one moment."""
    keeper = Keeper(state, Dice(5), bot_name, 5000.0, spent=state.spent(4990.0))
    seats = [None, *range(len(state.chairs))]
    return [Scenes(keeper).frame(seat, seen, 5001.0) for seat in seats for seen in (0, state.number // 2, state.number)]


def next_drafts(state: RoomState) -> Any:
    """What the room does next by itself, with the same randomness: the same deal, the same clock."""
    keeper = Keeper(state, Dice(6), bot_name, 5000.0)
    for chair in state.chairs:
        if chair.person:
            keeper.connected(chair.person, 1, 5000.0)
    return keeper.due(), keeper.tick(6000.0)


@pytest.mark.parametrize("game", ["nlhe", "limit", "perudo"])
@given(seed=st.integers(0, 10_000), part=st.floats(0, 1))
@budget(max_examples=12, deadline=None)
def test_a_snapshot_and_the_rest_of_the_log_make_the_same_room(game: str, seed: int, part: float) -> None:
    desk = played(game, seed, 25)
    cut = 1 + int(part * (len(desk.log) - 1))
    with TemporaryDirectory() as folder, closing(Store(sqlite_url(f"{folder}/rooms.db"))) as store:
        store.append(desk.log).result()
        whole = replay_log(store.entries(ROOM))
        store.keep(snapshot_of(replay_log(desk.log[:cut]))).result()
        state, kept = load(store, ROOM)
    assert kept == cut
    assert everything(state) == everything(whole)
    assert views(state) == views(whole)
    assert next_drafts(state) == next_drafts(whole)
    assert state.answered == desk.state.answered
    assert state.last_entry == desk.log[-1]
    assert snapshot_of(state) == snapshot_of(whole)


@pytest.mark.parametrize(("version", "name"), CASES)
def test_a_snapshot_at_any_entry_of_a_kept_log_makes_the_same_room(version: str, name: str) -> None:
    """The kept logs have bans, seeds and sealed decks at many places."""
    entries = log(version, name)
    whole, state = everything(replay_log(entries)), RoomState()
    for number, entry in enumerate(entries, start=1):
        state.apply(entry)
        if number % STRIDE and not isinstance(entry.fact, SEEDS_AND_BANS):
            continue
        text = snapshot_of(state).text
        ended = [each.fact for each in entries[:number] if isinstance(each.fact, facts.Ended)]
        again = restored(read_as(Snapshot, parse_text(text, facts.MOST_BYTES), "snapshot"), entry, ended)
        assert everything(again) == everything(state)
        for each in entries[number:]:
            again.apply(each)
        assert everything(again) == whole


def test_no_field_of_a_room_is_forgotten() -> None:
    """A new field of a state must be copied, or be listed here as one that is made from others or from the log."""
    made = {"adapter", "last", "ended", "last_entry", "answered"}
    copied = {each.name for each in fields(Snapshot)} - {"coming"} | {"next_hand"}  # stored under its former name
    assert set(vars(RoomState())) - copied == made
    of_live = {"game", "referee", "hands", "table", "ask", "record", "beats", "last_words", "ending"}
    assert {each.name for each in fields(Live)} - {"dealt", "decisions", "shown", "ended", "first_events"} == of_live
    assert {each.name for each in fields(MatchSoFar)} == {"first", "out", "winner"}
    assert {each.name for each in fields(Tally)} == {"hands", "result"}


RARE = (  # what hardly ever stands at the end of a log
    facts.Rematched(1),
    facts.Rebought(1),
    facts.MuckSet(1, auto=False),
    facts.SatOut(1, out=True, missed=True),
    facts.Gone(1, removed=True),
    facts.Paused(True),
    facts.Interrupted(1500),
    facts.Closed(),
)


@pytest.mark.parametrize("game", MINDS)
@pytest.mark.parametrize("fact", RARE, ids=lambda fact: fact.TYPE)
def test_what_happened_last_is_in_the_snapshot(game: str, fact: facts.Fact, store: Store) -> None:
    desk = played(game, 11, 8)
    before = everything(desk.state)
    desk.write([Draft(fact)])
    assert everything(desk.state) != before
    store.append(desk.log).result()
    store.keep(snapshot_of(desk.state)).result()
    state, kept = load(store, ROOM)
    assert kept == len(desk.log)
    assert everything(state) == everything(desk.state)


def test_a_request_sent_again_is_acknowledged_the_same_after_a_load(store: Store) -> None:
    desk = played("nlhe", 3, 30)
    store.append(desk.log).result()
    store.keep(snapshot_of(desk.state)).result()
    (person, request), number = next(iter(desk.state.answered.items()))
    before = len(desk.log)
    desk.state = desk.keeper.state = load(store, ROOM)[0]
    assert desk.ask(person, wire.Say(request, "again")) == wire.Ack(request, number)
    assert len(desk.log) == before


def test_only_the_newest_answers_are_kept_in_the_order_in_which_they_are_forgotten(store: Store) -> None:
    desk = Desk(settings("nlhe", 2))
    for number in range(ANSWERS_KEPT + 50):
        desk.ask(f"p{number % 2}", wire.Muck(f"{number}", bool(number // 2 % 2)))
    store.append(desk.log).result()
    store.keep(snapshot_of(desk.state)).result()
    state, _ = load(store, ROOM)
    assert list(state.answered.items()) == list(desk.state.answered.items())
    assert len(state.answered) == ANSWERS_KEPT


# ---- bad snapshots -------------------------------------------------------------------------------


def _spoiled(snapshot: StoredSnapshot, how: str) -> StoredSnapshot:
    match how:
        case "version":
            return replace(snapshot, format="999")
        case "text":
            return replace(snapshot, text=snapshot.text.replace('"chips":2', '"chips":9', 1))
        case "checksum":
            return replace(snapshot, checksum="0" * 64)
        case "digest":
            return replace(snapshot, digest="0" * 64)
        case "number":
            return replace(snapshot, number=snapshot.number - 1)
        case "beyond":
            return replace(snapshot, number=10**6)
        case "no json":
            entry = LogEntry(
                room=snapshot.room,
                number=snapshot.number,
                time=0.0,
                person=None,
                request=None,
                kind="",
                hand=None,
                text="",
                digest=snapshot.digest,
            )
            return replace(snapshot, text="{", checksum=checksum_of(entry, "{"))
        case _:
            raise AssertionError(how)


@pytest.mark.parametrize("how", ["version", "text", "checksum", "digest", "number", "beyond", "no json"])
def test_a_bad_snapshot_is_ignored_with_one_line(store: Store, how: str, caplog: pytest.LogCaptureFixture) -> None:
    desk = played("nlhe", 4, 20)
    store.append(desk.log).result()
    snapshot = snapshot_of(desk.state)
    bad = _spoiled(snapshot, how)
    assert bad != snapshot
    store.keep(bad).result()
    with caplog.at_level(logging.INFO):
        state, kept = load(store, ROOM)
    assert kept == 0
    assert everything(state) == everything(desk.state)
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == ["snapshot ignored"]


def verdict_of(store: Store, room: str = ROOM) -> LogVerdict:
    steps = verify(room, store.entries(room), store.snapshot(room))
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            found: LogVerdict = stop.value
            return found


def _forged(snapshot: StoredSnapshot, entry: LogEntry) -> StoredSnapshot:
    """Somebody's chips are more, and the checksum was made again."""
    text = snapshot.text.replace('"chips":', '"chips":1', 1)
    return replace(snapshot, text=text, checksum=checksum_of(entry, text))


def test_verify_reads_the_whole_log_and_says_that_a_snapshot_does_not_match(tmp_path: Path) -> None:
    desk = played("nlhe", 5, 20)
    with closing(Store(sqlite_url(str(tmp_path / "rooms.db")))) as store:
        store.append(desk.log).result()
        store.keep(snapshot_of(desk.state)).result()
        assert verdict_of(store) == LogVerdict(
            room=ROOM, entries=len(desk.log), hands=desk.state.finished, last=desk.log[-1].digest, fault=None
        )
        store.keep(_forged(snapshot_of(desk.state), desk.log[-1])).result()
        assert verdict_of(store).snapshot == f"its snapshot at entry {len(desk.log)} is not what the log makes"
        store.keep(replace(snapshot_of(desk.state), number=10**6)).result()
        assert "not in the log" in str(verdict_of(store).snapshot)
    words = ["room", "verify", "--data", str(tmp_path)]
    wrong = CliRunner().invoke(app, words)
    assert wrong.exit_code == 1
    assert "snapshot" in wrong.stdout
    assert CliRunner().invoke(app, [*words, "--drop"]).exit_code == 1
    assert CliRunner().invoke(app, words).exit_code == 0


def test_a_changed_log_is_found_even_behind_a_good_snapshot(tmp_path: Path) -> None:
    desk = played("nlhe", 6, 20)
    with closing(Store(sqlite_url(str(tmp_path / "rooms.db")))) as store:
        store.append(desk.log).result()
        store.keep(snapshot_of(desk.state)).result()
    engine = sql.create_engine(sqlite_url(str(tmp_path / "rooms.db")))
    with engine.begin() as connection:
        connection.execute(sql.text("UPDATE room_log SET time = time + 1 WHERE number = 3"))
    engine.dispose()
    with closing(Store(sqlite_url(str(tmp_path / "rooms.db")))) as store:
        assert "entry 3" in str(verdict_of(store).fault)


def test_a_backup_carries_snapshots_and_one_without_their_table_is_read(tmp_path: Path) -> None:
    desk = played("perudo", 7, 20)
    file = tmp_path / "rooms.db"
    with closing(Store(sqlite_url(str(file)))) as store:
        store.append(desk.log).result()
        store.keep(snapshot_of(desk.state)).result()
        backup(file, tmp_path / "copy.db")
        store.append([]).result()
    restore(tmp_path / "copy.db", file)
    with closing(Store(sqlite_url(str(file)))) as store:
        assert load(store, ROOM)[1] == len(desk.log)
    engine = sql.create_engine(sqlite_url(str(file)))
    SNAPSHOTS.drop(engine)
    engine.dispose()
    with closing(Store(sqlite_url(str(file)))) as store:
        state, kept = load(store, ROOM)
    assert kept == 0
    assert everything(state) == everything(desk.state)


def test_postgres_keeps_snapshots_too() -> None:
    desk = played("nlhe", 8, 25)
    with postgres() as url, closing(Store(url)) as store:
        store.append(desk.log).result()
        for cut in (len(desk.log) // 3, len(desk.log) // 2):  # the second replaces the first
            store.keep(snapshot_of(replay_log(desk.log[:cut]))).result()
        state, kept = load(store, ROOM)
        assert kept == len(desk.log) // 2
        assert everything(state) == everything(desk.state)
        store.keep(replace(snapshot_of(desk.state), checksum="f" * 64)).result()
        assert load(store, ROOM)[1] == 0
        store.forget_snapshot(ROOM)
        assert store.snapshot(ROOM) is None


# ---- a real server -------------------------------------------------------------------------------

OFTEN = "import sys, tahur.room.task as task; task.EVERY = 3; from tahur.web.__main__ import main; main(sys.argv[1:])"


class Snapping(Served):
    """A server that takes a snapshot every third entry."""

    def start(self) -> float:
        self._process = self._python("-c", OFTEN, *self.words)
        self._heard(r"http://localhost:(\d+)/")
        return 0.0


def test_a_server_killed_around_its_snapshots_goes_on_with_the_same_room(tmp_path: Path) -> None:
    server = Snapping(tmp_path, "--unlimited")
    server.start()
    body = {"name": "Ana", "game": "nlhe", "minds": ["caller"], "pace": "instant", "seconds": 0}
    opened = call(server.address, "/api/rooms", body)[1]
    rng = np.random.default_rng(0)
    seen: list[int] = []
    for _ in range(4):
        bot = Bot(server.address, opened["room"], opened["token"], calls)
        wanted = int(rng.integers(5, 40))
        asyncio.run(bot.play(lambda bot, wanted=wanted: len(bot.acked) >= wanted))
        server.kill()
        with closing(Store(server.database)) as store:
            whole = replay_log(store.entries(opened["room"]))
            state, kept = load(store, opened["room"])
        assert kept > max(seen, default=0)
        assert everything(state) == everything(whole)
        seen.append(kept)
        server.start()
    status, hands = call(server.address, f"/api/rooms/{opened['room']}/hands?before=3", token=opened["token"])
    assert status == 200
    assert [line["hand"] for line in hands["hands"]] == [2, 1]
    assert "Traceback" not in server.stop()
    with closing(Store(server.database)) as store:
        verdict = verdict_of(store, opened["room"])
    assert (verdict.fault, verdict.snapshot) == (None, None)
    assert verdict.entries >= max(seen)
