"""The REST side: each handler reads one value, asks the room, and gives one value back. See `room/rest.py`."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar, get_args

from fastapi import APIRouter, Request, Response
from starlette.requests import ClientDisconnect

from tahur import __version__
from tahur.core.errors import TahurError, UnknownName
from tahur.core.game import Seat
from tahur.room import rest
from tahur.room.codec import WireError, parse_text, read_as, text_of
from tahur.room.export import Format, exported
from tahur.room.facts import Dealt, Ended, RoomSettings, mind_in
from tahur.room.gallery import Gallery, game_cards, rules_of
from tahur.room.history import fairness, hand_line, odds, replay, thoughts
from tahur.room.keeper import RequestRefused
from tahur.room.kind import Sitting, kind_of
from tahur.room.lobby import Lobby, Pass, RoomUnreadable
from tahur.room.log import Entry
from tahur.room.minds import seen
from tahur.room.scenes import scene
from tahur.room.store import StoreError
from tahur.room.task import RoomTask, token_hash
from tahur.web.guard import CALLS, ENTRIES, Guard, NotAllowed, cookie_name, token_of

MOST_BYTES: Final = 16_384  # of a request's body
GRACE: Final = 20  # seconds, once a hand, for who lost the connection
MOST_HANDS: Final = 200  # in one list
MOST_LISTED: Final = 100  # rooms
MOST_MINE: Final = 20  # rooms of one's own that are loaded for a list

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class House:
    """What all handlers share."""

    lobby: Lobby
    gallery: Gallery
    guard: Guard
    secure: bool = False  # served over HTTPS by somebody in front of us: cookies say so
    address: str | None = None  # where other machines reach us


Handler = Callable[[House, Request], Awaitable[Response]]


def routes(house: House) -> APIRouter:
    """Every address under /api."""
    router = APIRouter(prefix="/api")
    for method, path, handler in HANDLERS:
        router.add_api_route(path, _guarded(house, handler), methods=[method])
    return router


def _guarded(house: House, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    """The handler behind the guard; errors become one sentence and a status."""

    async def guarded(request: Request) -> Response:
        try:
            house.guard.check_host(request.headers)
            caller = _caller(house, request)
            house.guard.check_pace(caller, CALLS)
            if request.method != "GET":
                house.guard.check_origin(request.headers, needed=False)
                house.guard.check_pace(caller, ENTRIES)
            return await handler(house, request)
        except ClientDisconnect:
            return Response(status_code=400)  # nobody reads it
        except Exception as error:
            status = status_of(error)
            if status is None:
                raise
            house.lobby.figures.refused[f"http {status}"] += 1
            return given({"error": str(error)}, status)

    return guarded


def status_of(error: Exception) -> int | None:
    """The status for an error that is the request's fault."""
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


def given(value: Any, status: int = 200) -> Response:
    return Response(text_of(value), status, {"Cache-Control": "no-store"}, "application/json")


# ---- asking --------------------------------------------------------------------------------------


async def _body(request: Request, kind: Callable[..., T]) -> T:
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise NotAllowed(400, "send JSON, as application/json")
    whole = b""
    async for part in request.stream():
        whole += part
        if len(whole) > MOST_BYTES:
            raise NotAllowed(413, f"more than {MOST_BYTES:,} bytes")
    return read_as(kind, parse_text(whole, MOST_BYTES), "body")


def _caller(house: House, request: Request) -> str:
    """Whose requests are counted together: those with the same token of a room or, without one, of one address."""
    room = request.path_params.get("room", "")
    token, _ = token_of(request.headers, request.cookies, room)
    return token_hash(token) if token and house.lobby.recognises(room, token) else _client(request)


def _client(request: Request) -> str:
    return request.client.host if request.client else "?"


def _number(request: Request, name: str, usual: int | None, most: int) -> int | None:
    text = request.query_params.get(name)
    if text is None:
        return usual
    if not (text.isascii() and text.isdigit() and len(text) < 10 and 0 < int(text) <= most):
        raise NotAllowed(400, f"{name} is a number from 1 to {most:,}")
    return int(text)


async def _room(house: House, request: Request) -> tuple[RoomTask, str | None]:
    """The room of the address, and who asks; None: a spectator. Without a token of that room nobody is let in."""
    name = request.path_params["room"]
    room = await house.lobby.room(name)
    token, _ = token_of(request.headers, request.cookies, name)
    person = room.person_of(token) if token else None
    if person is None and not house.lobby.watches(name, token):
        raise NotAllowed(401, "join or watch this room first")
    return room, person


# ---- the house and its rooms ---------------------------------------------------------------------


async def about(house: House, request: Request) -> Response:
    return given(await asyncio.to_thread(_about, house))


def _about(house: House) -> rest.House:
    """Which minds there are takes a while to find out, the first time."""
    gallery = house.gallery
    model = gallery.language.name if gallery.language else None
    password = bool(house.guard.password)
    return rest.House(
        version=__version__,
        password=password,
        games=game_cards(),
        minds=gallery.minds,
        quick=gallery.quick(),
        llm=model,
        address=house.address,
    )


async def rooms(house: House, request: Request) -> Response:
    found = []
    mine = [name.removeprefix(cookie_name("")) for name in request.cookies if name.startswith(cookie_name(""))]
    names = dict.fromkeys([*await asyncio.to_thread(house.lobby.listed), *filter(house.lobby.has, mine[:MOST_MINE])])
    for name in list(names)[:MOST_LISTED]:
        try:
            room = await house.lobby.room(name)
        except RoomUnreadable:
            continue  # the log says why
        person = _whose(room, request)
        if (room.state.settings.listed and not room.state.closed) or person is not None:
            found.append(_card(room, person))
    return given(rest.RoomList(tuple(found)))


async def open_room(house: House, request: Request) -> Response:
    wanted = await _body(request, rest.NewRoom)
    house.guard.check_password(wanted.password)
    settings = settings_of(wanted)
    if wanted.llm:
        house.gallery.check_language(wanted.game)
    minds = [None if mind is None else mind_in(settings, mind) for mind in wanted.minds]
    for mind in minds:
        if mind is not None:
            await asyncio.to_thread(house.gallery.name_of, mind, wanted.game)
    name = wanted.name.strip() or "You"
    return _admitted(house, await house.lobby.open(settings, name, minds, wait=wanted.wait))


def settings_of(wanted: rest.NewRoom) -> RoomSettings:
    """The room that is asked for; an error if it cannot be played in."""
    seats = len(wanted.minds) + 1
    rules = rules_of(wanted.game, wanted.rules)
    settings = RoomSettings(
        wanted.title.strip() or rules.title,
        wanted.game,
        rules.name,
        seats,
        wanted.stack,
        wanted.blinds,
        wanted.dice,
        wanted.seconds,
        wanted.bank,
        GRACE,
        wanted.pace,
        wanted.open_cards,
        wanted.listed,
        secrets.token_hex(16),
        wanted.llm,
    )
    kind = kind_of(wanted.game)
    kind.next_game(settings, [Sitting(kind.buy_in(settings), True)] * seats, None)  # the rules refuse what they must
    if wanted.open_cards and None in wanted.minds:
        raise NotAllowed(400, "open cards are for one person alone: seat minds everywhere")
    return settings


async def card(house: House, request: Request) -> Response:
    room = await house.lobby.room(request.path_params["room"])
    return given(_card(room, _whose(room, request)))


async def join(house: House, request: Request) -> Response:
    wanted = await _body(request, rest.Join)
    house.guard.check_password(wanted.password)
    name = request.path_params["room"]
    room = await house.lobby.room(name)
    token, _ = token_of(request.headers, request.cookies, name)
    seat = room.state.seat_of(room.person_of(token)) if token else None
    if seat is not None:  # two clicks, or a page loaded again: the same seat
        return _admitted(house, Pass(name, seat, token))
    return _admitted(house, await house.lobby.join(name, wanted.name, wanted.seat, token))


async def watch(house: House, request: Request) -> Response:
    wanted = await _body(request, rest.Watch)
    house.guard.check_password(wanted.password)
    return _admitted(house, await house.lobby.watch(request.path_params["room"]))


def _admitted(house: House, entry: Pass) -> Response:
    answer = given(rest.Seated(entry.room, entry.seat, entry.token))
    answer.set_cookie(
        cookie_name(entry.room),
        entry.token,
        max_age=90 * 86_400,
        httponly=True,
        samesite="strict",
        secure=house.secure,
        path="/",
    )
    return answer


def _whose(room: RoomTask, request: Request) -> str | None:
    token, _ = token_of(request.headers, request.cookies, room.state.room)
    return room.person_of(token) if token else None


def _card(room: RoomTask, person: str | None) -> rest.RoomCard:
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
        stack=state.kind.buy_in(settings),
        blinds=settings.blinds if settings.game != "perudo" else (),
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


async def hands(house: House, request: Request) -> Response:
    room, person = await _room(house, request)
    before = _number(request, "before", None, 10**9)
    most = _number(request, "most", 50, MOST_HANDS) or 50
    lines, more = await asyncio.to_thread(_lines, house, room, person, before, most)
    return given(rest.HandList(lines, more))


def _lines(
    house: House, room: RoomTask, person: str | None, before: int | None, most: int
) -> tuple[tuple[rest.HandLine, ...], bool]:
    """The newest hands first; totals are of all hands that the person ever played here."""
    total, lines = 0.0, []
    for entry in reversed(house.lobby.store.of_kind(room.state.room, Ended.TYPE)):
        fact = entry.fact
        assert isinstance(fact, Ended)
        seat = room.state.seat_in(person, fact.hand)
        payoffs = seen(fact, seat).payoffs or ()
        total += payoffs[seat] if seat is not None else 0.0
        if before is None or fact.hand < before:
            lines.append((fact, seat, total if seat is not None else None))
    kept = lines[-most:][::-1]
    return tuple(hand_line(*line) for line in kept), len(lines) > most


async def hand(house: House, request: Request) -> Response:
    room, person, dealt, ended = await _finished(house, request)
    seat = room.state.seat_in(person, ended.hand)
    like = scene(room.keeper, None, 0.0)
    return given(await asyncio.to_thread(replay, dealt, ended, seat, like))


async def thoughts_of(house: House, request: Request) -> Response:
    _, _, _, ended = await _finished(house, request)
    return given(thoughts(ended))


async def odds_of(house: House, request: Request) -> Response:
    room, person, _, ended = await _finished(house, request)
    return given(await asyncio.to_thread(odds, ended, room.state.seat_in(person, ended.hand)))


async def fairness_of(house: House, request: Request) -> Response:
    """The proof of a deal, for who asks; the seeds that mixed the deck are nobody's while the hand goes on."""
    room, person, dealt, ended = await _finished(house, request)
    *_, last = replayed_tables(ended)
    shown = range(len(dealt.names)) if room.state.settings.open_cards else ended.shown
    return given(fairness(dealt, last, room.state.seat_in(person, ended.hand), shown))


def replayed_tables(ended: Ended) -> list[Any]:
    """Every table of a finished hand."""
    from tahur.core.record import Record
    from tahur.games.registry import game_of

    record = Record.from_json(ended.record)
    return list(record.replay(game_of(record)))


async def export(house: House, request: Request) -> Response:
    room, person = await _room(house, request)
    to = request.query_params.get("format", "json")
    if to not in get_args(Format):
        raise NotAllowed(400, f"format is one of {', '.join(get_args(Format))}")
    text = await asyncio.to_thread(_exported, house, room, person, to, _number(request, "hand", None, 10**9))
    suffix = {"phh": "phhs", "pokerstars": "txt", "json": "jsonl"}[to]
    name = f'attachment; filename="{room.state.room}.{suffix}"'
    return Response(text, 200, {"Content-Disposition": name, "Cache-Control": "no-store"}, "text/plain")


def _exported(house: House, room: RoomTask, person: str | None, to: Any, hand: int | None) -> str:
    found: list[tuple[Ended, Seat | None, float]] = []
    for entry in reversed(house.lobby.store.of_kind(room.state.room, Ended.TYPE, hand=hand)):
        fact = entry.fact
        assert isinstance(fact, Ended)
        found.append((fact, room.state.seat_in(person, fact.hand), entry.time))
    return exported(found, to)


def _hand(request: Request) -> int:
    text = request.path_params["hand"]
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise NotAllowed(404, "hands go by numbers")
    return int(text)


async def _finished(house: House, request: Request) -> tuple[RoomTask, str | None, Dealt, Ended]:
    """A hand that is over; one that is not is nobody's to look into."""
    room, person = await _room(house, request)
    number = _hand(request)
    if room.state.playing and number == room.state.hand:
        raise NotAllowed(403, "this hand is still being played")
    dealt = await asyncio.to_thread(_one, house, room.state.room, Dealt.TYPE, number)
    ended = await asyncio.to_thread(_one, house, room.state.room, Ended.TYPE, number)
    if dealt is None or ended is None:
        raise NotAllowed(404, f"there was no hand {number} in this room")
    assert isinstance(dealt.fact, Dealt)
    assert isinstance(ended.fact, Ended)
    return room, person, dealt.fact, ended.fact


def _one(house: House, room: str, kind: str, number: int) -> Entry | None:
    found = house.lobby.store.of_kind(room, kind, hand=number)
    return found[0] if found else None


HANDLERS: Final[tuple[tuple[str, str, Handler], ...]] = (
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
