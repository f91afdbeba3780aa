"""Kinds of actions in any game, derived from their labels, so that simple players can play every game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum

from tahur.core.game import Action
from tahur.core.player import View


class ActionKind(Enum):
    """Fold, check and so on; a bid is a number of dice, a doubt is `dudo` or `liar`."""

    FOLD = ("fold",)
    CHECK = ("check", "pass")
    CALL = ("call",)
    RAISE = ("bet", "raise")
    DOUBT = ("dudo", "liar")
    BID = tuple("0123456789")
    OTHER = ("",)


def kind_of(view: View, action: Action) -> ActionKind:
    """The kind of one of the legal actions of the seat to act."""
    label = view.game.label(view.table, action)
    return next(kind for kind in ActionKind if label.startswith(kind.value))


def first_of(view: View, kinds: Iterable[ActionKind]) -> Action:
    """The lowest action of the first of `kinds` that is legal; the lowest action of all if none is.

    Only both ends of a long list are examined: actions other than raise sizes come before or after the sizes.
    """
    actions: Sequence[Action] = view.table.actions()
    ends = (*actions[:3], actions[-1])
    actions_by_kind = {kind_of(view, action): action for action in reversed(ends)}
    return next((actions_by_kind[kind] for kind in kinds if kind in actions_by_kind), actions[0])
