"""Logs that older versions wrote are read; those of newer ones, and damaged ones, are refused in a sentence.

`tests/data/room_logs/VERSION` holds logs as that version wrote them, with what it said of them. A new version adds a
folder, and never changes one.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from desk import Dice, bot_name, make_bot, settings

from tahur.room import facts
from tahur.room.gallery import Gallery
from tahur.room.history import fairness
from tahur.room.keeper import Keeper
from tahur.room.lobby import Lobby, RoomUnreadable
from tahur.room.log import Draft, LogEntry, LogError, chain_entries
from tahur.room.proof import check_fairness, check_older
from tahur.room.rest import DealNotes
from tahur.room.state import RoomState, replay_log
from tahur.room.store import SCHEMA, Store, StoreError, sqlite_url
from tahur.room.verify import LogVerdict, verify
from tahur.web.guard import SystemClock

LOGS = Path(__file__).parents[1] / "data/room_logs"
BEFORE_SEEDS = ("0.1.0", "0.1.0-bans")
VERSIONS = sorted(path.name for path in LOGS.iterdir())
CASES = [(version, name) for version in VERSIONS for name in ("nlhe", "limit", "perudo")]


def log(version: str, name: str) -> list[LogEntry]:
    lines = (LOGS / version / f"{name}.jsonl").read_text().splitlines()
    return [LogEntry(**json.loads(line)) for line in lines]


def expected(version: str, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((LOGS / version / "expected.json").read_text())[name]
    return found


@pytest.mark.parametrize(("version", "name"), CASES)
def test_an_old_log_makes_the_room_it_made(version: str, name: str) -> None:
    entries, told = log(version, name), expected(version, name)
    state = replay_log(entries)
    assert (len(entries), state.hand, [chair.chips for chair in state.chairs]) == (
        told["entries"],
        told["hands"],
        told["chips"],
    )


@pytest.mark.parametrize(("version", "name"), CASES)
def test_an_old_log_is_verified(version: str, name: str) -> None:
    verdict = last(verify("test-room", log(version, name)))
    assert (verdict.fault, verdict.hands) == (None, expected(version, name)["hands"])


def last(steps: Generator[Any, None, LogVerdict]) -> LogVerdict:
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            verdict: LogVerdict = stop.value
            return verdict


@pytest.mark.parametrize(("version", "name"), CASES)
def test_an_old_room_is_opened_and_goes_on(tmp_path: Path, version: str, name: str) -> None:
    async def scene() -> None:
        store = Store(sqlite_url(str(tmp_path / "rooms.db")))
        store.append(log(version, name)).result()
        gallery = Gallery()
        lobby = Lobby(store, SystemClock(), gallery.make, gallery.name_of)
        room = await lobby.room("test-room")
        assert room.state.hand == expected(version, name)["hands"]
        await lobby.close()
        store.close()

    asyncio.run(scene())


@pytest.mark.parametrize(("version", "name"), CASES)
def test_the_deals_of_an_old_log_are_proven_as_far_as_they_can_be(version: str, name: str) -> None:
    """Those from before seeds have no header: they are checked as older ones, and refused as anything more."""
    state, checked = RoomState(), 0
    for entry in log(version, name):
        state.apply(entry)
        live = state.live
        if isinstance(entry.fact, facts.Ended) and live is not None:
            proof = fairness(live.dealt, live.table, 0, live.shown)
            seeds = live.dealt.seeds
            notes = DealNotes(live.dealt.commitment, 0, seeds[0] if seeds else None)
            if version in BEFORE_SEEDS:
                assert check_older(proof, live.dealt.commitment) == []
                assert any("no header" in fault for fault in check_fairness(proof, notes))
            else:
                assert check_fairness(proof, notes) == []
            checked += 1
    assert checked == expected(version, name)["hands"]


def test_a_room_killed_between_sealing_and_dealing_deals_the_sealed_deck_in_a_later_version() -> None:
    state = replay_log(log("0.1.0-seeds", "perudo"))
    sealed = state.next_hand.sealed
    assert sealed is not None
    drafts = Keeper(state, Dice(1), bot_name, 0.0).tick(60.0)
    assert [draft.fact.TYPE for draft in drafts] == ["dealt"]
    assert drafts[0].fact.commitment == sealed.commitment  # type: ignore[union-attr]


# ---- what cannot be read -------------------------------------------------------------------------


def test_a_fact_of_a_newer_version_is_refused_by_its_name() -> None:
    entries = chain_entries("r", None, [Draft(facts.Opened("r", settings()))], 1.0)
    newer = json.dumps({"type": "teleported", "seat": 1})
    with pytest.raises(LogError, match=r"'teleported'.* newer version"):
        facts.fact_of(newer)
    assert entries[0].fact


def test_one_unreadable_room_does_not_hide_the_others(tmp_path: Path) -> None:
    async def scene() -> None:
        url = sqlite_url(str(tmp_path / "rooms.db"))
        store = Store(url)
        lobby = Lobby(store=store, clock=SystemClock(), make_bot=make_bot, bot_names=bot_name, randomness=Dice(1))
        good = await lobby.open(settings("nlhe", 2, seconds=0), "Ana", ["caller"])
        bad = await lobby.open(settings("nlhe", 2, seconds=0), "Ben", ["caller"])
        await lobby.close()
        store.close()
        with sqlite3.connect(tmp_path / "rooms.db") as file:
            file.execute(
                'UPDATE room_log SET text = \'{"type": "teleported"}\' WHERE room = ? AND number = 2', (bad.room,)
            )
        store = Store(url)
        lobby = Lobby(store=store, clock=SystemClock(), make_bot=make_bot, bot_names=bot_name, randomness=Dice(1))
        assert (await lobby.room(good.room)).state.room == good.room
        for _ in range(2):
            with pytest.raises(RoomUnreadable, match=f"room {bad.room} cannot be read.*teleported"):
                await lobby.room(bad.room)
        await lobby.close()
        store.close()

    asyncio.run(scene())


def test_a_database_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rooms.db"
    Store(sqlite_url(str(path))).close()
    with sqlite3.connect(path) as file:
        assert file.execute("SELECT version FROM room_schema").fetchall() == [(SCHEMA,)]
        file.execute("UPDATE room_schema SET version = 99")
    with pytest.raises(StoreError, match=f"version 99.*reads up to {SCHEMA}"):
        Store(sqlite_url(str(path)))


def test_a_database_from_before_versions_is_taken_for_the_first(tmp_path: Path) -> None:
    path = tmp_path / "rooms.db"
    Store(sqlite_url(str(path))).close()
    with sqlite3.connect(path) as file:
        file.execute("DROP TABLE room_schema")
    Store(sqlite_url(str(path))).close()
    with sqlite3.connect(path) as file:
        assert file.execute("SELECT version FROM room_schema").fetchall() == [(SCHEMA,)]


def test_a_damaged_database_is_refused_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "rooms.db"
    store = Store(sqlite_url(str(path)))
    for number in range(60):
        store.append(
            chain_entries(f"room-{number}", None, [Draft(facts.Opened(f"room-{number}", settings()))], 1.0)
        ).result()
    store.close()
    content = bytearray(path.read_bytes())
    content[4096 * 2 : 4096 * 6] = bytes(4096 * 4)
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"damaged|malformed"):
        Store(sqlite_url(str(path)))
