"""Card buckets: hands grouped by the distribution of their strength at the river (a potential-aware card abstraction).

Before the flop every class of hands is its own bucket. On the flop and the turn a hand's histogram counts the rivers on
which its strength, the share of all other hands that it beats, falls in each tenth; hands with similar histograms
share a bucket, so a draw is not confused with a mediocre pair. On the river strength itself is divided
into equally full buckets. Boards that differ only by suits share their tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb
from typing import Final, NamedTuple

import numpy as np

from tahur.cards.cards import COMBOS
from tahur.cards.equity.tables import combos
from tahur.cards.flops import RELABELINGS, start_classes
from tahur.cards.kernels import flop_histograms, nearest, river_strengths, turn_histograms
from tahur.cards.tables import load
from tahur.core.arrays import Array
from tahur.core.errors import CardError

NO_BUCKET: Final = 65_535
ROUNDS: Final = 30


def centres_of(histograms: Array, k: int, rng: np.random.Generator) -> Array:
    """(bins, k) cumulative shares of the centres, weakest first; fewer if there are fewer distinct histograms.

    The distance of two histograms is the squared distance of their cumulative shares: moving mass to the next bin
    is a small step and moving it across is a large one, which the plain difference of bins would not distinguish.
    """
    shares = cumulative(np.unique(histograms, axis=0))
    if len(shares) < 1 or k < 1:
        raise CardError(f"{k} groups of {len(shares)} histograms; both must be at least 1")
    points = cumulative(histograms)
    centres = _initial_centres(shares, min(k, len(shares)), rng)
    for _ in range(ROUNDS):
        chosen = nearest_centres(histograms, centres.T)
        counts = np.bincount(chosen, minlength=len(centres))
        sums = np.stack([np.bincount(chosen, points[:, at], len(centres)) for at in range(points.shape[1])], axis=1)
        moved = np.where(counts[:, None] > 0, sums / np.maximum(counts, 1)[:, None], centres).astype(np.float32)
        if np.allclose(moved, centres, atol=1e-5):
            break
        centres = moved
    weakest_first = np.argsort(-centres.sum(axis=1), kind="stable")
    return np.ascontiguousarray(centres[weakest_first].T)


def nearest_centres(histograms: Array, centres: Array) -> Array:
    """The nearest centre of each histogram; NO_BUCKET for an empty one."""
    out = np.empty(len(histograms), np.uint16)
    nearest(histograms, np.ascontiguousarray(centres, np.float32), NO_BUCKET, out)
    return out


def cumulative(histograms: Array) -> Array:
    """The cumulative shares up to each bin."""
    summed = np.cumsum(histograms, axis=1, dtype=np.float32)
    shares: Array = summed / summed[:, -1:]
    return shares


def _initial_centres(shares: Array, k: int, rng: np.random.Generator) -> Array:
    """Initial centres: each drawn with a probability that grows with its distance from those drawn (k-means++)."""
    centres = [shares[rng.integers(len(shares))]]
    away = np.square(shares - centres[0]).sum(axis=1)
    while len(centres) < k:
        centres.append(shares[rng.choice(len(shares), p=away / away.sum(dtype=np.float64))])
        away = np.minimum(away, np.square(shares - centres[-1]).sum(axis=1))
    return np.array(centres, np.float32)


CHOOSE: Final = np.array([[comb(card, size) for size in range(5)] for card in range(53)], np.int64)


class Classes(NamedTuple):
    """The classes of boards of one size.

    A board is looked up by its index, the number of its set of cards: 22,100 flops fall into 1,755 classes and
    270,725 turn boards, whose four cards are an unordered set here, into 16,432.
    """

    kept: Array  # (classes, size) int64 the cards of each class's canonical board
    number: Array  # (indices,) int64 the class of each board
    label: Array  # (indices,) int64 which of the 24 relabelings maps the board to the canonical one
    weight: Array  # (classes,) int64 the number of boards in each class


def board_index(boards: Array) -> Array:
    """The numbers of sorted sets of cards: (n, size) -> (n,)."""
    sizes = np.arange(1, boards.shape[1] + 1)
    indices: Array = CHOOSE[boards, sizes].sum(axis=1)
    return indices


@cache
def classes(size: int) -> Classes:
    """The classes of boards of `size` cards; the canonical board is the relabeling with the least sorted cards."""
    boards = np.array(list(combinations(range(52), size)), np.int64)
    boards = boards[np.argsort(board_index(boards))]
    relabeled = (np.sort(boards & ~3 | np.array(suits)[boards & 3], axis=1) for suits in RELABELINGS)
    images = np.array([_pack(cards) for cards in relabeled])  # (24, boards): each board's cards as one number
    canonical, number, weight = np.unique(images.min(axis=0), return_inverse=True, return_counts=True)
    kept = canonical[:, None] >> 6 * np.arange(size - 1, -1, -1) & 63  # unpacked: six bits for each card
    return Classes(kept=kept, number=number, label=images.argmin(axis=0), weight=weight)


def find(boards: Array) -> tuple[Array, Array]:
    """The classes of boards, cards in any order, and the relabelings to their canonical boards."""
    known = classes(boards.shape[1])
    indices = board_index(np.sort(boards, axis=1))
    return known.number[indices], known.label[indices]


def _pack(cards: Array) -> Array:
    packed = np.zeros(len(cards), np.int64)
    for column in cards.T:
        packed = packed << 6 | column
    return packed


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
class BucketCentres:
    """What defines the buckets: small, and enough to find the buckets of all hands on one board in a fraction of a
    second, without the tables of `Buckets`."""

    flop: Array  # (bins, buckets) float32 the cumulative shares of each bucket's centre
    turn: Array  # (bins, buckets) float32
    river: Array  # (buckets - 1,) float32 the strengths at which the next bucket begins

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """The number of buckets on each street."""
        return PREFLOP_CLASSES, self.flop.shape[1], self.turn.shape[1], len(self.river) + 1

    def of(self, board: Array) -> Array:
        """(1326,) the bucket of every hand on a board; NO_BUCKET for a hand that contains a board card."""
        cards = np.asarray(board, np.int64)
        if len(cards) == 0:
            return start_classes().member.astype(np.uint16)
        if len(cards) == 5:
            return _river_buckets(cards, self.river)
        if len(cards) == 4:
            return nearest_centres(_turn_histograms(cards[None])[0], self.turn)
        turns = np.array([[*cards, card] for card in range(52) if card not in cards])
        return nearest_centres(_turn_histograms(turns).sum(axis=0, dtype=np.uint16), self.flop)


def _turn_histograms(boards: Array) -> Array:
    """(boards, 1326, bins) uint8: for each hand the number of rivers on which its strength is in each tenth."""
    histograms = np.empty((len(boards), COMBOS, BINS), np.uint8)
    turn_histograms(np.sort(boards, axis=1), combos(), load(), histograms)
    return histograms


def _river_buckets(board: Array, limits: Array) -> Array:
    """(1326,) the bucket of every hand on a board of five cards."""
    strength = np.empty((1, COMBOS), np.float32)
    river_strengths(board[None], combos(), load(), strength)
    bucket = np.searchsorted(limits, strength[0], "right").astype(np.uint16)
    return np.where(strength[0] < 0, np.uint16(NO_BUCKET), bucket)


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
        sizes = [int(table[table != NO_BUCKET].max()) + 1 for table in (self.flop, self.turn)]
        return PREFLOP_CLASSES, sizes[0], sizes[1], len(self.river) + 1

    def of(self, board: Array) -> Array:
        """(1326,) the bucket of every hand on a board; NO_BUCKET for a hand that contains a board card."""
        if len(board) == 0:
            return self.preflop
        if len(board) == 5:
            return _river_buckets(np.asarray(board, np.int64), self.river)
        number, label = find(np.asarray(board, np.int64)[None])
        table = self.flop if len(board) == 3 else self.turn
        held: Array = table[number[0], combos().image[label[0]]]
        return held


@dataclass(frozen=True, slots=True)
class BucketProgress:
    """Progress of computing buckets: `done` of `of` turn boards."""

    done: int
    of: int


def make(sizes: BucketNumbers, rng: np.random.Generator) -> Iterator[BucketProgress | Buckets]:
    """Yields progress, and finally the buckets."""
    for step in make_with_centres(sizes, rng):
        yield step if isinstance(step, BucketProgress) else step[1]


def make_with_centres(
    sizes: BucketNumbers, rng: np.random.Generator, known: BucketCentres | None = None
) -> Iterator[BucketProgress | tuple[BucketCentres, Buckets]]:
    """Yields progress, and finally what defines the buckets, and the buckets.

    known: the centres of an earlier call, for which only the tables are computed.
    """
    turns = classes(4)
    histograms = np.empty((len(turns.kept), COMBOS, BINS), np.uint8)
    for first in range(0, len(turns.kept), PIECE):
        piece = slice(first, first + PIECE)
        turn_histograms(turns.kept[piece], combos(), load(), histograms[piece])
        yield BucketProgress(min(first + PIECE, len(turns.kept)), len(turns.kept))
    flops = _on_flops(histograms)
    centres = known or BucketCentres(
        _centres(flops, classes(3).weight, sizes.flop, rng),
        _centres(histograms, turns.weight, sizes.turn, rng),
        _river_limits(sizes.river, rng),
    )
    flop, turn = _assign_groups(flops, centres.flop), _assign_groups(histograms, centres.turn)
    yield centres, Buckets(start_classes().member.astype(np.uint16), flop, turn, centres.river)


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


def _centres(histograms: Array, weight: Array, k: int, rng: np.random.Generator) -> Array:
    """The centres of one street. Boards are drawn by their frequency, hands on them uniformly."""
    boards = rng.choice(len(weight), SAMPLE, p=weight / weight.sum())
    drawn = histograms[boards, rng.integers(COMBOS, size=SAMPLE)]
    return centres_of(drawn[drawn.sum(axis=1) > 0], k, rng)


def _assign_groups(histograms: Array, centres: Array) -> Array:
    """(boards, 1326) the table of one street."""
    return nearest_centres(histograms.reshape(-1, BINS), centres).reshape(histograms.shape[:2])


def _river_limits(k: int, rng: np.random.Generator) -> Array:
    """Strengths that divide the hands of sampled rivers into k equal parts."""
    boards = np.argsort(rng.random((RIVERS, 52)), axis=1)[:, :5]
    strength = np.empty((RIVERS, COMBOS), np.float32)
    river_strengths(boards, combos(), load(), strength)
    held = strength[strength >= 0]
    return np.quantile(held, np.arange(1, k) / k).astype(np.float32)
