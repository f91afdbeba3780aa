"""The value of a hold'em table to each seat with all hands known: the reference by which luck is measured.

With probability 1/3 all players who owe chips fold; else they call, and from then on everybody checks. (If nobody ever
folded, a bluff would look like a gift and a fold like a stroke of luck, and adjusted results would be noisier.) The
chips at the showdown are then known, and only the board is open: every run-out that the dealt hands leave possible
(cards of folded hands cannot come) is counted, and the whole chips of each pot, including odd ones, are paid as the
rules pay them. So the mean is exact. Who wins depends on the cards alone: one count is cached for all the bets that
could be made on the same board.

A count before the flop takes a hundred times as long as one after it. So with more than two live seats, a preflop table
is evaluated only when the betting is complete.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import comb
from typing import Final

from tahur.cards.cards import COMBOS, DECK_SIZE
from tahur.cards.equity.ask import winner_counts
from tahur.cards.equity.tables import combos
from tahur.core.game import CHANCE, Hand, Seat
from tahur.games.holdem.table import Chips, HoldemTable, pots_of

DUEL: Final = 2  # seats
FOLDS: Final = 1 / 3
_LATEST: Final = 256  # boards of recent deals
_MATCHUPS: Final = 1 << 17  # enough for all pairs of hands before the flop, up to suit isomorphism

Worth = tuple[float, ...]
Board = tuple[int, ...]
Counts = tuple[tuple[int, int], ...]  # winners, as bits, and the number of run-outs that they win
Split = tuple[tuple[Seat, ...], int]  # the winners of a pot, in the order of odd chips, and their number of run-outs


def worth(table: HoldemTable, hands: Sequence[Hand]) -> Worth | None:
    """The mean payoffs under the reference policy, before the deal is over. None if it would take too long."""
    if len(hands) == DUEL:
        return _worth_of_duel(table, hands)
    if not table.board and len(table.live) > DUEL and table.turn != CHANCE:
        return None
    called = _run_out(_chips_if_called(table), table, table.live, hands)
    owing = [seat for seat in table.pending if table.bets[seat] < table.bet]
    if not owing:
        return called
    not_owing = tuple([seat for seat in table.live if seat not in owing])
    folded = _run_out(table.committed, table, not_owing, hands)
    return tuple([FOLDS * fold + (1 - FOLDS) * call for fold, call in zip(folded, called, strict=True)])


def luck_of_deal(table: HoldemTable, hands: Sequence[Hand]) -> Worth:
    """What the deal gave the two seats of a heads-up hand; zeros with more seats.

    The first table's pot is divided exactly, so over all deals both seats get the same.
    """
    if len(table.live) != DUEL:
        return (0.0,) * len(hands)
    luck = [0.0] * len(hands)
    (pot, *_) = pots_of(_chips_if_called(table), table.live)
    for seats, times in _splits(pot.seats, table, hands):
        for seat in seats:
            luck[seat] += pot.chips * times / (len(seats) * _runouts(table))
    return tuple([gain - pot.chips / DUEL if seat in pot.seats else 0.0 for seat, gain in enumerate(luck)])


def ahead(table: HoldemTable, hands: Sequence[Hand]) -> float:
    """The win rate of the first of two seats minus that of the other, over all run-outs that the hands leave."""
    more = _run_out_lead(table.live, tuple(hands), table.board, table.stakes.showdown_board)
    return more / _runouts(table)


def _worth_of_duel(table: HoldemTable, hands: Sequence[Hand]) -> Worth:
    """The same for exactly two seats, several times as fast: an even pot is won, lost or split without an odd chip."""
    ahead = _run_out_lead(table.live, tuple(hands), table.board, table.stakes.showdown_board)
    called = min(_chips_if_called(table)) * ahead / _runouts(table)
    bets, turn = table.bets, table.turn
    if turn < 0 or bets[turn] == table.bet:
        return called, -called
    lost = table.stakes.stacks[turn] - table.stacks[turn]
    won = FOLDS * (lost if turn else -lost) + (1 - FOLDS) * called
    return won, -won


@lru_cache(_LATEST)
def _run_out_lead(live: tuple[Seat, ...], hands: tuple[Hand, ...], board: Board, showdown_board: int) -> int:
    """The number of run-outs that seat 0 wins minus the number that seat 1 wins."""
    splits = _splits_of(live, hands, live, board, showdown_board)
    return sum(times if seats == (0,) else -times for seats, times in splits if len(seats) == 1)


def _run_out(committed: Chips, table: HoldemTable, live: tuple[Seat, ...], hands: Sequence[Hand]) -> Worth:
    """The exact mean of the payoffs given the committed chips and the live seats, if only cards are to come."""
    won = [0] * len(committed)
    for pot in pots_of(committed, live):
        for seats, times in _splits(pot.seats, table, hands):
            share, odd = divmod(pot.chips, len(seats))
            for seat in seats:
                won[seat] += times * share
            won[seats[0]] += times * odd
    runouts = _runouts(table)
    return tuple([chips / runouts - paid for chips, paid in zip(won, committed, strict=True)])


def _chips_if_called(table: HoldemTable) -> Chips:
    """The committed chips once all live seats have matched the highest bet as far as they can."""
    bet, bets, stacks = table.bet, table.bets, table.stacks
    committed = list(table.committed)
    for seat in table.live:
        committed[seat] += min(bet - bets[seat], stacks[seat])
    return tuple(committed)


def _runouts(table: HoldemTable) -> int:
    """The number of ways to complete the board; every seat dealt in holds two cards."""
    stakes, board = table.stakes, table.board
    unseen = DECK_SIZE - len(board) - 2 * len(stakes.order)
    return comb(unseen, stakes.showdown_board - len(board))


def _splits(seats: tuple[Seat, ...], table: HoldemTable, hands: Sequence[Hand]) -> tuple[Split, ...]:
    """The winners of a pot that these seats can win, over all run-outs."""
    if len(seats) == 1:  # nobody called it
        return ((seats, _runouts(table)),)
    stakes = table.stakes
    return _splits_of(seats, tuple(hands), stakes.order, table.board, stakes.showdown_board)


@lru_cache(_LATEST)
def _splits_of(
    seats: tuple[Seat, ...], hands: tuple[Hand, ...], dealt: tuple[Seat, ...], board: Board, showdown_board: int
) -> tuple[Split, ...]:
    """The hands are sorted first, whoever holds them: duplicate deals move them from seat to seat."""
    order = sorted(seats, key=hands.__getitem__)
    held = tuple(hands[seat] for seat in order)
    dead = sum(int(combos().mask[hands[seat]]) for seat in dealt if seat not in seats)
    if board or dead or len(held) > 2:
        counts = winner_counts(held, board, dead, showdown_board)
    else:
        counts = _duel(_canonical_pair(*held), showdown_board)
    bit = {seat: 1 << index for index, seat in enumerate(order)}
    return tuple((tuple(seat for seat in seats if winners & bit[seat]), times) for winners, times in counts)


@lru_cache(_MATCHUPS)
def _duel(held: tuple[Hand, Hand], showdown_board: int) -> Counts:
    """Two hands and no board: a third of a millisecond, cached because matchups are few and repeat often."""
    return winner_counts(held, (), 0, showdown_board)


def _canonical_pair(one: Hand, other: Hand) -> tuple[Hand, Hand]:
    """The two hands with the suits permuted so that their numbers are the smallest."""
    image = combos().image
    label = int((image[:, one] * COMBOS + image[:, other]).argmin())
    return int(image[label, one]), int(image[label, other])
