"""The real server over real sockets: it is killed and comes back, lets nobody in who should not be, and stays up."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bots import Bot, call, calls, sockets
from served import Forked, Served, startup
from websockets.exceptions import InvalidStatus

from tahur.room import facts, wire
from tahur.room.log import check_chain
from tahur.room.state import replay_log
from tahur.room.store import SYNCHRONOUS, Store

WEDGED = 60.0  # seconds in which a room must acknowledge an action
GAMES = ("nlhe", "perudo", "limit")
MINDS = {
    "nlhe": ["caller", "maniac"],
    "limit": ["random", "caller"],
    "perudo": ["persona:turtle", "persona:shark"],
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    served = Served(tmp_path_factory.mktemp("rooms"), "--unlimited")
    served.start()
    yield served
    assert "Traceback" not in served.stop()


def _opened(server: Served, game: str = "nlhe", **more: Any) -> dict[str, Any]:
    body = {"name": "Ana", "game": game, "minds": MINDS[game], "pace": "instant", "seconds": 0} | more
    status, seated = call(server.address, "/api/rooms", body)
    assert status == 200, seated
    found: dict[str, Any] = seated
    return found


# ---- killed --------------------------------------------------------------------------------------


def check_kills(server: Served, rooms: int, cycles: int) -> None:
    """Bots play in all rooms while the server is killed again and again; then every log is held against the bots."""
    opened = [_opened(server, GAMES[number % 3]) for number in range(rooms)]
    bots = [Bot(server.address, each["room"], each["token"], calls) for each in opened]
    asyncio.run(_kill_while_playing(server, bots, cycles))
    store = Store(server.database)
    assert store.synchronous() in (SYNCHRONOUS, None)
    for bot in bots:
        _check_log(store, bot)
    store.close()


async def _kill_while_playing(server: Served, bots: list[Bot], cycles: int) -> None:
    enough = asyncio.Event()
    playing = [asyncio.create_task(bot.play(lambda _: enough.is_set())) for bot in bots]
    for _ in range(cycles):
        before = [len(bot.acked) for bot in bots]
        since = time.monotonic()
        while waiting := [bot for bot, count in zip(bots, before, strict=True) if len(bot.acked) <= count]:
            await asyncio.sleep(0.01)
            assert time.monotonic() - since < WEDGED, [(bot.scene, bot.waiting, bot.refused) for bot in waiting]
            assert not any(task.done() for task in playing), [task.exception() for task in playing if task.done()]
        for bot in bots:  # rooms that are up first should not play on alone until the last is
            bot.most = len(bot.acked) + len(bot.waiting) + 3
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)
    enough.set()
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)


def _check_log(store: Store, bot: Bot) -> None:
    """Nothing acknowledged is missing, nothing is there twice, and cards, chips and numbers are as they were."""
    entries = list(check_chain(bot.room, store.entries(bot.room)))
    written = Counter(entry.request for entry in entries if entry.request)
    assert set(written.values()) <= {1}
    assert set(bot.acked) <= set(written), "an acknowledged action is lost"
    acts = {entry.request: entry.fact for entry in entries if isinstance(entry.fact, facts.Acted) and entry.request}
    for request, act in bot.acked.items():
        fact = acts[request]
        assert (fact.hand, fact.at, fact.action) == (act.hand, act.at, act.action)
    turns = Counter((fact.hand, fact.at) for entry in entries if isinstance(fact := entry.fact, facts.Acted))
    assert set(turns.values()) == {1}
    assert not [each for each in bot.refused if "no longer open" not in each.why]
    state = replay_log(entries)
    told = {event.number: event for event in state.events}
    assert all(told[event.number] == event for event in bot.events if event.number in told), "history was rewritten"
    if state.settings.game != "perudo":
        assert sum(chair.result for chair in state.chairs) == 0


def _left(server: Served, room: dict[str, Any]) -> int:
    """Milliseconds that Ana has left of her clock, without the grace for who is not connected."""
    bot = Bot(server.address, room["room"], room["token"], calls)
    asyncio.run(_looked(bot))
    assert bot.scene is not None
    assert bot.scene.turn is not None
    assert bot.scene.turn.left is not None
    return bot.scene.turn.left - bot.scene.turn.grace


async def _looked(bot: Bot) -> None:
    """Connect, and look until it is one's turn; do nothing."""
    async with bot.connected() as socket:
        await socket.send(wire.encode(wire.Hello(0)))
        async for text in socket:
            message = wire.decode_answer(text)
            assert isinstance(message, wire.Frame)
            bot.scene = message.scene
            if bot.scene.turn is not None and bot.scene.turn.seat == bot.scene.you:
                return


def test_a_killed_server_has_lost_and_doubled_nothing(server: Served) -> None:
    """A real process, started again as it was at first; and a clock goes on where it stood."""
    thinking = _opened(server, seconds=600)
    before, began = _left(server, thinking), time.monotonic()
    check_kills(server, rooms=3, cycles=1)
    spent = 1000 * (time.monotonic() - began)
    assert before - spent <= _left(server, thinking) <= before


def test_a_server_killed_twenty_times_with_ten_rooms_has_lost_and_doubled_nothing(tmp_path: Path) -> None:
    check_many_kills(tmp_path, cycles=20)


@pytest.mark.slow(minutes=12)
def test_a_server_killed_sixty_times_with_ten_rooms_has_lost_and_doubled_nothing(tmp_path: Path) -> None:
    check_many_kills(tmp_path, cycles=60)


def check_many_kills(folder: Path, cycles: int) -> None:
    server = Forked(folder, "--unlimited")
    server.start()
    check_kills(server, rooms=10, cycles=cycles)
    assert "Traceback" not in server.stop()


def test_a_server_is_up_again_in_two_seconds(tmp_path: Path) -> None:
    """From nothing to its first answer; it imports no kernel and no solver on the way."""
    assert startup(tmp_path) < 2.0


# ---- let in --------------------------------------------------------------------------------------

OURS = object()  # stands for the server's own address
MATRIX = [
    # origin, host, token as, let in
    (OURS, OURS, "cookie", True),
    (OURS, OURS, "bearer", True),
    (None, OURS, "bearer", True),
    (None, OURS, "cookie", False),
    ("http://evil.example", OURS, "cookie", False),
    ("http://evil.example", OURS, "bearer", False),
    ("null", OURS, "cookie", False),
    ("", OURS, "cookie", False),
    ("http://localhost", OURS, "cookie", False),
    ("https://localhost:1", OURS, "cookie", False),
    (OURS, "evil.example", "cookie", False),
    ("http://evil.example", "evil.example", "cookie", False),
    (OURS, OURS, "none", False),
    (OURS, OURS, "wrong", False),
    (OURS, OURS, "another room's", False),
]


@pytest.mark.parametrize(("origin", "host", "shown", "let_in"), MATRIX)
def test_a_socket_is_accepted_for_our_own_page_or_program_with_a_token_of_the_room_alone(
    server: Served, two_rooms: list[dict[str, Any]], origin: Any, host: Any, shown: str, let_in: bool
) -> None:
    room, other = two_rooms
    head = {}
    if origin is not None:
        head["Origin"] = server.address if origin is OURS else origin
    if host is not OURS:
        head["Host"] = host
    token = {"wrong": "x" * 32, "another room's": other["token"]}.get(shown, room["token"])
    if shown == "bearer":
        head["Authorization"] = f"Bearer {token}"
    elif shown != "none":
        head["Cookie"] = f"tahur-{room['room']}={token}"
    assert asyncio.run(_is_let_in(server, room["room"], head)) is let_in


async def _is_let_in(server: Served, room: str, head: dict[str, str]) -> bool:
    address = f"{server.address.replace('http', 'ws', 1)}/api/rooms/{room}/socket"
    host = head.pop("Host", None)
    try:
        if host is not None:  # the library writes this header itself
            address = address.replace("localhost", host)
            ours = server.address.rpartition(":")[2]
            async with sockets.connect(address, host="localhost", port=int(ours), additional_headers=head):
                return True
        async with sockets.connect(address, additional_headers=head):
            return True
    except InvalidStatus as refusal:
        return _accepted_first(refusal.response.status_code)


def _accepted_first(status: int) -> bool:
    """A refusal is a 403 in answer to the handshake: the socket was never open."""
    return status != 403


@pytest.fixture(scope="module")
def two_rooms(server: Served) -> list[dict[str, Any]]:
    return [_opened(server), _opened(server, "perudo")]


@pytest.mark.parametrize("path", ["hands", "hands/1", "hands/1/thoughts", "hands/1/odds", "hands/1/fairness", "export"])
def test_what_was_played_is_told_to_who_has_a_token_of_the_room_alone(
    server: Served, two_rooms: list[dict[str, Any]], path: str
) -> None:
    room, other = two_rooms
    for token in ("", "x" * 32, other["token"]):
        assert call(server.address, f"/api/rooms/{room['room']}/{path}", token=token)[0] == 401


def test_thoughts_are_forbidden_while_the_hand_goes_on(server: Served) -> None:
    room = _opened(server, "perudo")
    bot = Bot(server.address, room["room"], room["token"], calls)
    asyncio.run(bot.play(lambda bot: bot.scene is not None and bot.scene.hand > 1))
    asyncio.run(bot.play(lambda bot: bot.scene is not None and bot.scene.phase == "playing"))
    assert bot.scene is not None
    base = f"/api/rooms/{room['room']}/hands"
    for path in ("thoughts", "odds", "fairness"):
        assert call(server.address, f"{base}/{bot.scene.hand}/{path}", token=room["token"])[0] == 403
    assert call(server.address, f"{base}/{bot.scene.hand}", token=room["token"])[0] == 403
    status, told = call(server.address, f"{base}/1/thoughts", token=room["token"])
    assert status == 200
    assert told["thoughts"]


def test_a_page_of_another_server_cannot_post(server: Served) -> None:
    body = {"name": "Eve", "minds": ["caller"]}
    assert call(server.address, "/api/rooms", body, Origin="http://evil.example")[0] == 403
    assert call(server.address, "/api/rooms", body, Host="evil.example")[0] == 403


def test_every_answer_keeps_the_browser_to_this_server(server: Served) -> None:
    import urllib.error
    import urllib.request

    for path in ("/", "/api/house", "/api/nothing", "/room/x"):
        try:
            answer = urllib.request.urlopen(server.address + path, timeout=20)
        except urllib.error.HTTPError as error:
            answer = error  # type: ignore[assignment]
        assert answer.headers["Content-Security-Policy"].startswith("default-src 'self'")
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


BAD = [
    ("/api/rooms", {"name": "A", "minds": ["os:system"]}, 400),
    ("/api/rooms", {"name": "A", "minds": ["strategy:/etc/passwd"]}, 400),
    ("/api/rooms", {"name": "A", "minds": ["persona:shark"]}, 400),
    ("/api/rooms", {"name": "A", "minds": ["llm:duelist"]}, 400),
    ("/api/rooms", {"name": "A", "minds": ["persona:duelist"], "llm": True}, 400),
    ("/api/rooms", {"name": "A", "minds": []}, 400),
    ("/api/rooms", {"name": "", "minds": ["caller"]}, 400),
    ("/api/rooms", {"name": "A", "minds": ["caller"], "blinds": [5, 2]}, 400),
    ("/api/rooms", {"name": "A", "minds": ["caller"], "game": "chess"}, 400),
    ("/api/rooms", {"name": "A", "minds": ["caller"], "rules": "mine"}, 400),
    ("/api/rooms", {"name": "A", "minds": [None], "open_cards": True}, 400),
    ("/api/rooms", {"name": "A" * 20_000, "minds": ["caller"]}, 413),
    ("/api/rooms", [], 400),
    ("/api/rooms/nowhere/join", {"name": "A"}, 404),
    ("/api/rooms/../../etc/join", {"name": "A"}, 404),
]


@pytest.mark.parametrize(("path", "body", "status"), BAD)
def test_what_cannot_be_opened_or_joined_is_refused_in_a_sentence(
    server: Served, path: str, body: Any, status: int
) -> None:
    got, said = call(server.address, path, body)
    assert got == status or (status == 404 and got in (404, 405))
    assert got >= 404 or said["error"]


# ---- hostile -------------------------------------------------------------------------------------


def hostile(rng: np.random.Generator, room: str) -> str | bytes:
    """A frame that nobody should send: broken, mistyped, endless, of another room or turn, binary."""
    good = json.loads(wire.encode(wire.Act(f"h{rng.integers(0, 10**9)}", 10**6, 0, 1)))
    match int(rng.integers(0, 10)):
        case 0:
            return bytes(rng.integers(0, 256, int(rng.integers(0, 200)), dtype=np.uint8))
        case 1:
            text = json.dumps(good)
            return text[: int(rng.integers(0, len(text)))]
        case 2:
            good[str(rng.choice(list(good)))] = _odd(rng)
            return json.dumps(good)
        case 3:
            depth = int(rng.integers(1, 900))
            return "[" * depth + "]" * depth
        case 4:
            return json.dumps(good).replace("1000000", str(rng.choice(["NaN", "-Infinity", "1e400", "-1", "1.5"])))
        case 5:
            return json.dumps(good | {f"k{rng.integers(0, 99)}": room})
        case 6:
            return json.dumps({"v": 2, "type": str(rng.choice(["frame", "ack", "", "__class__"])), "id": "x"})
        case 7:
            return json.dumps(good | {"at": int(rng.integers(0, 10**6)), "hand": int(rng.integers(10**5, 10**6))})
        case 8:
            return json.dumps(good | {"say": "x" * int(rng.integers(281, 6000))})
        case _:
            return wire.encode(_hostile_seed(rng, good["id"]))


def _hostile_seed(rng: np.random.Generator, id: str) -> wire.OfferSeed | wire.RevealSeed:
    """A seed that nobody asked for, of another hand, or one that is none."""
    signs = str(rng.choice(["0" * 64, "Z" * 64, "\u0661" * 64, "0" * 63 + "\n", "ab" * 31]))
    if rng.integers(0, 2):
        return wire.RevealSeed(id, int(rng.integers(0, 4)), signs)
    return wire.OfferSeed(id, int(rng.choice([0, 1, 2, 3, 10**6])) if "0" not in signs else 10**6, signs)


def _odd(rng: np.random.Generator) -> Any:
    odd: list[Any] = [None, True, -1, 1.5, "", "1", [], {}, [[]], {"a": {}}, 10**30, "\u0000", "\ud800", "x" * 4000]
    return odd[int(rng.integers(0, len(odd)))]


async def _attack(server: Served, room: dict[str, Any], frames: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    bot = Bot(server.address, room["room"], room["token"], calls)
    left = frames
    while left:
        async with bot.connected() as socket:
            for _ in range(min(left, 45)):  # the server hangs up after forty faults
                await socket.send(hostile(rng, room["room"]))
                left -= 1
            await socket.close()


def check_hostile(server: Served, frames: int) -> None:
    room = _opened(server, minds=[None])  # alone: nothing is dealt by itself
    base = f"/api/rooms/{room['room']}"
    before = call(server.address, base)
    asyncio.run(_attack(server, room, frames, seed=frames))
    assert call(server.address, base) == before


def test_hostile_frames_change_nothing_and_break_nothing(server: Served) -> None:
    check_hostile(server, 450)


@pytest.mark.slow
def test_a_hundred_thousand_hostile_frames_over_the_socket_change_nothing(server: Served) -> None:
    check_hostile(server, 100_000)
