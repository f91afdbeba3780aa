"""Features of a hand on a flop against several ranges, for nets of games that end on the flop.

Against a random hand the strength of a hand is one number. But a player who has raised holds better cards, and a flop
fits one range better than another. So a hand is encoded by its percentile within the better part of the starting hands,
for several parts, and within the worse half; and the flop by how often each of these ranges makes nothing, a pair, two
pair or three of a kind on it. All of this depends only on the class of the flop and on the rank of the hand: one table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.cards.evaluator import BEST_RANK
from tahur.core.arrays import Float32s, Int64s

# The lowest and highest percentile of a range's starting hands, and the number of hinges along percentiles within it.
RANGES: Final = ((0.0, 1.0, 0), (0.4, 1.0, 8), (0.65, 1.0, 8), (0.85, 1.0, 8), (0.93, 1.0, 6), (0.0, 0.5, 8))
BOUNDS: Final = (1277, 4137, 4995, 5853)  # the best ranks of no pair, a pair, two pair and three of a kind
RANGE_WIDTH: Final = sum(hinges for _, _, hinges in RANGES) + len(BOUNDS) * len(RANGES)
_SHIFT: Final = 8192  # more than the number of ranks


@dataclass(frozen=True, slots=True, eq=False)
class RangeTable:
    """One row for each rank that is possible on each class of flops."""

    keys: Int64s  # ascending: the number of the class times _SHIFT, plus the rank
    rows: Float32s  # (keys, RANGE_WIDTH)

    def at(self, classes: Int64s, ranks: Int64s) -> Float32s:
        """(n, RANGE_WIDTH); the row of a rank that is impossible there is meaningless."""
        indices = np.searchsorted(self.keys, classes * _SHIFT + ranks)
        return self.rows[np.minimum(indices, len(self.keys) - 1)]


def range_table(ranks: list[Int64s], starts: list[NDArray[Any]]) -> RangeTable:
    """The table, from the ranks of all hands on each class of flops and these hands' percentiles before the flop."""
    keys, rows = [], []
    for number, (class_ranks, percentiles) in enumerate(zip(ranks, starts, strict=True)):
        held, which = np.unique(class_ranks, return_inverse=True)
        keys.append(held + _SHIFT * number)
        rows.append(_rows(held, which, percentiles))
    return RangeTable(np.concatenate(keys), np.concatenate(rows))


def _rows(held: Int64s, which: Int64s, percentiles: NDArray[Any]) -> Float32s:
    """held: the distinct ranks, ascending; which: the index into `held` of each hand."""
    parts = []
    for low, high, hinges in RANGES:
        inside = ((percentiles >= low) & (percentiles <= high)).astype(np.float64)
        counts = np.bincount(which, inside, len(held))
        upto = np.cumsum(counts)
        parts.append(hinged((upto - counts / 2) / upto[-1], hinges))
        made = np.concatenate([[0.0], upto])[np.searchsorted(held, BOUNDS, side="right")] / upto[-1]
        parts.append(np.broadcast_to(made, (len(held), len(BOUNDS))))
    return np.concatenate(parts, axis=1).astype(np.float32)


def hinged(percentiles: NDArray[Any], count: int) -> NDArray[Any]:
    """(n, count): max(0, p - k / n) for k = 0 .. n - 1, doubled: a basis for piecewise linear functions."""
    if not count:
        return np.zeros((len(percentiles), 0))
    return np.asarray(np.maximum(0, percentiles[:, None] * count - np.arange(count)) / count * 2)


assert BEST_RANK < _SHIFT
