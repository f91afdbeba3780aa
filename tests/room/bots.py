"""Clients of the real server, for tests: they open a room, play over the socket, lose the connection, come back."""

from __future__ import annotations

import asyncio
import json
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import Any

import websockets.asyncio.client as sockets
from websockets.exceptions import WebSocketException

from tahur.room import wire
from tahur.room.scene import PerudoChoices, PerudoScene


def call(address: str, path: str, body: Any = None, token: str = "", **headers: str) -> tuple[int, Any]:
    """One plain request: the status, and what came back."""
    data = None if body is None else json.dumps(body).encode()
    head = {"Content-Type": "application/json", **headers}
    if token:
        head["Authorization"] = f"Bearer {token}"
    request = urllib.request.Request(f"{address}{path}", data, head)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            status, text = answer.status, answer.read()
    except urllib.error.HTTPError as error:
        status, text = error.code, error.read()
    try:
        return status, json.loads(text)
    except ValueError:
        return status, text.decode()


@dataclass
class Bot:
    """One person in one room; it knows only what its frames say. `acked` are the requests that were acknowledged."""

    address: str
    room: str
    token: str
    choose: Callable[[wire.Scene], int]
    name: str = "bot"
    seen: int = 0
    scene: wire.Scene | None = None
    events: list[wire.Event] = field(default_factory=list)
    acked: dict[str, wire.Act] = field(default_factory=dict)
    refused: list[wire.Refused] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)
    waiting: dict[str, tuple[wire.Act, float]] = field(default_factory=dict)
    most: float = inf  # actions in all, then it thinks for ever

    async def play(self, until: Callable[[Bot], bool]) -> None:
        """Play on, connecting again when the connection is lost, until the bot has had enough."""
        while not until(self):
            try:
                async with self.connected() as socket:
                    await socket.send(wire.encode(wire.Hello(self.seen)))
                    for act, _ in list(self.waiting.values()):  # sent, perhaps applied, not acknowledged
                        await socket.send(wire.encode(act))
                    async for text in socket:
                        await self._heard(socket, wire.decode_answer(text))
                        if until(self):
                            return
            except (OSError, WebSocketException):
                await asyncio.sleep(0.05)

    def connected(self) -> Any:
        address = self.address.replace("http", "ws", 1)
        head = {"Authorization": f"Bearer {self.token}"}
        url = f"{address}/api/rooms/{self.room}/socket"
        # Without a limit on what waits to be read, else who reads nothing never sees the end of the connection.
        return sockets.connect(url, additional_headers=head, open_timeout=20, max_queue=None)

    async def _heard(self, socket: Any, message: wire.ToClient) -> None:
        now = asyncio.get_running_loop().time()
        match message:
            case wire.Frame():
                fresh = [event for event in message.events if event.number > self.seen]
                if fresh and not message.gap:
                    assert fresh[0].number == self.seen + 1, "an event is missing"
                self.events += fresh
                self.seen, self.scene = message.number, message.scene
                await self._act(socket, message.scene, now)
            case wire.Ack():
                if message.id in self.waiting:
                    act, sent = self.waiting.pop(message.id)
                    self.acked[message.id] = act
                    self.delays.append(now - sent)
            case wire.Refused():
                self.waiting.pop(message.id, None)
                self.refused.append(message)
            case wire.Closing():
                pass

    async def _act(self, socket: Any, scene: wire.Scene, now: float) -> None:
        turn = scene.turn
        if scene.phase != "playing":  # in a hand, who has no chips left may be all-in, and win
            if scene.may_rebuy and scene.you is not None and not scene.seats[scene.you].chips:
                await socket.send(wire.encode(wire.Rebuy(f"rebuy-{scene.hand}")))
            return
        if turn is None or turn.seat != scene.you:
            return
        id = f"{scene.hand}-{turn.at}"
        if id in self.waiting or id in self.acked or len(self.acked) + len(self.waiting) >= self.most:
            return
        act = wire.Act(id, scene.hand, turn.at, self.choose(scene))
        self.waiting[id] = act, now
        await socket.send(wire.encode(act))


def calls(scene: wire.Scene) -> int:
    """Checks and calls; in Perudo bids the lowest, and doubts now and then."""
    choices, table = scene.choices, scene.table
    if not isinstance(choices, PerudoChoices) or not isinstance(table, PerudoScene):
        return 1
    if choices.dudo is not None and len(table.bids) >= 4:
        return choices.dudo
    return choices.bids[0].action if choices.bids else 0
