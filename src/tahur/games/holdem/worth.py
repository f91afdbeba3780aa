"""What a hold'em table is worth to each seat, all hands known: the yardstick by which luck is measured.

One time in three all who owe chips fold; else they call, and from then on everybody checks. (If nobody ever folded, a
bluff would look like a gift and a fold like a stroke of luck, and what is left of results would be noisier.) How the
chips lie at the showdown is then settled, and only the board is open: every run-out that the dealt hands leave possible
(cards of folded hands cannot come) is counted, and the whole chips of each pot, odd ones included, are paid as the
rules pay them. So the mean is exact. Who wins depends on the cards alone: one count serves all the bets that could be
made on the same board, and is remembered.

A count before the flop takes a hundred times as long as one after it. So with more than two in, a table before the flop
is appraised only when the betting is done.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import comb
from typing import Final

from tahur.cards.cards import COMBOS, DECK_SIZE
from tahur.cards.equity.tables import combos
from tahur.cards.equity.winners import winner_counts
from tahur.core.game import CHANCE, Hand, Seat
from tahur.games.holdem.pots import pots_of
from tahur.games.holdem.table import Chips, HoldemTable

DUEL: Final = 2  # seats
FOLDS: Final = 1 / 3
_LATEST: Final = 256  # boards of the deals just looked at
_MATCHUPS: Final = 1 << 17  # room for every two hands before the flop, suits aside

Worth = tuple[float, ...]
Board = tuple[int, ...]
Counts = tuple[tuple[int, int], ...]  # winners, as bits, and over how many run-outs they win
Split = tuple[tuple[Seat, ...], int]  # who wins a pot, in the order of odd chips, and over how many run-outs


def worth(table: HoldemTable, hands: Sequence[Hand]) -> Worth | None:
    """The mean of the payoffs by the yardstick; the deal is not over. None: it would take too long to reckon."""
    if len(hands) == DUEL:
        return _worth_of_duel(table, hands)
    if not table.board and len(table.live) > DUEL and table.turn != CHANCE:
        return None
    called = _run_out(_once_called(table), table, table.live, hands)
    owing = [seat for seat in table.pending if table.bets[seat] < table.bet]
    if not owing:
        return called
    in_front = tuple([seat for seat in table.live if seat not in owing])
    folded = _run_out(table.committed, table, in_front, hands)
    return tuple([FOLDS * fold + (1 - FOLDS) * call for fold, call in zip(folded, called, strict=True)])


def luck_of_deal(table: HoldemTable, hands: Sequence[Hand]) -> Worth:
    """What the deal gave the two seats of a duel: nothing is said of more.

    The first table's pot is divided to the fraction; so over all deals neither seat has more of it than the other.
    """
    if len(table.live) != DUEL:
        return (0.0,) * len(hands)
    luck = [0.0] * len(hands)
    (pot, *_) = pots_of(_once_called(table), table.live)
    for seats, times in _splits(pot.seats, table, hands):
        for seat in seats:
            luck[seat] += pot.chips * times / (len(seats) * _runouts(table))
    return tuple([gain - pot.chips / DUEL if seat in pot.seats else 0.0 for seat, gain in enumerate(luck)])


def ahead(table: HoldemTable, hands: Sequence[Hand]) -> float:
    """How much more often the first of two seats wins than the other, over all run-outs that the hands leave."""
    more = _ahead(table.live, tuple(hands), table.board, table.stakes.showdown_board)
    return more / _runouts(table)


def _worth_of_duel(table: HoldemTable, hands: Sequence[Hand]) -> Worth:
    """The same for just two seats, some times as quick: an even pot is won, lost or split, and leaves no odd chip."""
    ahead = _ahead(table.live, tuple(hands), table.board, table.stakes.showdown_board)
    called = min(_once_called(table)) * ahead / _runouts(table)
    bets, turn = table.bets, table.turn
    if turn < 0 or bets[turn] == table.bet:
        return called, -called
    lost = table.stakes.stacks[turn] - table.stacks[turn]
    won = FOLDS * (lost if turn else -lost) + (1 - FOLDS) * called
    return won, -won


@lru_cache(_LATEST)
def _ahead(live: tuple[Seat, ...], hands: tuple[Hand, ...], board: Board, showdown_board: int) -> int:
    """Over how many run-outs more seat 0 wins than seat 1."""
    splits = _splits_of(live, hands, live, board, showdown_board)
    return sum(-times if seats[0] else times for seats, times in splits if len(seats) == 1)


def _run_out(committed: Chips, table: HoldemTable, live: tuple[Seat, ...], hands: Sequence[Hand]) -> Worth:
    """The exact mean of the payoffs if so much is in the middle, these have not folded and only cards are to come."""
    won = [0] * len(committed)
    for pot in pots_of(committed, live):
        for seats, times in _splits(pot.seats, table, hands):
            share, odd = divmod(pot.chips, len(seats))
            for seat in seats:
                won[seat] += times * share
            won[seats[0]] += times * odd
    runouts = _runouts(table)
    return tuple([chips / runouts - paid for chips, paid in zip(won, committed, strict=True)])


def _once_called(table: HoldemTable) -> Chips:
    """What each seat has in the middle when all who have not folded have matched the highest bet as far as they can."""
    bet, bets, stacks = table.bet, table.bets, table.stacks
    committed = list(table.committed)
    for seat in table.live:
        committed[seat] += min(bet - bets[seat], stacks[seat])
    return tuple(committed)


def _runouts(table: HoldemTable) -> int:
    """In how many ways the board can be completed; every seat dealt in holds two cards."""
    stakes, board = table.stakes, table.board
    unseen = DECK_SIZE - len(board) - 2 * len(stakes.order)
    return comb(unseen, stakes.showdown_board - len(board))


def _splits(seats: tuple[Seat, ...], table: HoldemTable, hands: Sequence[Hand]) -> tuple[Split, ...]:
    """Who wins a pot that these seats can win, over all run-outs."""
    if len(seats) == 1:  # nobody called it
        return ((seats, _runouts(table)),)
    stakes = table.stakes
    return _splits_of(seats, tuple(hands), stakes.order, table.board, stakes.showdown_board)


@lru_cache(_LATEST)
def _splits_of(
    seats: tuple[Seat, ...], hands: tuple[Hand, ...], dealt: tuple[Seat, ...], board: Board, showdown_board: int
) -> tuple[Split, ...]:
    """The hands are asked for in one order, whoever holds them: duplicate deals move them from seat to seat."""
    order = sorted(seats, key=hands.__getitem__)
    held = tuple(hands[seat] for seat in order)
    dead = sum(int(combos().mask[hands[seat]]) for seat in dealt if seat not in seats)
    if board or dead or len(held) > 2:
        counts = winner_counts(held, board, dead, showdown_board)
    else:
        counts = _duel(_least_alike(*held), showdown_board)
    bit = {seat: 1 << place for place, seat in enumerate(order)}
    return tuple((tuple(seat for seat in seats if winners & bit[seat]), times) for winners, times in counts)


@lru_cache(_MATCHUPS)
def _duel(held: tuple[Hand, Hand], showdown_board: int) -> Counts:
    """Two hands and no board: a third of a millisecond, for one of not so many matchups that come again and again."""
    return winner_counts(held, (), 0, showdown_board)


def _least_alike(one: Hand, other: Hand) -> tuple[Hand, Hand]:
    """The two hands with the suits exchanged so that their numbers are the least."""
    image = combos().image
    label = int((image[:, one] * COMBOS + image[:, other]).argmin())
    return int(image[label, one]), int(image[label, other])
