"""What whoever runs the server can ask: whether it lives, whether it can write, its figures."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from bots import Bot, call, calls
from served import Served
from test_room_server import _opened

from tahur.room.figures import STEPS, Histogram


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    served = Served(tmp_path, "--unlimited")
    served.start()
    yield served
    assert "Traceback" not in served.stop()


def figures(server: Served) -> dict[str, float]:
    status, text = call(server.address, "/metrics")
    assert status == 200
    return {name: float(value) for name, value in re.findall(r"^([^#\s]\S*(?: \S+\"\})?) (\S+)$", text, re.MULTILINE)}


def test_it_lives_and_is_ready_until_its_database_is_not(server: Served, tmp_path: Path) -> None:
    assert call(server.address, "/healthz") == (200, "ok\n")
    assert call(server.address, "/readyz") == (200, "ready\n")
    holder = sqlite3.connect(tmp_path / "rooms.db", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    status, why = call(server.address, "/readyz")
    assert status == 503
    assert "lock" in why or "within" in why
    assert call(server.address, "/healthz")[0] == 200
    holder.execute("ROLLBACK")
    holder.close()
    assert call(server.address, "/readyz")[0] == 200


def test_its_figures_count_what_happened(server: Served) -> None:
    opened = _opened(server)
    bot = Bot(server.address, opened["room"], opened["token"], calls)
    asyncio.run(bot.play(lambda bot: len(bot.acked) >= 5))
    call(server.address, "/api/rooms/nowhere")
    found = figures(server)
    assert found["tahur_rooms"] == 1
    assert found['tahur_seats{by="person"}'] == 1
    assert found['tahur_seats{by="bot"}'] == 2
    assert found["tahur_acknowledgement_seconds_count"] >= 5
    assert found['tahur_acknowledgement_seconds_bucket{le="+Inf"}'] == found["tahur_acknowledgement_seconds_count"]
    assert found["tahur_bot_thinking_seconds_count"] > 0
    assert found['tahur_actions_total{by="person"}'] == len(bot.acked)
    assert found['tahur_actions_total{by="mind"}'] > 0
    assert found['tahur_refusals_total{reason="http 404"}'] >= 1


def test_a_histogram_counts_each_in_its_step() -> None:
    histogram = Histogram()
    for seconds in (0.001, 0.005, 0.0051, 99.0):
        histogram.add(seconds)
    assert histogram.counts[:2] == [2, 1]
    assert histogram.counts[-1] == 1
    assert sum(histogram.counts) == 4
    assert len(histogram.counts) == len(STEPS) + 1
