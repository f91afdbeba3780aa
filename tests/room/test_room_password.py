"""A house with a password tells nothing before it was given, and cannot be guessed into; the real server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from guests import PROXY, Guest, refused_at_the_door
from served import Served

from tahur.room.lobby import MOST_OF_ONE, MOST_ROOMS
from tahur.room.rate_limits import CHAT
from tahur.web.api import HANDLERS
from tahur.web.guard import (
    CALLS,
    ENTRIES,
    MESSAGES,
    ROOMS,
    ROOMS_OF_PASS,
    WRONG,
    WRONG_IN_ALL,
    Guard,
    NotAllowed,
    place_of,
)
from tahur.web.socket import MOST_FROM_ONE, MOST_OF_WATCHER, MOST_OPEN, MOST_SOCKETS, MOST_WATCHING

PASSWORD = "four aces"
SECRETS = ("Zanzibar", "Zebedee")  # a title and a name


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    served = Served(tmp_path_factory.mktemp("password"), "--password", PASSWORD, *PROXY)
    served.start()
    yield served
    assert "Traceback" not in served.stop()


@pytest.fixture(scope="module")
def host(server: Served) -> Guest:
    return Guest(server, "192.0.2.1")


@pytest.fixture(scope="module")
def room(host: Guest) -> str:
    return host.opens(password=PASSWORD, title="Zanzibar", name="Zebedee")


@pytest.mark.parametrize(("method", "path"), [(method, path) for method, path, _ in HANDLERS])
def test_a_stranger_learns_nothing_at_any_address(server: Served, room: str, method: str, path: str) -> None:
    body = {"name": "Eve"} if path.endswith(("join", "/rooms")) else {"password": ""} if path == "/enter" else {}
    answers = []
    for number, name in enumerate((room, "nowhere-atall")):
        stranger = Guest(server, f"198.51.{len(path)}.{number}")
        for token in ("", "x.y", "wrong"):
            address = "/api" + path.format(room=name, hand="1")
            answers.append(stranger.call(address, body if method == "POST" else None, token=token))
    assert len({json.dumps(answer) for answer in answers}) == 1  # a room that is there is like one that is not
    status, said = answers[0]
    assert status == (200 if path == "/house" else 401)
    assert not [word for word in (*SECRETS, room, "caller", "Caller") if word in json.dumps(said)]


def test_the_socket_is_closed_to_strangers_whether_there_is_a_room_or_not(server: Served, room: str) -> None:
    stranger = Guest(server, "198.51.100.9", "no-token")
    assert refused_at_the_door(stranger, room) == refused_at_the_door(stranger, "nowhere-atall") == 403


def test_who_gave_the_password_sees_the_house_and_a_seat_is_a_pass_to_its_room(
    server: Served, host: Guest, room: str
) -> None:
    friend = Guest(server, "192.0.2.2")
    status, entered = friend.call("/api/enter", {"password": PASSWORD})
    assert status == 200
    friend.token = entered["token"]
    assert friend.call("/api/house")[1]["entered"] is True
    assert [card["title"] for card in friend.call("/api/rooms")[1]["rooms"]] == ["Zanzibar"]
    assert friend.call(f"/api/rooms/{room}")[1]["people"] == ["Zebedee"]
    assert friend.call("/api/rooms/nowhere-atall")[0] == 404
    assert host.call(f"/api/rooms/{room}")[1]["you"] == 0  # with the token of the seat alone
    assert host.call(f"/api/rooms/{room}/hands")[0] == 200
    assert host.joins(room, "Zebedee")[0] == 200
    assert host.call("/api/rooms", {"name": "Zebedee"})[0] == 401  # which is no pass to the house


def test_wrong_passwords_slow_down_for_one_address_then_for_all_and_nobody_inside_notices(
    server: Served, host: Guest, room: str
) -> None:
    friend = Guest(server, "192.0.2.3")
    friend.token = friend.call("/api/enter", {"password": PASSWORD})[1]["token"]
    guesser = Guest(server, "203.0.113.1")
    said = [guesser.call("/api/enter", {"password": f"guess {at}"}) for at in range(int(WRONG.burst) + 2)]
    assert [status for status, _ in said] == [401] * int(WRONG.burst) + [429] * 2
    assert "too many wrong passwords; try again in" in said[-1][1]["error"]
    assert guesser.call("/api/enter", {"password": PASSWORD})[0] == 429  # not even the right one, or it were no limit
    assert Guest(server, "203.0.113.2").call("/api/enter", {"password": PASSWORD})[0] == 200
    crowd = [Guest(server, f"203.0.{at}.7") for at in range(int(WRONG_IN_ALL.burst) + 10)]
    tried = [each.call("/api/rooms", {"name": "Eve", "password": "guess"})[0] for each in crowd]
    assert tried[0] == 401
    assert tried[-1] == 429
    assert tried.count(401) <= WRONG_IN_ALL.burst
    assert friend.call("/api/rooms")[0] == 200
    assert friend.call("/api/rooms", {"name": "Ben", "minds": ["caller"]})[0] == 200
    assert host.call(f"/api/rooms/{room}")[0] == 200
    assert host.joins(room, "Zebedee")[0] == 200


# ---- figures, on a clock of numbers ----------------------------------------------------------------


class SetClock:
    def __init__(self) -> None:
        self.time = 1000.0

    def now(self) -> float:
        return self.time

    def wall(self) -> float:
        return self.time


@pytest.mark.parametrize(("addresses", "most"), [(1, 66), (1000, 660)])
def test_the_guesses_of_an_hour_are_those_that_the_manual_says(addresses: int, most: int) -> None:
    clock = SetClock()
    guard, guesses = Guard("aces", clock=clock), 0  # type: ignore[arg-type]
    for at in range(36_000):  # ten a second
        clock.time = 1000.0 + at / 10
        with pytest.raises(NotAllowed) as refusal:
            guard.check_password("guess", f"10.0.{at % addresses}.1")
        guesses += refusal.value.status == 401
    assert most - 2 <= guesses <= most


def test_the_manual_has_the_limits_that_the_server_keeps() -> None:
    manual = " ".join((Path(__file__).parents[2] / "docs/room.md").read_text("utf-8").split())
    for limits, words in (
        (CHAT, "{burst:g} at once, then one every {wait:g} s; what is said"),
        (MESSAGES, "{burst:g} at once, then {rate:g} a second"),
        (CALLS, "{burst:g} at once, then {rate:g} a second"),
        (ENTRIES, "{burst:g} at once, then one every two seconds"),
        (ROOMS, "{burst:g} from one address, then one a minute; of these"),
        (ROOMS_OF_PASS, "of these {burst:g} by one browser, then one every two minutes"),
        (WRONG, "{burst:g} from one address, then one a minute; 60"),
        (WRONG_IN_ALL, "{burst:g} in all, then one every {wait:g} s |"),
    ):
        assert words.format(burst=limits.burst, rate=limits.rate, wait=1 / limits.rate) in manual
    assert f"{MOST_OF_WATCHER} with one token, {MOST_FROM_ONE} from one address, {MOST_WATCHING} in all" in manual
    assert f"of one person | {MOST_OPEN} |" in manual
    assert f"connections to rooms from one address | {MOST_SOCKETS} |" in manual
    assert f"{MOST_OF_ONE} that were opened from one address, {MOST_ROOMS} in all" in manual
    assert (ENTRIES.rate, ROOMS.rate, ROOMS_OF_PASS.rate, WRONG.rate) == (1 / 2, 1 / 60, 1 / 120, 1 / 60)


def test_a_pass_is_good_for_its_password_alone() -> None:
    guard = Guard("aces")
    token = guard.new_pass()
    assert guard.pass_of({}, {"tahur-house": token}) == token
    assert guard.pass_of({"authorization": f"Bearer {token}"}, {}) == token
    assert Guard("kings").pass_of({}, {"tahur-house": token}) == ""
    for wrong in ("", ".", token[:-1], f"x{token}", token.partition(".")[0], "\udcff.\udcff"):
        assert guard.pass_of({}, {"tahur-house": wrong}) == ""


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("?", "?"),
    ],
)
def test_one_household_counts_as_one_address(address: str, place: str) -> None:
    assert place_of(address) == place
