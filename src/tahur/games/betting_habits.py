"""Habits in the small betting games Kuhn and Leduc, where an action's label says what it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from tahur.core.game import CHANCE, Action, Hand
from tahur.core.habits import Habit, HabitCounts, Habits
from tahur.core.record import Record

BET: Final = Habit(
    "bet",
    "How often it bets when nobody has.",
    "bets",
    "turns with nothing to pay, if it can bet",
)
FOLD: Final = Habit(
    "fold",
    "How often it folds to a bet or a raise.",
    "folds",
    "turns with a bet to pay",
)
CALL: Final = Habit(
    "call",
    "How often it calls a bet or a raise.",
    "calls",
    "turns with a bet to pay",
)
RAISE: Final = Habit(
    "raise",
    "How often it raises a bet.",
    "raises",
    "turns with a bet to pay, if it can raise",
)
BLUFF_SHARE: Final = Habit(
    "bluff share",
    "How many of its bets and raises have a hand that wins less than half the time against any other.",
    "bets and raises with a weak hand",
    "bets and raises",
)
BLUFF: Final = Habit(
    "bluff",
    "How often it bets or raises with a hand that wins less than half the time against any other.",
    "bets and raises",
    "turns with a weak hand, if it can bet or raise",
)
WON_AT_SHOWDOWN: Final = Habit(
    "won at showdown",
    "How often it wins, or shares, when the hands are shown.",
    "showdowns it does not lose",
    "showdowns",
)

ALL_HABITS: Final = (BET, FOLD, CALL, RAISE, BLUFF_SHARE, BLUFF, WON_AT_SHOWDOWN)
_AGGRESSIVE: Final = ("bet", "raise")

IsWeak = Callable[[Any, Any, Hand], bool]  # (game, table, hand): whether the hand wins less than half the time


def betting_habits(is_weak: IsWeak, habits: tuple[Habit, ...] = ALL_HABITS) -> Habits:
    """The habits of a betting game; Kuhn passes all but `RAISE`, since nobody can raise."""
    return Habits(habits, partial(_count, is_weak=is_weak))


def _count(counts: HabitCounts, game: Any, record: Record, tables: Sequence[Any], *, is_weak: IsWeak) -> None:
    for table, action in zip(tables, record.actions, strict=False):
        if table.turn != CHANCE:
            _count_turn(counts, game, table, action)
            _count_bluff(counts, game, table, action, weak=is_weak(game, table, record.hands[table.turn]))
    for seat in game.revealed(tables[-1]):
        counts.chance(seat, WON_AT_SHOWDOWN, record.payoffs[seat] >= 0)


def _count_turn(counts: HabitCounts, game: Any, table: Any, action: Action) -> None:
    """Count one action: a bet where it was possible, or the answer to a bet (fold, call, raise)."""
    seat, label = table.turn, game.label(table, action)
    legal = [game.label(table, action) for action in table.actions()]
    if "fold" not in legal:
        if any(label.startswith(_AGGRESSIVE) for label in legal):
            counts.chance(seat, BET, label.startswith(_AGGRESSIVE))
        return
    counts.chance(seat, FOLD, label == "fold")
    counts.chance(seat, CALL, label == "call")
    if any(label.startswith(_AGGRESSIVE) for label in legal):
        counts.chance(seat, RAISE, label.startswith(_AGGRESSIVE))


def _count_bluff(counts: HabitCounts, game: Any, table: Any, action: Action, *, weak: bool) -> None:
    bets = game.label(table, action).startswith(_AGGRESSIVE)
    if bets:
        counts.chance(table.turn, BLUFF_SHARE, weak)
    if weak and any(game.label(table, choice).startswith(_AGGRESSIVE) for choice in table.actions()):
        counts.chance(table.turn, BLUFF, bets)
