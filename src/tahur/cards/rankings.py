"""The 169 classes of starting hands, in two orders: by position in the matrix and by strength.

A class is every combo of two ranks, suited or offsuit: `AA` (6 combos), `AKs` (4), `AKo` (12). The matrix has
a row and a column for each rank, aces first: pairs on the diagonal, suited hands above it, offsuit below. A
class is numbered 13 * row + column, so `AA` is 0, `AKs` 1, `AKo` 13 and `22` 168.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cache
from itertools import accumulate
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import COMBOS, DECK_SIZE, RANKS

_ACE: Final = len(RANKS) - 1
_SIZES: Final = {"": 6, "s": 4, "o": 12}

EQUITY_ORDER: Final = """
    AA  KK  QQ  JJ  TT  99  88  AKs 77  AQs AJs AKo ATs
    AQo AJo KQs 66  A9s ATo KJs A8s KTs KQo A7s A9o KJo
    55  QJs K9s A5s A6s A8o KTo QTs A4s A7o K8s A3s QJo
    K9o A5o A6o Q9s K7s JTs A2s QTo 44  A4o K6s K8o Q8s
    A3o K5s J9s Q9o JTo K7o A2o K4s Q7s K6o K3s T9s J8s
    33  Q6s Q8o K5o J9o K2s Q5s T8s K4o J7s Q4s Q7o T9o
    J8o K3o Q6o Q3s 98s T7s J6s K2o 22  Q2s Q5o J5s T8o
    J7o Q4o 97s J4s T6s J3s Q3o 98o 87s T7o J6o 96s J2s
    Q2o T5s J5o T4s 97o 86s J4o T6o 95s T3s 76s J3o 87o
    T2s 85s 96o J2o T5o 94s 75s T4o 93s 86o 65s 84s 95o
    T3o 92s 76o 74s T2o 54s 85o 64s 83s 94o 75o 82s 73s
    93o 65o 53s 63s 84o 92o 43s 74o 72s 54o 64o 52s 62s
    83o 42s 82o 73o 53o 63o 32s 43o 72o 52o 62o 42o 32o
"""
"""Strongest first, by exact all-in equity before the flop against one random hand: all 2,097,572,400 ways to deal
the other hand and the board, from AA (85.20 %) to 32o (32.30 %). No two classes are equal; ties would be broken by
the matrix order."""


class RankPair(NamedTuple):
    """Two ranks, the higher first, and `s`, `o` or nothing for both: one class, or two when written `AK`."""

    top: int
    low: int
    suits: str

    @property
    def name(self) -> str:
        return RANKS[self.top] + RANKS[self.low] + self.suits

    @property
    def pair(self) -> bool:
        return self.top == self.low

    def numbers(self) -> tuple[int, ...]:
        """The numbers of its classes, the suited one first."""
        row, column = _ACE - self.top, _ACE - self.low
        suited, offsuit = len(RANKS) * row + column, len(RANKS) * column + row
        match self.suits:
            case "s":
                return (suited,)
            case "o":
                return (offsuit,)
            case _:
                return (suited,) if self.pair else (suited, offsuit)

    def best(self) -> RankPair:
        """The hand at which `+` stops."""
        match self.top - self.low:
            case 0:
                return RankPair(_ACE, _ACE, "")
            case 1:
                return RankPair(_ACE, _ACE - 1, self.suits)
            case _:
                return self._replace(low=self.top - 1)


@cache
def class_names() -> tuple[str, ...]:
    """The 169 names in the order of the matrix, row by row: `AA`, `AKs`, ... `A2s`, `AKo`, `KK`, ..."""
    ranks = range(_ACE, -1, -1)
    return tuple(_name(row, column) for row in ranks for column in ranks)


def class_of_combos() -> NDArray[np.int64]:
    """(1326,): the number of each combo's class."""
    high, low = np.tril_indices(DECK_SIZE, -1)  # in the order of combo numbers
    row, column = _ACE - high // 4, _ACE - low // 4
    offsuit = (high % 4 != low % 4) & (row != column)
    return np.where(offsuit, len(RANKS) * column + row, len(RANKS) * row + column).astype(np.int64)


def combos_in_top(fraction: float) -> int:
    """The number of combos in the top `fraction` (0 to 1) of `EQUITY_ORDER`, cut between classes only.

    The cut is where the count is nearest to the requested one; of two equally near, the tighter. Any fraction above 0
    gives at least the six combos of aces.
    """
    wanted = fraction * COMBOS
    if not wanted:
        return 0
    totals = _totals()
    index = bisect_left(totals, wanted)
    below = totals[index - 1] if index else 0
    return below if index and wanted - below <= totals[index] - wanted else totals[index]


@cache
def _totals() -> tuple[int, ...]:
    return tuple(accumulate(_SIZES[name[2:]] for name in EQUITY_ORDER.split()))


def _name(row: int, column: int) -> str:
    suits = "" if row == column else "s" if row > column else "o"
    return RANKS[max(row, column)] + RANKS[min(row, column)] + suits
