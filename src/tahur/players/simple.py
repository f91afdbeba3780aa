"""Players that need no thought, for tests and as the first rung of every ladder."""

from __future__ import annotations

import numpy as np

from tahur.core.player import Decision, View
from tahur.core.record import Seen


class RandomPlayer:
    """Plays any legal action, each equally likely."""

    def begin(self, view: View, rng: np.random.Generator) -> None:
        """Nothing to prepare."""

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        actions = view.table.actions()
        return Decision(actions[int(rng.random() * len(actions))])

    def learn(self, seen: Seen) -> None:
        """Nothing to remember."""
