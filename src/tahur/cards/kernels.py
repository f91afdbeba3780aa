"""The inner loops of the evaluator and the suit canonicalization. Their tables are explained in tables.py.

Everything is int64: Numba turns a mix of signed and unsigned into floats. Masks make every index provably in range, so
that not even seven copies of one card can read outside a table.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tahur.cards.tables import FLUSH_BITS, KEY_BITS, LOW_BITS, NOT_A_CARD, SUITS_START, EvaluatorTables
from tahur.core.kernels import bit_count, kernel

LOW_MASK = (1 << LOW_BITS) - 1
HIGH_MASK = (1 << (KEY_BITS - LOW_BITS)) - 1


@kernel
def rank_of_key(key: int, tables: EvaluatorTables) -> int:
    """The rank of a hand by the sum of its cards' keys, ignoring flushes."""
    return tables.rank[tables.high[key >> LOW_BITS & HIGH_MASK] + tables.low[key & LOW_MASK]]


@kernel
def flush_suit(key: int) -> int:
    """The suit whose counter is five or more; only for a key with a flush bit."""
    counters = key >> KEY_BITS
    if counters & 0x8:
        return 0
    if counters & 0x80:
        return 1
    return 2 if counters & 0x800 else 3


@kernel
def flush_rank(hand: NDArray[np.uint8], suit: int, tables: EvaluatorTables) -> int:
    """The rank of the flush in `suit` that `hand` contains."""
    ranks = 0
    for card in hand:
        if card & 3 == suit:
            ranks |= 1 << (card >> 2)
    return tables.flush[ranks & 0x1FFF]


@kernel
def ranks_of_hands(hands: NDArray[np.uint8], tables: EvaluatorTables, out: NDArray[np.uint16]) -> int:
    """hands: (n, 5..7); out: (n,). Returns the first invalid row (bad or repeated card), or -1."""
    if hands.shape[1] == 7:
        return _ranks_of_sevens(hands, tables, out)
    first_bad = -1
    for row in range(hands.shape[0]):
        key, seen = SUITS_START, 0
        for card in hands[row]:
            key += tables.key[card]
            seen |= 1 << (card & 63)
        if bit_count(seen) != hands.shape[1] or key >= NOT_A_CARD:
            first_bad = row if first_bad < 0 else first_bad
        elif key & FLUSH_BITS:
            out[row] = flush_rank(hands[row], flush_suit(key), tables)
        else:
            out[row] = rank_of_key(key, tables)
    return first_bad


@kernel
def _ranks_of_sevens(hands: NDArray[np.uint8], tables: EvaluatorTables, out: NDArray[np.uint16]) -> int:
    """The same with the card loop unrolled, which is half as fast again."""
    first_bad = -1
    keys = tables.key
    for row in range(hands.shape[0]):
        a, b, c, d = hands[row, 0], hands[row, 1], hands[row, 2], hands[row, 3]
        e, f, g = hands[row, 4], hands[row, 5], hands[row, 6]
        key = SUITS_START + keys[a] + keys[b] + keys[c] + keys[d] + keys[e] + keys[f] + keys[g]
        seen = (
            1 << (a & 63)
            | 1 << (b & 63)
            | 1 << (c & 63)
            | 1 << (d & 63)
            | 1 << (e & 63)
            | 1 << (f & 63)
            | 1 << (g & 63)
        )
        if bit_count(seen) != 7 or key >= NOT_A_CARD:
            first_bad = row if first_bad < 0 else first_bad
        elif key & FLUSH_BITS:
            out[row] = flush_rank(hands[row], flush_suit(key), tables)
        else:
            out[row] = rank_of_key(key, tables)
    return first_bad


@kernel
def canonical_rows(
    rows: NDArray[np.uint8],
    hand_size: int,
    labels: NDArray[np.int64],
    least: NDArray[np.uint8],
    orbits: NDArray[np.int64],
) -> None:
    """rows, least: (n, up to 9), the hand first; labels: (24, 4); orbits: (n,) the number of distinct relabelings."""
    width = rows.shape[1]
    cards = np.zeros(width, np.int64)
    for row in range(rows.shape[0]):
        best, same = -1, 0
        for label in range(24):
            packed = 0
            for index in range(width):
                card = rows[row, index] & 60 | labels[label, rows[row, index] & 3]
                at = index
                while at > (0 if index < hand_size else hand_size) and cards[at - 1] > card:
                    cards[at] = cards[at - 1]
                    at -= 1
                cards[at] = card
            for index in range(width):
                packed = packed << 6 | cards[index]
            if best < 0 or packed < best:
                best, same = packed, 1
            elif packed == best:
                same += 1
        orbits[row] = 24 // same
        for index in range(width):
            least[row, width - 1 - index] = best >> 6 * index & 63
