"""Bet sizes in the usual notation, and their conversion to chips.

    33%      of the pot; for a raise, of the pot after calling
    2.5x     times the bet (raises only)
    20c      chips; for a raise, on top of the bet
    e 3e     geometric: the same fraction of the pot on each street left (or on three) ends all-in; `3e150%`: capped
    a        all-in

Lists are separated by commas, bets come before raises, seats may differ: `50%,a / 60%,a` or `oop: 33% / 3x; ip: 75% /
a`. Every value converts to text and back: `parse_sizes(str(sizes)) == sizes`.

A preset (`PRESETS`) is a common bet tree with a name. It gives the bets and raises of each street and the thresholds
for adding or forcing all-ins. It stands for those arguments of `spot`, and explicit arguments override it:
`spot(sizes="standard", river="75% / a", ...)`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum
from math import inf, isinf
from typing import Any, Final, assert_never

from tahur.core.errors import SolverError, UnknownName

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
        """Text that `parse_bets` reads back."""
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
        return f"{_sizes_text(self.bets)} / {_sizes_text(self.raises)}"


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
    """The bet size that one word describes, such as `33%`, `2.5x` or `3e150%`."""
    match = _SIZE.fullmatch(text.lower())
    if not match:
        raise SolverError(f"'{text}' is not a bet size; {HELP}")
    if match["all"]:
        return BetSize(Unit.ALL_IN)
    if match["unit"]:
        return _size_in_unit(text, float(match["number"]), Unit(match["unit"]))
    streets = int(match["streets"] or 0)
    if streets > 100:
        raise SolverError(f"'{text}' spreads the stack over {streets} streets; the maximum is three")
    return BetSize(Unit.GEOMETRIC, streets, float(match["most"] or inf))


def _size_in_unit(text: str, number: float, unit: Unit) -> BetSize:
    """A size with a number and a unit, if it is valid."""
    if unit is Unit.TIMES and number <= 1:
        raise SolverError(f"'{text}' is not a raise; a raise must be more than 1x the bet")
    if number <= 0:
        raise SolverError(f"'{text}' is not a bet; a bet must be more than 0")
    if unit is Unit.CHIPS and number != int(number):
        raise SolverError(f"'{text}' is not a bet; chips must be whole numbers")
    return BetSize(unit, number)


def _sizes_text(sizes: tuple[BetSize, ...]) -> str:
    return ",".join(map(str, sizes)) or "-"


ADD_ALL_IN: Final = 1.5  # pots
FORCE_ALL_IN: Final = 0.15  # pots
_NAME: Final = re.compile(r"[a-z][a-z_-]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SizePreset:
    """The sizes of the three streets, as text, and one sentence about them."""

    name: str
    about: str
    flop: str
    turn: str
    river: str
    raise_cap: int = 0

    @property
    def settings(self) -> dict[str, Any]:
        """The arguments of `spot` that the preset stands for."""
        return {
            "flop": self.flop,
            "turn": self.turn,
            "river": self.river,
            "add_all_in": ADD_ALL_IN,
            "force_all_in": FORCE_ALL_IN,
            "raise_cap": self.raise_cap,
        }


PRESETS: Final[Mapping[str, SizePreset]] = {
    preset.name: preset
    for preset in (
        SizePreset(
            name="simple",
            about="One bet of half the pot and one raise: the smallest tree that still distinguishes bets from checks.",
            flop="50% / 60%",
            turn="50% / 60%",
            river="50% / 60%",
            raise_cap=2,
        ),
        SizePreset(
            name="standard",
            about="A small and a big bet on each street, growing towards the river: the usual study tree.",
            flop="33%,75% / 60%",
            turn="50%,100% / 60%",
            river="50%,100% / 60%",
            raise_cap=3,
        ),
        SizePreset(
            name="polar",
            about="Big bets alone, over the pot on the river: for ranges of strong hands and bluffs.",
            flop="75% / a",
            turn="100% / a",
            river="150%,a / a",
        ),
        SizePreset(
            name="small-ball",
            about="Small bets and small raises: for deep stacks, wide ranges and many cheap streets.",
            flop="25% / 3x",
            turn="33% / 3x",
            river="33%,66% / 3x",
            raise_cap=2,
        ),
        SizePreset(
            name="geometric",
            about="The same part of the pot on every street, chosen so that the last bet is all-in.",
            flop="e / a",
            turn="e / a",
            river="e / a",
        ),
    )
}


def with_preset(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a spot with its preset, if any, expanded; explicit arguments take precedence."""
    sizes = arguments.get("sizes")
    if not isinstance(sizes, str) or not _NAME.fullmatch(sizes.strip()):
        return dict(arguments)
    rest = {name: value for name, value in arguments.items() if name != "sizes"}
    return preset(sizes.strip()).settings | rest


def preset(name: str) -> SizePreset:
    """The preset with that name; the error for an unknown name lists the valid ones."""
    preset = PRESETS.get(name.lower().replace("_", "-"))
    if preset is None:
        near = get_close_matches(name.lower(), PRESETS, 1)
        meant = f"did you mean '{near[0]}'? " if near else ""
        raise UnknownName(
            f"no sizes '{name}'; {meant}presets are {', '.join(PRESETS)}, or write sizes: '50%,a / 60%,a'"
        )
    return preset
