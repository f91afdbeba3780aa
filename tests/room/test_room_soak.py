"""The soak, short enough for every run of the tests: both games, a kill, and all that is checked afterwards."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
from desk import Desk, settings
from soak import Plan, Server, check_room, in_memory, memory_fault, soak

from broken_bots import BrokenBot
from tahur.room.bots import RoomBots
from tahur.room.log import Draft, LogEntry, chain_entries
from tahur.room.store import Store, sqlite_url

HOLDEM, PERUDO = Plan(hands=60, rooms=12, kills=1, per_room=400), Plan(hands=400, rooms=6, kills=1, per_room=60)


def test_a_short_soak_finds_nothing() -> None:
    with tempfile.TemporaryDirectory(dir=in_memory()) as folder:
        assert soak(Path(folder), HOLDEM, PERUDO) == []


def _played(desk: Desk, hands: int) -> Desk:
    for _ in range(hands):
        desk.random_hand(np.random.default_rng(3))
    return desk


def _faults(folder: Path, entries: list[LogEntry]) -> str:
    url = sqlite_url(str(folder / "rooms.db"))
    store = Store(url)
    store.append(entries).result()
    store.close()
    return "\n".join(check_room(url, "test-room").faults)


def test_a_room_in_which_nothing_is_wrong_passes(tmp_path: Path) -> None:
    assert _faults(tmp_path, _played(Desk(settings("nlhe", 3), [None, "caller"]), 3).log) == ""


def test_a_bot_that_failed_is_found(tmp_path: Path) -> None:
    desk = Desk(settings("nlhe", 2), [None, "caller"])
    desk.minds = RoomBots(lambda mind, game: BrokenBot())
    assert "a bot failed" in _faults(tmp_path, _played(desk, 2).log)


def test_an_entry_that_was_changed_is_found(tmp_path: Path) -> None:
    *log, last = _played(Desk(settings("nlhe", 2), [None, "caller"]), 2).log
    forged = replace(last, text=last.text.replace('"shown":[', '"shown":[0,'), _fact=None)
    assert "its hash does not match" in _faults(tmp_path, [*log, forged])


def test_chips_from_nowhere_are_found(tmp_path: Path) -> None:
    """A log whose hashes are right, but in which a hand ends with more chips than it began with."""
    log = _played(Desk(settings("nlhe", 2), [None, "caller"]), 2).log
    richer = replace(log[-1].fact, chips=tuple(chips + 5 for chips in log[-1].fact.chips))  # type: ignore[union-attr]
    forged = chain_entries("test-room", log[-2], [Draft(richer)], log[-1].time)
    assert "the chips are" in _faults(tmp_path, [*log[:-1], *forged])


def test_memory_that_grows_is_found() -> None:
    server = Server("nlhe", Path(), HOLDEM)
    server.memory = [[100_000 + 1_000 * at for at in range(160)]]
    assert memory_fault(server) is not None
    server.memory = [[100_000 + 10 * at for at in range(160)]]
    assert memory_fault(server) is None
