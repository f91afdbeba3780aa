"""Bans, names and caps on the real server: what a guest who is not wanted meets, over HTTP and over sockets."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from desk import Dice, bot_name, make_bot, settings
from guests import PROXY, Guest, asked, greeted, heard
from served import Served

from tahur.room import lobby as lobbies
from tahur.room import wire
from tahur.room.bans import BANNED
from tahur.room.keeper import RequestRefused
from tahur.room.lobby import Lobby
from tahur.room.rate_limits import CHAT
from tahur.room.scene import BanLine
from tahur.room.store import Store, sqlite_url
from tahur.web.guard import ROOMS, ROOMS_OF_PASS, Guard, NotAllowed, SystemClock
from tahur.web.socket import MOST_FROM_ONE, MOST_OF_WATCHER, MOST_OPEN, MOST_WATCHING


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """With its limits; everybody comes through a proxy that says from where."""
    served = Served(tmp_path_factory.mktemp("bans"), *PROXY)
    served.start()
    yield served
    assert "Traceback" not in served.stop()


# ---- bans ----------------------------------------------------------------------------------------


def test_who_is_banned_is_let_go_and_refused_by_token_and_address_until_the_ban_is_lifted(tmp_path: Path) -> None:
    server = Served(tmp_path, *PROXY)
    server.start()
    host, eve = Guest(server, "192.0.2.1"), Guest(server, "198.51.100.1")
    room = host.opens()
    assert eve.joins(room)[0] == 200
    watcher = Guest(server, "198.51.100.1")  # with a token from before the ban
    assert watcher.watches(room)[0] == 200
    asyncio.run(_banned(host, eve, room))
    assert asyncio.run(_silent(watcher, room)) == wire.Closing(BANNED, again=False)
    for _ in range(2):
        at_home = Guest(server, "198.51.100.1")  # another browser at the same address
        abroad = Guest(server, "203.0.113.9", eve.token)
        for status, said in (eve.joins(room), at_home.joins(room), abroad.joins(room), at_home.watches(room)):
            assert (status, said) == (409, {"error": BANNED})
        assert asyncio.run(_silent(eve, room)) == wire.Closing(BANNED, again=False)
        friend = Guest(server, "203.0.113.10")
        assert friend.watches(room)[0] == 200
        assert isinstance(asyncio.run(_first(friend, room)), wire.Frame)
        server.kill()
        server.start()
    asyncio.run(_lifted(host, room))
    assert eve.joins(room)[0] == 200
    assert isinstance(asyncio.run(_first(eve, room)), wire.Frame)
    assert "Traceback" not in server.stop()
    assert b"198.51.100.1" not in (tmp_path / "rooms.db").read_bytes()


async def _banned(host: Guest, eve: Guest, room: str) -> None:
    async with host.connected(room) as mine, eve.connected(room) as hers:
        assert isinstance(await greeted(mine), wire.Frame)
        assert isinstance(await greeted(hers), wire.Frame)
        assert await asked(hers, wire.Ban("x", 0)) == wire.Refused("x", "only the host can do that")
        answer = await asked(mine, wire.Ban("b", 1))
        assert isinstance(answer, wire.Ack)
        assert answer.note == ""
        assert await heard(hers, wire.Closing) == wire.Closing(BANNED, again=False)


async def _lifted(host: Guest, room: str) -> None:
    async with host.connected(room) as mine:
        frame = await greeted(mine)
        assert isinstance(frame, wire.Frame)
        assert frame.scene.bans == (BanLine(1, "Eve", address=True),)
        assert isinstance(await asked(mine, wire.LiftBan("l", 1)), wire.Ack)


async def _first(guest: Guest, room: str) -> wire.ToClient:
    async with guest.connected(room) as line:
        return await greeted(line)


async def _silent(guest: Guest, room: str) -> wire.ToClient:
    """What comes without a hello."""
    async with guest.connected(room) as line:
        return await heard(line, wire.Closing)


def test_in_one_household_the_token_alone_is_banned_and_the_host_is_told(server: Served) -> None:
    async def scene() -> None:
        async with host.connected(room) as line:
            await greeted(line)
            answer = await asked(line, wire.Ban("b", 1))
            assert isinstance(answer, wire.Ack)
            assert "banned only by their browser's token" in answer.note

    host, eve = Guest(server, "192.0.2.20"), Guest(server, "192.0.2.20")
    room = host.opens()
    eve.joins(room)
    asyncio.run(scene())
    assert eve.joins(room)[0] == 409
    assert Guest(server, "192.0.2.20").joins(room, "Sister")[0] == 200
    assert isinstance(asyncio.run(_first(host, room)), wire.Frame)


# ---- chat ----------------------------------------------------------------------------------------


def test_two_tabs_of_one_person_share_one_limit_and_what_is_acknowledged_is_told(server: Served) -> None:
    host = Guest(server, "192.0.2.30")
    room = host.opens()

    async def scene() -> list[wire.ToClient]:
        async with host.connected(room) as one, host.connected(room) as other:
            said = [await asked((one, other)[at % 2], wire.Say(f"s{at}", f"line {at}")) for at in range(10)]
            frame = await greeted(one)
            assert isinstance(frame, wire.Frame)
            told = [event.words for event in frame.events if event.kind == "chat"]
            assert told == [f"Ana: line {at}" for at, answer in enumerate(said) if isinstance(answer, wire.Ack)]
            return said

    said = asyncio.run(scene())
    assert sum(isinstance(answer, wire.Ack) for answer in said) == CHAT.burst
    assert isinstance(said[-1], wire.Refused)
    assert said[-1].why.startswith("you are writing too fast; try again in ")


# ---- names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["\u3164", "\u2800\u2800", " \u00a0", "Ana\u202e", "\u0301\u0301"])
def test_an_invisible_name_or_title_is_refused_in_a_sentence(server: Served, name: str) -> None:
    guest = Guest(server, f"192.0.3.{ord(name[0]) % 200}")
    room = guest.opens()
    said = [guest.call("/api/rooms", {"name": name}), Guest(server, guest.address).joins(room, name)]
    if name.strip():  # an empty title is the game's own
        said.append(guest.call("/api/rooms", {"name": "Ana", "title": name}))
    assert [status for status, _ in said] == [400] * len(said)
    assert all(len(answer["error"]) > 20 for _, answer in said)


def test_emoji_are_taken_and_who_looks_the_same_gets_a_number(server: Served) -> None:
    host = Guest(server, "192.0.2.40")
    room = host.opens(name="👩‍🚀 Ana", title="🏳️‍🌈 night")
    assert Guest(server, "192.0.2.41").joins(room, "👩‍🚀 ＡＮＡ")[0] == 200
    card = host.call(f"/api/rooms/{room}")[1]
    assert card["title"] == "🏳️‍🌈 night"
    assert card["people"] == ["👩‍🚀 Ana", "👩‍🚀 ＡＮＡ 2"]


# ---- caps ----------------------------------------------------------------------------------------


async def _opened(guests: list[Guest], room: str) -> list[wire.ToClient]:
    """All at once, and all held open until each was answered."""
    async with AsyncExitStack() as stack:

        async def one(guest: Guest) -> wire.ToClient:
            return await greeted(await stack.enter_async_context(guest.connected(room)))

        return list(await asyncio.gather(*(one(guest) for guest in guests)))


def _let_in(answers: list[wire.ToClient]) -> int:
    return sum(isinstance(answer, wire.Frame) for answer in answers)


def _reasons(answers: list[wire.ToClient]) -> set[str]:
    return {answer.why for answer in answers if isinstance(answer, wire.Closing)}


def test_one_token_has_a_few_sockets_however_many_are_opened_at_once(server: Served) -> None:
    host, fan = Guest(server, "192.0.2.50"), Guest(server, "192.0.2.51")
    room = host.opens()
    fan.watches(room)
    answers = asyncio.run(_opened([fan] * 20, room))
    assert _let_in(answers) == MOST_OF_WATCHER
    assert _reasons(answers) == {f"you already watch this room {MOST_OF_WATCHER} times, the maximum; close another tab"}
    assert _let_in(asyncio.run(_opened([fan], room))) == 1  # the others are gone, and are not counted any more
    assert _let_in(asyncio.run(_opened([host] * 20, room))) == MOST_OPEN


def test_spectators_are_capped_for_an_address_and_for_a_room_and_players_come_in_all_the_same(tmp_path: Path) -> None:
    server = Served(tmp_path, "--unlimited", *PROXY)
    server.start()
    host = Guest(server, "192.0.2.60")
    room = host.opens()
    near = [Guest(server, "192.0.2.61") for _ in range(MOST_FROM_ONE + 3)]
    for guest in near:
        guest.watches(room)
    answers = asyncio.run(_opened(near, room))
    assert _let_in(answers) == MOST_FROM_ONE
    assert "from your address" in _reasons(answers).pop()
    crowd = [Guest(server, f"198.51.100.{at}") for at in range(MOST_WATCHING + 3)]
    for guest in crowd:
        guest.watches(room)
    answers = asyncio.run(_opened([*crowd, host], room))
    assert _let_in(answers) == MOST_WATCHING + 1
    assert isinstance(answers[-1], wire.Frame)
    assert _reasons(answers) == {f"{MOST_WATCHING} spectators are here, the maximum"}
    assert "Traceback" not in server.stop()


def test_who_watches_again_keeps_the_same_token(server: Served) -> None:
    fan = Guest(server, "192.0.2.70")
    room = Guest(server, "192.0.2.71").opens()
    tokens = {fan.watches(room)[1]["token"] for _ in range(5)}
    assert len(tokens) == 1


class SetClock:
    def __init__(self) -> None:
        self.time = 1000.0

    def now(self) -> float:
        return self.time

    def wall(self) -> float:
        return self.time


def test_new_rooms_are_capped_by_address_and_by_browser_and_friends_behind_a_router_still_open_some() -> None:
    clock = SetClock()
    guard = Guard(clock=clock)  # type: ignore[arg-type]
    assert _rooms_opened(guard, "10.0.0.1", "eve") == ROOMS_OF_PASS.burst
    assert _rooms_opened(guard, "10.0.0.1", "friend") == ROOMS.burst - ROOMS_OF_PASS.burst
    assert _rooms_opened(guard, "10.0.0.1", "") == 0
    assert _rooms_opened(guard, "10.0.0.2", "") == ROOMS.burst
    with pytest.raises(NotAllowed, match="too many new rooms; open another in 60 s"):
        guard.check_new_room("10.0.0.2", "")
    clock.time += 3600
    assert _rooms_opened(guard, "10.0.0.1", "") == ROOMS.burst  # an hour later, and no more than at first


def _rooms_opened(guard: Guard, address: str, house_pass: str) -> int:
    for count in range(100):
        try:
            guard.check_new_room(address, house_pass)
        except NotAllowed:
            return count
    raise AssertionError("there is no limit")


def test_one_client_cannot_fill_the_cap_on_rooms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobbies, "MOST_ROOMS", 10)
    monkeypatch.setattr(lobbies, "MOST_OF_ONE", 6)

    async def scene() -> None:
        store = Store(sqlite_url(str(tmp_path / "rooms.db")))
        lobby = Lobby(store=store, clock=SystemClock(), make_bot=make_bot, bot_names=bot_name, randomness=Dice(1))
        first = await lobby.open(settings("nlhe", 2), "Ana", [None], address="friend")
        for _ in range(30):  # rooms that nobody is in make way for new ones, and are not lost
            await _open(lobby, "eve")
        assert len(lobby.running) <= 10
        assert (await lobby.room(first.room)).state.room == first.room
        for _ in range(6):  # rooms in use do not
            (await lobby.room((await _open(lobby, "mallory")).room)).listen(lambda: None, None)
        with pytest.raises(RequestRefused, match="opened from your address"):
            await _open(lobby, "mallory")
        await _open(lobby, "friend")
        await lobby.close()
        store.close()

    asyncio.run(scene())


async def _open(lobby: Lobby, address: str) -> Any:
    return await lobby.open(settings("nlhe", 2), "Eve", [None], address=address)
