"""Exact equity by a sweep: each board once, for two ranges of any width.

All combos are ranked on the board and sorted; one pass from the weakest up accumulates the weight beaten so far, in
total and for each card, so that card removal is exact. Boards that are equivalent by suit isomorphism are swept once.
"""

from __future__ import annotations

import numpy as np

from tahur.cards.equity.kernels.common import POT, board_key, relabeled, suits_of
from tahur.cards.equity.tables import Combos
from tahur.cards.kernels import flush_suit, rank_of_key
from tahur.cards.tables import FLUSH_BITS, SUITS_START, EvaluatorTables
from tahur.core.arrays import Float64s, Int64s
from tahur.core.kernels import bit_count, kernel


@kernel
def sweep(
    first: int,
    weights: Float64s,
    board: int,
    dead: int,
    group: int,
    tables: EvaluatorTables,
    combos: Combos,
    result: Float64s,
) -> float:
    """Two players over every runout whose lowest card is `first` (-1: no cards to come); adds to result.

    weights: (2, 1326). Returns the weight of the deals.
    """
    deck, cards = np.zeros(52, np.int64), 0
    for card in range(first + 1, 52):
        if not (board | dead) >> card & 1:
            deck[cards] = card
            cards += 1
    to_come = 5 - bit_count(board) - (first >= 0)
    pick = np.arange(to_come)
    lists = np.zeros((3, 1326), np.int64)  # the live combos, their ranks, and work space for sorting
    total = 0.0
    more = to_come <= cards
    while more:
        runout = 0 if first < 0 else 1 << first
        for index in range(to_come):
            runout |= 1 << deck[pick[index]]
        times = _orbit_of_runout(runout, group, combos)
        if times:
            total += _sweep_board(board | runout, dead, weights, times, tables, combos, lists, result)
        more = _next_pick(pick, cards)
    return total


@kernel
def _next_pick(pick: Int64s, cards: int) -> bool:
    """Advance `pick` in place to the next way to choose from `cards` cards; False after the last."""
    index = pick.shape[0] - 1
    while index >= 0 and pick[index] == cards - pick.shape[0] + index:
        index -= 1
    if index < 0:
        return False
    pick[index] += 1
    for after in range(index + 1, pick.shape[0]):
        pick[after] = pick[after - 1] + 1
    return True


@kernel
def _orbit_of_runout(runout: int, group: int, combos: Combos) -> int:
    """The size of the runout's orbit; 0 if it is not the representative."""
    kept, size = 0, 0
    for label in range(24):
        if group >> label & 1:
            size += 1
            moved = relabeled(runout, combos.suits[label])
            # the representative has the least lowest card, so that a chunk by lowest card is complete
            if moved != runout and (moved ^ runout) & -(moved ^ runout) & moved:
                return 0
            kept += moved == runout
    return size // kept


@kernel
def _sweep_board(
    board: int,
    dead: int,
    weights: Float64s,
    times: int,
    tables: EvaluatorTables,
    combos: Combos,
    lists: Int64s,
    result: Float64s,
) -> float:
    live = rank_live(board, dead, weights, tables, combos, lists)
    sort_by_rank(lists, live)
    order, rank = lists[0], lists[1]
    beaten = np.zeros(53)  # the second player's weight so far: with each card, and in total
    won, tied, total = 0.0, 0.0, 0.0
    at = 0
    while at < live:
        end = at
        while end < live and rank[end] == rank[at]:
            won_here = weights[0, order[end]] * _against(order[end], beaten, combos)
            won += won_here
            tied -= won_here
            end += 1
        for index in range(at, end):
            weight = weights[1, order[index]]
            beaten[combos.cards[order[index], 0]] += weight
            beaten[combos.cards[order[index], 1]] += weight
            beaten[52] += weight
        for index in range(at, end):
            combo = order[index]
            tied += weights[0, combo] * (_against(combo, beaten, combos) + weights[1, combo])
        at = end
    for index in range(live):
        combo = order[index]
        total += weights[0, combo] * (_against(combo, beaten, combos) + weights[1, combo])
    lost = total - won - tied
    result[0, 0] += times * won
    result[1, 0] += times * lost
    result[0, 1] += times * tied
    result[1, 1] += times * tied
    result[0, 2] += times * POT * (won + tied / 2)
    result[1, 2] += times * POT * (lost + tied / 2)
    return times * total


@kernel
def _against(combo: int, beaten: Float64s, combos: Combos) -> float:
    """The weight in `beaten` that shares no card with the combo (its own weight, if included, subtracted twice)."""
    return beaten[52] - beaten[combos.cards[combo, 0]] - beaten[combos.cards[combo, 1]]


@kernel
def rank_live(board: int, dead: int, weights: Float64s, tables: EvaluatorTables, combos: Combos, lists: Int64s) -> int:
    """The weighted combos without board or dead cards, and their ranks; returns how many."""
    key = SUITS_START + board_key(board, tables)
    suited = suits_of(board)
    live = 0
    for combo in range(1326):
        if combos.mask[combo] & (board | dead) or weights[0, combo] + weights[1, combo] == 0.0:
            continue
        lists[0, live] = combo
        hand = key + combos.key[combo]
        if hand & FLUSH_BITS:
            suit = flush_suit(hand)
            lists[1, live] = tables.flush[(suited[suit] | combos.suited[combo, suit]) & 0x1FFF]
        else:
            lists[1, live] = rank_of_key(hand, tables)
        live += 1
    return live


@kernel
def sort_by_rank(lists: Int64s, live: int) -> None:
    """Sort combos by rank, weakest first: a radix sort in two passes, seven bits and then six."""
    packed, sorted_ = lists[1], lists[2]
    for index in range(live):
        packed[index] = packed[index] << 16 | lists[0, index]
    for shift in (16, 23):
        ends = np.zeros(129, np.int64)
        for index in range(live):
            ends[(packed[index] >> shift & 127) + 1] += 1
        for digit in range(128):
            ends[digit + 1] += ends[digit]
        for index in range(live):
            digit = packed[index] >> shift & 127
            sorted_[ends[digit]] = packed[index]
            ends[digit] += 1
        packed, sorted_ = sorted_, packed
    for index in range(live):
        lists[0, index] = packed[index] & 0xFFFF
        lists[1, index] = packed[index] >> 16
