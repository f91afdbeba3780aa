"""The routes that issue tokens: the password, a new room, a seat, watching. Each sets a cookie too."""

from __future__ import annotations

import asyncio
import secrets
from typing import Final

from fastapi import Request, Response

from tahur.room import rest
from tahur.room.adapter import Sitting, adapter_of
from tahur.room.facts import RoomSettings, mind_in
from tahur.room.gallery import rules_of
from tahur.room.lobby import Pass
from tahur.room.names import check_name
from tahur.room.task import token_hash
from tahur.web.guard import HOUSE_COOKIE, NotAllowed, cookie_name, token_of
from tahur.web.house import ServedHouse, body, client, json_response, known_room

GRACE: Final = 20  # extra seconds after a lost connection, once per hand
MOST_TITLE: Final = 60  # characters
KEPT: Final = 90 * 86_400  # lifetime of a token's cookie in seconds


async def enter(house: ServedHouse, request: Request) -> Response:
    """Exchange the password for a pass."""
    wanted = await body(request, rest.Enter)
    house.guard.check_password(wanted.password, client(request))
    token = house.guard.new_pass()
    return with_pass(house, request, json_response(rest.Entered(token)), token)


async def open_room(house: ServedHouse, request: Request) -> Response:
    """Open a room with the wanted settings and bots, and seat its host."""
    wanted = await body(request, rest.NewRoom)
    _check_inside(house, request, wanted.password)
    settings = settings_of(wanted)
    check_name(wanted.name)
    if wanted.llm:
        house.gallery.check_language(wanted.game)
    minds = [None if mind is None else mind_in(settings, mind) for mind in wanted.minds]
    for mind in minds:
        if mind is not None:
            await asyncio.to_thread(house.gallery.name_of, mind, wanted.game)
    address = client(request)
    house_pass = house.guard.pass_of(request.headers, request.cookies) if house.guard.password else ""
    house.guard.check_new_room(address, token_hash(house_pass) if house_pass else "")
    opened = await house.lobby.open(settings, wanted.name, minds, wait=wanted.wait, address=address)
    return _set_pass(house, request, opened)


def settings_of(wanted: rest.NewRoom) -> RoomSettings:
    """The settings of the requested room; raises an error if they are invalid."""
    seats = len(wanted.minds) + 1
    rules = rules_of(wanted.game, wanted.rules)
    settings = RoomSettings(
        title=check_name(wanted.title, "title", most=MOST_TITLE) if wanted.title.strip() else rules.title,
        game=wanted.game,
        rules=rules.name,
        seats=seats,
        stack=wanted.stack,
        blinds=wanted.blinds,
        dice=wanted.dice,
        seconds=wanted.seconds,
        bank=wanted.bank,
        grace=GRACE,
        pace=wanted.pace,
        open_cards=wanted.open_cards,
        listed=wanted.listed,
        secret=secrets.token_hex(16),
        llm=wanted.llm,
    )
    adapter = adapter_of(wanted.game)
    sitting = Sitting(adapter.buy_in(settings), True)
    adapter.next_game(settings, [sitting] * seats, None)  # the rules validate the settings
    if wanted.open_cards and None in wanted.minds:
        raise NotAllowed(400, "open cards are for one person only: put a bot in every other seat")
    return settings


async def join(house: ServedHouse, request: Request) -> Response:
    """Give the caller a seat; a caller who has one already gets the same one again."""
    wanted = await body(request, rest.Join)
    await _check_room(house, request, wanted.password)
    name = request.path_params["room"]
    room = await house.lobby.room(name)
    token, _ = token_of(request.headers, request.cookies, name)
    visitor = room.visitor(token, client(request))
    seat = room.state.seat_of(room.person_of(token)) if token else None
    if seat is not None and not room.state.refuses(visitor):  # a double click or a reloaded page: the same seat
        return _set_pass(house, request, Pass(name, seat, token))
    return _set_pass(
        house, request, await house.lobby.join(name, wanted.name, wanted.seat, token, address=client(request))
    )


async def watch(house: ServedHouse, request: Request) -> Response:
    wanted = await body(request, rest.Watch)
    await _check_room(house, request, wanted.password)
    name = request.path_params["room"]
    token, _ = token_of(request.headers, request.cookies, name)
    return _set_pass(house, request, await house.lobby.watch(name, token, address=client(request)))


async def _check_room(house: ServedHouse, request: Request, password: str) -> None:
    """Check the password; a token of the room proves that it was given before."""
    try:
        await known_room(house, request)
    except NotAllowed:
        _check_inside(house, request, password)


def _check_inside(house: ServedHouse, request: Request, password: str) -> None:
    if not house.guard.lets_in(request.headers, request.cookies):
        house.guard.check_password(password, client(request))


def with_pass(house: ServedHouse, request: Request, answer: Response, token: str = "") -> Response:
    """The response with a pass as a cookie, if the client is entitled to one and has none."""
    guard = house.guard
    if guard.password and not guard.pass_of({}, request.cookies):
        _set_cookie(house, answer, HOUSE_COOKIE, token or guard.new_pass())
    return answer


def _set_pass(house: ServedHouse, request: Request, entry: Pass) -> Response:
    answer = with_pass(house, request, json_response(rest.Seated(entry.room, entry.seat, entry.token)))
    _set_cookie(house, answer, cookie_name(entry.room), entry.token)
    return answer


def _set_cookie(house: ServedHouse, answer: Response, name: str, value: str) -> None:
    answer.set_cookie(name, value, max_age=KEPT, httponly=True, samesite="strict", secure=house.secure, path="/")
