"""A mind asked everything twice, from the same randomness: it must answer the same."""

from __future__ import annotations

import numpy as np

from tahur.core.player import Decision, Player, View
from tahur.core.record import Seen


class Twice:
    """Lets a player decide, and decide again."""

    def __init__(self, player: Player) -> None:
        self.player = player

    def begin(self, view: View, rng: np.random.Generator) -> None:
        self.player.begin(view, rng)

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        before = rng.bit_generator.state
        first = self.player.act(view, rng)
        rng.bit_generator.state = before
        assert self.player.act(view, rng) == first
        return first

    def learn(self, seen: Seen) -> None:
        self.player.learn(seen)
