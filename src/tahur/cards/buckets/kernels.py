"""The strength of every hand on a river against a random hand, its histogram over the rivers to come, and clusters."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tahur.cards.equity.tables import Combos
from tahur.cards.kernels import flush_suit, rank_of_key
from tahur.cards.tables import FLUSH_BITS, SUITS_START, EvaluatorTables
from tahur.core.arrays import Bytes, Float32s, Int64s
from tahur.core.kernels import kernel

HANDS = 1326
OTHERS = 990.0  # hands that remain for the other player after a river and the own two cards
LOW_BITS = 7  # ranks have thirteen bits, and are sorted by seven and then by six
LOW = 1 << LOW_BITS


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
    for shift in (0, LOW_BITS):
        offsets = np.zeros(LOW + 1, np.int64)
        source, hands = (ranks, held) if shift == 0 else (spare_ranks, spare_held)
        target, moved = (spare_ranks, spare_held) if shift == 0 else (ranks, held)
        for at in range(count):
            offsets[(source[at] >> shift & (LOW - 1)) + 1] += 1
        for digit in range(LOW):
            offsets[digit + 1] += offsets[digit]
        for at in range(count):
            digit = source[at] >> shift & (LOW - 1)
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
