"""The same promises on PostgreSQL: entries read back as written, each request once, nothing lost by kill -9."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from desk import Desk, settings
from postgres import postgres
from served import Served
from test_room_server import check_kills

from tahur.room import facts
from tahur.room.log import Draft, chained, checked
from tahur.room.store import Store, StoreError

pytestmark = pytest.mark.slow


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
    assert list(checked("test-room", store.entries("test-room"))) == desk.log
    assert store.recent(0.0, 9) == ["test-room"]
    assert store.synchronous() is None
    again = chained("test-room", desk.log[-1], [Draft(facts.Said(0, "x"), "p0", "1-0")], 1.0)
    twice = chained("test-room", desk.log[-1], [Draft(facts.Said(0, "x"), "p0", "once"), *_copy("once")], 1.0)
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
