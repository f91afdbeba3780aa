"""Actions that must not be offered, whatever the profile or the mood, and a safety check of menus.

A fold is blocked when it gives up too much: the equity is many times what the call requires, the hand is a monster, or
the seat has put in more than it has left. A call is blocked when the hand is drawing dead. Three exceptions keep menus
from being empty or absurd: a fold is never blocked below `DEAD` (then the call is), nor if the only alternative below
`HOPELESS` is to put the whole stack in; and where checking is free, folding is not an option at all.
"""

from __future__ import annotations

from typing import Final

from tahur.players.bounded.options import Blocked, Label, Menu, Option, OptionKind
from tahur.players.bounded.profiles import OptionProfile
from tahur.players.bounded.situation import Situation

DEAD: Final = 0.05  # equity
HOPELESS: Final = 0.25  # equity; with less, no menu forces the whole stack in
MONSTER: Final = 0.90  # equity
MONSTER_HEADS_UP: Final = 0.75  # equity, against one opponent
HAIR: Final = 1e-9  # tolerance, so that 45 % is not more than 1.5 x 30 % by rounding


def blocked_of(situation: Situation, profile: OptionProfile) -> tuple[Blocked, ...]:
    """The blocked actions and the reasons; none where checking is free."""
    if not situation.cost:
        return ()
    equity = situation.equity
    if equity < DEAD:
        return (Blocked(OptionKind.CALL, f"drawing dead: {equity:.1%} equity is below {DEAD:.0%}"),)
    reason = _why_no_fold(situation, profile)
    return (Blocked(OptionKind.FOLD, reason),) if reason else ()


def is_safe(menu: Menu, situation: Situation) -> bool:
    """Whether the menu is reasonable: not empty, not only bluffs, not only the whole stack with a hopeless hand."""
    options = menu.options
    if not options:
        return False
    if all(option.aggressive and option.label is Label.NEGATIVE for option in options):
        return False
    return situation.equity >= HOPELESS or not all(puts_stack_in(option, situation) for option in options)


def puts_stack_in(option: Option, situation: Situation) -> bool:
    """Whether the option leaves no chips behind."""
    if option.raise_to is None:
        return option.act is OptionKind.CALL and situation.cost >= situation.stack
    return option.raise_to >= situation.whole


def _why_no_fold(situation: Situation, profile: OptionProfile) -> str:
    """The reason why the menu does not offer a fold; "" if it does."""
    equity, required = situation.equity, situation.required
    if equity < HOPELESS and situation.cost >= situation.stack:
        return ""
    if equity > profile.fold_equity_multiplier * required + HAIR:
        return f"{equity:.1%} equity is more than {profile.fold_equity_multiplier:g} x the {required:.1%} required"
    monster = MONSTER_HEADS_UP if situation.opponents == 1 else MONSTER
    if equity >= monster:
        return f"a monster: {equity:.1%} equity is {monster:.0%} or more"
    if situation.committed > situation.stack and equity >= HOPELESS:
        return f"pot-committed: {situation.committed} in, {situation.stack} left, {equity:.1%} equity"
    return ""
