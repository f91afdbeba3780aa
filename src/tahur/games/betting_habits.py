"""How somebody plays the small betting games: Kuhn and Leduc, whose labels say what an action is."""

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

EACH: Final = (BET, FOLD, CALL, RAISE, BLUFF_SHARE, BLUFF, WON_AT_SHOWDOWN)
_AGGRESSIVE: Final = ("bet", "raise")

IsWeak = Callable[[Any, Any, Hand], bool]  # of a game, a table and a hand: does it win less than half the time?


def betting_habits(is_weak: IsWeak, each: tuple[Habit, ...] = EACH) -> Habits:
    """The habits of a game with such hands; of a game in which nobody raises, all but that."""
    return Habits(each, partial(_count, is_weak=is_weak))


def _count(sheet: HabitCounts, game: Any, record: Record, tables: Sequence[Any], *, is_weak: IsWeak) -> None:
    for table, action in zip(tables, record.actions, strict=False):
        if table.turn != CHANCE:
            _count_turn(sheet, game, table, action)
            _count_bluff(sheet, game, table, action, weak=is_weak(game, table, record.hands[table.turn]))
    for seat in game.revealed(tables[-1]):
        sheet.chance(seat, WON_AT_SHOWDOWN, record.payoffs[seat] >= 0)


def _count_turn(sheet: HabitCounts, game: Any, table: Any, action: Action) -> None:
    seat, label = table.turn, game.label(table, action)
    legal = [game.label(table, each) for each in table.actions()]
    if "fold" not in legal:
        if any(each.startswith(_AGGRESSIVE) for each in legal):
            sheet.chance(seat, BET, label.startswith(_AGGRESSIVE))
        return
    sheet.chance(seat, FOLD, label == "fold")
    sheet.chance(seat, CALL, label == "call")
    if any(each.startswith(_AGGRESSIVE) for each in legal):
        sheet.chance(seat, RAISE, label.startswith(_AGGRESSIVE))


def _count_bluff(sheet: HabitCounts, game: Any, table: Any, action: Action, *, weak: bool) -> None:
    bets = game.label(table, action).startswith(_AGGRESSIVE)
    if bets:
        sheet.chance(table.turn, BLUFF_SHARE, weak)
    if weak and any(game.label(table, each).startswith(_AGGRESSIVE) for each in table.actions()):
        sheet.chance(table.turn, BLUFF, bets)
