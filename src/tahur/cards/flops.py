"""Flops up to suit isomorphism: the canonical flop of each of the 1,755 classes, and the classes of hands on it.

Permuting suits that a flop does not distinguish maps some hands to others: on Ks8s3s all suits but spades are
equivalent. Such hands form one *class*, represented by its least combo. All flops together have 1,286,792 classes of
hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, permutations
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tahur.cards.cards import COMBOS, DECK_SIZE, Card, cards_text, check_distinct
from tahur.cards.equity.tables import combos
from tahur.core.arrays import Int64s
from tahur.core.errors import CardError

Flop = tuple[int, int, int]

_PLACES: Final = np.array([DECK_SIZE**2, DECK_SIZE, 1])


@dataclass(frozen=True, slots=True, eq=False)
class HandClasses:
    """The classes of hands on one flop."""

    firsts: Int64s  # (classes,) the least combo of each class, ascending
    member: Int64s  # (1326,) the class of each combo, -1 for those that contain a card of the flop


@cache
def start_classes() -> HandClasses:
    """The 169 classes before the flop."""
    return _classes(np.arange(COMBOS), np.arange(len(combos().suits)))


@cache
def every_flop() -> Int64s:
    """(22100, 3) all flops, ascending."""
    return np.array(list(combinations(range(DECK_SIZE), 3)))


@cache
def canonical_flops() -> tuple[Flop, ...]:
    """The 1,755 canonical flops, ascending."""
    return tuple(_flop_of(number) for number in np.unique(relabeled_flops(every_flop()).min(axis=0)).tolist())


def canonical_flop(flop: Sequence[int]) -> tuple[Flop, Int64s]:
    """The canonical flop of the class, and the combo that each combo becomes under that suit permutation."""
    numbers = relabeled_flops(np.array([flop]))[:, 0]
    relabeling = int(numbers.argmin())
    return _flop_of(int(numbers[relabeling])), combos().image[relabeling]


def _flop_of(number: int) -> Flop:
    """The flop of a number of `relabeled_flops`."""
    return number // DECK_SIZE**2, number // DECK_SIZE % DECK_SIZE, number % DECK_SIZE


@lru_cache(maxsize=4096)
def hand_classes(flop: Flop) -> HandClasses:
    """The classes of hands on a flop, by the suit permutations that preserve it."""
    cards = np.array(flop)
    preserving = np.flatnonzero(relabeled_flops(cards[None])[:, 0] == (np.sort(cards) * _PLACES).sum())
    return _classes(np.flatnonzero(~np.isin(combos().cards, cards).any(axis=1)), preserving)


def relabeled_flops(flops: Int64s) -> Int64s:
    """(24, flops) each flop under each suit permutation, as a number."""
    moved = np.sort(flops // 4 * 4 + combos().suits[:, flops % 4], axis=2)
    numbers: Int64s = (moved * _PLACES).sum(axis=2)
    return numbers


def _classes(hands: Int64s, relabelings: Int64s) -> HandClasses:
    """The classes of these hands under these suit permutations, given by their numbers."""
    least = combos().image[relabelings][:, hands].min(axis=0)
    firsts, which = np.unique(least, return_inverse=True)
    member = np.full(COMBOS, -1)
    member[hands] = which
    return HandClasses(firsts, member)


# ---- suits ---------------------------------------------------------------------------------------
# Suit isomorphism: suits have no order in poker, so cards that differ only by a permutation of suits are equivalent.
# The *canonical form* of a hand and a board is the least of its 24 relabelings, comparing the sorted hand first and
# then the sorted board. There are 169 hands, 1,755 flops, and 1,286,792 hands with a flop.


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
