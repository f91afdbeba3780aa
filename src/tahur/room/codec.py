"""Frozen dataclasses to JSON and back. Input is validated strictly: it matches exactly or is an error.

A field is a `bool`, `int`, `float`, `str`, a `Literal` of words, another dataclass, one of several dataclasses that
have a `TYPE`, a tuple of one of these, or any of them or None. Bounds are in the annotation: `Annotated[int,
Bounds(0, 9)]`. A text with bounds (of its length) is user input: all its characters must be printable.
"""

from __future__ import annotations

import json
import types
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from json.encoder import encode_basestring_ascii
from math import isfinite
from operator import attrgetter
from typing import Annotated, Any, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from tahur.core.errors import TahurError
from tahur.room.names import is_readable

T = TypeVar("T")

_MOST_SAID: Final = 40  # characters of a wrong value quoted in an error


class WireError(TahurError, ValueError):
    """An invalid message: where it is wrong, and what would be valid."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Minimum and maximum of a number, of the length of a text, or of the length of a list."""

    least: float
    most: float


def body_of(value: Any) -> dict[str, Any]:
    """The fields of a dataclass by name; a member of a sum type starts with its type."""
    kind: Any = type(value)
    tag, names, values = _shape(kind)
    body = dict(zip(names, values(value), strict=True))
    return {"type": tag, **body} if tag else body


def text_of(value: Any) -> str:
    """One line of JSON, ASCII only, so that no character can be taken for a line break."""
    atom = _ATOMS.get(type(value))
    return _ENCODER.encode(value) if atom is None else atom(value)


@cache
def _shape(kind: Any) -> tuple[str | None, tuple[str, ...], Callable[[Any], tuple[Any, ...]]]:
    """The tag, the fields, and a getter for all of them at once."""
    names = tuple(field.name for field in fields(kind))
    if len(names) < 2:  # with a single field `attrgetter` returns no tuple
        return getattr(kind, "TYPE", None), names, lambda value: tuple(getattr(value, name) for name in names)
    return getattr(kind, "TYPE", None), names, attrgetter(*names)


_ENCODER: Final = json.JSONEncoder(
    ensure_ascii=True, allow_nan=False, check_circular=False, separators=(",", ":"), default=body_of
)


# The JSON of single values; the encoder takes several times as long for them.
_ATOMS: Final[dict[type, Callable[[Any], str]]] = {
    str: encode_basestring_ascii,
    int: str,
    bool: lambda value: "true" if value else "false",
    type(None): lambda _: "null",
}


def field_texts(value: Any) -> dict[str, str]:
    """The JSON of each field of a dataclass, `"name":value`, by its name."""
    kind: Any = type(value)
    _, names, values = _shape(kind)
    return {name: f'"{name}":{text_of(part)}' for name, part in zip(names, values(value), strict=True)}


def parse_text(text: str | bytes, most: int) -> Any:
    """Parse JSON input: limited in bytes, without duplicate fields, without NaN and infinity."""
    if len(text) > most:
        raise WireError(f"a message of {len(text):,} bytes; the maximum is {most:,}")
    try:
        return json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_once)
    except WireError:
        raise
    except (ValueError, RecursionError) as error:
        raise WireError(f"not JSON: {str(error)[:80]}") from None


def read_as(kind: Callable[..., T], value: Any, where: str = "message") -> T:
    """The dataclass in a JSON value; every field must be present with its exact type, and no other."""
    made: T = _reader(kind)(value, where)
    return made


def _refuse_constant(name: str) -> Any:
    raise WireError(f"{name} is not a valid number here")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields_by_name = dict(pairs)
    if len(fields_by_name) != len(pairs):
        raise WireError("the same field twice")
    return fields_by_name


_Reader = Callable[[Any, str], Any]


@cache
def _reader(hint: Any) -> _Reader:
    """A reader for values of this annotation."""
    origin, given = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _bounded_reader(_reader(given[0]), given[1])
    if origin in (Union, types.UnionType):
        members = tuple(member for member in given if member is not type(None))
        read = _reader(members[0]) if len(members) == 1 else _member(members)
        return read if len(members) == len(given) else _or_none(read)
    if origin is Literal:
        return _one_of(given)
    if origin is tuple:
        return _many(given[0])
    return _parts(hint) if is_dataclass(hint) else _atom(hint)


def _bounded_reader(read: _Reader, bounds: Bounds) -> _Reader:
    """A reader that also checks the length of a text or list, or the size of a number."""

    def bounded(value: Any, where: str) -> Any:
        """Read the value, then check its size."""
        made = read(value, where)
        if isinstance(made, str) and not is_readable(made):
            raise WireError(f"{where}: contains unprintable characters")
        size = len(made) if isinstance(made, str | tuple) else made
        if not bounds.least <= size <= bounds.most:
            what = "letters" if isinstance(made, str) else "parts" if isinstance(made, tuple) else ""
            raise WireError(f"{where}: {_short_repr(value)}; from {bounds.least:,} to {bounds.most:,} {what}".rstrip())
        return made

    return bounded


def _or_none(read: _Reader) -> _Reader:
    return lambda value, where: None if value is None else read(value, where)


def _member(kinds: tuple[Any, ...]) -> _Reader:
    """A reader for one of several dataclasses, told apart by the field `type`."""
    readers = {kind.TYPE: _parts(kind) for kind in kinds}

    def member(value: Any, where: str) -> Any:
        if type(value) is not dict:
            raise WireError(f"{where}: {_short_repr(value)}; an object")
        body = dict(value)
        tag = _one_of(tuple(readers))(body.pop("type", None), f"{where}.type")
        return readers[tag](body, where)

    return member


def _one_of(words: tuple[Any, ...]) -> _Reader:
    def one_of(value: Any, where: str) -> Any:
        if type(value) is not str or value not in words:
            raise WireError(f"{where}: {_short_repr(value)}; one of {', '.join(map(str, words))}")
        return value

    return one_of


def _many(kind: Any) -> _Reader:
    """A reader of lists of this type; returns tuples."""
    read = _reader(kind)

    def many(value: Any, where: str) -> Any:
        if type(value) is not list:
            raise WireError(f"{where}: {_short_repr(value)}; a list")
        return tuple(read(item, f"{where}[{at}]") for at, item in enumerate(value))

    return many


def _parts(kind: Any) -> _Reader:
    """A reader of JSON objects with the fields of this dataclass."""
    hints = get_type_hints(kind, include_extras=True)
    needed = {field.name for field in fields(kind) if field.default is MISSING}
    readers = {field.name: _reader(hints[field.name]) for field in fields(kind)}

    def parts(value: Any, where: str) -> Any:
        if type(value) is not dict:
            raise WireError(f"{where}: {_short_repr(value)}; an object")
        if unknown := value.keys() - readers.keys():
            raise WireError(f"{where}: no field {_short_repr(min(unknown))}; there are {', '.join(readers) or 'none'}")
        if missing := needed - value.keys():
            raise WireError(f"{where}: {min(missing)} is missing")
        return kind(**{name: readers[name](part, f"{where}.{name}") for name, part in value.items()})

    return parts


def _atom(kind: Any) -> _Reader:
    """A reader of a plain value; whole numbers are accepted as floats."""

    def atom(value: Any, where: str) -> Any:
        if kind is float and type(value) is int:
            return float(value)
        if type(value) is not kind or (kind is float and not isfinite(value)):
            raise WireError(f"{where}: {_short_repr(value)}; a {kind.__name__}")
        return value

    return atom


def _short_repr(value: Any) -> str:
    """A wrong value, shortened for an error message."""
    try:
        text = json.dumps(value)
    except (ValueError, RecursionError):
        text = "something endless"
    return text if len(text) <= _MOST_SAID else text[: _MOST_SAID - 3] + "..."
