"""Limits over real sockets: who asks too often is told so and let go; who reads nothing costs nobody anything."""

from __future__ import annotations

import asyncio
import base64
import json
import re
import socket
import struct
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from bots import Bot, call, calls
from served import Served
from websockets.exceptions import ConnectionClosed

from tahur.room import wire
from tahur.web.guard import ENTRIES, MESSAGES
from tahur.web.socket import MOST_FAULTS, SLOWEST


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """With its limits, unlike the server of other tests."""
    served = Served(tmp_path_factory.mktemp("limited"))
    served.start()
    yield served
    assert "Traceback" not in served.stop()


@pytest.fixture(scope="module")
def room(server: Served) -> dict[str, Any]:
    body = {"name": "Ana", "minds": ["caller", "maniac"], "pace": "instant", "seconds": 0}
    status, seated = call(server.address, "/api/rooms", body)
    assert status == 200
    found: dict[str, Any] = seated
    return found


def test_who_sends_too_much_is_told_so_then_told_why_and_let_go(server: Served, room: dict[str, Any]) -> None:
    said = asyncio.run(_flooded(Bot(server.address, room["room"], room["token"], calls), 4 * MOST_FAULTS))
    refused = [message.why for message in said if isinstance(message, wire.Refused)]
    closing = [message for message in said if isinstance(message, wire.Closing)]
    assert any(f"{MESSAGES.rate:g} per second" in why for why in refused)
    assert len(closing) == 1
    assert "too many" in closing[0].why
    again = Bot(server.address, room["room"], room["token"], calls)
    asyncio.run(again.play(lambda bot: bool(bot.acked)))  # the same person may come back, and play


async def _flooded(bot: Bot, messages: int) -> list[wire.ToClient]:
    """Say hello so many times at once; what came back before the connection was closed."""
    said = []
    async with asyncio.timeout(60), bot.connected() as line:
        for _ in range(messages):
            await line.send(wire.encode(wire.Hello(10**6)))
        try:
            async for text in line:
                said.append(wire.decode_answer(text))
        except ConnectionClosed:
            pass
    return said


def test_who_opens_rooms_without_end_is_refused_in_a_sentence(server: Served) -> None:
    body = {"name": "Eve", "minds": [None]}
    answers = [call(server.address, "/api/rooms", body) for _ in range(int(ENTRIES.burst) + 3)]
    assert answers[-1][0] == 429
    assert "too many" in answers[-1][1]["error"]
    assert sum(status == 200 for status, _ in answers) <= ENTRIES.burst + 2


# ---- who does not read ---------------------------------------------------------------------------


class Deaf:
    """A spectator over a bare socket: asks for everything again and again, and reads nothing."""

    def __init__(self, server: Served, room: str, token: str) -> None:
        host, port = server.address.removeprefix("http://").split(":")
        self._line = socket.socket()
        self._line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self._line.connect((host, int(port)))
        key = base64.b64encode(b"sixteen bytes ok").decode()
        head = (
            f"GET /api/rooms/{room}/socket HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"Authorization: Bearer {token}\r\n\r\n"
        )
        self._line.sendall(head.encode())
        assert b" 101 " in self._line.recv(100)

    def ask(self) -> None:
        text = json.dumps({"v": 2, "type": "hello", "seen": 0}).encode()
        self._line.sendall(bytes([0x81, 0x80 | len(text)]) + struct.pack("!I", 0) + text)  # masked by zeros

    def read_to_the_end(self) -> int:
        """The bytes that had been sent; it ends because the other side ended it."""
        self._line.settimeout(10)
        count = 0
        try:
            while got := self._line.recv(1 << 20):
                count += len(got)
        except ConnectionResetError:
            pass
        return count


@pytest.mark.slow
def test_who_reads_nothing_holds_up_nobody_fills_no_memory_and_is_let_go(tmp_path: Path) -> None:
    server = Served(tmp_path, "--unlimited")
    server.start()
    body = {"name": "Ana", "minds": ["caller", "maniac"], "pace": "instant", "seconds": 0}
    room = call(server.address, "/api/rooms", body)[1]
    bot = Bot(server.address, room["room"], room["token"], calls)
    asyncio.run(bot.play(lambda bot: bot.seen > 500))
    watcher = call(server.address, f"/api/rooms/{room['room']}/watch", {})[1]
    memory = _memory(server.pid)
    deaf = [Deaf(server, room["room"], watcher["token"]) for _ in range(3)]
    for _ in range(150):
        for each in deaf:
            each.ask()
        time.sleep(0.05)
    began = time.monotonic()
    bot.delays.clear()
    bot.most = len(bot.acked) + 1
    while time.monotonic() - began < SLOWEST + 4:
        asyncio.run(bot.play(lambda bot: len(bot.acked) >= bot.most))
        bot.most += 1
        time.sleep(0.5)
    grown = _memory(server.pid) - memory
    sent = [each.read_to_the_end() for each in deaf]
    assert min(sent) > 100_000
    assert max(sent) < 150 * 40_000  # the line was full: more was asked for than it took
    assert grown < 40_000_000
    assert sorted(bot.delays)[len(bot.delays) // 2] < 1.0
    assert "Traceback" not in server.stop()


def _memory(pid: int) -> int:
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text("utf-8"))
    return 1024 * int(found[1]) if found else 0
