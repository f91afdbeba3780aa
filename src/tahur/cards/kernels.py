"""The inner loops of the evaluator and the suit canonicalization. Their tables are explained in tables.py.

Everything is int64: Numba turns a mix of signed and unsigned into floats. Masks make every index provably in range, so
that not even seven copies of one card can read outside a table.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tahur.cards.equity.tables import Combos
from tahur.cards.tables import FLUSH_BITS, KEY_BITS, LOW_BITS, NOT_A_CARD, SUITS_START, EvaluatorTables
from tahur.core.arrays import Bytes, Float32s, Int64s
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


# ---- the strength of every hand on a river -------------------------------------------------------


HANDS = 1326
OTHERS = 990.0  # hands that remain for the other player after a river and the own two cards
SORT_BITS = 7  # ranks have thirteen bits, and are sorted by seven and then by six
SORT_LOW = 1 << SORT_BITS


@kernel
def ranks_on(board: Int64s, combos: Combos, tables: EvaluatorTables, ranks: Int64s, held: Int64s) -> int:
    """The number of hands that the five cards leave; `held` lists them, `ranks` has their ranks."""
    key, mask = SUITS_START, 0
    suited = np.zeros(4, np.int64)
    for card in board:
        key += tables.key[card]
        mask |= 1 << card
        suited[card & 3] |= 1 << (card >> 2)
    count = 0
    for hand in range(HANDS):
        if combos.mask[hand] & mask == 0:
            whole = key + combos.key[hand]
            if whole & FLUSH_BITS:
                suit = flush_suit(whole)
                ranks[count] = tables.flush[(suited[suit] | combos.suited[hand, suit]) & 0x1FFF]
            else:
                ranks[count] = rank_of_key(whole, tables)
            held[count] = hand
            count += 1
    return count


@kernel
def sort_by_rank(count: int, ranks: Int64s, held: Int64s, spare_ranks: Int64s, spare_held: Int64s) -> None:
    """Sort both lists by rank: by the low bits into the spare lists, by the high bits back."""
    for shift in (0, SORT_BITS):
        offsets = np.zeros(SORT_LOW + 1, np.int64)
        source, hands = (ranks, held) if shift == 0 else (spare_ranks, spare_held)
        target, moved = (spare_ranks, spare_held) if shift == 0 else (ranks, held)
        for at in range(count):
            offsets[(source[at] >> shift & (SORT_LOW - 1)) + 1] += 1
        for digit in range(SORT_LOW):
            offsets[digit + 1] += offsets[digit]
        for at in range(count):
            digit = source[at] >> shift & (SORT_LOW - 1)
            target[offsets[digit]] = source[at]
            moved[offsets[digit]] = hands[at]
            offsets[digit] += 1


@kernel
def sweep(count: int, ranks: Int64s, held: Int64s, combos: Combos, out: Float32s) -> None:
    """The strength of the sorted hands: the share of the other player's hands that each beats, ties counting half."""
    below = np.zeros(52, np.int64)
    level = np.zeros(52, np.int64)
    first = 0
    while first < count:
        after = first
        while after < count and ranks[after] == ranks[first]:
            level[combos.cards[held[after], 0]] += 1
            level[combos.cards[held[after], 1]] += 1
            after += 1
        for at in range(first, after):
            low, high = combos.cards[held[at], 0], combos.cards[held[at], 1]
            beaten = first - below[low] - below[high]
            tied = after - first - level[low] - level[high] + 1  # the hand itself was subtracted twice
            out[held[at]] = (beaten + 0.5 * tied) / OTHERS
        for at in range(first, after):
            for side in range(2):
                card = combos.cards[held[at], side]
                below[card] += 1
                level[card] = 0
        first = after


@kernel
def river_strengths(boards: Int64s, combos: Combos, tables: EvaluatorTables, out: Float32s) -> None:
    """boards: (n, 5); out: (n, 1326), -1 if the hand contains a board card."""
    ranks, held = np.empty(HANDS, np.int64), np.empty(HANDS, np.int64)
    spare_ranks, spare_held = np.empty(HANDS, np.int64), np.empty(HANDS, np.int64)
    for row in range(len(boards)):
        out[row] = -1.0
        count = ranks_on(boards[row], combos, tables, ranks, held)
        sort_by_rank(count, ranks, held, spare_ranks, spare_held)
        sweep(count, ranks, held, combos, out[row])


@kernel
def turn_histograms(boards: Int64s, combos: Combos, tables: EvaluatorTables, out: Bytes) -> None:
    """boards: (n, 4); out: (n, 1326, bins) the number of rivers on which the hand's strength falls in each bin."""
    river = np.empty((1, 5), np.int64)
    strength = np.empty((1, HANDS), np.float32)
    bins = out.shape[2]
    for row in range(len(boards)):
        out[row] = 0
        for card in range(52):
            river[0, :4], river[0, 4] = boards[row], card
            taken = False
            for other in boards[row]:
                taken = taken or other == card
            if taken:
                continue
            river_strengths(river, combos, tables, strength)
            for hand in range(HANDS):
                if strength[0, hand] >= 0.0:
                    out[row, hand, min(int(strength[0, hand] * bins), bins - 1)] += 1


@kernel
def flop_histograms(
    flops: Int64s, turn_class: Int64s, turn_label: Int64s, turns: Bytes, combos: Combos, out: NDArray[np.uint16]
) -> None:
    """flops: (n, 3); turn_class, turn_label: (n, 52) the canonical board that each turn makes (-1: none), and the
    relabeling to it; turns: that board's histograms; out: (n, 1326, bins) their sums over the turns."""
    bins = out.shape[2]
    for row in range(len(flops)):
        out[row] = 0
        for card in range(52):
            if turn_class[row, card] < 0:
                continue
            image = combos.image[turn_label[row, card]]
            for hand in range(HANDS):
                for at in range(bins):
                    out[row, hand, at] += turns[turn_class[row, card], image[hand], at]


@kernel
def nearest(histograms: NDArray[Any], centres: Float32s, none: int, out: NDArray[np.uint16]) -> None:
    """histograms: (n, bins) counts; centres: (bins, k) cumulative shares; out: (n,), `none` for an empty row."""
    bins, k = centres.shape
    distance = np.empty(k, np.float32)
    for row in range(len(histograms)):
        total = 0
        for at in range(bins):
            total += histograms[row, at]
        if total == 0:
            out[row] = none
            continue
        distance[:] = 0.0
        share, step = np.float32(0.0), np.float32(1.0) / np.float32(total)
        for at in range(bins):
            share += histograms[row, at] * step
            for centre in range(k):
                away = share - centres[at, centre]
                distance[centre] += away * away
        out[row] = np.argmin(distance)
