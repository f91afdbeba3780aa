"""Card buckets: hands grouped by the distribution of their strength at the river (a potential-aware card abstraction).

Before the flop every class of hands is its own bucket. On the flop and the turn a hand's histogram counts the rivers on
which its strength, the share of all other hands that it beats, falls in each tenth; hands with similar histograms
(`clusters.py`) share a bucket, so a draw is not confused with a mediocre pair. On the river strength itself is divided
into equally full buckets. Boards that differ only by suits share their tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from tahur.cards.buckets.boards import classes, find
from tahur.cards.buckets.clusters import NO_BUCKET, assigned, centres_of
from tahur.cards.buckets.kernels.strength import flop_histograms, river_strengths, turn_histograms
from tahur.cards.cards import COMBOS
from tahur.cards.equity.tables import combos
from tahur.cards.flops import start_classes
from tahur.cards.tables import load
from tahur.core.arrays import Array
from tahur.core.errors import CardError

BINS: Final = 10
SAMPLE: Final = 100_000  # histograms from which the cluster centres are computed
RIVERS: Final = 2_000  # boards from which the river's limits are computed
PIECE: Final = 128  # boards per step
PREFLOP_CLASSES: Final = 169


@dataclass(frozen=True, slots=True)
class BucketNumbers:
    """The number of buckets on each street; before the flop there are always 169."""

    flop: int = 200
    turn: int = 200
    river: int = 200

    def __post_init__(self) -> None:
        for street, size in (("flop", self.flop), ("turn", self.turn), ("river", self.river)):
            if not 1 <= size < NO_BUCKET:
                raise CardError(f"{size} buckets on the {street}; valid: 1 to {NO_BUCKET - 1:,}")


@dataclass(frozen=True, slots=True, eq=False)
class Buckets:
    """The bucket of each hand on every board."""

    preflop: Array  # (1326,) uint16
    flop: Array  # (1755, 1326) uint16
    turn: Array  # (16432, 1326) uint16
    river: Array  # (buckets - 1,) float32 the strengths at which the next bucket begins

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """The number of buckets on each street."""
        made = [int(table[table != NO_BUCKET].max()) + 1 for table in (self.flop, self.turn)]
        return PREFLOP_CLASSES, made[0], made[1], len(self.river) + 1

    def of(self, board: Array) -> Array:
        """(1326,) the bucket of every hand on a board; NO_BUCKET for a hand that contains a board card."""
        if len(board) == 0:
            return self.preflop
        if len(board) == 5:
            return self._on_the_river(board)
        number, label = find(np.asarray(board, np.int64)[None])
        table = self.flop if len(board) == 3 else self.turn
        held: Array = table[number[0], combos().image[label[0]]]
        return held

    def _on_the_river(self, board: Array) -> Array:
        strength = np.empty((1, COMBOS), np.float32)
        river_strengths(np.asarray(board, np.int64)[None], combos(), load(), strength)
        bucket = np.searchsorted(self.river, strength[0], "right").astype(np.uint16)
        return np.where(strength[0] < 0, np.uint16(NO_BUCKET), bucket)


@dataclass(frozen=True, slots=True)
class BucketProgress:
    """Progress of computing buckets: `done` of `of` turn boards."""

    done: int
    of: int


def make(sizes: BucketNumbers, rng: np.random.Generator) -> Iterator[BucketProgress | Buckets]:
    """Yields progress, and finally the buckets."""
    turns = classes(4)
    histograms = np.empty((len(turns.kept), COMBOS, BINS), np.uint8)
    for first in range(0, len(turns.kept), PIECE):
        piece = slice(first, first + PIECE)
        turn_histograms(turns.kept[piece], combos(), load(), histograms[piece])
        yield BucketProgress(min(first + PIECE, len(turns.kept)), len(turns.kept))
    flop = _grouped(_on_flops(histograms), classes(3).weight, sizes.flop, rng)
    turn = _grouped(histograms, turns.weight, sizes.turn, rng)
    yield Buckets(start_classes().member.astype(np.uint16), flop, turn, _river_limits(sizes.river, rng))


def _on_flops(turns: Array) -> Array:
    """Histograms of the flop: the sums over its turns."""
    flops = classes(3).kept
    number, label = np.full((len(flops), 52), -1, np.int64), np.zeros((len(flops), 52), np.int64)
    for card in range(52):
        free = ~(flops == card).any(axis=1)
        boards = np.concatenate([flops[free], np.full((free.sum(), 1), card)], axis=1)
        number[free, card], label[free, card] = find(boards)
    out = np.empty((len(flops), COMBOS, BINS), np.uint16)
    flop_histograms(flops, number, label, turns, combos(), out)
    return out


def _grouped(histograms: Array, weight: Array, k: int, rng: np.random.Generator) -> Array:
    """The table of one street. Boards are drawn by their frequency, hands on them uniformly."""
    boards = rng.choice(len(weight), SAMPLE, p=weight / weight.sum())
    drawn = histograms[boards, rng.integers(COMBOS, size=SAMPLE)]
    centres = centres_of(drawn[drawn.sum(axis=1) > 0], k, rng)
    return assigned(histograms.reshape(-1, BINS), centres).reshape(histograms.shape[:2])


def _river_limits(k: int, rng: np.random.Generator) -> Array:
    """Strengths that divide the hands of sampled rivers into k equal parts."""
    boards = np.argsort(rng.random((RIVERS, 52)), axis=1)[:, :5]
    strength = np.empty((RIVERS, COMBOS), np.float32)
    river_strengths(boards, combos(), load(), strength)
    held = strength[strength >= 0]
    return np.quantile(held, np.arange(1, k) / k).astype(np.float32)
