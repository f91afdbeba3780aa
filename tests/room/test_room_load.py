"""Long rooms: exports hold up nobody and are limited; opening a room takes no longer the longer it is."""

from __future__ import annotations

import asyncio
import http.client
import time
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from benchmarks.long_room import ROOM, TOKEN, LongRoom, opening_seconds
from bots import call
from desk import bot_name, make_bot
from served import Served, crowding

from tahur.room import wire
from tahur.room.facts import Ended
from tahur.room.history import Format, exported, hand_line
from tahur.room.lobby import Lobby
from tahur.room.snapshot import EVERY, WORTH
from tahur.room.state import replay_log
from tahur.room.store import Store, sqlite_url
from tahur.web import played
from tahur.web.played import MOST_OF_ONE

FORMATS: tuple[Format, ...] = ("json", "phh", "pokerstars")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _with_hands(tmp_path_factory.mktemp("long"), 150)


@pytest.fixture
def server(folder: Path) -> Iterator[Served]:
    served = Served(folder, "--unlimited")
    served.start()
    yield served
    assert "Traceback" not in served.stop()


def _with_hands(folder: Path, hands: int) -> Path:
    with closing(Store(sqlite_url(str(folder / "rooms.db")))) as store:
        LongRoom(store).play(hands=hands)
    return folder


def _connected(server: Served) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(urlsplit(server.address).netloc, timeout=200)


def _export(server: Served, to: str) -> tuple[int, str | None, bytes]:
    connection = _connected(server)
    address = f"/api/rooms/{ROOM}/export?format={to}"
    connection.request("GET", address, headers={"Authorization": f"Bearer {TOKEN}"})
    answer = connection.getresponse()
    return answer.status, answer.headers["Retry-After"], answer.read()


def _house_while(server: Served, exports: int, to: str) -> tuple[list[float], set[bytes]]:
    """Seconds for each `GET /api/house` while so many exports run, and what the exports gave."""
    connection = _connected(server)
    delays = []
    with ThreadPoolExecutor(exports) as threads:
        running = [threads.submit(_export, server, to) for _ in range(exports)]
        while not all(each.done() for each in running):
            began = time.perf_counter()
            connection.request("GET", "/api/house")
            assert connection.getresponse().read()
            delays.append(time.perf_counter() - began)
            time.sleep(0.002)
    answers = [each.result() for each in running]
    assert {status for status, _, _ in answers} == {200}
    return sorted(delays), {text for _, _, text in answers}


def test_eight_exports_at_once_hold_up_nobody_and_give_what_one_gives(server: Served, folder: Path) -> None:
    call(server.address, "/api/house")  # which minds there are is found out once
    with closing(Store(sqlite_url(str(folder / "rooms.db")))) as store:
        state = replay_log(store.entries(ROOM))
        told = [(entry.fact, 0, entry.time) for entry in store.of_kind(ROOM, Ended.TYPE, oldest_first=True)]
    hands = [(fact, seat, when) for fact, seat, when in told if isinstance(fact, Ended)]
    assert len(hands) == state.finished >= 150
    for to in FORMATS:
        delays, texts = _house_while(server, 8, to)
        assert texts == {exported(hands, to).encode()}
        assert delays[int(0.9 * len(delays))] < 0.1 * crowding(), (to, delays)  # too few for the 99th percentile


@pytest.mark.slow(minutes=10)
def test_eight_exports_of_5000_hands_hold_up_nobody(tmp_path: Path) -> None:
    server = Served(_with_hands(tmp_path, 5_000), "--unlimited")
    server.start()
    call(server.address, "/api/house")
    one = _export(server, "pokerstars")[2]
    delays, texts = _house_while(server, 8, "pokerstars")
    assert texts == {one}
    assert one.count(b"PokerStars Hand #") >= 5_000
    assert len(delays) > 100
    assert delays[int(0.99 * len(delays))] < 0.1 * crowding(), delays[-20:]
    assert "Traceback" not in server.stop()


def test_one_person_runs_a_few_exports_at_a_time(server: Served) -> None:
    with ThreadPoolExecutor(3 * MOST_OF_ONE) as threads:
        answers = list(threads.map(lambda _: _export(server, "pokerstars"), range(3 * MOST_OF_ONE)))
    taken = [text for status, _, text in answers if status == 200]
    refused = [(again, text) for status, again, text in answers if status == 429]
    assert len(taken) >= MOST_OF_ONE
    assert len(set(taken)) == 1
    assert refused, "all of them ran"
    assert len(taken) + len(refused) == len(answers)
    assert all(again == "5" and b"too many exports at the same time" in text for again, text in refused)


def test_exports_whose_readers_went_away_do_not_count(server: Served) -> None:
    for _ in range(3 * MOST_OF_ONE):
        connection = _connected(server)
        address = f"/api/rooms/{ROOM}/export?format=pokerstars"
        connection.request("GET", address, headers={"Authorization": f"Bearer {TOKEN}"})
        connection.close()
    for _ in range(200):
        if _export(server, "json")[0] == 200:
            return
        time.sleep(0.05)
    raise AssertionError("they still count")


def test_a_reader_who_reads_nothing_does_not_hold_an_export_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(played, "DEADLINE", 0.05)
    ended = []

    async def texts() -> AsyncIterator[str]:
        yield "a hand"

    async def never(*_: Any) -> None:
        await asyncio.Event().wait()

    response = played.ExportResponse(texts(), {}, lambda: ended.append(1))
    asyncio.run(asyncio.wait_for(response({"type": "http", "asgi": {}}, never, never), 10))
    assert ended == [1]


def test_every_page_of_the_list_has_the_totals_of_a_single_list(server: Served, folder: Path) -> None:
    with closing(Store(sqlite_url(str(folder / "rooms.db")))) as store:
        entries = store.of_kind(ROOM, Ended.TYPE, oldest_first=True)
    total, wanted = 0.0, []
    for entry in entries:
        assert isinstance(entry.fact, Ended)
        total += hand_line(entry.fact, 0, None).result or 0.0
        wanted.append((entry.hand, total))
    found: list[tuple[int, float]] = []
    before = ""
    while True:
        status, page = call(server.address, f"/api/rooms/{ROOM}/hands?most=40{before}", token=TOKEN)
        assert status == 200
        found += [(line["hand"], line["total"]) for line in page["hands"]]
        if not page["more"]:
            break
        before = f"&before={found[-1][0]}"
    assert found == wanted[::-1]


class _Clock:
    """Time that a test sets."""

    seconds = 0.0

    def now(self) -> float:
        return self.seconds

    def wall(self) -> float:
        return 2e9 + self.seconds


def test_a_long_room_has_a_snapshot_once_it_is_opened_and_a_newer_one_once_it_is_unloaded(tmp_path: Path) -> None:
    async def opened_and_unloaded(store: Store) -> list[int]:
        clock = _Clock()
        lobby = Lobby(store, clock, make_bot, bot_name)
        numbers = []
        room = await lobby.room(ROOM)
        store.append([]).result()  # what was to be written before is on disk then
        numbers.append(_snapshot_number(store))
        for number in range(WORTH):
            assert isinstance(await room.request("p0", wire.Say(f"say {number}", "hello")), wire.Ack)
        clock.seconds = 1e6
        await lobby.sweep()
        store.append([]).result()
        numbers.append(_snapshot_number(store))
        await lobby.close()
        return numbers

    with closing(Store(sqlite_url(str(tmp_path / "rooms.db")))) as store:
        LongRoom(store).play(entries=EVERY + 100)
        last = list(store.entries(ROOM))[-1].number
        assert store.snapshot(ROOM) is None
        assert asyncio.run(opened_and_unloaded(store)) == [last, last + WORTH]


def _snapshot_number(store: Store) -> int:
    found = store.snapshot(ROOM)
    return found.number if found else 0


@pytest.mark.slow(minutes=15)
def test_a_room_with_400000_entries_opens_in_a_second(tmp_path: Path) -> None:
    assert opening_seconds(sqlite_url(str(tmp_path / "rooms.db")), 400_000) < 1.0 * crowding()


def test_opening_a_longer_room_takes_no_longer(tmp_path: Path) -> None:
    short, long = (opening_seconds(sqlite_url(str(tmp_path / f"{size}.db")), size) for size in (2_000, 12_000))
    assert long < 3 * short + 0.1 * crowding()
