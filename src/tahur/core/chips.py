"""Amounts of chips as people write and read them: `200` chips or `5.5bb` (big blinds).

Tables and solvers count whole chips. An amount in big blinds is converted with the size of the big blind, and rejected
if the result is not a whole number of chips: nothing is rounded silently.
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
SCALES: Final = (100, 1_000, 10_000)  # chips per big blind to try where no setting fixes it
_AMOUNT: Final = re.compile(r"\s*(?P<number>\d[\d,]*(?:\.\d+)?|\.\d+)\s*(?P<unit>bb)?\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Amount:
    """A number of chips, or of big blinds. `name` says what it is an amount of, for error messages."""

    name: str
    number: Fraction
    in_blinds: bool

    def __str__(self) -> str:
        return f"{float(self.number):g}{BIG_BLIND if self.in_blinds else ''}"

    def chips(self, big_blind: int) -> int:
        """The amount in whole chips, given the chips per big blind."""
        chips = self.number * big_blind if self.in_blinds else self.number
        if chips.denominator != 1:
            of = f", with {big_blind} for a big blind" if self.in_blinds else f"; big blinds are written {self}bb"
            raise SettingError(f"{self.name} of {self} is {float(chips):g} chips, and chips are whole numbers{of}")
        return int(chips)


def parse_amount(name: str, text: str | float) -> Amount:
    """Parse `200`, `1,500` or `5.5bb`."""
    match = _AMOUNT.fullmatch(str(text))
    if match is None:
        raise SettingError(f"{name} of '{text}'; write chips such as 200, or big blinds such as 5.5bb")
    return Amount(name, Fraction(match["number"].replace(",", "")), match["unit"] is not None)


def is_in_blinds(text: str) -> bool:
    """Whether an amount, or a list of them, is written in big blinds."""
    return text.strip().lower().endswith(BIG_BLIND)


def chips_of(name: str, text: str | float, big_blind: int) -> int:
    """The chips that a text means at a table with that big blind."""
    return parse_amount(name, text).chips(big_blind)


def scale_of(amounts: Iterable[Amount]) -> int:
    """The chips per big blind that make all amounts whole; 0 if they are in chips. Mixed units are an error."""
    listed = list(amounts)
    blinds = [amount for amount in listed if amount.in_blinds]
    if not blinds:
        return 0
    if other := next((amount for amount in listed if not amount.in_blinds and amount.number), None):
        raise SettingError(f"{other.name} of {other} chips and {blinds[0].name} of {blinds[0]}; write both in one unit")
    for scale in SCALES:
        if all((amount.number * scale).denominator == 1 for amount in blinds):
            return scale
    raise SettingError(f"{blinds[0].name} of {blinds[0]}; big blinds have at most four decimals")


def in_unit(chips: float, big_blind: int) -> float:
    """Big blinds of `big_blind` chips each, or the chips themselves if that is 0; whole numbers stay integers."""
    if not big_blind:
        return chips
    value = chips / big_blind
    return int(value) if value == int(value) else value


def unit_of(big_blind: int) -> str:
    """The unit of `in_unit`."""
    return BIG_BLIND if big_blind else CHIPS


def amount_text(chips: float, big_blind: int) -> str:
    """`250`, or `2.5bb` if `big_blind` (chips per big blind) is not 0."""
    return f"{in_unit(chips, big_blind):.10g}{BIG_BLIND}" if big_blind else f"{chips}"
