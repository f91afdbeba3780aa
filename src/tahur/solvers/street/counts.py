"""Exact counts, bucket against bucket, over all 22,100 flops: pairs of hands dealt together, and how often each wins.

Nothing is sampled. Suit-isomorphic river boards are processed once: 134,459 represent 2,598,960, and each represents
its ten flops. The counts are small and shipped in `counts.json`; `recount` recomputes them.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain, combinations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.cards import tables
from tahur.cards.cards import DECK_SIZE
from tahur.cards.equity.tables import combos
from tahur.cards.flops import canonical_many
from tahur.core.arrays import Int64s
from tahur.core.cache import shipped
from tahur.games.holdem.buckets import Bucket, bucket_table
from tahur.games.holdem.textures import Texture, texture_of

TEXTURES: Final = tuple(Texture)
BUCKETS: Final = tuple(Bucket)
RUNOUTS: Final = 990  # turns and rivers, in either order, from the 45 cards that a flop and two hands leave
PLACE: Final = "solvers/street/counts.json"
STEPS: Final = 100  # of progress


@dataclass(frozen=True, slots=True, eq=False)
class BucketCounts:
    """The counts over the flops of one texture; rows are the first hand's bucket, columns the other's."""

    texture: Texture
    flops: int
    pairs: Int64s  # (9, 9) flops with two hands that share no card
    wins: Int64s  # (9, 9) of those, with every turn and river, the ones that the first hand wins

    @property
    def ties(self) -> Int64s:
        return RUNOUTS * self.pairs - self.wins - self.wins.T

    @property
    def equity(self) -> NDArray[np.float64]:
        """The first hand's share of the pot, a tie being half; NaN for pairs that cannot be dealt."""
        with np.errstate(invalid="ignore"):
            return (2 * self.wins + self.ties) / (2 * RUNOUTS * self.pairs)

    @property
    def joint(self) -> NDArray[np.float64]:
        """The probability of each pair of buckets."""
        return np.asarray(self.pairs / self.pairs.sum())


@dataclass(frozen=True, slots=True)
class CountProgress:
    """The progress of a long count."""

    done: int
    of: int


@cache
def exact_counts() -> dict[Texture, BucketCounts]:
    """The counts that ship with tahur."""
    return from_json(json.loads(shipped(PLACE)))


def recount(
    textures: Collection[Texture] = TEXTURES, counted: dict[Texture, BucketCounts] | None = None
) -> Iterator[CountProgress]:
    """Recompute the counts from the rules, yielding progress; the result is in `counted` at the end."""
    from tahur.solvers.street.kernels import NO_TEXTURE, count_pairs, count_wins

    kinds, buckets = flop_textures(), flop_buckets()
    wanted = np.isin(kinds, [TEXTURES.index(texture) for texture in textures])
    wanted_kinds = np.where(wanted, kinds, NO_TEXTURE).astype(np.uint8)
    pairs, wins = np.zeros((2, len(TEXTURES), len(BUCKETS), len(BUCKETS)), np.int64)
    count_pairs(np.flatnonzero(wanted), wanted_kinds, buckets, combos(), pairs)
    boards, orbits = river_boards()
    for done in range(STEPS):
        yield CountProgress(done, STEPS)
        rows = slice(done, None, STEPS)
        count_wins(boards[rows].copy(), orbits[rows].copy(), wanted_kinds, buckets, tables.load(), combos(), wins)
    for at, texture in enumerate(TEXTURES):
        if texture in textures and counted is not None:
            counted[texture] = BucketCounts(texture, int((kinds == at).sum()), pairs[at], wins[at])
    yield CountProgress(STEPS, STEPS)


def all_flops() -> Int64s:
    """(22100, 3) every flop in index order: cards ascend within a flop, the highest card is most significant."""
    deck = range(DECK_SIZE)
    return np.array([(low, mid, high) for high in deck for mid in range(high) for low in range(mid)], np.int64)


def flop_numbers(flops: Int64s) -> Int64s:
    """(n,) the index in `all_flops` of each row, its cards in any order."""
    low, mid, high = np.sort(flops, axis=1).T
    return np.asarray(low + mid * (mid - 1) // 2 + high * (high - 1) * (high - 2) // 6)


@cache
def flop_textures() -> NDArray[np.uint8]:
    """(22100,) the index in `TEXTURES` of each flop's texture."""
    return np.array([TEXTURES.index(texture_of(flop)) for flop in all_flops().tolist()], np.uint8)


@cache
def flop_buckets() -> NDArray[np.uint8]:
    """(22100, 1326) the bucket of every combo on every flop: 29 MB."""
    return bucket_table(all_flops())


@cache
def river_boards() -> tuple[NDArray[np.uint8], Int64s]:
    """One river board of each suit-isomorphic class, and the size of the class."""
    boards = np.fromiter(chain.from_iterable(combinations(range(DECK_SIZE), 5)), np.uint8).reshape(-1, 5)
    least, orbits = canonical_many(boards, 0)
    stands = (least == boards).all(axis=1)
    return boards[stands], orbits[stands]


def to_json(counted: dict[Texture, BucketCounts]) -> str:
    """The format of the shipped file: one line for each row of a matrix."""
    lines = [
        f'  "{name}": {{\n    "flops": {counts.flops},\n'
        + f'    "pairs": {_matrix_text(counts.pairs)},\n    "wins": {_matrix_text(counts.wins)}\n  }}'
        for name, counts in counted.items()
    ]
    note = (
        "exact counts over all flops of a texture; rows: the first hand's bucket, premium to air, columns: the "
        "other's. pairs: flops with two hands that share no card; wins: of those with each of 990 turns and rivers, "
        "the ones that the first hand wins. Made by tahur.solvers.street.counts.recount"
    )
    return f'{{\n  "note": "{note}",\n' + ",\n".join(lines) + "\n}\n"


def from_json(content: dict[str, Any]) -> dict[Texture, BucketCounts]:
    """Read the output of `to_json`."""
    return {
        texture: BucketCounts(texture, entry["flops"], np.array(entry["pairs"]), np.array(entry["wins"]))
        for texture in TEXTURES
        if (entry := content.get(texture.value))
    }


def _matrix_text(matrix: Int64s) -> str:
    return "[\n      " + ",\n      ".join(str(row) for row in matrix.tolist()) + "\n    ]"
