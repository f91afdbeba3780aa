"""What an action is, whatever the game: read off its label, so that a simple player can sit at every table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum

from tahur.core.game import Action
from tahur.core.player import View


class ActionKind(Enum):
    """Folding, checking and so on; a bid is a number of dice, a doubt is `dudo` or `liar`."""

    FOLD = ("fold",)
    CHECK = ("check", "pass")
    CALL = ("call",)
    RAISE = ("bet", "raise")
    DOUBT = ("dudo", "liar")
    BID = tuple("0123456789")
    OTHER = ("",)


def kind_of(view: View, action: Action) -> ActionKind:
    """What the seat to act would do by that action."""
    label = view.game.label(view.table, action)
    return next(kind for kind in ActionKind if label.startswith(kind.value))


def first_of(view: View, kinds: Iterable[ActionKind]) -> Action:
    """The lowest action of the first kind that there is; the lowest of all if there is none.

    Only the ends of a long list are looked at: what is not one of many sizes stands before them or after.
    """
    actions: Sequence[Action] = view.table.actions()
    ends = (*actions[:3], actions[-1])
    found = {kind_of(view, action): action for action in reversed(ends)}
    return next((found[kind] for kind in kinds if kind in found), actions[0])
