"""PHH, the poker hand history format: one hand as TOML text, there and back.

A `Phh` is what the text says and no more: who p1, p2, ... are at a table, and whether the hand can have been played, is
for `history` to find out. p1 sits left of the button, the last player has it; between two, forced bets are listed small
before big, although p1 posts the big one. Amounts may have decimals in the text. Here they are whole chips: `scale` of
them are 1 in the text, the least power of ten that leaves no fraction in the hand.

The format: https://phh.readthedocs.io. A `.phhs` file is several hands, each under a header such as `[1]`.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Any, Final

from tahur.core.errors import RecordError

DEALER: Final = -1
SHOWN_AS_DEALT: Final = "-"
UNKNOWN_CARD: Final = "??"

Chips = tuple[int, ...]  # one number for each player
Number = int | Decimal

_MOST: Final = 10**15  # chips; more is a slip of the pen
_MOST_DIGITS: Final = 28  # what a Decimal computes with


class Variant(StrEnum):
    """The games of the format that are played here."""

    NO_LIMIT = "NT"
    FIXED_LIMIT = "FT"


class Verb(StrEnum):
    """What happens in one line of a hand."""

    HOLE = "dh"
    BOARD = "db"
    FOLD = "f"
    CALL = "cc"  # a check when nothing is owed
    RAISE = "cbr"  # a bet when nothing was bet
    SHOW = "sm"  # or muck, when no cards are named
    NOTE = "#"  # nothing but a comment


@dataclass(frozen=True, slots=True)
class Step:
    """One action of the text: `p3 cbr 200` is Step(Verb.RAISE, 2, chips=200)."""

    verb: Verb
    player: int = DEALER  # counted from 0
    cards: str = ""
    chips: int = 0  # what is raised to
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Phh:
    """One hand of a file, its amounts in whole chips. `fields` are those that are not named here, as TOML has them."""

    variant: Variant
    antes: Chips
    blinds: Chips  # straddles and late posts too
    bets: Chips  # the least bet; in fixed limit the small and the big bet
    stacks: Chips
    steps: tuple[Step, ...]
    finishing_stacks: Chips | None = None
    winnings: Chips | None = None  # what was collected from the pots
    scale: int = 1
    fields: Mapping[str, Any] = field(default_factory=dict)


_BETS: Final = {Variant.NO_LIMIT: ("min_bet",), Variant.FIXED_LIMIT: ("small_bet", "big_bet")}
_HEADER: Final = re.compile(r"""^[ \t]*\[[ \t]*(?:[\w-]+|'[^'\n]*'|"[^"\n]*")[ \t]*\][ \t]*(?:\#.*)?$""", re.MULTILINE)
_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")


def split_hands(text: str) -> list[str]:
    """The text of each hand of a file. They are parted before they are read, so that a bad one spoils no other."""
    headers = list(_HEADER.finditer(text))
    if not headers or "=" in re.sub(r"#.*", "", text[: headers[0].start()]):
        return [text]
    ends = [header.start() for header in headers[1:]] + [len(text)]
    return [text[header.end() : end] for header, end in zip(headers, ends, strict=True)]


def read_phh(text: str) -> Phh:
    """The hand that a text describes; `RecordError` says what is wrong with it."""
    fields = _toml(text)
    variant = _variant(_taken(fields, "variant"))
    stacks = _numbers("starting_stacks", _taken(fields, "starting_stacks"))
    count = len(stacks)
    antes = _for_each("antes", _taken(fields, "antes"), count)
    blinds = _for_each("blinds_or_straddles", _taken(fields, "blinds_or_straddles"), count)
    bets = tuple(_number(name, _taken(fields, name)) for name in _BETS[variant])
    lines = [_Line(text) for text in _texts("actions", _taken(fields, "actions"))]
    ends = [_stated(fields, name, count) for name in ("finishing_stacks", "winnings")]
    scale = _scale_of(
        [*stacks, *antes, *blinds, *bets, *(line.amount for line in lines), *(ends[0] or ()), *(ends[1] or ())]
    )
    return Phh(
        variant,
        _chips(antes, scale),
        _chips(blinds, scale),
        _chips(bets, scale),
        _chips(stacks, scale),
        tuple([line.step(count, scale) for line in lines]),
        None if ends[0] is None else _chips(ends[0], scale),
        None if ends[1] is None else _chips(ends[1], scale),
        scale,
        fields,
    )
