"""Card removal: which hands a board leaves, and how many of another range each hand can meet."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np

from tahur.cards.equity.tables import combos
from tahur.core.arrays import Float64s

_ROUNDING: Final = 1e-12  # of the total weight; less is a rounding error
_BOARDS: Final = 256


@lru_cache(_BOARDS)
def alive_hands(board: tuple[int, ...]) -> Float64s:
    """(1326,) 1 for hands that share no card with the board, else 0."""
    free: Float64s = ((combos().mask & sum(1 << card for card in board)) == 0).astype(np.float64)
    free.setflags(write=False)
    return free


def meeting(weights: Float64s) -> Float64s:
    """(1326,) the total weight of all hands that share no card with each hand."""
    cards = combos().cards
    by_card = np.bincount(cards.ravel(), np.repeat(weights, 2), 52)
    total = weights.sum()
    left: Float64s = total - by_card[cards[:, 0]] - by_card[cards[:, 1]] + weights
    return np.where(left > _ROUNDING * total, left, 0.0)
