"""How stacks are drawn for each hand: a fixed depth, a range, or a weighted mix of depths.

Depths are in big blinds and must come to whole chips: nothing is rounded.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any

import numpy as np

from tahur.core.errors import SettingError

Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class Fixed:
    """Always the same number of chips."""

    chips: int

    @property
    def least(self) -> int:
        return self.chips

    @property
    def most(self) -> int:
        return self.chips

    def draw(self, rng: Rng) -> int:
        return self.chips


@dataclass(frozen=True, slots=True)
class Uniform:
    """Any number of chips from `least` to `most`, both included, uniformly."""

    least: int
    most: int

    def __post_init__(self) -> None:
        if self.least > self.most:
            raise SettingError(f"stacks from {self.least} to {self.most} chips; the smaller depth must come first")

    def draw(self, rng: Rng) -> int:
        return self.least + int(rng.random() * (self.most - self.least + 1))


@dataclass(frozen=True, slots=True)
class Mix:
    """One of several numbers of chips, drawn by weight."""

    chips: tuple[int, ...]
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.chips or min(self.weights) < 0 or not 0 < sum(self.weights) < float("inf"):
            raise SettingError(f"weights {list(self.weights)} of stacks {list(self.chips)}; none negative, not all 0")

    @property
    def least(self) -> int:
        return min(self.chips)

    @property
    def most(self) -> int:
        return max(self.chips)

    def draw(self, rng: Rng) -> int:
        upto = tuple(accumulate(self.weights))
        return self.chips[bisect_right(upto, rng.random() * upto[-1])]


Stacks = Fixed | Uniform | Mix


def stacks_of(setting: Any, big_blind: int) -> Stacks:
    """`100` is always 100 BB, `(20, 100)` anything from 20 to 100 BB, `{20: 1, 100: 3}` mostly 100 BB, sometimes 20."""
    match setting:
        case int() | float():
            return Fixed(_chips(setting, big_blind))
        case Mapping():
            return Mix(tuple(_chips(depth, big_blind) for depth in setting), tuple(map(_weight, setting.values())))
        case Sequence() if len(setting) == 2 and not isinstance(setting, str):
            return Uniform(_chips(setting[0], big_blind), _chips(setting[1], big_blind))
        case _:
            raise SettingError(
                f"stacks {setting!r}; in BB: a depth such as 100, a range such as (20, 100), or a mix such as "
                "{20: 1, 100: 3}, depths with their weights"
            )


def _chips(depth: Any, big_blind: int) -> int:
    if isinstance(depth, bool) or not isinstance(depth, int | float) or not 0 < depth < float("inf"):
        raise SettingError(f"a stack of {depth!r} BB; expected a number greater than 0")
    chips = Fraction(str(depth)) * big_blind  # by its decimal digits: 0.1 is exactly a tenth
    if chips.denominator != 1:
        raise SettingError(f"a stack of {depth} BB is {float(chips)} chips with a big blind of {big_blind}; not whole")
    return int(chips)


def _weight(weight: Any) -> float:
    if isinstance(weight, bool) or not isinstance(weight, int | float):
        raise SettingError(f"a weight of {weight!r}; expected a number, such as 1 or 0.5")
    return float(weight)
