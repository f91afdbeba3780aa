"""Attacks on connections: half-sent requests, headers that no browser sends, and whom a proxy speaks for."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
import uvicorn
import websockets.asyncio.client as sockets
from bots import Bot, call, calls
from served import Served

from tahur.web.connections import MOST_ARRIVING, MOST_OF_ONE, Gate, guarded
from tahur.web.server import TrustedProxy

HALF = b"GET /api/house HTTP/1.1\r\nHost: localhost\r\nX-Slow: "


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    served = Served(tmp_path_factory.mktemp("attacked"))
    served.start()
    yield served
    errors = served.stop()
    assert "Traceback" not in errors
    assert len(errors) < 100_000


def connected(server: Served, source: str = "127.0.0.1") -> socket.socket:
    port = int(server.address.rpartition(":")[2])
    return socket.create_connection(("127.0.0.1", port), timeout=10, source_address=(source, 0))


def asked(server: Served, request: bytes) -> bytes:
    """The first line of the answer to a raw request."""
    with connected(server) as line:
        line.sendall(request)
        return line.recv(4096).partition(b"\r\n")[0]


def test_a_thousand_half_sent_requests_keep_nobody_out(server: Served) -> None:
    body = {"name": "Ana", "minds": ["caller", "maniac"], "pace": "instant", "seconds": 0}
    _, seated = call(server.address, "/api/rooms", body)
    bot = Bot(server.address, seated["room"], seated["token"], calls)
    slow = []
    for _ in range(1100):
        line = connected(server)
        line.sendall(HALF)
        slow.append(line)
    asyncio.run(asyncio.wait_for(bot.play(lambda bot: len(bot.acked) >= 30), 60))
    assert sorted(bot.delays)[len(bot.delays) // 2] < 0.2
    began = time.monotonic()
    assert call(server.address, "/api/rooms", {"name": "Ben", "minds": [None]})[0] == 200  # a new guest
    assert time.monotonic() - began < 5
    for line in slow:
        line.close()


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"GET /%00 HTTP/1.1\r\nHost: localhost\r\n\r\n", b"200"),
        (b"GET /assets/%00 HTTP/1.1\r\nHost: localhost\r\n\r\n", b"404"),
        (b"GET /assets/" + b"x" * 5000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", b"404"),
        (b"GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n", b"200"),  # the page, which knows no such place
        (b"POST /api/rooms HTTP/1.1\r\nHost: localhost\r\nOrigin: http://[\r\nContent-Length: 0\r\n\r\n", b"403"),
        (b"GET /api/house HTTP/1.1\r\nHost: [\r\n\r\n", b"403"),
        (b"GET /api/rooms/" + b"%ff" * 100 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", b"404"),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"400"),
        (b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 5000 + b"\r\n", b"400"),
    ],
)
def test_what_no_browser_sends_is_answered(server: Served, request_: bytes, status: bytes) -> None:
    line = asked(server, request_)
    assert line.split()[1] == status, line


@pytest.mark.slow  # ten seconds of waiting
def test_a_body_that_never_ends_is_given_up(server: Served) -> None:
    head = b"POST /api/rooms HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    with connected(server) as line:
        line.sendall(head + b"Content-Length: 900\r\n\r\n{")
        line.settimeout(20)
        assert b" 200 " not in line.recv(4096)


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """An application that sends back what a socket sends."""
    await receive()
    await send({"type": "websocket.accept"})
    while (message := await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "text": message["text"]})


def test_a_socket_outlives_the_deadline_of_requests() -> None:
    async def scene() -> None:
        gate = Gate(seconds=0.2)
        server = uvicorn.Server(uvicorn.Config(echo, port=0, http=guarded(gate), lifespan="off", log_level="error"))
        running = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        async with sockets.connect(f"ws://127.0.0.1:{port}/") as line:
            await asyncio.sleep(0.6)
            await line.send("still here")
            assert await line.recv() == "still here"
            assert gate.admit("other", 0.0)
        half = await asyncio.open_connection("127.0.0.1", port)
        half[1].write(HALF)
        with suppress(ConnectionError):
            assert await asyncio.wait_for(half[0].read(), 5) == b""  # given up after the deadline
        server.should_exit = True
        await running

    asyncio.run(scene())


class Connection:
    dropped = False

    def drop(self) -> None:
        self.dropped = True


def test_of_the_unfinished_requests_of_one_address_the_oldest_are_dropped() -> None:
    gate, made = Gate(), [Connection() for _ in range(MOST_ARRIVING + 3)]
    for each in made:
        gate.arriving("1.2.3.4", each)  # type: ignore[arg-type]
    gate.arriving("5.6.7.8", Connection())  # type: ignore[arg-type]
    assert [each.dropped for each in made] == [True] * 3 + [False] * MOST_ARRIVING


def test_one_address_cannot_take_all_connections_unless_it_is_the_proxy(caplog: pytest.LogCaptureFixture) -> None:
    gate = Gate(frozenset({"10.0.0.1"}), most=MOST_OF_ONE + 20)
    assert [gate.admit("1.2.3.4", 0.0) for _ in range(MOST_OF_ONE + 50)].count(True) == MOST_OF_ONE
    assert [gate.admit("10.0.0.1", 0.0) for _ in range(50)].count(True) == 20
    assert len(caplog.records) == 1  # one line, not one for each
    for _ in range(MOST_OF_ONE):
        gate.gone("1.2.3.4")
    assert gate.admit("10.0.0.1", 0.0)


def client_of(peer: str, *trusted: str, **headers: str) -> str:
    """Whom the application sees."""
    seen: list[str] = []

    async def app(scope: dict[str, object], receive: object, send: object) -> None:
        seen.append(scope["client"][0])  # type: ignore[index]

    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    asyncio.run(TrustedProxy(app, trusted)({"client": (peer, 1), "headers": named}, None, None))
    return seen[0]


@pytest.mark.parametrize(
    ("peer", "headers", "seen"),
    [
        ("10.0.0.1", {"x_forwarded_for": "203.0.113.9"}, "203.0.113.9"),
        ("10.0.0.1", {"x_forwarded_for": "6.6.6.6, 203.0.113.9"}, "203.0.113.9"),  # the client wrote the first one
        ("10.0.0.1", {"x_forwarded_for": "203.0.113.9, 10.0.0.2"}, "203.0.113.9"),  # two proxies
        ("10.0.0.1", {"forwarded": 'for="[2001:db8::7]:80";proto=https'}, "2001:db8::7"),
        ("10.0.0.1", {"forwarded": "for=203.0.113.9;by=10.0.0.1"}, "203.0.113.9"),
        ("10.0.0.1", {"x_forwarded_for": "nonsense"}, "10.0.0.1"),
        ("10.0.0.1", {}, "10.0.0.1"),
        ("203.0.113.9", {"x_forwarded_for": "1.1.1.1"}, "203.0.113.9"),  # no proxy of ours: not believed
    ],
)
def test_only_a_trusted_proxy_says_whose_request_it_is(peer: str, headers: dict[str, str], seen: str) -> None:
    assert client_of(peer, "10.0.0.1", "10.0.0.2", **headers) == seen
