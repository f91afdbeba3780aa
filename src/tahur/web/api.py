"""The REST API: each handler parses one value, queries the room, and returns one value. See `room/rest.py`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar, cast, get_args

from fastapi import APIRouter, Request, Response
from starlette.requests import ClientDisconnect

from tahur import __version__
from tahur.core.errors import TahurError, UnknownName
from tahur.room import rest
from tahur.room.codec import WireError
from tahur.room.facts import Dealt, Ended
from tahur.room.gallery import game_cards, rules_of
from tahur.room.history import Format, fairness, odds, replay, thoughts
from tahur.room.keeper import RequestRefused
from tahur.room.lobby import UNUSED, RoomUnreadable
from tahur.room.store import StoreError
from tahur.room.task import RoomTask
from tahur.web.entry import enter, join, open_room, watch, with_pass
from tahur.web.guard import CALLS, ENTRIES, NotAllowed, cookie_name, token_of
from tahur.web.house import Handler, ServedHouse, caller, json_response, known_room
from tahur.web.played import Sitter

MOST_HANDS: Final = 200  # hands in one list
MOST_LISTED: Final = 100  # rooms
MOST_MINE: Final = 20  # a user's own rooms loaded for a list

T = TypeVar("T")


def routes(house: ServedHouse) -> APIRouter:
    """All routes under /api."""
    router = APIRouter(prefix="/api")
    for method, path, handler in HANDLERS:
        router.add_api_route(path, guarded(house, handler), methods=[method])
    return router


def guarded(house: ServedHouse, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    """Wrap a handler with the guard; errors become one sentence and a status."""

    async def answer(request: Request) -> Response:
        try:
            house.guard.check_host(request.headers)
            asking = caller(house, request)
            house.guard.check_pace(asking, CALLS)
            if request.method != "GET":
                house.guard.check_origin(request.headers, needed=False)
                house.guard.check_pace(asking, ENTRIES)
            return await handler(house, request)
        except ClientDisconnect:
            return Response(status_code=400)  # the client is gone
        except Exception as error:
            status = status_of(error)
            if status is None:
                raise
            house.lobby.figures.refused[f"http {status}"] += 1
            again = getattr(error, "again", None)
            return json_response({"error": str(error)}, status, {"Retry-After": str(again)} if again else None)

    return answer


def status_of(error: Exception) -> int | None:
    """The HTTP status for an error in the request."""
    match error:
        case NotAllowed():
            return error.status
        case UnknownName():
            return 404
        case RequestRefused():
            return 409
        case RoomUnreadable() | StoreError():
            return 503
        case WireError():
            return 413 if "bytes" in str(error) else 400
        case TahurError():
            return 400
        case _:
            return None


# ---- parameters ----------------------------------------------------------------------------------


def _number(request: Request, name: str, usual: int | None, most: int) -> int | None:
    text = request.query_params.get(name)
    if text is None:
        return usual
    if not (text.isascii() and text.isdigit() and len(text) < 10 and 0 < int(text) <= most):
        raise NotAllowed(400, f"{name} must be a number from 1 to {most:,}")
    return int(text)


async def _room(house: ServedHouse, request: Request) -> tuple[RoomTask, str | None]:
    """The room in the URL, and the person (None: a spectator). A token of this room is required."""
    room, person = await known_room(house, request)
    token, _ = token_of(request.headers, request.cookies, room.state.room)
    if person is None and not house.lobby.watches(room.state.room, token):
        raise NotAllowed(401, "join or watch this room first")
    return room, person


# ---- the house and its rooms ---------------------------------------------------------------------


async def about(house: ServedHouse, request: Request) -> Response:
    """What the home page needs: games, bots, version; only whether a password is needed until it is given."""
    if not house.guard.lets_in(request.headers, request.cookies):
        quick = rest.NewRoom("Guest")
        return json_response(
            rest.House(
                version="", password=True, games=(), minds=(), quick=quick, llm=None, address=None, entered=False
            )
        )
    return json_response(await asyncio.to_thread(_about, house))


def _about(house: ServedHouse) -> rest.House:
    """The list of bots, which takes a while to build the first time."""
    gallery = house.gallery
    model = gallery.language.name if gallery.language else None
    return rest.House(
        version=__version__,
        password=bool(house.guard.password),
        games=game_cards(),
        minds=gallery.minds,
        quick=gallery.quick(),
        llm=model,
        address=house.address,
    )


async def rooms(house: ServedHouse, request: Request) -> Response:
    """The listed rooms and the user's own; without the password, only the user's own."""
    inside = house.guard.lets_in(request.headers, request.cookies)
    mine = [name.removeprefix(cookie_name("")) for name in request.cookies if name.startswith(cookie_name(""))]
    listed = await asyncio.to_thread(house.lobby.listed) if inside else []
    cards = []
    for name in list(dict.fromkeys([*listed, *filter(house.lobby.has, mine[:MOST_MINE])]))[:MOST_LISTED]:
        try:
            room = await house.lobby.room(name)
        except RoomUnreadable:
            continue  # the server's log has the reason
        person = _whose(room, request)
        if person is not None or (inside and _is_listed(house, room)):
            cards.append(_card(room, person))
    if not inside and not cards:
        raise NotAllowed(401, "this server asks for a password")
    return json_response(rest.RoomList(tuple(cards)))


def _is_listed(house: ServedHouse, room: RoomTask) -> bool:
    """Whether others see the room: not if it was opened, never played in, and left."""
    state = room.state
    last = state.last_entry.time if state.last_entry else 0.0
    left = not state.hand and room.idle and house.guard.clock.wall() - last > UNUSED
    return state.settings.listed and not state.closed and not left


async def card(house: ServedHouse, request: Request) -> Response:
    room, person = await known_room(house, request)
    return with_pass(house, request, json_response(_card(room, person)))


def _whose(room: RoomTask, request: Request) -> str | None:
    token, _ = token_of(request.headers, request.cookies, room.state.room)
    return room.person_of(token) if token else None


def _card(room: RoomTask, person: str | None) -> rest.RoomCard:
    """A room as the list of rooms shows it to this person."""
    state, settings = room.state, room.state.settings
    tally = state.tallies.get(person or "")
    return rest.RoomCard(
        room=state.room,
        title=settings.title,
        game=settings.game,
        rules=rules_of(settings.game, settings.rules),
        seats=settings.seats,
        empty=sum(not chair.taken for chair in state.chairs),
        people=tuple(chair.name for chair in state.chairs if chair.person),
        minds=tuple(chair.name for chair in state.chairs if chair.mind),
        stack=state.adapter.buy_in(settings),
        blinds=state.adapter.blinds(settings),
        seconds=settings.seconds,
        hand=state.hand,
        finished=state.finished,
        yours=tally.hands if tally else 0,
        over=state.closed,
        listed=settings.listed,
        llm=settings.llm,
        you=state.seat_of(person),
        played=tally.result if tally else None,
    )


# ---- what was played -----------------------------------------------------------------------------


async def hands(house: ServedHouse, request: Request) -> Response:
    room, person = await _room(house, request)
    before = _number(request, "before", None, 10**9)
    most = _number(request, "most", 50, MOST_HANDS) or 50
    lines, more = await house.played.lines(Sitter.of(house.lobby.store, room.state, person), before, most)
    return json_response(rest.HandList(lines, more))


async def hand(house: ServedHouse, request: Request) -> Response:
    room, person, dealt, ended = await _finished_hand(house, request)
    seat = room.state.seat_in(person, ended.hand)
    like = room.scenes.scene(None, 0.0)
    return json_response(await house.played.run(replay, dealt, ended, seat, like))


async def thoughts_of(house: ServedHouse, request: Request) -> Response:
    _, _, _, ended = await _finished_hand(house, request)
    return json_response(await house.played.run(thoughts, ended))


async def odds_of(house: ServedHouse, request: Request) -> Response:
    room, person, _, ended = await _finished_hand(house, request)
    return json_response(await house.played.run(odds, ended, room.state.seat_in(person, ended.hand)))


async def fairness_of(house: ServedHouse, request: Request) -> Response:
    """The proof of a deal for the requesting seat; not available during the hand, as it contains the seeds."""
    room, person, dealt, ended = await _finished_hand(house, request)
    *_, last = replayed_tables(ended)
    shown = range(len(dealt.names)) if room.state.settings.open_cards else ended.shown
    return json_response(fairness(dealt, last, room.state.seat_in(person, ended.hand), shown))


def replayed_tables(ended: Ended) -> list[Any]:
    """The moments of a finished hand."""
    from tahur.core.record import Record
    from tahur.games.registry import game_of

    record = Record.from_json(ended.record)
    return list(record.replay(game_of(record)))


async def export(house: ServedHouse, request: Request) -> Response:
    room, person = await _room(house, request)
    to = request.query_params.get("format", "json")
    if to not in get_args(Format):
        raise NotAllowed(400, f"format must be one of {', '.join(get_args(Format))}")
    only = _number(request, "hand", None, 10**9)
    sitter = Sitter.of(house.lobby.store, room.state, person)
    return await house.played.export(sitter, cast(Format, to), only, caller(house, request))


def _hand(request: Request) -> int:
    text = request.path_params["hand"]
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise NotAllowed(404, "a hand is given by its number")
    return int(text)


async def _finished_hand(house: ServedHouse, request: Request) -> tuple[RoomTask, str | None, Dealt, Ended]:
    """A finished hand; an error for an unfinished one."""
    room, person = await _room(house, request)
    number = _hand(request)
    if room.state.playing and number == room.state.hand:
        raise NotAllowed(403, "this hand is still being played")
    dealt = await asyncio.to_thread(house.lobby.store.of_hand, room.state.room, Dealt.TYPE, number)
    ended = await asyncio.to_thread(house.lobby.store.of_hand, room.state.room, Ended.TYPE, number)
    if dealt is None or ended is None:
        raise NotAllowed(404, f"no hand {number} in this room")
    assert isinstance(dealt.fact, Dealt)
    assert isinstance(ended.fact, Ended)
    return room, person, dealt.fact, ended.fact


HANDLERS: Final[tuple[tuple[str, str, Handler], ...]] = (
    ("POST", "/enter", enter),
    ("GET", "/house", about),
    ("GET", "/rooms", rooms),
    ("POST", "/rooms", open_room),
    ("GET", "/rooms/{room}", card),
    ("POST", "/rooms/{room}/join", join),
    ("POST", "/rooms/{room}/watch", watch),
    ("GET", "/rooms/{room}/hands", hands),
    ("GET", "/rooms/{room}/hands/{hand}", hand),
    ("GET", "/rooms/{room}/hands/{hand}/thoughts", thoughts_of),
    ("GET", "/rooms/{room}/hands/{hand}/odds", odds_of),
    ("GET", "/rooms/{room}/hands/{hand}/fairness", fairness_of),
    ("GET", "/rooms/{room}/export", export),
)
