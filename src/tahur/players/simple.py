"""Players that need no thought, for tests and as the first rung of every ladder."""

from __future__ import annotations

import numpy as np

from tahur.core.player import Decision, View
from tahur.core.record import Seen
from tahur.games.holdem.table import HoldemTable

_CALLS = ("check", "call", "pass")


class RandomPlayer:
    """Plays any legal action. Where raises are a wide range it first draws whether to raise, then by how much."""

    def begin(self, view: View, rng: np.random.Generator) -> None:
        """Nothing to prepare."""

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        actions = view.table.actions()
        place = int(rng.random() * len(actions))
        if isinstance(view.table, HoldemTable):
            place = _kind_then_size(view.table, rng)
        return Decision(actions[place])

    def learn(self, seen: Seen) -> None:
        """Nothing to remember."""


def _kind_then_size(table: HoldemTable, rng: np.random.Generator) -> int:
    """A place in the table's actions: fold, call and raise equally likely; small raises likelier than large ones."""
    others, sizes = len(table.actions()) - len(table.raises), len(table.raises)
    kind = int(rng.random() * (others + (sizes > 0)))
    return kind if kind < others else others + int(sizes ** rng.random()) - 1


class Caller:
    """Checks or calls; in a game without a call it takes the mildest action: the lowest bid of a bidding game."""

    def begin(self, view: View, rng: np.random.Generator) -> None:
        """Nothing to prepare."""

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        actions = view.table.actions()
        named = (action for action in actions[:3] if view.game.label(view.table, action).startswith(_CALLS))
        bids = (action for action in actions[:3] if view.game.label(view.table, action)[0].isdigit())
        return Decision(next(named, next(bids, actions[0])))

    def learn(self, seen: Seen) -> None:
        """Nothing to remember."""
