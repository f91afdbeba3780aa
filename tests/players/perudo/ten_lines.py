"""A bot of ten lines: the likeliest legal raise, or dudo if the standing bid is likelier false than that raise true."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tahur.arena.match import run
from tahur.core.player import Decision, View
from tahur.core.record import Seen
from tahur.games.perudo.bids import DUDO, FACES
from tahur.games.perudo.game import decided, perudo
from tahur.games.registry import game_of
from tahur.players.perudo.expectation import chances


class TenLines:
    """Takes every unknown die for fair, and never calls calza."""

    learns = False

    def begin(self, view: View, rng: np.random.Generator) -> None:
        """Nothing to prepare."""

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        table = view.table
        raises = [low for face in FACES if (low := table.lowest(face)) is not None]
        likeliest = max(raises, key=lambda each: chances(view, each)[0], default=None)
        if likeliest is None:
            return Decision(DUDO)
        false = 0.0 if table.standing is None else 1 - chances(view, table.standing)[0]
        return Decision(DUDO if false > chances(view, likeliest)[0] else likeliest)

    def learn(self, seen: Seen) -> None:
        """Nothing to remember."""


def matches_won(players: Sequence[Any], games: int) -> float:
    """The part of matches between two that the first wins, by the rules of faroleo, both chairs in turn."""
    won = 0.0
    for number in range(games):
        first = number % 2
        *_, last = run(perudo(), [players[first], players[1 - first]], seed=number // 2)
        won += decided(game_of(last), last)[first]
    return won / games
