"""Simple players, for tests and as baselines. Their action probabilities are known exactly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from math import log

import numpy as np

from tahur.core.game import Action
from tahur.core.player import Decision, View
from tahur.core.record import Seen
from tahur.core.strategy import draw
from tahur.games.holdem.fourteen import ALL_IN, MIN_RAISE, action_of, legal_mask, situation_of
from tahur.games.holdem.stakes import NoLimit
from tahur.games.holdem.table import CALL, HoldemTable


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


class _Thoughtless:
    """A player that prepares nothing, remembers nothing and ignores its hand."""

    learns = False
    blind = True

    def begin(self, view: View, rng: np.random.Generator) -> None:
        """Does nothing."""

    def learn(self, seen: Seen) -> None:
        """Does nothing."""


class RandomPlayer(_Thoughtless):
    """Plays a random legal action. In hold'em it first draws fold, call or raise, then, for a raise, the size.

    Of `n` sizes, smallest first, size number k has the probability log(1 + 1/k) / log(n + 1): small raises are likelier
    than large ones, and 10 to 20 chips are as likely as 100 to 200.
    """

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        actions = view.table.actions()
        index = int(rng.random() * len(actions))
        if isinstance(view.table, HoldemTable):
            index = _kind_then_size(view.table, rng)
        return Decision(actions[index])

    def probabilities(self, view: View) -> Mapping[Action, float]:
        """One entry per size, which can be thousands at a deep no-limit table."""
        actions = view.table.actions()
        if not isinstance(view.table, HoldemTable):
            return dict.fromkeys(actions, 1 / len(actions))
        sizes = len(view.table.raises)
        others = len(actions) - sizes
        kinds = others + (sizes > 0)
        chances = [1.0] * others + [log(1 + 1 / size) / log(sizes + 1) for size in range(1, sizes + 1)]
        return {action: chance / kinds for action, chance in zip(actions, chances, strict=True)}


def _kind_then_size(table: HoldemTable, rng: np.random.Generator) -> int:
    """An index into the table's actions, with the probabilities of `probabilities`."""
    sizes = len(table.raises)
    others = len(table.actions()) - sizes
    kind = int(rng.random() * (others + (sizes > 0)))
    return kind if kind < others else others + min(sizes, int((sizes + 1) ** rng.random())) - 1


class _Settled(_Thoughtless):
    """Always plays the lowest action of the first of its kinds that is legal."""

    kinds: tuple[ActionKind, ...] = ()

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        return Decision(first_of(view, self.kinds))

    def probabilities(self, view: View) -> Mapping[Action, float]:
        return {first_of(view, self.kinds): 1.0}


class Caller(_Settled):
    """Checks or calls. In games without a call it makes the lowest bid, and doubts when no bid is left."""

    kinds = (ActionKind.CHECK, ActionKind.CALL, ActionKind.BID)


class Folder(_Settled):
    """Checks if it can, else folds. In a dice game it doubts the first bid."""

    kinds = (ActionKind.CHECK, ActionKind.FOLD, ActionKind.DOUBT, ActionKind.BID)


MANIAC_SIZES: Mapping[int, float] = {6: 0.2, 7: 0.2, 8: 0.3, 10: 0.2, 13: 0.1}
"""The weights of the fourteen actions, among those that are legal: 50, 75, 100 and 150 % of the pot, and all-in."""


class Maniac(_Thoughtless):
    """Bets and raises whenever it can, else calls; never folds.

    The sizes are `MANIAC_SIZES` in no-limit, and the only size in limit. In a dice game it never doubts while it can
    bid: one of the three lowest bids, with equal probability.
    """

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        return Decision(draw(self.probabilities(view), rng))

    def probabilities(self, view: View) -> Mapping[Action, float]:
        if isinstance(view.table, HoldemTable):
            return raises_of(view.table, MANIAC_SIZES) or {CALL: 1.0}
        bids = [action for action in view.table.actions()[:5] if kind_of(view, action) is ActionKind.BID][:3]
        if bids:
            return dict.fromkeys(bids, 1 / len(bids))
        return {first_of(view, (ActionKind.RAISE, ActionKind.CALL, ActionKind.CHECK)): 1.0}


def raises_of(table: HoldemTable, mix: Mapping[int, float]) -> dict[Action, float]:
    """The probability of each raise, given the wanted probabilities of the fourteen actions; empty if none is legal.

    The probability of masked actions is shared among the others in proportion. If the whole mix is masked, the result
    is the smallest legal raise above the lowest action of the mix: a pot too small for a half-pot bet has a larger one.
    """
    raises = table.raises
    if not raises:
        return {}
    if not isinstance(table.stakes.structure, NoLimit):
        return {raises[0] + 1: 1.0}
    situation = situation_of(table)
    mask = legal_mask(situation)
    legal = {index: chance for index, chance in mix.items() if mask[index]}
    if not legal:
        least = max(MIN_RAISE, min(mix))
        legal = {next(index for index in range(least, ALL_IN + 1) if mask[index]): 1.0}
    total = sum(legal.values())
    return {action_of(situation, index): chance / total for index, chance in legal.items()}
