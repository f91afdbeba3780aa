"""Frames are encoded from parts that all viewers share; commits are shared by rooms."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sqlalchemy as sql
from desk import Desk, Dice, bot_name, make_bot, settings

from tahur.room import facts, store, wire
from tahur.room.lobby import Lobby
from tahur.room.log import Draft, LogEntry, chain_entries
from tahur.room.scenes import Scenes
from tahur.room.store import Store, sqlite_url
from tahur.web.guard import SystemClock

VIEWERS = (None, "p0", "p1", "p2")


class WatchedDesk(Desk):
    """Compares, after every change, the frames of one `Scenes` with frames that are made from nothing."""

    compared = endings = 0

    def write(self, drafts: Sequence[Draft]) -> None:
        before = self.state.number
        super().write(drafts)
        if not hasattr(self, "keeper"):
            return
        if not hasattr(self, "scenes"):
            self.scenes = Scenes(self.keeper)
        self.scenes.changed()
        if not self.state.settling:
            self._compare(0)
            self._compare(before)

    def _compare(self, seen: int) -> None:
        for person in VIEWERS:
            fresh = self.frame(person, seen)
            text = self.scenes.frame_text(self.state.seat_of(person), seen, self.now)
            assert text == wire.encode(fresh)
            assert self.scenes.frame(self.state.seat_of(person), seen, self.now) == fresh
            self.compared += 1
            self.endings += bool(fresh.ending)


@pytest.mark.parametrize(("game", "open_cards"), [("nlhe", False), ("limit", False), ("nlhe", True), ("perudo", False)])
def test_a_frame_made_of_shared_parts_is_the_frame_made_from_nothing(game: str, open_cards: bool) -> None:
    minds: list[str | None] = [None, "caller", "caller"] if open_cards else []
    desk = WatchedDesk(settings(game, 3, pace="usual", open_cards=open_cards), minds)
    desk.ask("p0", wire.Muck("show", auto=False))
    rng = np.random.default_rng(3)
    for _ in range(6):
        desk.random_hand(rng)
        desk.run(30, one_hand=True)
    assert desk.compared >= 150
    assert desk.endings > 20


def test_the_host_alone_sees_bans_in_a_frame_of_shared_parts() -> None:
    desk = WatchedDesk(settings(seats=3))
    desk.ask("p0", wire.Ban("ban", 2))
    texts = {person: desk.scenes.frame_text(desk.state.seat_of(person), 0, desk.now) for person in VIEWERS}
    assert [person for person, text in texts.items() if '"bans":[]' not in text] == ["p0"]


def test_pages_see_who_comes_and_goes(tmp_path: Path) -> None:
    async def scene() -> list[bool]:
        with closing(Store(sqlite_url(str(tmp_path / "rooms.db")))) as kept:
            lobby = Lobby(kept, SystemClock(), make_bot, bot_name, randomness=Dice(1))
            entry = await lobby.open(settings("nlhe", 2, seconds=0), "Ana", [None])
            room = await lobby.room(entry.room)
            seen = []
            for _ in range(2):
                ended = room.listen(lambda: None, room.person_of(entry.token))
                seen.append('"here":true' in room.scenes.frame_text(None, 0, room.now()))
                ended()
                seen.append('"here":true' in room.scenes.frame_text(None, 0, room.now()))
            await lobby.close()
            return seen

    assert asyncio.run(scene()) == [True, False, True, False]


def _entries(room: str) -> list[LogEntry]:
    return chain_entries(room, None, [Draft(facts.Opened(room, settings()))], 1e9)


def _commits(store: Store) -> list[Any]:
    commits: list[Any] = []
    sql.event.listen(store._engine, "commit", commits.append)
    return commits


def test_rooms_share_commits_and_every_entry_is_on_disk_when_it_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "GROUPING", 0.5)
    url = sqlite_url(str(tmp_path / "rooms.db"))
    with closing(Store(url)) as kept, closing(Store(url)) as reader:
        kept.append(_entries("another")).result()
        commits = _commits(kept)
        waiting = {"room-0001": kept.append(_entries("room-0001"))}
        while not kept._jobs.empty():  # until the writer has taken it
            pass
        waiting["room-0002"] = kept.append(_entries("room-0002"))
        for room, done in waiting.items():
            done.result()
            assert [entry.room for entry in reader.entries(room)] == [room]
        assert len(commits) == 1


def test_a_room_alone_waits_for_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(Store(sqlite_url(str(tmp_path / "rooms.db")))) as kept:
        first = _entries("room-0001")
        kept.append(first).result()
        monkeypatch.setattr(store, "GROUPING", 600.0)
        more = chain_entries("room-0001", first[-1], [Draft(facts.Closed())], 1e9)
        kept.append(more).result(timeout=20)
