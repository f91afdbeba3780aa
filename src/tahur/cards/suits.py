"""Suit isomorphism: suits have no order in poker, so cards that differ only by a permutation of suits are equivalent.

The *canonical form* of a hand and a board is the least of its 24 relabelings, comparing the sorted hand first and
then the sorted board. There are 169 hands, 1,755 flops, and 1,286,792 hands with a flop.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tahur.cards.cards import Card, cards_text, check_distinct
from tahur.core.errors import CardError

RELABELINGS: Final = tuple(permutations(range(4)))
Spot = tuple[tuple[Card, ...], tuple[Card, ...]]


def relabel(cards: Sequence[int], suits: Sequence[int]) -> tuple[Card, ...]:
    """The cards with suit s replaced by suits[s], sorted."""
    return tuple(sorted(Card(card & ~3 | suits[card & 3]) for card in cards))


def canonical(hand: Sequence[int], board: Sequence[int] = ()) -> Spot:
    """The least of the 24 relabelings of a hand and a board."""
    check_distinct((cards_text(hand), hand), ("the board", board))
    return min((relabel(hand, suits), relabel(board, suits)) for suits in RELABELINGS)


def orbit(hand: Sequence[int], board: Sequence[int] = ()) -> set[Spot]:
    """Every spot that is equivalent to this one by a permutation of suits."""
    return {(relabel(hand, suits), relabel(board, suits)) for suits in RELABELINGS}


def canonical_many(cards: ArrayLike, hand_size: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Canonical forms of the rows of an (n, k) array whose first `hand_size` cards are the hand; and orbit sizes."""
    from tahur.cards.kernels import canonical_rows

    array = np.asarray(cards)
    if array.size and (array.dtype.kind not in "iu" or array.min() < 0 or array.max() > 51):
        raise CardError("cards must be integers from 0 to 51")
    rows = np.require(array, np.uint8, ("C", "W"))
    if rows.ndim != 2 or not 0 <= hand_size <= rows.shape[1] <= 9:
        raise CardError(f"cards of shape {rows.shape} with hands of {hand_size}; expected (n, k) with k up to 9")
    least, orbits = np.empty_like(rows), np.empty(len(rows), np.int64)
    canonical_rows(rows, hand_size, np.array(RELABELINGS), least, orbits)
    return least, orbits
