"""How a hand stands on a flop against several kinds of ranges: what a net is told where the flop is the end.

Against any two cards the place of a hand is one number. But whoever has raised holds better cards, and a flop suits one
range better than another. So a hand is told its place within the better part of the starting hands, for several parts,
and within the worse half; and the flop is told by how often each of these ranges makes nothing, a pair, two pair or
three of a kind on it. All of this depends on the class of the flop and on the rank of the hand alone: one table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.cards.evaluator import BEST_RANK
from tahur.core.arrays import Float32s, Int64s

# The least and the highest place of the starting hands of a range, and the hinges along the places within it.
RANGES: Final = ((0.0, 1.0, 0), (0.4, 1.0, 8), (0.65, 1.0, 8), (0.85, 1.0, 8), (0.93, 1.0, 6), (0.0, 0.5, 8))
BOUNDS: Final = (1277, 4137, 4995, 5853)  # the best ranks of no pair, a pair, two pair and three of a kind
RANGE_WIDTH: Final = sum(hinges for _, _, hinges in RANGES) + len(BOUNDS) * len(RANGES)
_SHIFT: Final = 8192  # more than there are ranks


@dataclass(frozen=True, slots=True, eq=False)
class RangeTable:
    """A row for each rank that a class of flops allows."""

    keys: Int64s  # ascending: the number of the class, and the rank
    rows: Float32s  # (keys, RANGE_WIDTH)

    def at(self, classes: Int64s, ranks: Int64s) -> Float32s:
        """(n, RANGE_WIDTH); a rank that is not possible there has a row without meaning."""
        places = np.searchsorted(self.keys, classes * _SHIFT + ranks)
        return self.rows[np.minimum(places, len(self.keys) - 1)]


def range_table(ranks: list[Int64s], starts: list[NDArray[Any]]) -> RangeTable:
    """Of the ranks of all hands of each class of flops, and the places of these hands before the flop."""
    keys, rows = [], []
    for number, (some, places) in enumerate(zip(ranks, starts, strict=True)):
        held, which = np.unique(some, return_inverse=True)
        keys.append(held + _SHIFT * number)
        rows.append(_rows(held, which, places))
    return RangeTable(np.concatenate(keys), np.concatenate(rows))


def _rows(held: Int64s, which: Int64s, places: NDArray[Any]) -> Float32s:
    """held: the ranks there are, ascending; which: the one of each hand."""
    parts = []
    for low, high, hinges in RANGES:
        inside = ((places >= low) & (places <= high)).astype(np.float64)
        counts = np.bincount(which, inside, len(held))
        upto = np.cumsum(counts)
        parts.append(hinged((upto - counts / 2) / upto[-1], hinges))
        made = np.concatenate([[0.0], upto])[np.searchsorted(held, BOUNDS, side="right")] / upto[-1]
        parts.append(np.broadcast_to(made, (len(held), len(BOUNDS))))
    return np.concatenate(parts, axis=1).astype(np.float32)


def hinged(places: NDArray[Any], count: int) -> NDArray[Any]:
    """(n, count): max(0, p - k / n) for k = 0 .. n - 1, doubled: a line that a net can bend anywhere."""
    if not count:
        return np.zeros((len(places), 0))
    return np.asarray(np.maximum(0, places[:, None] * count - np.arange(count)) / count * 2)


assert BEST_RANK < _SHIFT
