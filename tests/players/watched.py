"""A player watched at every decision, and tables of all games to put it to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tahur.core.game import Game
from tahur.core.player import Decision, Player, View
from tahur.core.record import Seen
from tahur.games.registry import make

TABLES: dict[str, tuple[str, dict[str, Any]]] = {
    "nlhe, two": ("nlhe", {"seats": 2}),
    "nlhe, three, carried": ("nlhe", {"stacks": [40, 9, 61]}),
    "nlhe, four, ante": ("nlhe", {"seats": 4, "stack": 30, "ante": 3}),
    "nlhe, five, short": ("nlhe", {"stacks": [1, 2, 3, 5, 200], "carry": False}),
    "nlhe, six, big blinds": ("nlhe", {"seats": 6, "stack": 2000, "blinds": [5, 10], "carry": False}),
    "nlhe, free folds": ("nlhe", {"seats": 2, "free_folds": True, "carry": False}),
    "nlhe, nine": ("nlhe", {"seats": 9, "stack": 60, "carry": False}),
    "limit, two": ("limit", {"seats": 2, "carry": False}),
    "limit, six, short": ("limit", {"stacks": [3, 9, 11, 40, 2, 100], "carry": False}),
    "limit, four, ends on the flop": ("limit", {"seats": 4, "caps": [3, 3], "showdown_board": 3, "carry": False}),
    "hulh": ("hulh", {}),
    "acpc": ("acpc", {}),
    "fhp": ("fhp", {}),
    "fhp-3-4": ("fhp-3-4", {}),
    "spot, river": ("spot", {}),
    "spot, flop, odd pot": ("spot", {"board": "Td9d6h", "pot": 7, "stack": 20, "rake": 0.05}),
    "perudo, two": ("perudo", {}),
    "perudo, six": ("perudo", {"seats": 6}),
    "perudo, asmodee": ("perudo", {"seats": 3, "rules": "asmodee"}),
    "kuhn, two": ("kuhn", {}),
    "kuhn, four": ("kuhn", {"seats": 4}),
    "leduc": ("leduc", {}),
    "liar's dice": ("liars-dice", {}),
    "liar's dice, five": ("liars-dice", {"dice": 5}),
}


def table_named(name: str) -> Game[Any]:
    game, settings = TABLES[name]
    return make(game, settings)


class Watched:
    """Lets a player decide, twice from the same randomness, and holds it to the chances it tells."""

    def __init__(self, player: Any) -> None:
        self.player: Player = player
        self.views: list[View] = []

    def begin(self, view: View, rng: np.random.Generator) -> None:
        self.player.begin(view, rng)

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        self.views.append(view)
        before = rng.bit_generator.state
        first = self.player.act(view, rng)
        after = rng.bit_generator.state
        rng.bit_generator.state = before
        assert self.player.act(view, rng) == first
        np.testing.assert_equal(rng.bit_generator.state, after)
        self._check_chances(view, first)
        return first

    def learn(self, seen: Seen) -> None:
        self.player.learn(seen)

    def _check_chances(self, view: View, decision: Decision) -> None:
        chances = self.player.probabilities(view)  # type: ignore[attr-defined]
        legal = view.table.actions()
        assert all(action in legal for action in chances)
        assert min(chances.values()) >= 0
        assert sum(chances.values()) == pytest.approx(1, abs=1e-9)
        assert chances[decision.action] > 0
