"""Call every kernel of the street solver once on a small input. The shipped counts need none of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tahur.cards import tables
from tahur.cards.equity.tables import combos
from tahur.games.holdem.buckets import bucket_table
from tahur.solvers.street.kernels import NO_TEXTURE, count_pairs, count_wins


def warm_up() -> Iterator[str]:
    """Compile or load the kernels, yielding the name of each group before it starts."""
    yield "buckets of hands"
    buckets = bucket_table([(0, 1, 2)])
    yield "buckets against buckets"
    textures, found = np.full(22100, NO_TEXTURE, np.uint8), np.zeros((5, 9, 9), np.int64)
    textures[0] = 0
    count_pairs(np.zeros(1, np.int64), textures, buckets, combos(), found)
    board = np.arange(5, dtype=np.uint8).reshape(1, 5)
    count_wins(board, np.ones(1, np.int64), textures, buckets, tables.load(), combos(), found)
