"""The winners at the showdown: for each set of hands, the number of runouts that exactly these hands win.

Equities are not enough once chips are whole numbers: who gets the odd chip of a split pot depends on which hands split
it. The counting is that of matchups.py, by ranks first and then corrected for flushes.
"""

from __future__ import annotations

import numpy as np

from tahur.cards.equity.kernels.common import board_key, count_bits
from tahur.cards.equity.kernels.matchups import (
    MatchupScratch,
    alike,
    count_choices,
    count_ways,
    empty_desk,
    lay_out,
    run_out,
)
from tahur.cards.equity.tables import Combos, Runouts
from tahur.cards.kernels import rank_of_key
from tahur.cards.tables import EvaluatorTables
from tahur.core.arrays import Int64s
from tahur.core.kernels import kernel


@kernel
def winners(
    hands: Int64s, board: int, dead: int, to_come: int, tables: EvaluatorTables, combos: Combos, runouts: Runouts
) -> Int64s:
    """hands: (n,) combos. Returns (2 ** n,): for each set of hands, as bits, the runouts of `to_come` cards it wins."""
    desk = empty_desk(hands.shape[0], board, dead, runouts)
    lay_out(hands, board_key(board, tables), combos, desk)
    counts = np.zeros(1 << hands.shape[0], np.int64)
    if hands.shape[0] == 2:  # wins and ties of two hands are enough, and are counted in a third of the time
        run_out(to_come, tables, runouts, desk)
        counts[1], counts[2], counts[3] = desk.counts[0, 0], desk.counts[1, 0], desk.counts[0, 1]
        return counts
    count_choices(to_come, -1, desk.suited, desk.choose)
    count_ways(to_come, 1, runouts.start, runouts.factor, desk.choose, desk.ways)
    ranks = desk.ranks[0]
    for at in range(runouts.start[to_come], runouts.start[to_come + 1]):
        if desk.ways[at]:
            for player in range(hands.shape[0]):
                ranks[player] = rank_of_key(desk.keys[player] + runouts.key[at], tables)
            counts[_best(ranks)] += desk.ways[at]
    for suit in range(4):
        copies = alike(desk.suited, suit)
        if copies:
            _put_flushes_right(suit, copies, to_come, tables, runouts, desk, counts)
    return counts


@kernel
def _put_flushes_right(
    suit: int,
    copies: int,
    to_come: int,
    tables: EvaluatorTables,
    runouts: Runouts,
    desk: MatchupScratch,
    counts: Int64s,
) -> None:
    """Enumerate the boards on which a player makes a flush in `suit`; add correct counts, subtract wrong ones."""
    most = 0
    for player in range(desk.keys.shape[0]):
        most = max(most, count_bits(desk.suited[suit, player]))
    if 5 - most > to_come:
        return
    count_choices(to_come, suit, desk.suited, desk.choose)
    for drawn in range(max(0, 5 - most), to_come + 1):
        others = to_come - drawn
        if count_ways(others, copies, runouts.start, runouts.factor, desk.choose, desk.ways):
            _mend(suit, drawn, others, tables, runouts, desk, counts)


@kernel
def _mend(
    suit: int, drawn: int, others: int, tables: EvaluatorTables, runouts: Runouts, desk: MatchupScratch, counts: Int64s
) -> None:
    """Correct the boards with `drawn` new cards of the suit and `others` of other suits."""
    ranks, flushes, truth = desk.ranks[0], desk.ranks[1], desk.ranks[2]
    players = ranks.shape[0]
    for chosen in range(runouts.set_start[drawn], runouts.set_start[drawn + 1]):
        suited = runouts.set[chosen]
        if suited & ~desk.suited[suit, players + 1]:
            continue
        for player in range(players):
            flushes[player] = tables.flush[(desk.suited[suit, player] | suited) & 0x1FFF]
        for at in range(runouts.start[others], runouts.start[others + 1]):
            if desk.ways[at]:
                for player in range(players):
                    key = desk.keys[player] + runouts.set_key[chosen] + runouts.key[at]
                    ranks[player] = rank_of_key(key, tables)
                    truth[player] = max(ranks[player], flushes[player])
                counts[_best(ranks)] -= desk.ways[at]
                counts[_best(truth)] += desk.ways[at]


@kernel
def _best(ranks: Int64s) -> int:
    """The indices of the highest rank, as bits."""
    best, bits = 0, 0
    for index in range(ranks.shape[0]):
        if ranks[index] > best:
            best, bits = ranks[index], 1 << index
        elif ranks[index] == best:
            bits |= 1 << index
    return bits
