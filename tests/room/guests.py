"""Guests of a real server behind a trusted proxy, for tests: each comes from an address of its own."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import websockets.asyncio.client as sockets
from bots import call
from served import Served
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tahur.room import wire

PROXY = ("--trusted-proxy", "127.0.0.1", "--trusted-proxy", "::1")


@dataclass
class Guest:
    """Somebody at an address; a browser without its cookies shows no token."""

    server: Served
    address: str
    token: str = ""

    def call(self, path: str, body: Any = None, *, token: str | None = None) -> tuple[int, Any]:
        shown = self.token if token is None else token
        return call(self.server.address, path, body, shown, **{"X-Forwarded-For": self.address})

    def opens(self, **more: Any) -> str:
        """A room of one's own; its name."""
        body = {"name": "Ana", "minds": [None, None, "caller"], "pace": "instant", "seconds": 0, "wait": True, **more}
        status, seated = self.call("/api/rooms", body)
        assert status == 200, seated
        self.token = seated["token"]
        return str(seated["room"])

    def joins(self, room: str, name: str = "Eve", **more: Any) -> tuple[int, Any]:
        status, seated = self.call(f"/api/rooms/{room}/join", {"name": name, **more})
        if status == 200:
            self.token = seated["token"]
        return status, seated

    def watches(self, room: str, **more: Any) -> tuple[int, Any]:
        status, seated = self.call(f"/api/rooms/{room}/watch", more)
        if status == 200:
            self.token = seated["token"]
        return status, seated

    def connected(self, room: str) -> Any:
        head = {"Authorization": f"Bearer {self.token}", "X-Forwarded-For": self.address}
        url = f"{self.server.address.replace('http', 'ws', 1)}/api/rooms/{room}/socket"
        return sockets.connect(url, additional_headers=head, open_timeout=20)


async def greeted(line: Any) -> wire.ToClient:
    """Say hello; the first thing that comes back."""
    with suppress(ConnectionClosed):  # who is refused at once may be told so before
        await line.send(wire.encode(wire.Hello(0)))
    return await heard(line, wire.Frame, wire.Closing)


async def heard(line: Any, *kinds: type) -> wire.ToClient:
    """The next message of one of these kinds."""
    async with asyncio.timeout(20):
        while True:
            message = wire.decode_answer(await line.recv())
            if isinstance(message, kinds):
                return message


async def asked(line: Any, request: wire.Request) -> wire.ToClient:
    await line.send(wire.encode(request))
    return await heard(line, wire.Ack, wire.Refused)


def refused_at_the_door(guest: Guest, room: str) -> int:
    """The status of a handshake that does not come to a connection."""

    async def knock() -> int:
        try:
            async with guest.connected(room):
                return 101
        except InvalidStatus as error:
            return int(error.response.status_code)

    return asyncio.run(knock())
