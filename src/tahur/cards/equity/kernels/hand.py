"""The exact equity of one hand, or of every hand, against every other hand, on a flop, a turn or a river."""

from __future__ import annotations

import numpy as np

from tahur.cards.equity.kernels.common import board_key, suits_of
from tahur.cards.equity.tables import Combos
from tahur.cards.kernels import flush_suit, rank_of_key
from tahur.cards.tables import FLUSH_BITS, SUITS_START, EvaluatorTables
from tahur.core.arrays import Array, Float64s, Int64s
from tahur.core.kernels import bit_count, kernel

UNBEATEN = 1 << 30  # a rank for hands that share a card with the board


@kernel
def hand_against_all(hand: int, board: int, tables: EvaluatorTables, combos: Combos, out: Float64s) -> None:
    """out: (1326,) the share of the pot that `hand` wins from each hand over all run-outs; 0 where they share a card.

    board: three to five cards as 52 bits.
    """
    points, boards = np.zeros(1326, np.int64), np.zeros(1326, np.int64)
    gone = board | combos.mask[hand]
    others, count = np.empty(1326, np.int64), 0
    for combo in range(1326):
        if combos.mask[combo] & gone == 0:
            others[count] = combo
            count += 1
    to_come = 5 - bit_count(board)
    if to_come == 0:
        _add_board(hand, board, others[:count], tables, combos, points, boards)
    for low in range(52 if to_come else 0):
        if gone >> low & 1:
            continue
        if to_come == 1:
            _add_board(hand, board | 1 << low, others[:count], tables, combos, points, boards)
        else:
            for high in range(low + 1, 52):
                if not gone >> high & 1:
                    _add_board(hand, board | 1 << low | 1 << high, others[:count], tables, combos, points, boards)
    for combo in range(1326):
        out[combo] = points[combo] / (2 * boards[combo]) if boards[combo] else 0.0


@kernel
def _add_board(
    hand: int, board: int, others: Int64s, tables: EvaluatorTables, combos: Combos, points: Int64s, boards: Int64s
) -> None:
    """Add one final board: two points for a win of `hand`, one for a tie."""
    key, suited = SUITS_START + board_key(board, tables), suits_of(board)
    mine = _rank(hand, key, suited, tables, combos)
    for combo in others:
        if combos.mask[combo] & board == 0:
            theirs = _rank(combo, key, suited, tables, combos)
            points[combo] += (mine > theirs) + (mine >= theirs)
            boards[combo] += 1


@kernel
def _rank(combo: int, key: int, suited: Int64s, tables: EvaluatorTables, combos: Combos) -> int:
    """The rank of a combo on a board of five cards, given by its key and its ranks by suit."""
    whole = key + combos.key[combo]
    if whole & FLUSH_BITS:
        suit = flush_suit(whole)
        return tables.flush[(suited[suit] | combos.suited[combo, suit]) & 0x1FFF]
    return rank_of_key(whole, tables)


@kernel
def all_against_all(boards: Int64s, tables: EvaluatorTables, combos: Combos, points: Array) -> None:
    """Add to `points`, (1326, 1326) int16, two for each final board on which a hand beats another, one for a tie.

    boards: 52 bits each. Pairs that share a card get numbers without meaning.
    """
    ranks = np.empty(1326, np.int32)
    for board in boards:
        key, suited = SUITS_START + board_key(board, tables), suits_of(board)
        for combo in range(1326):
            ranks[combo] = UNBEATEN
            if combos.mask[combo] & board == 0:
                ranks[combo] = _rank(combo, key, suited, tables, combos)
        for hand in range(1326):
            mine, row = ranks[hand], points[hand]
            if mine < UNBEATEN:
                for other in range(1326):
                    row[other] += (mine > ranks[other]) + (mine >= ranks[other])
