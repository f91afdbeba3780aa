"""The REST side as an OpenAPI document, made from the dataclasses that say it: for a test from the outside."""

from __future__ import annotations

import types
from dataclasses import MISSING, fields, is_dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from tahur.room import rest
from tahur.room.codec import Bounds

ERRORS = {
    400: "wrong",
    401: "no token, or a wrong password",
    403: "not yet, or not from here",
    404: "nothing there",
    409: "refused",
    413: "too long",
    429: "too often",
}
PLAIN = {bool: "boolean", int: "integer", float: "number", str: "string"}


def document(rooms: list[str], token: str) -> dict[str, Any]:
    """Every address under /api, with rooms that exist among others."""
    room = _parameter("room", "path", {"anyOf": [{"enum": rooms}, {"type": "string", "minLength": 1}]})
    hand = _parameter("hand", "path", {"anyOf": [{"enum": [1, 2, 3]}, {"type": "string", "minLength": 1}]})
    number = {"anyOf": [{"type": "integer"}, {"type": "string"}]}
    bearer = _parameter("Authorization", "header", {"enum": [f"Bearer {token}", "Bearer x", "x"]}, needed=False)
    of_hand = [room, hand, bearer]
    listing = [_parameter(name, "query", number, needed=False) for name in ("before", "most")]
    file = [
        _parameter("format", "query", {"enum": ["phh", "pokerstars", "json", "xml"]}, needed=False),
        _parameter("hand", "query", number, needed=False),
    ]
    paths = {
        "/api/house": {"get": _asked(rest.House)},
        "/api/enter": {"post": _asked(rest.Entered, rest.Enter)},
        "/api/rooms": {"get": _asked(rest.RoomList), "post": _asked(rest.Seated, rest.NewRoom)},
        "/api/rooms/{room}": {"get": _asked(rest.RoomCard, parameters=[room, bearer])},
        "/api/rooms/{room}/join": {"post": _asked(rest.Seated, rest.Join, [room, bearer])},
        "/api/rooms/{room}/watch": {"post": _asked(rest.Seated, rest.Watch, [room, bearer])},
        "/api/rooms/{room}/hands": {"get": _asked(rest.HandList, parameters=[room, bearer, *listing])},
        "/api/rooms/{room}/hands/{hand}": {"get": _asked(rest.Replay, parameters=of_hand)},
        "/api/rooms/{room}/hands/{hand}/thoughts": {"get": _asked(rest.Thoughts, parameters=of_hand)},
        "/api/rooms/{room}/hands/{hand}/odds": {"get": _asked(rest.Odds, parameters=of_hand)},
        "/api/rooms/{room}/hands/{hand}/fairness": {"get": _asked(rest.Fairness, parameters=of_hand)},
        "/api/rooms/{room}/export": {"get": _asked(None, parameters=[room, bearer, *file])},
    }
    return {"openapi": "3.1.0", "info": {"title": "tahur", "version": "1"}, "paths": paths}


def schema_of(hint: Any) -> dict[str, Any]:
    """The JSON schema of an annotation."""
    origin, given = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return schema_of(given[0]) | _bounds(schema_of(given[0])["type"], given[1])
    if origin in (Union, types.UnionType):
        return {"anyOf": [schema_of(each) for each in given]}
    if origin is Literal:
        return {"enum": list(given)}
    if origin is tuple:
        return {"type": "array", "items": schema_of(given[0])}
    if hint is type(None):
        return {"type": "null"}
    return _object(hint) if is_dataclass(hint) else {"type": PLAIN[hint]}


def _object(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind, include_extras=True)
    found = {field.name: schema_of(hints[field.name]) for field in fields(kind)}
    needed = [field.name for field in fields(kind) if field.default is MISSING]
    return {"type": "object", "properties": found, "required": needed, "additionalProperties": False}


def _bounds(kind: str, bounds: Bounds) -> dict[str, Any]:
    least, most = {"integer": ("minimum", "maximum"), "string": ("minLength", "maxLength")}.get(
        kind, ("minItems", "maxItems")
    )
    return {least: int(bounds.least), most: int(bounds.most)}


def _parameter(name: str, place: str, schema: dict[str, Any], *, needed: bool = True) -> dict[str, Any]:
    return {"name": name, "in": place, "required": needed, "schema": schema}


def _asked(answer: Any, body: Any = None, parameters: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    content = {"text/plain": {"schema": {"type": "string"}}} if answer is None else _json(schema_of(answer))
    said = _json({"type": "object", "properties": {"error": {"type": "string", "minLength": 1}}, "required": ["error"]})
    answers: dict[str, Any] = {"200": {"description": "as asked", "content": content}}
    answers |= {str(status): {"description": why, "content": said} for status, why in ERRORS.items()}
    asked: dict[str, Any] = {"responses": answers, "parameters": parameters or []}
    return asked | ({"requestBody": {"required": True, "content": _json(schema_of(body))}} if body else {})


def _json(schema: dict[str, Any]) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}
