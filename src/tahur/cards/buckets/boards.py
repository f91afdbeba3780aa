"""Boards of three or four cards up to suit isomorphism: the canonical board of each class, and the relabeling to it.

A board is looked up by its *index*, the number of its set of cards: 22,100 flops fall into 1,755 classes and 270,725
turn boards, whose four cards are an unordered set here, into 16,432.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import comb
from typing import Final, NamedTuple

import numpy as np

from tahur.cards.suits import RELABELINGS
from tahur.core.arrays import Array

CHOOSE: Final = np.array([[comb(card, size) for size in range(5)] for card in range(53)], np.int64)


class Classes(NamedTuple):
    """The classes of boards of one size."""

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
    images = np.array([_packed(np.sort(boards & ~3 | np.array(suits)[boards & 3], axis=1)) for suits in RELABELINGS])
    label = images.argmin(axis=0)
    least, number, weight = np.unique(images.min(axis=0), return_inverse=True, return_counts=True)
    kept = least[:, None] >> 6 * np.arange(size - 1, -1, -1) & 63
    return Classes(kept, number, label, weight)


def find(boards: Array) -> tuple[Array, Array]:
    """The classes of boards, cards in any order, and the relabelings to their canonical boards."""
    known = classes(boards.shape[1])
    indices = board_index(np.sort(boards, axis=1))
    return known.number[indices], known.label[indices]


def _packed(cards: Array) -> Array:
    packed = np.zeros(len(cards), np.int64)
    for column in cards.T:
        packed = packed << 6 | column
    return packed
