"""The log of a room on disk: synced, chained, checked; the lobby that opens and loads rooms; proofs of fairness."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sqlalchemy as sql
from desk import Desk, Dice, bot_name, make_bot, settings

from tahur.room import facts, wire
from tahur.room.codec import text_of
from tahur.room.history import fairness
from tahur.room.lobby import IDLE, Lobby
from tahur.room.log import Draft, LogEntry, LogError, chain_entries, check_chain
from tahur.room.proof import check_fairness
from tahur.room.rest import DealNotes
from tahur.room.state import replay_log
from tahur.room.store import LOG, SYNCHRONOUS, Store, StoreError, sqlite_url
from tahur.room.verify import LogVerdict, verify


def _verdict(room: str, entries: Any) -> LogVerdict:
    steps = verify(room, entries)
    try:
        while True:
            next(steps)
    except StopIteration as stop:
        found: LogVerdict = stop.value
        return found


@pytest.fixture(scope="module")
def played() -> list[LogEntry]:
    desk, rng = Desk(settings("nlhe", 3), [None, "caller", None]), np.random.default_rng(1)
    for _ in range(3):
        desk.random_hand(rng)
    return desk.log


def test_a_log_that_nobody_touched_is_sound(played: list[LogEntry]) -> None:
    verdict = _verdict("test-room", played)
    assert verdict.fault is None
    assert (verdict.entries, verdict.hands) == (len(played), 3)


def _forged(entries: list[LogEntry], at: int, **changes: Any) -> list[LogEntry]:
    forged = replace(entries[at], _fact=None, **changes)
    return [*entries[:at], forged, *entries[at + 1 :]]


def _hashed_anew(entries: list[LogEntry], at: int) -> list[LogEntry]:
    """One entry changed by somebody who knows how entries are hashed."""
    fact = entries[at].fact
    assert isinstance(fact, facts.Acted)
    draft = Draft(replace(fact, thought="I never thought so"), entries[at].person, entries[at].request)
    return chain_entries("test-room", entries[at - 1], [draft], entries[at].time)


def test_a_changed_missing_added_or_moved_entry_is_found(played: list[LogEntry]) -> None:
    at = next(at for at, entry in enumerate(played) if entry.kind == "acted")
    changed = json.loads(played[at].text) | {"thought": "I never thought so"}
    for forged in (
        _forged(played, at, text=json.dumps(changed, separators=(",", ":"))),
        _forged(played, at, time=played[at].time + 1),
        _forged(played, at, person="somebody else"),
        _forged(played, at, kind="said"),
        [*played[:at], *played[at + 1 :]],
        [*played[:at], played[at + 1], played[at], *played[at + 2 :]],
        [*played[:at], played[at], *played[at:]],
        [*played[:at], *_hashed_anew(played, at), *played[at + 1 :]],
    ):
        verdict = _verdict("test-room", forged)
        assert verdict.fault is not None
        assert verdict.entries <= at + 1


def test_a_whole_chain_written_anew_with_another_deck_breaks_its_commitment(played: list[LogEntry]) -> None:
    drafts = [Draft(entry.fact, entry.person, entry.request) for entry in played]
    at = next(at for at, draft in enumerate(drafts) if isinstance(draft.fact, facts.Dealt))
    dealt = drafts[at].fact
    assert isinstance(dealt, facts.Dealt)
    drafts[at] = replace(drafts[at], fact=replace(dealt, values=dealt.values[::-1]))
    verdict = _verdict("test-room", chain_entries("test-room", None, drafts, 1.0))
    assert verdict.fault is not None
    assert "committed" in verdict.fault


def test_an_illegal_action_cannot_stand_in_a_log(played: list[LogEntry]) -> None:
    drafts = [Draft(entry.fact, entry.person, entry.request) for entry in played]
    at = next(at for at, draft in enumerate(drafts) if isinstance(draft.fact, facts.Acted))
    act = drafts[at].fact
    assert isinstance(act, facts.Acted)
    drafts[at] = replace(drafts[at], fact=replace(act, action=10**6))
    verdict = _verdict("test-room", chain_entries("test-room", None, drafts, 1.0))
    assert (verdict.entries, verdict.fault is None) == (at, False)


def test_entries_are_synced_in_full_and_read_back_as_they_were(tmp_path: Path, played: list[LogEntry]) -> None:
    store = Store(sqlite_url(str(tmp_path / "rooms.db")))
    assert store.synchronous() == SYNCHRONOUS
    store.append(played).result()
    assert list(check_chain("test-room", store.entries("test-room"))) == played
    assert [entry.hand for entry in store.of_kind("test-room", "ended", most=2)] == [3, 2]
    assert store.rooms() == store.recent(0.0, 5) == ["test-room"]
    store.close()


def test_a_request_that_stands_in_the_log_cannot_be_written_again(tmp_path: Path) -> None:
    store = Store(sqlite_url(str(tmp_path / "rooms.db")))
    first = chain_entries("r", None, [Draft(facts.Opened("r", settings())), Draft(facts.Said(0, "a"), "p", "id")], 1.0)
    store.append(first).result()
    again = chain_entries("r", first[-1], [Draft(facts.Said(0, "a"), "p", "id")], 2.0)
    other = chain_entries("r", first[-1], [Draft(facts.Said(0, "b"), "p", "other")], 2.0)
    jobs = store.append(again), store.append(other)
    with pytest.raises(StoreError):
        jobs[0].result()
    jobs[1].result()  # waits in the same transaction, perhaps, but does not fall with it
    assert len(list(store.entries("r"))) == 3
    store.close()


def test_a_log_changed_in_the_database_is_found(tmp_path: Path, played: list[LogEntry]) -> None:
    url = sqlite_url(str(tmp_path / "rooms.db"))
    store = Store(url)
    store.append(played).result()
    with sql.create_engine(url).begin() as connection:
        connection.execute(sql.update(LOG).where(LOG.c.number == 5).values(text=played[6].text))
    with pytest.raises(LogError):
        list(check_chain("test-room", store.entries("test-room")))
    store.close()


# ---- proofs --------------------------------------------------------------------------------------


def test_what_a_seat_was_shown_opens_to_what_was_promised_and_nothing_else_is_opened(played: list[LogEntry]) -> None:
    state = replay_log(played)
    live = state.live
    assert live is not None
    for seat in (0, 1, 2, None):
        proof = fairness(live.dealt, live.table, seat, live.shown)
        assert check_fairness(proof, DealNotes(live.dealt.commitment, seat)) == []
        allowed = {live.dealt.names[each] for each in (*live.shown, *([] if seat is None else [seat]))} | {"board"}
        assert {opening.whose for opening in proof.openings} <= allowed
        hidden = {str(place) for place in range(52)} - {str(opening.place) for opening in proof.openings}
        assert len(hidden) == 52 - len(proof.openings)


def test_a_proof_with_another_card_seal_or_commitment_is_refused(played: list[LogEntry]) -> None:
    live = replay_log(played).live
    assert live is not None
    proof = fairness(live.dealt, live.table, 0, ())
    card = replace(proof.openings[0], value="2c" if proof.openings[0].value != "2c" else "2d")
    assert check_fairness(replace(proof, openings=(card, *proof.openings[1:])))
    assert check_fairness(replace(proof, digests=proof.digests[::-1]))
    assert check_fairness(proof, DealNotes("0" * 64))


# ---- the lobby -----------------------------------------------------------------------------------


class SetClock:
    def __init__(self) -> None:
        self.time = 100.0

    def now(self) -> float:
        return self.time

    def wall(self) -> float:
        return 1e9 + self.time


def test_a_room_that_was_put_away_is_loaded_again_as_it_was(tmp_path: Path) -> None:
    async def scene() -> None:
        store, clock = Store(sqlite_url(str(tmp_path / "rooms.db"))), SetClock()
        lobby = Lobby(store=store, clock=clock, make_bot=make_bot, bot_names=bot_name, randomness=Dice(1))
        entry = await lobby.open(settings("nlhe", 2, seconds=0), "Ana", ["caller"])
        room = await lobby.room(entry.room)
        person = room.person_of(entry.token)
        assert person is not None
        ended = room.listen(lambda: None, person)
        while room.state.ask is None or room.state.ask.view.seat != 0:
            await asyncio.sleep(0.001)
        before = text_of(room.frame(person, 0).scene.table), room.state.number
        ended()
        clock.time += IDLE + 1
        await lobby.sweep()
        assert isinstance(await room.request(person, wire.Say("x", "hello")), wire.Refused)
        loaded = await lobby.room(entry.room)
        assert loaded is not room
        assert loaded.person_of(entry.token) == person
        assert loaded.person_of("another") is None
        assert (text_of(loaded.frame(person, 0).scene.table), loaded.state.number) == before
        assert isinstance(await loaded.request(person, wire.Say("x", "hello")), wire.Ack)
        watcher = await lobby.watch(entry.room)
        assert lobby.watches(entry.room, watcher.token)
        assert not lobby.watches(entry.room, entry.token)
        await lobby.close()
        store.close()

    asyncio.run(scene())


async def _left(lobby: Lobby, room: str, token: str) -> tuple[int, int]:
    """Milliseconds that seat 0 has left of its clock and of its time bank."""
    task = await lobby.room(room)
    person = task.person_of(token)
    assert person is not None
    ended = task.listen(lambda: None, person)
    while task.state.ask is None or task.state.ask.view.seat != 0:
        await asyncio.sleep(0.001)
    turn = task.frame(person, 0).scene.turn
    assert turn is not None
    assert turn.left is not None
    ended()
    return turn.left, turn.bank


def test_a_clock_goes_on_where_it_stood_when_the_server_went_away(tmp_path: Path) -> None:
    """Twice: what was lost the first time is not counted the second time."""

    async def scene() -> None:
        url, clock = sqlite_url(str(tmp_path / "rooms.db")), SetClock()
        store = Store(url)
        lobby = Lobby(store=store, clock=clock, make_bot=make_bot, bot_names=bot_name, randomness=Dice(1))
        entry = await lobby.open(settings("nlhe", 2, seconds=30, grace=0), "Ana", ["caller"])
        assert await _left(lobby, entry.room, entry.token) == (30_000, 60_000)
        for thought, away, expected in ((12, 1000, (18_000, 60_000)), (23, 50, (0, 55_000))):
            clock.time += thought
            lobby.beat()
            store.close()  # as if the server was killed now: nothing is told to anybody
            clock.time += away
            store = Store(url)
            lobby = Lobby(store=store, clock=clock, make_bot=make_bot, bot_names=bot_name, randomness=Dice(1))
            assert await _left(lobby, entry.room, entry.token) == expected
        state = replay_log(store.entries(entry.room))
        assert [fact.away for fact in _interruptions(store, entry.room)] == [1_000_000, 50_000]
        assert state.events[-1].words.startswith("The server was away")
        await lobby.close()
        store.close()

    asyncio.run(scene())


def _interruptions(store: Store, room: str) -> list[facts.Interrupted]:
    return [fact for entry in store.entries(room) if isinstance(fact := entry.fact, facts.Interrupted)]


def test_a_pause_and_an_absence_are_no_part_of_a_decision() -> None:
    desk = Desk(settings("nlhe", 2, seconds=30))
    desk.run()
    began = desk.now
    desk.now += 4
    desk.ask("p0", wire.Pause("stop", True))
    desk.now += 100
    assert desk.state.spent(desk.now) == 4
    desk.ask("p0", wire.Pause("go", False))
    desk.now += 3
    assert desk.state.spent(desk.now) == 7
    desk.write([Draft(facts.Interrupted(2000))])
    assert desk.state.spent(desk.now) == 5
    assert replay_log(desk.log).spent(desk.now) == 5
    assert desk.now - began == 107


def test_who_comes_back_is_the_same_person_with_the_hands_of_both_stays(tmp_path: Path) -> None:
    async def scene() -> None:
        store = Store(sqlite_url(str(tmp_path / "rooms.db")))
        lobby = Lobby(store=store, clock=SetClock(), make_bot=make_bot, bot_names=bot_name, randomness=Dice(1))
        entry = await lobby.open(settings("nlhe", 2, seconds=0), "Ana", [None])
        guest = await lobby.join(entry.room, "Bo", None)
        room = await lobby.room(entry.room)
        person = room.person_of(guest.token)
        assert person is not None
        await room.request(person, wire.Leave("bye"))
        assert room.state.seat_of(person) is None
        again = await lobby.join(entry.room, "Bo", None, guest.token)
        assert (again.token, room.state.seat_of(person)) == (guest.token, 1)
        await lobby.close()
        store.close()

    asyncio.run(scene())
