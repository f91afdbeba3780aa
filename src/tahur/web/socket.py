"""The socket of a page: checked before it is accepted, then requests in and frames out.

Frames are made when the reader is ready for one, from the last event it was sent on: a slow reader gets fewer frames
with more in each, and nothing piles up here. Who reads nothing at all is told why and let go.
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from typing import Final

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from tahur.core.errors import TahurError
from tahur.room import wire
from tahur.room.codec import WireError
from tahur.room.task import RoomTask, token_hash
from tahur.web.api import House
from tahur.web.guard import CALLS, MESSAGES, Bucket, NotAllowed, token_of

SLOWEST: Final = 20.0  # seconds that one message may take to be read
MOST_ANSWERS: Final = 64  # not yet read
MOST_FAULTS: Final = 40  # messages that could not be read or came too fast, then the connection is closed
MOST_OPEN: Final = 8  # connections of one person in one room, and of all spectators a room's own limit
MOST_WATCHING: Final = 100
TRY_AGAIN: Final = 1013
BROKE_RULES: Final = 1008


def socket_route(house: House) -> APIRouter:
    """The address of the sockets."""
    router = APIRouter()

    @router.websocket("/api/rooms/{room}/socket")
    async def socket(connection: WebSocket) -> None:
        try:
            room, person = await admitted(house, connection)
        except (NotAllowed, TahurError):
            await connection.close(BROKE_RULES)  # before it is accepted: the browser sees 403
            return
        await connection.accept()
        await Line(house, connection, room, person).run()

    return router


async def admitted(house: House, connection: WebSocket) -> tuple[RoomTask, str | None]:
    """Whose connection it is; refused without the right origin, host, token or while there are too many."""
    name = connection.path_params["room"]
    token, bearer = token_of(connection.headers, connection.cookies, name)
    house.guard.check_host(connection.headers)
    house.guard.check_origin(connection.headers, needed=not bearer)
    known = token and house.lobby.recognises(name, token)
    house.guard.check_pace(token_hash(token) if known else connection.client.host if connection.client else "?", CALLS)
    room = await house.lobby.room(name)
    person = room.person_of(token) if token else None
    if person is None and not house.lobby.watches(name, token):
        raise NotAllowed(401, "join or watch this room first")
    if person is not None and room.keeper.here[person] >= MOST_OPEN:
        raise NotAllowed(429, "too many tabs")
    if person is None and room.listening > MOST_WATCHING:
        raise NotAllowed(429, "too many spectators")
    return room, person


class Line:
    """One accepted connection."""

    def __init__(self, house: House, connection: WebSocket, room: RoomTask, person: str | None) -> None:
        self._house = house
        self._connection = connection
        self._room = room
        self._person = person
        self._seen: int | None = None  # None: the page has not said hello
        self._news = asyncio.Event()
        self._answers: deque[wire.ToClient] = deque()
        self._bucket = Bucket(MESSAGES, house.guard.clock.now())
        self._faults = 0

    async def run(self) -> None:
        """Until one side ends it."""
        seeds = self._connection.query_params.get("seeds") == "1"  # this page offers seeds for the shuffle
        ended = self._room.listen(self._wake, self._person, seeds=seeds)
        tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._send())]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            why = next((text for task in done if (text := task.result())), "")
            if why:
                await self._close(why)
        finally:
            ended()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    # ---- in --------------------------------------------------------------------------------------

    async def _read(self) -> str:
        """Take messages until the page is gone, or is to be closed: the result says why."""
        while True:
            try:
                text = await self._text()
            except (WebSocketDisconnect, RuntimeError):
                return ""
            if self._house.guard.limited and not self._bucket.take(self._house.guard.clock.now()):
                if fault := self._fault("", f"too many messages: {MESSAGES.rate:g} a second, no more"):
                    return fault
                continue
            try:
                message = wire.decode_request(text)
            except WireError as error:
                if fault := self._fault("", str(error)):
                    return fault
                continue
            if fault := await self._take(message):
                return fault

    async def _text(self) -> str | bytes:
        message = await self._connection.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1005))
        text = message.get("text")
        return text if text is not None else b"\xff"  # what is binary is no message of ours

    async def _take(self, message: wire.ToServer) -> str:
        if isinstance(message, wire.Hello):
            self._seen = min(message.seen, self._room.state.number)
            self._wake()
            return ""
        if self._person is None:
            return self._fault(message.id, "you watch; join to play")
        answer = await self._room.request(self._person, message)
        return self._answer(answer)

    def _fault(self, id: str, why: str) -> str:
        self._faults += 1
        if self._faults > MOST_FAULTS:
            return f"too many messages that were wrong; the last: {why}"
        return self._answer(wire.Refused(id, why))

    def _answer(self, answer: wire.ToClient) -> str:
        if len(self._answers) >= MOST_ANSWERS:
            return "this page sends and does not read"
        self._answers.append(answer)
        self._wake()
        return ""

    # ---- out -------------------------------------------------------------------------------------

    def _wake(self) -> None:
        self._news.set()

    async def _send(self) -> str:
        """Answers first, then what is new, as fast as the page reads."""
        while True:
            await self._news.wait()
            self._news.clear()
            if self._room.state.settling:  # told again when the end is written: an answer comes with what it led to
                continue
            while self._answers:
                if not await self._sent(self._answers.popleft()):
                    return "the connection is too slow"
            if self._room.lost:
                return "the room was loaded again"
            if self._seen is not None:
                frame = self._room.frame(self._person, self._seen)
                self._seen = frame.number
                if not await self._sent(frame):
                    return "the connection is too slow"

    async def _sent(self, message: wire.ToClient) -> bool:
        try:
            async with asyncio.timeout(SLOWEST):
                await self._connection.send_text(wire.encode(message))
        except TimeoutError:
            return False
        except (WebSocketDisconnect, RuntimeError):
            return True  # gone: the reader notices
        return True

    async def _close(self, why: str) -> None:
        with suppress(Exception):  # whatever is wrong with it, it is being closed
            async with asyncio.timeout(1.0):
                await self._connection.send_text(wire.encode(wire.Closing(why, again=True)))
                await self._connection.close(BROKE_RULES, why[:100])
