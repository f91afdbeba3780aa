"""The mind that plays for a player whose time is up: never calza, dudo only when it must, else the lowest bid.

It is meant as a penalty: it bids without support and accepts bids that are false three times out of four.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from tahur.core.game import Action, Game
from tahur.core.player import Decision, View
from tahur.core.record import Seen
from tahur.games.perudo.bids import DUDO, FIRST_BID, chance_of, count_of, face_of
from tahur.games.perudo.game import Perudo
from tahur.games.perudo.table import PerudoTable
from tahur.players.perudo.odds import at_least
from tahur.players.perudo.situation import matches_of

DOUBTS: Final = 0.8  # the probability of a false bid above which it calls dudo


class TimeoutMind:
    """Remembers nothing."""

    learns = False

    def plays(self, game: Game[Any]) -> bool:
        return isinstance(game, Perudo)

    def begin(self, view: View, rng: np.random.Generator) -> None:
        """Does nothing."""

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        return Decision(self._choice(view))

    def learn(self, seen: Seen) -> None:
        """Does nothing."""

    def probabilities(self, view: View) -> Mapping[Action, float]:
        return {self._choice(view): 1.0}

    def _choice(self, view: View) -> Action:
        table: PerudoTable = view.table
        lowest = next((action for action in table.actions() if action >= FIRST_BID), None)
        if lowest is None or (table.history and failure(view) > DOUBTS):
            return DUDO
        return lowest


def failure(view: View) -> float:
    """The probability that the standing bid is false, given the own dice alone."""
    assert view.hand is not None
    table = view.table
    count, face = count_of(table.standing), face_of(table.standing)
    unknown = table.round.total - table.cups[view.seat]
    matches = matches_of(view.hand, table.wild)[face]
    return 1 - at_least(count - matches, unknown, chance_of(face, wild=table.wild))
