"""The same promises on PostgreSQL: entries read back as written, each request once, nothing lost by kill -9."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from desk import Desk, Dice, bot_name, make_bot, settings
from pg_proxy import Cut, Proxy
from postgres import postgres
from served import Forked, Served
from test_room_server import check_kills

from tahur.room import facts, wire
from tahur.room.lobby import Lobby
from tahur.room.log import Draft, chain_entries, check_chain
from tahur.room.state import replay_log
from tahur.room.store import Store, StoreError
from tahur.web.guard import SystemClock


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with postgres() as address:
        yield address


def test_a_log_in_postgres_is_read_back_as_it_was_written(url: str) -> None:
    desk, rng = Desk(settings("nlhe", 3), [None, "caller", None]), np.random.default_rng(1)
    for _ in range(3):
        desk.random_hand(rng)
    store = Store(url)
    store.append(desk.log).result()
    assert list(check_chain("test-room", store.entries("test-room"))) == desk.log
    assert store.recent(0.0, 9) == ["test-room"]
    assert store.synchronous() is None
    again = chain_entries("test-room", desk.log[-1], [Draft(facts.Said(0, "x"), "p0", "1-0")], 1.0)
    twice = chain_entries("test-room", desk.log[-1], [Draft(facts.Said(0, "x"), "p0", "once"), *_copy("once")], 1.0)
    for entries in (twice, again * 2):
        with pytest.raises(StoreError):
            store.append(entries).result()
    assert len(list(store.entries("test-room"))) == len(desk.log)
    store.close()


def _copy(request: str) -> list[Draft]:
    return [Draft(facts.Said(0, "x"), "p0", request)]


def test_a_killed_server_over_postgres_has_lost_and_doubled_nothing(url: str, tmp_path: Path) -> None:
    server = Served(tmp_path, "--unlimited", "--database", url, database=url)
    server.start()
    check_kills(server, rooms=3, cycles=2)
    server.stop()


@pytest.fixture
def proxy(url: str, tmp_path: Path) -> Iterator[tuple[Proxy, str]]:
    """Between the room and its database; and the address there."""
    folder = Path(tempfile.mkdtemp(prefix="pg-"))  # short: a socket's path is limited
    proxy = Proxy(folder, Path(url.partition("host=")[2]))
    yield proxy, f"postgresql://postgres@/postgres?host={folder}"
    proxy.close()


@pytest.mark.slow(minutes=10)
def test_a_server_killed_twenty_times_that_loses_commit_answers_has_lost_doubled_and_wedged_nothing(
    proxy: tuple[Proxy, str], tmp_path: Path
) -> None:
    """Six rooms act at once; every 15th answer to a COMMIT is lost. `check_kills` waits for every room to go on."""
    between, address = proxy
    between.every = 15
    server = Forked(tmp_path, "--unlimited", "--database", address, database=address)
    server.start()
    check_kills(server, rooms=6, cycles=20)
    assert "Traceback" not in server.stop()
    assert between.cuts >= 20


@pytest.mark.parametrize("how", [Cut.AFTER, Cut.BEFORE])
def test_a_lost_answer_to_a_commit_wedges_no_room(proxy: tuple[Proxy, str], how: Cut) -> None:
    """What was committed is acknowledged although its answer was lost; what was not is refused; both rooms go on."""
    between, address = proxy

    async def scene() -> None:
        store = Store(address)
        lobby = Lobby(store=store, clock=SystemClock(), make_bot=make_bot, bot_names=bot_name, randomness=Dice(1))
        seat = await lobby.open(settings("nlhe", 2, seconds=0), "Ana", [None])
        room = await lobby.room(seat.room)
        person = room.person_of(seat.token)
        assert person is not None
        answers = []
        for number in range(12):
            between.cut = how if number % 3 == 1 else Cut.NEVER
            answers.append(await room.request(person, wire.Say(f"say-{number}", f"word {number}")))
        assert between.cuts == 4
        refused = [number for number, answer in enumerate(answers) if isinstance(answer, wire.Refused)]
        said = [entry.fact.text for entry in store.entries(seat.room) if isinstance(entry.fact, facts.Said)]
        assert said == [f"word {number}" for number in range(12) if number not in refused]
        assert refused == ([] if how is Cut.AFTER else [1, 4, 7, 10])
        assert replay_log(store.entries(seat.room)).number == room.state.number
        await lobby.close()
        store.close()

    asyncio.run(scene())


def test_an_entry_of_another_server_makes_the_room_load_again(url: str) -> None:
    async def scene() -> None:
        store = Store(url)
        lobby = Lobby(store=store, clock=SystemClock(), make_bot=make_bot, bot_names=bot_name, randomness=Dice(1))
        seat = await lobby.open(settings("nlhe", 2, seconds=0), "Ana", [None])
        room = await lobby.room(seat.room)
        person = room.person_of(seat.token)
        assert person is not None
        foreign = chain_entries(seat.room, room.state.last_entry, [Draft(facts.Said(0, "I am elsewhere"))], 1.0)
        store.append(foreign).result()
        first = await room.request(person, wire.Say("one", "hello"))
        assert isinstance(first, wire.Refused)
        assert room.lost
        again = await lobby.room(seat.room)
        assert again is not room
        assert isinstance(await again.request(person, wire.Say("one", "hello")), wire.Ack)
        assert len(list(check_chain(seat.room, store.entries(seat.room)))) == again.state.last_entry.number  # type: ignore[union-attr]
        await lobby.close()
        store.close()

    asyncio.run(scene())


def test_reading_survives_a_lost_connection(url: str) -> None:
    store = Store(url)
    before = store.rooms()
    with store._engine.connect() as connection:
        connection.exec_driver_sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
    assert store.rooms() == before
    store.close()
