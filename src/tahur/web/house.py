"""What all handlers share: the server's objects, and how a request is parsed, answered and identified."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from fastapi import Request, Response
from starlette.requests import HTTPConnection

from tahur.room.codec import parse_text, read_as, text_of
from tahur.room.gallery import Gallery
from tahur.room.lobby import Lobby
from tahur.room.task import RoomTask, token_hash
from tahur.web.guard import Guard, NotAllowed, place_of, token_of
from tahur.web.played import PlayedHands

MOST_BYTES: Final = 16_384  # maximum bytes of a request's body
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ServedHouse:
    """The objects of one server."""

    lobby: Lobby
    gallery: Gallery
    guard: Guard
    secure: bool = False  # served over HTTPS by a proxy in front: cookies are marked secure
    address: str | None = None  # address for other machines
    sockets: Counter[str] = field(default_factory=Counter)  # open sockets by address
    played: PlayedHands = field(default_factory=PlayedHands)


Handler = Callable[[ServedHouse, Request], Awaitable[Response]]


def json_response(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """The value as JSON, never cached."""
    return Response(text_of(value), status, {"Cache-Control": "no-store", **(headers or {})}, "application/json")


async def body(request: Request, kind: Callable[..., T]) -> T:
    """Parse the request's body as this dataclass."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise NotAllowed(400, "send JSON, as application/json")
    whole = b""
    async for part in request.stream():
        whole += part
        if len(whole) > MOST_BYTES:
            raise NotAllowed(413, f"more than {MOST_BYTES:,} bytes")
    return read_as(kind, parse_text(whole, MOST_BYTES), "body")


def client(request: HTTPConnection) -> str:
    """The address of the client; behind a trusted proxy, the one that the proxy reports."""
    return place_of(request.client.host) if request.client else "?"


def caller(house: ServedHouse, request: HTTPConnection) -> str:
    """The key of rate limits: the token of a room or, without one, the address."""
    room = request.path_params.get("room", "")
    token, _ = token_of(request.headers, request.cookies, room)
    return token_hash(token) if token and house.lobby.recognises(room, token) else client(request)


async def known_room(house: ServedHouse, request: HTTPConnection) -> tuple[RoomTask, str | None]:
    """The room in the URL, and the person. With a password, strangers do not even learn whether a room exists."""
    name = request.path_params["room"]
    inside = house.guard.lets_in(request.headers, request.cookies)
    if not inside and not house.lobby.has(name):
        raise NotAllowed(401, "this server asks for a password")
    room = await house.lobby.room(name)
    token, _ = token_of(request.headers, request.cookies, name)
    person = room.person_of(token) if token else None
    if not inside and person is None and not house.lobby.watches(name, token):
        raise NotAllowed(401, "this server asks for a password")
    return room, person
