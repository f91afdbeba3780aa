"""Bet sizes in the usual notation, and their conversion to chips.

    33%      of the pot; for a raise, of the pot after calling
    2.5x     times the bet (raises only)
    20c      chips; for a raise, on top of the bet
    e 3e     geometric: the same fraction of the pot on each street left (or on three) ends all-in; `3e150%`: capped
    a        all-in

Lists are separated by commas, bets come before raises, seats may differ: `50%,a / 60%,a` or
`oop: 33% / 3x; ip: 75% / a`. Every value converts to text and back: `parse_sizes(str(sizes)) == sizes`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from math import inf, isinf
from typing import Final, assert_never

from tahur.core.errors import SolverError

HELP: Final = "sizes are 33%, 2.5x (raises), 20c, e or 3e, and a"
_SIZE: Final = re.compile(
    r"(?P<number>\d+(?:\.\d+)?)(?P<unit>[%xc])|(?P<streets>\d*)e(?:(?P<most>\d+(?:\.\d+)?)%)?|(?P<all>a)"
)
_SEATS: Final = re.compile(r"\s*oop\s*:(?P<oop>[^;]*);\s*ip\s*:(?P<ip>[^;]*)", re.IGNORECASE)


class Unit(Enum):
    """The unit of a size."""

    POT = "%"
    TIMES = "x"
    CHIPS = "c"
    GEOMETRIC = "e"
    ALL_IN = "a"


@dataclass(frozen=True, slots=True)
class BetSize:
    """One size: percent, factor, chips, or number of streets (0: all remaining) and maximum percent of a geometric
    one."""

    unit: Unit
    number: float = 0.0
    most: float = inf

    def __str__(self) -> str:
        match self.unit:
            case Unit.ALL_IN:
                return "a"
            case Unit.GEOMETRIC:
                streets = f"{self.number:.0f}" if self.number else ""
                return f"{streets}e" + ("" if isinf(self.most) else f"{self.most:.15g}%")
            case Unit.POT | Unit.TIMES | Unit.CHIPS:
                return f"{self.number:.15g}{self.unit.value}"
            case _:
                assert_never(self.unit)


@dataclass(frozen=True, slots=True)
class BetSizes:
    """The bets and raises that a seat may make on a street."""

    bets: tuple[BetSize, ...] = ()
    raises: tuple[BetSize, ...] = ()

    def __str__(self) -> str:
        return f"{_listed(self.bets)} / {_listed(self.raises)}"


@dataclass(frozen=True, slots=True)
class Street:
    """Both seats' sizes on a street."""

    oop: BetSizes = BetSizes()
    ip: BetSizes = BetSizes()

    def __str__(self) -> str:
        return str(self.oop) if self.oop == self.ip else f"oop: {self.oop}; ip: {self.ip}"

    def of(self, seat: int) -> BetSizes:
        return self.ip if seat else self.oop


def parse_street(text: str) -> Street:
    """`50%,a / 60%,a` for both seats, or `oop: ... ; ip: ...`."""
    if seats := _SEATS.fullmatch(text):
        return Street(parse_sizes(seats["oop"]), parse_sizes(seats["ip"]))
    if ":" in text or ";" in text:
        raise SolverError(
            f"cannot read the sizes '{text}'; write 'BETS / RAISES' or 'oop: BETS / RAISES; ip: BETS / RAISES'"
        )
    both = parse_sizes(text)
    return Street(both, both)


def parse_sizes(text: str) -> BetSizes:
    """`BETS / RAISES`; without the slash there are no raises."""
    bets, *rest = text.split("/")
    if len(rest) > 1:
        raise SolverError(f"'{text}' has {len(rest)} slashes; write 'BETS / RAISES'")
    return BetSizes(parse_bets(bets), tuple(_parse_size(item) for item in _items(rest[0])) if rest else ())


def parse_bets(text: str) -> tuple[BetSize, ...]:
    """Bet sizes separated by commas; `-` or an empty text is no bet at all."""
    sizes = tuple(_parse_size(item) for item in _items(text))
    for size in sizes:
        if size.unit is Unit.TIMES:
            raise SolverError(f"'{size}' is not a bet size: there is no bet to multiply yet; only raises allow it")
    return sizes


def _items(text: str) -> list[str]:
    items = [item.strip() for item in text.split(",")]
    return [] if items in ([""], ["-"]) else items


def _parse_size(text: str) -> BetSize:
    found = _SIZE.fullmatch(text.lower())
    if not found:
        raise SolverError(f"'{text}' is not a bet size; {HELP}")
    if found["all"]:
        return BetSize(Unit.ALL_IN)
    if found["unit"]:
        return _measured(text, float(found["number"]), Unit(found["unit"]))
    streets = int(found["streets"] or 0)
    if streets > 100:
        raise SolverError(f"'{text}' spreads the stack over {streets} streets; the maximum is three")
    return BetSize(Unit.GEOMETRIC, streets, float(found["most"] or inf))


def _measured(text: str, number: float, unit: Unit) -> BetSize:
    if unit is Unit.TIMES and number <= 1:
        raise SolverError(f"'{text}' is not a raise; a raise must be more than 1x the bet")
    if number <= 0:
        raise SolverError(f"'{text}' is not a bet; a bet must be more than 0")
    if unit is Unit.CHIPS and number != int(number):
        raise SolverError(f"'{text}' is not a bet; chips must be whole numbers")
    return BetSize(unit, number)


def _listed(sizes: tuple[BetSize, ...]) -> str:
    return ",".join(map(str, sizes)) or "-"
