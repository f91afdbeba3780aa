"""Amounts as people write them, `200` chips or `5.5bb`, and as they are shown to them.

Tables and solvers count whole chips. An amount in big blinds becomes chips by the size of the big blind, and is refused
if it is not a whole number of them: nothing is rounded silently.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from tahur.core.errors import SettingError

BIG_BLIND: Final = "bb"
CHIPS: Final = "chips"
SCALES: Final = (100, 1_000, 10_000)  # chips for a big blind where nothing else says how many
_AMOUNT: Final = re.compile(r"\s*(?P<number>\d[\d,]*(?:\.\d+)?|\.\d+)\s*(?P<unit>bb)?\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Amount:
    """A number of chips, or of big blinds. `name` says what it is an amount of."""

    name: str
    number: Fraction
    in_blinds: bool

    def __str__(self) -> str:
        return f"{float(self.number):g}{BIG_BLIND if self.in_blinds else ''}"

    def chips(self, big_blind: int) -> int:
        """Whole chips, with so many for a big blind."""
        chips = self.number * big_blind if self.in_blinds else self.number
        if chips.denominator != 1:
            of = f", with {big_blind} for a big blind" if self.in_blinds else f"; big blinds are written {self}bb"
            raise SettingError(f"{self.name} of {self} is {float(chips):g} chips, and chips are whole numbers{of}")
        return int(chips)


def parse_amount(name: str, text: str | float) -> Amount:
    """`200`, `1,500` or `5.5bb`."""
    found = _AMOUNT.fullmatch(str(text))
    if found is None:
        raise SettingError(f"{name} of '{text}'; write chips such as 200, or big blinds such as 5.5bb")
    return Amount(name, Fraction(found["number"].replace(",", "")), found["unit"] is not None)


def is_in_blinds(text: str) -> bool:
    """Whether an amount, or a list of them, is written in big blinds."""
    return text.strip().lower().endswith(BIG_BLIND)


def chips_of(name: str, text: str | float, big_blind: int) -> int:
    """The chips that a text asks for at a table with that big blind."""
    return parse_amount(name, text).chips(big_blind)


def scale_of(amounts: Iterable[Amount]) -> int:
    """Chips for a big blind such that all amounts are whole; 0 if they are in chips. Both together are refused."""
    listed = list(amounts)
    blinds = [each for each in listed if each.in_blinds]
    if not blinds:
        return 0
    if other := next((each for each in listed if not each.in_blinds and each.number), None):
        raise SettingError(f"{other.name} of {other} chips and {blinds[0].name} of {blinds[0]}; write both in one unit")
    for scale in SCALES:
        if all((each.number * scale).denominator == 1 for each in blinds):
            return scale
    raise SettingError(f"{blinds[0].name} of {blinds[0]}; big blinds have at most four decimals")


def in_unit(chips: float, big_blind: int) -> float:
    """Big blinds if there are so many chips to one, else the chips themselves; whole numbers stay whole."""
    if not big_blind:
        return chips
    value = chips / big_blind
    return int(value) if value == int(value) else value


def unit_of(big_blind: int) -> str:
    """What `in_unit` counts in."""
    return BIG_BLIND if big_blind else CHIPS


def amount_text(chips: float, big_blind: int) -> str:
    """`250`, or `2.5bb` if there are so many chips to a big blind."""
    return f"{in_unit(chips, big_blind):.10g}{BIG_BLIND}" if big_blind else f"{chips}"
