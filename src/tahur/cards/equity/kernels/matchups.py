"""Exact equity by matchups: each tuple of hands against every runout, counted by rank.

Runouts are first counted by their ranks alone, ignoring flushes; then, for each suit in which a player can make a
flush, the boards that make one are enumerated and the counts corrected. No board makes flushes in two suits, so nothing
is counted twice. Tuples that are equivalent by suit isomorphism are dealt once: a tuple counts only if each of its
hands is the least of its images under the relabelings that fix all hands before it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tahur.cards.equity.kernels.common import SHARES, add_duel, board_key, stabilizer
from tahur.cards.equity.tables import Combos, Runouts
from tahur.cards.kernels import rank_of_key
from tahur.cards.tables import EvaluatorTables
from tahur.core.arrays import Float64s, Int64s
from tahur.core.kernels import bit_count, kernel


class MatchupScratch(NamedTuple):
    """Work space for one matchup, allocated once; the last two columns of `suited` are for the board and the deck."""

    keys: Int64s  # (players,) rank keys of hand and board
    suited: Int64s  # (4, players + 2) ranks of hand and board by suit; then the board's, then the deck's
    board: Int64s  # (4, 2) the board's ranks by suit, and those of the deck without board and dead cards
    choose: Int64s  # (66,) ways to take k cards of rank r at 5 r + k, and a 1
    ways: Int64s  # boards behind each runout
    ranks: Int64s  # (3, players) by ranks alone, by flush, and the better of the two
    counts: Int64s  # (players, 3) wins, ties, shares


@kernel
def empty_desk(players: int, board: int, dead: int, runouts: Runouts) -> MatchupScratch:
    """Scratch space for one board."""
    by_suit = np.zeros((4, 2), np.int64)
    for card in range(52):
        by_suit[card & 3, 0] |= (board >> card & 1) << (card >> 2)
        by_suit[card & 3, 1] |= (1 - ((board | dead) >> card & 1)) << (card >> 2)
    return MatchupScratch(
        keys=np.zeros(players, np.int64),
        suited=np.zeros((4, players + 2), np.int64),
        board=by_suit,
        choose=np.ones(66, np.int64),
        ways=np.zeros(runouts.start[6], np.int64),
        ranks=np.zeros((3, players), np.int64),
        counts=np.zeros((players, 3), np.int64),
    )


@kernel
def matchups(
    combo: Int64s,
    weight: Float64s,
    start: Int64s,
    first: tuple[int, int],
    board: int,
    dead: int,
    group: int,
    tables: EvaluatorTables,
    combos: Combos,
    runouts: Runouts,
    result: Float64s,
) -> tuple[float, int]:
    """Every tuple of hands whose first is in combo[first[0]:first[1]]; adds to result. Returns weight and deals.

    combo, weight: the players' hands, concatenated; player p's are start[p] to start[p + 1].
    """
    players = start.shape[0] - 1
    desk = empty_desk(players, board, dead, runouts)
    state = np.zeros((4, players), np.int64)  # for each player: next hand, symmetries left, cards used, orbit
    next_hand, groups, used, times = state[0], state[1], state[2], state[3]
    product, hands = np.ones(players), np.zeros(players, np.int64)
    next_hand[0], groups[0], used[0], times[0] = first[0], group, board | dead, 1
    dealt, to_come = board_key(board, tables), 5 - bit_count(board)
    total, deals, level = 0.0, 0, 0
    while level >= 0:
        if next_hand[level] == (first[1] if level == 0 else start[level + 1]):
            level -= 1
            continue
        at = next_hand[level]
        next_hand[level] += 1
        hand = combo[at]
        kept = 0 if combos.mask[hand] & used[level] else stabilizer(hand, groups[level], combos.image)
        if kept == 0:
            continue
        hands[level] = hand
        orbit = times[level] * (bit_count(groups[level]) // bit_count(kept))
        if level + 1 < players:
            level += 1
            next_hand[level], groups[level], times[level] = start[level], kept, orbit
            used[level] = used[level - 1] | combos.mask[hand]
            product[level] = product[level - 1] * weight[at]
            continue
        lay_out(hands, dealt, combos, desk)
        boards = run_out(to_come, tables, runouts, desk)
        share = product[level] * weight[at] * orbit
        total += share * boards
        deals += orbit * boards
        for player in range(players):
            for kind in range(3):
                result[player, kind] += share * desk.counts[player, kind]
    return total, deals


@kernel
def lay_out(hands: Int64s, dealt: int, combos: Combos, desk: MatchupScratch) -> None:
    """Write the hands to the work space: their keys, their suits with the board's, and the cards left in the deck."""
    players = hands.shape[0]
    desk.counts[:] = 0
    for suit in range(4):
        held = 0
        for player in range(players):
            desk.suited[suit, player] = desk.board[suit, 0] | combos.suited[hands[player], suit]
            held |= combos.suited[hands[player], suit]
        desk.suited[suit, players] = desk.board[suit, 0]
        desk.suited[suit, players + 1] = desk.board[suit, 1] & ~held
    for player in range(players):
        desk.keys[player] = (dealt + combos.key[hands[player]]) & 0xFFFFFFFF


@kernel
def run_out(to_come: int, tables: EvaluatorTables, runouts: Runouts, desk: MatchupScratch) -> int:
    """Wins, ties and shares of the hands in the work space over every runout; returns the number of runouts."""
    count_choices(to_come, -1, desk.suited, desk.choose)
    boards = _without_flushes(to_come, tables, runouts, desk)
    for suit in range(4):
        copies = alike(desk.suited, suit)
        if copies:
            _put_flushes_right(suit, copies, to_come, tables, runouts, desk)
    return boards


@kernel
def alike(suited: Int64s, suit: int) -> int:
    """The number of suits with exactly the same cards as this one, including itself; 0 if it is not the first."""
    copies = 1
    for other in range(4):
        same = other != suit
        for column in range(suited.shape[1]):
            same = same and suited[other, column] == suited[suit, column]
        if same and other < suit:
            return 0
        copies += same
    return copies


@kernel
def count_choices(to_come: int, without: int, suited: Int64s, choose: Int64s) -> None:
    """choose[5 r + k]: ways to take k of the cards of rank r left in all suits but `without`."""
    left = suited.shape[1] - 1
    for rank in range(13):
        cards = 0
        for suit in range(4):
            cards += (suited[suit, left] >> rank & 1) * (suit != without)
        ways = cards
        choose[5 * rank + 1] = ways
        for taken in range(1, min(to_come, 4)):
            ways = ways * (cards - taken) // (taken + 1)
            choose[5 * rank + taken + 1] = ways


@kernel
def count_ways(cards: int, copies: int, start: Int64s, factor: Int64s, choose: Int64s, ways: Int64s) -> int:
    """The number of boards behind each runout of `cards` cards; returns the total."""
    total = 0
    for at in range(start[cards], start[cards + 1]):
        product = copies
        for index in range(cards):
            product *= choose[factor[at, index]]
        ways[at] = product
        total += product
    return total


@kernel
def _without_flushes(to_come: int, tables: EvaluatorTables, runouts: Runouts, desk: MatchupScratch) -> int:
    """Count every runout by its ranks alone. Returns the number of runouts."""
    boards = count_ways(to_come, 1, runouts.start, runouts.factor, desk.choose, desk.ways)
    players = desk.keys.shape[0]
    if players == 2:
        won, lost = 0, 0
        for at in range(runouts.start[to_come], runouts.start[to_come + 1]):
            mine = rank_of_key(desk.keys[0] + runouts.key[at], tables)
            yours = rank_of_key(desk.keys[1] + runouts.key[at], tables)
            won += desk.ways[at] * (mine > yours)
            lost += desk.ways[at] * (mine < yours)
        add_duel(won, lost, boards, desk.counts)
        return boards
    for at in range(runouts.start[to_come], runouts.start[to_come + 1]):
        if desk.ways[at]:
            for player in range(players):
                desk.ranks[0, player] = rank_of_key(desk.keys[player] + runouts.key[at], tables)
            _add_showdown(desk.ranks[0], desk.ways[at], desk.counts)
    return boards


@kernel
def _put_flushes_right(
    suit: int, copies: int, to_come: int, tables: EvaluatorTables, runouts: Runouts, desk: MatchupScratch
) -> None:
    """Enumerate the boards on which a player makes a flush in `suit`; add correct counts, subtract wrong ones."""
    players = desk.keys.shape[0]
    most = 0
    for player in range(players):
        most = max(most, bit_count(desk.suited[suit, player]))
    if 5 - most > to_come:
        return
    count_choices(to_come, suit, desk.suited, desk.choose)
    for drawn in range(max(0, 5 - most), to_come + 1):
        if count_ways(to_come - drawn, copies, runouts.start, runouts.factor, desk.choose, desk.ways) == 0:
            continue
        if players == 2:
            _mend_duel(suit, drawn, to_come - drawn, tables, runouts, desk)
        else:
            _mend_showdown(suit, drawn, to_come - drawn, tables, runouts, desk)


@kernel
def _mend_duel(
    suit: int, drawn: int, others: int, tables: EvaluatorTables, runouts: Runouts, desk: MatchupScratch
) -> None:
    """Correct the counts of two players on boards with `drawn` new cards of the suit and `others` of other suits."""
    my_suit, your_suit, left = desk.suited[suit, 0], desk.suited[suit, 1], desk.suited[suit, 3]
    first, last = runouts.start[others], runouts.start[others + 1]
    won, lost = 0, 0
    for chosen in range(runouts.set_start[drawn], runouts.set_start[drawn + 1]):
        suited = runouts.set[chosen]
        if suited & ~left:
            continue
        my_flush, your_flush = (
            tables.flush[(my_suit | suited) & 0x1FFF],
            tables.flush[(your_suit | suited) & 0x1FFF],
        )
        my_key, your_key = desk.keys[0] + runouts.set_key[chosen], desk.keys[1] + runouts.set_key[chosen]
        for at in range(first, last):
            mine = rank_of_key(my_key + runouts.key[at], tables)
            yours = rank_of_key(your_key + runouts.key[at], tables)
            mine_truly, yours_truly = (
                max(mine, my_flush),
                max(yours, your_flush),
            )  # a full house beats their flush
            won += desk.ways[at] * ((mine_truly > yours_truly) - (mine > yours))
            lost += desk.ways[at] * ((mine_truly < yours_truly) - (mine < yours))
    add_duel(won, lost, 0, desk.counts)


@kernel
def _mend_showdown(
    suit: int, drawn: int, others: int, tables: EvaluatorTables, runouts: Runouts, desk: MatchupScratch
) -> None:
    """Like `_mend_duel` for any number of players."""
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
                _add_showdown(ranks, -desk.ways[at], desk.counts)
                _add_showdown(truth, desk.ways[at], desk.counts)


@kernel
def _add_showdown(ranks: Int64s, times: int, counts: Int64s) -> None:
    """Add one result: wins and ties of each player, and shares of the pot."""
    best, winners = 0, 0
    for rank in ranks:
        if rank > best:
            best, winners = rank, 1
        elif rank == best:
            winners += 1
    for player in range(ranks.shape[0]):
        if ranks[player] == best:
            counts[player, 0 if winners == 1 else 1] += times
            counts[player, 2] += times * SHARES[winners]


# ---- how often each player wins ------------------------------------------------------------------
# The winners at the showdown: for each set of hands, the number of runouts that exactly these hands win. Equities are
# not enough once chips are whole numbers: who gets the odd chip of a split pot depends on which hands split it. The
# counting is that of matchups.py, by ranks first and then corrected for flushes.


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
            _put_flush_winners_right(suit, copies, to_come, tables, runouts, desk, counts)
    return counts


@kernel
def _put_flush_winners_right(
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
        most = max(most, bit_count(desk.suited[suit, player]))
    if 5 - most > to_come:
        return
    count_choices(to_come, suit, desk.suited, desk.choose)
    for drawn in range(max(0, 5 - most), to_come + 1):
        others = to_come - drawn
        if count_ways(others, copies, runouts.start, runouts.factor, desk.choose, desk.ways):
            _mend_winners(suit, drawn, others, tables, runouts, desk, counts)


@kernel
def _mend_winners(
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
