"""What a hold'em table is worth to each seat, all hands known, if everybody checks or calls from here to the end.

How the chips lie at the showdown is then settled, and only the board is open: every run-out that the dealt hands leave
possible (cards of folded hands cannot come) is counted, and the whole chips of each pot, odd ones included, are paid
as the rules pay them. So the mean of the payoffs is exact. Who wins depends on the cards alone: one count serves all
the bets that could be made on the same board, and is remembered.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import comb
from typing import Final

from tahur.cards.cards import COMBOS, DECK_SIZE
from tahur.cards.equity.tables import combos
from tahur.cards.equity.winners import winner_counts
from tahur.core.game import Hand, Seat
from tahur.games.holdem.pots import pots_of
from tahur.games.holdem.table import Chips, HoldemTable

_LATEST: Final = 256  # boards of the deals just looked at
_MATCHUPS: Final = 1 << 17  # room for every two hands before the flop, suits aside

Board = tuple[int, ...]
Counts = tuple[tuple[int, int], ...]  # winners, as bits, and over how many run-outs they win
Split = tuple[tuple[Seat, ...], int]  # who wins a pot, in the order of odd chips, and over how many run-outs


def called_down(table: HoldemTable, hands: Sequence[Hand]) -> tuple[float, ...]:
    """The exact mean of the payoffs if everybody checks or calls. Two seats or more have not folded."""
    committed = _once_called(table)
    runouts = _runouts(table)
    won = [0] * len(committed)
    for pot in pots_of(committed, table.live):
        for seats, times in _splits(pot.seats, table, hands):
            share, odd = divmod(pot.chips, len(seats))
            for seat in seats:
                won[seat] += times * share
            won[seats[0]] += times * odd
    return tuple([chips / runouts - paid for chips, paid in zip(won, committed, strict=True)])


def luck_of_deal(table: HoldemTable, hands: Sequence[Hand]) -> tuple[float, ...]:
    """What each seat wins more than its part of the pots that the first table holds once all have called.

    Here a split pot is divided to the fraction: then no seat has more of a pot than another on average over all
    deals, which whole chips would not give, since odd ones go to the first seat.
    """
    luck = [0.0] * len(hands)
    runouts = _runouts(table)
    for pot in pots_of(_once_called(table), table.live):
        for seat in pot.seats:
            luck[seat] -= pot.chips / len(pot.seats)
        for seats, times in _splits(pot.seats, table, hands):
            for seat in seats:
                luck[seat] += pot.chips * times / (len(seats) * runouts)
    return tuple(luck)


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
