"""The server's log: one line for each event with its room and request, and nothing in it that is somebody's secret."""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
import logging
import re
import sqlite3
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from bots import Bot, call, calls
from served import Served

from command import tahur
from tahur.room import wire
from tahur.room.figures import REQUEST, ROOM
from tahur.web.logs import JsonLines, LineFormat, TextLines, set_up

PASSWORD, CHAT, ADDRESS = "four-aces-and-a-king", "meet me at the harbour", "203.0.113.77"
SPOKEN = "a word in the wrong place"
RANKS = r"(?:[2-9TJQKA][cdhs]){1,7}"


class Logged(Served):
    """A server whose stderr goes to a file, so that a long log cannot stop it."""

    def __init__(self, folder: Path, *more: str) -> None:
        super().__init__(folder, *more, environment={"TAHUR_PASSWORD": PASSWORD})
        self.file = folder / "stderr.txt"

    def _python(self, *words: str) -> subprocess.Popen[str]:
        with self.file.open("a", encoding="utf-8") as errors:
            return subprocess.Popen(
                [sys.executable, *words], stdout=subprocess.PIPE, stderr=errors, text=True, env=self._environment
            )

    def end(self) -> None:
        if self._process is not None:
            self.stop()

    def lines(self) -> list[dict[str, Any]]:
        text = self.file.read_text("utf-8")
        return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Logged]:
    served = Logged(
        tmp_path, "--unlimited", "--log-level", "debug", "--log-format", "json", "--trusted-proxy", "127.0.0.1"
    )
    served.start()
    yield served
    served.end()


def _opened(server: Logged, **changes: Any) -> dict[str, Any]:
    body = {
        "name": "Ana",
        "minds": ["caller", "persona:duelist"],
        "pace": "instant",
        "seconds": 0,
        "password": PASSWORD,
    }
    status, opened = call(server.address, "/api/rooms", body | changes, **{"X-Forwarded-For": ADDRESS})
    assert status == 200
    assert isinstance(opened, dict)
    return opened


def _play(server: Logged, opened: dict[str, Any], hands: int) -> None:
    bot = Bot(server.address, opened["room"], opened["token"], calls)
    asyncio.run(_talk(bot))
    asyncio.run(bot.play(lambda bot: bot.scene is not None and bot.scene.hand > hands))


async def _talk(bot: Bot) -> None:
    async with bot.connected() as socket:
        await socket.send(wire.encode(wire.Hello(0)))
        await socket.send(wire.encode(wire.Say("say-1", CHAT)))
        await socket.send('{"v":1,"type":"say","id":"x","text":"' + SPOKEN + '","more":1}')
        for _ in range(4):
            await socket.recv()


def test_a_log_at_debug_level_has_no_secret_of_anybody(server: Logged, tmp_path: Path) -> None:
    opened = _opened(server)
    dice = _opened(server, game="perudo", minds=["persona:shark"])
    for each in (opened, dice):
        _play(server, each, 4)
    room, token = opened["room"], opened["token"]
    for path in ("hands", "hands/2", "hands/2/odds", "hands/2/thoughts", "hands/2/fairness", "export?format=phh"):
        assert call(server.address, f"/api/rooms/{room}/{path}", token=token, **{"X-Forwarded-For": ADDRESS})[0] == 200
    call(server.address, f"/api/rooms/{room}/join", {"name": "Eve", "password": SPOKEN})
    call(server.address, f"/api/rooms/{token}/hands/{token}?token={token}", token="not a token")
    call(server.address, f"/{CHAT.replace(' ', '-')}")
    server.stop()
    text = server.file.read_text("utf-8")
    kinds = {line["event"] for line in server.lines()}
    assert {"request", "message", "room opened", "socket opened", "joined", "dealt", "acted", "ended", "said"} <= kinds
    hashed = hashlib.sha256(token.encode()).hexdigest()
    log = sqlite3.connect(tmp_path / "rooms.db")
    assert log.execute("SELECT count(*) FROM room_log WHERE text LIKE ?", (f"%{hashed}%",)).fetchone()[0]
    keys = [json.loads(row[0]) for row in log.execute("SELECT text FROM room_log WHERE kind = 'dealt'")]
    log.close()
    secrets = [token, dice["token"], hashed, ADDRESS, "127.0.0.1", PASSWORD, CHAT, CHAT.replace(" ", "-"), SPOKEN]
    for secret in [*secrets, *(fact["key"] for fact in keys), *(str(fact["values"])[1:-1][:12] for fact in keys)]:
        assert secret not in text, secret
    assert not re.findall(rf"\b{RANKS}\b", text)
    assert "Ana" in text


def test_each_line_says_when_how_bad_who_says_it_and_where(server: Logged) -> None:
    opened = _opened(server)
    _play(server, opened, 2)
    server.stop()
    lines = server.lines()
    for line in lines:
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line["time"])
        assert line["level"] in ("debug", "info", "warning", "error")
        assert line["logger"].startswith("tahur.")
    requests = [line for line in lines if line["event"] == "request"]
    assert len({line["request"] for line in requests}) == len(requests)
    assert {"method": "POST", "route": "/api/rooms", "status": 200}.items() <= requests[1].items()
    assert all(line["room"] == opened["room"] for line in lines if line["event"] in ("joined", "acted", "message"))
    hands = [line["hand"] for line in lines if line["event"] == "dealt"]
    assert hands[:2] == [1, 2]
    talked = next(line for line in lines if line["event"] == "message")
    socket = next(line for line in requests if line["route"].endswith("/socket"))
    assert talked["request"] == socket["request"]


BROKEN = """
import sys, tahur.web.api as api
async def about(house, request): raise ValueError("a fault that nobody expected")
api.HANDLERS = tuple((m, p, about if p == "/house" else h) for m, p, h in api.HANDLERS)
from tahur.web.__main__ import main
main(sys.argv[1:])
"""


class Broken(Logged):
    def start(self) -> float:
        self._process = self._python("-c", BROKEN, *self.words)
        self._heard(r"http://localhost:(\d+)/")
        return 0.0


@pytest.mark.parametrize("form", get_args(LineFormat))
def test_a_request_that_failed_is_found_by_the_id_in_its_answer(tmp_path: Path, form: str) -> None:
    server = Broken(tmp_path, "--log-format", form)
    server.start()
    with pytest.raises(urllib.error.HTTPError) as failed:
        urllib.request.urlopen(f"{server.address}/api/house")
    assert failed.value.code == 500
    request = failed.value.headers["X-Request-Id"]
    assert request in json.loads(failed.value.read())["error"]
    assert failed.value.headers["X-Content-Type-Options"] == "nosniff"
    assert call(server.address, "/healthz")[0] == 200
    server.stop()
    text = server.file.read_text("utf-8")
    assert text.count(request) == 1
    line = next(line for line in text.splitlines() if request in line)
    assert "request failed" in line
    assert "a fault that nobody expected" in (line if form == "json" else text)


def test_a_quiet_server_logs_nothing(tmp_path: Path) -> None:
    server = Logged(tmp_path, "--unlimited")
    server.start()
    _play(server, _opened(server), 2)
    server.stop()
    lines = [line for line in server.file.read_text("utf-8").splitlines() if re.match(r"\d{4}-", line)]
    assert [line for line in lines if "tahur.kernels: compiling" not in line] == []


def test_a_level_that_there_is_not_is_refused() -> None:
    refused = tahur("serve", "--log-level", "loud")
    assert refused.returncode == 2
    assert "--log-level" in refused.stderr


# ---- one line ------------------------------------------------------------------------------------


def _line(form: logging.Formatter, *words: Any, **fields: Any) -> str:
    record = logging.LogRecord("tahur.x", logging.INFO, "", 0, words[0], words[1:], None)
    record.__dict__.update(fields)
    return form.format(record)


def test_what_a_person_typed_cannot_make_a_line_or_a_field() -> None:
    name = 'Eve\n2026-01-01T00:00:00.000Z error room=x "\u2028'
    text = _line(TextLines(), "joined", who=name, entry=3)
    assert len(text.splitlines()) == 1
    assert text.endswith("entry=3")
    assert json.loads(re.search(r' who=(".*") entry', text)[1]) == name  # type: ignore[index]
    assert json.loads(_line(JsonLines(), "joined", who=name))["who"] == name


def test_room_and_request_come_from_the_context_unless_they_are_given() -> None:
    ROOM.set("abcd-efgh")
    REQUEST.set("17")
    try:
        assert _line(TextLines(), "waits").endswith("tahur.x: waits room=abcd-efgh request=17")
        assert json.loads(_line(JsonLines(), "waits", room="other"))["room"] == "other"
    finally:
        ROOM.set(None)
        REQUEST.set(None)


def test_libraries_are_heard_from_warnings_on(monkeypatch: pytest.MonkeyPatch) -> None:
    root, ours = logging.getLogger(), logging.getLogger("tahur")
    before = root.handlers[:], root.level, ours.level
    heard = io.StringIO()
    monkeypatch.setattr("sys.stderr", heard)
    try:
        set_up("debug", "text")
        logging.getLogger("websockets.server").debug("< TEXT secret")
        logging.getLogger("tahur.room").debug("ours")
        logging.getLogger("sqlalchemy.pool").warning("theirs")
    finally:
        root.handlers[:], root.level = before[0], before[1]
        ours.setLevel(before[2])
    assert [line.split(": ")[-1] for line in heard.getvalue().splitlines()] == ["ours", "theirs"]
