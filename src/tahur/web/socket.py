"""The WebSocket of a page: checked before it is accepted, then requests in and frames out.

Frames are made when the reader is ready for one, with all events since the last: a slow reader gets fewer frames with
more events in each, and nothing queues up. A reader that reads nothing at all is disconnected with a reason.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Final

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from tahur.core.errors import TahurError
from tahur.room import wire
from tahur.room.bans import BANNED, Visitor
from tahur.room.codec import WireError
from tahur.room.figures import ROOM
from tahur.room.rate_limits import TokenBucket
from tahur.room.task import RoomTask
from tahur.web.guard import CALLS, MESSAGES, NotAllowed, token_of
from tahur.web.house import ServedHouse, caller, client

SLOWEST: Final = 20.0  # seconds that the page may take to read one message
MOST_ANSWERS: Final = 64  # messages not yet read
MOST_FAULTS: Final = 40  # invalid or too frequent messages before the connection is closed
MOST_OPEN: Final = 8  # connections of one person in one room
MOST_WATCHING: Final = 100  # connections of spectators in one room
MOST_OF_WATCHER: Final = 4  # spectators with one token
MOST_FROM_ONE: Final = 25  # spectators from one address
MOST_SOCKETS: Final = 128  # connections from one address, in all rooms
BROKE_RULES: Final = 1008  # WebSocket close code: policy violation

_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Visit:
    """An incoming connection: its person (None for a spectator) and its address."""

    room: RoomTask
    person: str | None
    visitor: Visitor
    address: str


def socket_route(house: ServedHouse) -> APIRouter:
    """The route of the WebSockets."""
    router = APIRouter()

    @router.websocket("/api/rooms/{room}/socket")
    async def socket(connection: WebSocket) -> None:
        """Admit or refuse a connection, then serve it until it ends."""
        try:
            visit = await admit(house, connection)
        except (NotAllowed, TahurError):
            await connection.close(BROKE_RULES)  # before it is accepted: the browser sees 403
            return
        ROOM.set(visit.room.state.room)  # for log lines of this connection
        refusal = refusal_of(house, visit)
        with _count_connection(house, visit):
            await connection.accept()
            if refusal:
                house.lobby.figures.refused["socket"] += 1
                await say_goodbye(connection, wire.Closing(refusal, again=False))
            else:
                await PageConnection(house, connection, visit).run()

    return router


async def admit(house: ServedHouse, connection: WebSocket) -> Visit:
    """The room, person and address of a connection; raises `NotAllowed` without a valid origin, host or token."""
    name = connection.path_params["room"]
    token, bearer = token_of(connection.headers, connection.cookies, name)
    house.guard.check_host(connection.headers)
    house.guard.check_origin(connection.headers, needed=not bearer)
    house.guard.check_pace(caller(house, connection), CALLS)
    room = await house.lobby.room(name)
    person = room.person_of(token) if token else None
    if person is None and not house.lobby.watches(name, token):
        raise NotAllowed(401, "join or watch this room first")
    address = client(connection)
    return Visit(room, person, room.visitor(token, address), address)


def refusal_of(house: ServedHouse, visit: Visit) -> str:
    """Why a connection with a valid token is refused because of a ban or a limit; "" if it is not."""
    room, visitor, open_now = visit.room, visit.visitor, visit.room.sockets
    if room.state.refuses(visitor):
        return BANNED
    if house.guard.limited and house.sockets[visit.address] >= MOST_SOCKETS:
        return f"{MOST_SOCKETS} connections from your address are open, the maximum; close some tabs"
    if visit.person is not None:
        most = f"you have this room open {MOST_OPEN} times, the maximum; close another tab"
        return most if open_now[visitor.token] >= MOST_OPEN else ""
    if open_now[visitor.token] >= MOST_OF_WATCHER:
        return f"you already watch this room {MOST_OF_WATCHER} times, the maximum; close another tab"
    if open_now[visitor.address] >= MOST_FROM_ONE:
        return f"{MOST_FROM_ONE} spectators from your address are here, the maximum"
    return f"{MOST_WATCHING} spectators are here, the maximum" if open_now[""] >= MOST_WATCHING else ""


@contextmanager
def _count_connection(house: ServedHouse, visit: Visit) -> Iterator[None]:
    """Count a connection from before it is accepted until it ends: by token, spectators also by address."""
    keys = [visit.visitor.token, *(() if visit.person else (visit.visitor.address, ""))]
    house.sockets[visit.address] += 1
    visit.room.sockets.update(keys)
    try:
        yield
    finally:
        _uncount(house.sockets, [visit.address])
        _uncount(visit.room.sockets, keys)


def _uncount(counter: Counter[str], keys: list[str]) -> None:
    for key in keys:
        counter[key] -= 1
        if counter[key] <= 0:
            del counter[key]


async def say_goodbye(connection: WebSocket, last: wire.Closing) -> None:
    """Send the reason, then close."""
    with suppress(Exception):  # any error is fine: it is being closed
        async with asyncio.timeout(1.0):
            await connection.send_text(wire.encode(last))
            await connection.close(BROKE_RULES, last.why[:100])


class PageConnection:
    """One accepted connection: `_read_messages` handles the page's messages, `_send` sends answers and frames."""

    def __init__(self, house: ServedHouse, connection: WebSocket, visit: Visit) -> None:
        """`visit` says which room, person and address the connection belongs to."""
        self._house = house
        self._connection = connection
        self._room = visit.room
        self._person = visit.person
        self._visitor = visit.visitor
        self._seen: int | None = None  # the last event sent; None: no `Hello` yet
        self._changes = -1  # `RoomTask.changes` at the last frame
        self._sending_since: float | None = None  # since when a message waits for the page to read it
        self._news = asyncio.Event()
        self._answers: deque[wire.ToClient] = deque()
        self._bucket = TokenBucket(MESSAGES, house.guard.clock.now())
        self._faults = 0

    async def run(self) -> None:
        """Run until one side closes it."""
        seeds = self._connection.query_params.get("seeds") == "1"  # this page offers seeds for the shuffle
        stop_listening = self._room.listen(self._wake, self._person, self._visitor.address, seeds=seeds)
        _log.debug("socket opened")
        tasks = [asyncio.create_task(self._read_messages()), asyncio.create_task(self._send())]
        try:
            why = await self._reason_to_close(tasks)
            if why:
                await self._close(why)
        finally:
            stop_listening()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _reason_to_close(self, tasks: list[asyncio.Task[str]]) -> str:
        """Wait until a task ends, or the page takes too long to read a message; "" if the page closed it."""
        clock = asyncio.get_running_loop()
        while True:
            since = self._sending_since
            left = SLOWEST if since is None else since + SLOWEST - clock.time()
            if left <= 0:
                return "the connection is too slow"
            done, _ = await asyncio.wait(tasks, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            if done:
                return next((why for task in done if (why := task.result())), "")

    # ---- in --------------------------------------------------------------------------------------

    async def _read_messages(self) -> str:
        """Handle messages until the connection ends; returns the reason to close it."""
        while True:
            try:
                text = await self._text()
            except (WebSocketDisconnect, RuntimeError):
                return ""
            if self._house.guard.limited and not self._bucket.take(self._house.guard.clock.now()):
                if fault := self._fault("", f"too many messages: the limit is {MESSAGES.rate:g} per second"):
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
        """The next message of the page; raises `WebSocketDisconnect` when the connection ends."""
        message = await self._connection.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1005))
        text = message.get("text")
        return text if text is not None else b"\xff"  # a binary message: no valid UTF-8, so the decoder refuses it

    async def _take(self, message: wire.ToServer) -> str:
        """Pass a message on to the room and queue the answer; returns the reason to close the connection, if any."""
        if isinstance(message, wire.Hello):
            self._seen, self._changes = min(message.seen, self._room.state.number), -1
            self._wake()
            return ""
        if self._person is None:
            return self._fault(message.id, "you watch; join to play")
        answer = await self._room.request(self._person, message)
        _log.debug("message", extra={"kind": message.TYPE, "answer": answer.TYPE, "hand": self._room.state.hand})
        return self._answer(answer)

    def _fault(self, id: str, why: str) -> str:
        """Refuse an invalid message; returns the reason to close the connection after too many of them."""
        self._faults += 1
        if self._faults > MOST_FAULTS:
            return f"too many invalid messages; the last: {why}"
        return self._answer(wire.Refused(id, why))

    def _answer(self, answer: wire.ToClient) -> str:
        """Queue an answer for `_send`; returns the reason to close the connection if too many are unread."""
        if len(self._answers) >= MOST_ANSWERS:
            return "this page sends and does not read"
        self._answers.append(answer)
        self._wake()
        return ""

    # ---- out -------------------------------------------------------------------------------------

    def _wake(self) -> None:
        self._news.set()

    async def _send(self) -> str:
        """Send answers first, then new frames, as fast as the page reads."""
        while True:
            await self._news.wait()
            self._news.clear()
            if self._room.state.settling:  # wait until the hand's end is written, so that both are sent together
                continue
            while self._answers:
                await self._send_text(wire.encode(self._answers.popleft()))
            if self._room.lost:
                return "the room was reloaded"
            if self._room.state.refuses(self._visitor):
                return BANNED
            if self._seen is not None and self._changes != self._room.changes:
                seat = self._room.state.seat_of(self._person)
                frame = self._room.scenes.frame_text(seat, self._seen, self._room.now())
                self._changes, self._seen = self._room.changes, self._room.state.number
                await self._send_text(frame)

    async def _send_text(self, text: str) -> None:
        self._sending_since = asyncio.get_running_loop().time()
        with suppress(WebSocketDisconnect, RuntimeError):  # closed: the reader notices
            await self._connection.send_text(text)
        self._sending_since = None

    async def _close(self, why: str) -> None:
        await say_goodbye(self._connection, wire.Closing(why, again=why != BANNED))
