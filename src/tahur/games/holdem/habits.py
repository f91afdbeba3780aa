"""Habits in hold'em, the statistics that poker players know: VPIP, PFR, 3-bet, aggression, showdowns, bluffs.

The definitions, where trackers differ:

- VPIP and PFR count hands in which the seat had a decision before the flop: a walk is not a chance, nor is a hand whose
  blind took the last chip.
- A seat that cannot raise (the bet covers it, or the cap is reached) has no chance to 3-bet, 4-bet or bet the flop.
- Every all-in for more than the bet is a raise, however short.
- A seat that is still in when the flop is complete has seen it, all-in or not. Winning means taking chips from a pot: a
  share is enough, an uncalled bet that is returned is not.
- A bluff is a bet or a raise on the last board with a weak hand, one that wins less than half the time against a random
  hand; records contain all hands. A hand that is unknown is not a chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import DECK_SIZE, cards_of
from tahur.cards.evaluator import evaluate, evaluate_many
from tahur.core.game import CHANCE, Action, Hand, Seat
from tahur.core.habits import FigureKind, Habit, HabitCounts, Habits
from tahur.core.record import Record
from tahur.games.holdem.rules import NO_HAND
from tahur.games.holdem.stakes import FLOP
from tahur.games.holdem.table import CALL, FOLD, HoldemTable

VPIP: Final = Habit(
    "VPIP",
    "How often it pays to see a flop: it calls or raises before the flop; blinds, antes and checks do not count.",
    "hands with a call or a raise before the flop",
    "hands with a decision before the flop; walks left out",
)
PFR: Final = Habit(
    "PFR",
    "How often it raises before the flop, as the first or over others.",
    "hands with a raise before the flop",
    "hands with a decision before the flop; walks left out",
)
THREE_BET: Final = Habit(
    "3-bet",
    "How often it re-raises when there has been exactly one raise before the flop.",
    "re-raises",
    "turns before the flop after exactly one raise, if it can raise",
)
FOLD_TO_THREE_BET: Final = Habit(
    "fold to 3-bet",
    "How often it gives up its own first raise when somebody re-raises it and nobody else has.",
    "folds",
    "turns before the flop after exactly two raises, the first of them its own",
)
FOUR_BET: Final = Habit(
    "4-bet",
    "How often it raises when there have been exactly two raises before the flop, its own or cold.",
    "re-raises",
    "turns before the flop after exactly two raises, if it can raise",
)
C_BET: Final = Habit(
    "c-bet",
    "How often the last raiser before the flop bets the flop when nobody has bet before it.",
    "bets",
    "turns on an unbet flop of the last raiser before it, if it can bet",
)
FOLD_TO_C_BET: Final = Habit(
    "fold to c-bet",
    "How often it folds on the flop to the bet of the last raiser before it, not yet raised by anybody.",
    "folds",
    "turns on the flop after a c-bet and no raise",
)
AGGRESSION: Final = Habit(
    name="aggression factor",
    explanation="How many bets and raises it makes after the flop for each call.",
    hits="bets and raises after the flop",
    chances="calls after the flop",
    kind=FigureKind.ODDS,
    unit="for a call",
)
AGGRESSION_FREQUENCY: Final = Habit(
    "aggression frequency",
    "How often it bets or raises after the flop when it does more than check.",
    "bets and raises after the flop",
    "bets, raises, calls and folds after the flop",
)
FOLD_TO_BET: Final = Habit(
    "fold to a bet",
    "How often it folds after the flop when it has to pay.",
    "folds",
    "turns after the flop that owe a bet or a raise",
)
WENT_TO_SHOWDOWN: Final = Habit(
    "WTSD",
    "How often it goes to the showdown once it has seen the flop.",
    "showdowns",
    "hands in which it saw the flop, all-in or not",
)
WON_AT_SHOWDOWN: Final = Habit(
    "W$SD",
    "How often it takes chips from a pot at the showdown, a shared pot or a side pot included.",
    "showdowns with chips from a pot",
    "showdowns",
)
WON_WHEN_SAW_FLOP: Final = Habit(
    "WWSF",
    "How often it takes chips from a pot once it has seen the flop, with or without a showdown.",
    "hands with chips from a pot",
    "hands in which it saw the flop, all-in or not",
)
BLUFF_SHARE: Final = Habit(
    "river bluff share",
    "How many of its bets and raises on the last board have a hand that wins less than half against any two cards.",
    "bets and raises with a weak hand",
    "bets and raises on the last board",
)
BLUFF: Final = Habit(
    "river bluff",
    "How often it bets or raises on the last board with a hand that wins less than half against any two cards.",
    "bets and raises",
    "turns on the last board with a weak hand, if it can bet or raise",
)

ALL_HABITS: Final = (
    VPIP,
    PFR,
    THREE_BET,
    FOLD_TO_THREE_BET,
    FOUR_BET,
    C_BET,
    FOLD_TO_C_BET,
    AGGRESSION,
    AGGRESSION_FREQUENCY,
    FOLD_TO_BET,
    WENT_TO_SHOWDOWN,
    WON_AT_SHOWDOWN,
    WON_WHEN_SAW_FLOP,
    BLUFF_SHARE,
    BLUFF,
)


def count(counts: HabitCounts, game: Any, record: Record, tables: Sequence[HoldemTable]) -> None:
    """Count every habit of every seat in one hand."""
    turns = [(table, action) for table, action in zip(tables, record.actions, strict=False) if table.turn != CHANCE]
    after_flop = [(table, action) for table, action in turns if table.board]
    raisers = _count_before_flop(counts, turns[: len(turns) - len(after_flop)])
    _count_flop(counts, [turn for turn in after_flop if turn[0].street == 1], raisers)
    for table, action in after_flop:
        _count_bet(counts, table, action)
    _count_last_board(counts, after_flop, record.hands)
    _count_end(counts, tables, record.payoffs)


Turns = Sequence[tuple[HoldemTable, Action]]


def _count_before_flop(counts: HabitCounts, turns: Turns) -> list[Seat]:
    """Count the habits before the flop; returns the raisers, in order."""
    had_decision: dict[Seat, bool] = {}  # by seat: whether it called or raised
    raisers: list[Seat] = []
    for table, action in turns:
        seat, raises = table.turn, action > CALL
        _count_re_raise(counts, table, action, raisers)
        had_decision[seat] = had_decision.get(seat, False) or raises or (action == CALL and table.to_call > 0)
        if raises:
            raisers.append(seat)
    for seat, paid in had_decision.items():
        counts.chance(seat, VPIP, paid)
        counts.chance(seat, PFR, seat in raisers)
    return raisers


def _count_re_raise(counts: HabitCounts, table: HoldemTable, action: Action, raisers: Sequence[Seat]) -> None:
    if len(raisers) == 2 and raisers[0] == table.turn:
        counts.chance(table.turn, FOLD_TO_THREE_BET, action == FOLD)
    if len(raisers) in (1, 2) and table.raises:
        counts.chance(table.turn, (THREE_BET, FOUR_BET)[len(raisers) - 1], action > CALL)


def _count_flop(counts: HabitCounts, turns: Turns, raisers: Sequence[Seat]) -> None:
    """Count the c-bet of the last preflop raiser, and the responses to it."""
    last_raiser = raisers[-1] if raisers else None
    bettor: Seat | None = None
    for table, action in turns:
        seat = table.turn
        if seat == last_raiser and not table.raised and table.raises:
            counts.chance(seat, C_BET, action > CALL)
        if table.raised == 1 and bettor is not None and bettor == last_raiser:
            counts.chance(seat, FOLD_TO_C_BET, action == FOLD)
        if action > CALL and bettor is None:
            bettor = seat


def _count_bet(counts: HabitCounts, table: HoldemTable, action: Action) -> None:
    """Count one postflop action: aggression, and the answer to a bet."""
    seat, owes = table.turn, table.to_call > 0
    if action > CALL:
        counts.add(seat, AGGRESSION, 1, 0)
    elif action == CALL and owes:
        counts.add(seat, AGGRESSION, 0, 1)
    if owes or action != CALL:
        counts.chance(seat, AGGRESSION_FREQUENCY, action > CALL)
    if owes:
        counts.chance(seat, FOLD_TO_BET, action == FOLD)


def _count_last_board(counts: HabitCounts, turns: Turns, hands: Sequence[Hand]) -> None:
    """Count raises on the last street with known hands: how many are bluffs, and how often weak hands bluff."""
    for table, action in turns:
        hand = hands[table.turn]
        if len(table.board) < table.stakes.showdown_board or hand == NO_HAND or not table.raises:
            continue
        has_weak_hand, is_raise = is_weak(hand, table.board), action > CALL
        if is_raise:
            counts.chance(table.turn, BLUFF_SHARE, has_weak_hand)
        if has_weak_hand:
            counts.chance(table.turn, BLUFF, is_raise)


def _count_end(counts: HabitCounts, tables: Sequence[HoldemTable], payoffs: Sequence[float]) -> None:
    """Count, for seats that saw the flop, who went to showdown and who won."""
    last = tables[-1]
    flop = next((table for table in tables if len(table.board) == FLOP), None)
    showdown = last.live if len(last.live) > 1 else ()
    has_won = [paid + won > 0 for paid, won in zip(last.committed, payoffs, strict=True)]
    for seat in flop.live if flop else ():
        counts.chance(seat, WENT_TO_SHOWDOWN, seat in showdown)
        counts.chance(seat, WON_WHEN_SAW_FLOP, has_won[seat])
    for seat in showdown:
        counts.chance(seat, WON_AT_SHOWDOWN, has_won[seat])


def is_weak(hand: Hand, board: Sequence[int]) -> bool:
    """Whether a hand on a full board wins less than half of the time against a random hand, counting ties as half."""
    own = (*map(int, cards_of(hand)), *board)
    left = np.delete(np.arange(DECK_SIZE, dtype=np.uint8), own)
    others = np.empty((len(_pairs(len(left))), 2 + len(board)), dtype=np.uint8)
    others[:, :2] = left[_pairs(len(left))]
    others[:, 2:] = board
    ranks, rank = evaluate_many(others), evaluate(own)
    return bool(2 * np.count_nonzero(ranks < rank) + np.count_nonzero(ranks == rank) < len(ranks))


@cache
def _pairs(count: int) -> NDArray[np.intp]:
    """(n, 2): the index pairs of every two of `count` cards."""
    return np.stack(np.triu_indices(count, 1), axis=1)


HABITS: Final = Habits(ALL_HABITS, count)
