"""`odds`, whatever the table: hold'em by pot odds, Perudo by the expected change in dice.

The one for hold'em is made when it is first needed: it loads the equity kernels, and at Perudo nobody should wait.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from tahur.core.game import Action, Game
from tahur.core.player import Decision, View
from tahur.core.record import Seen
from tahur.games.holdem.rules import Holdem
from tahur.games.perudo.game import Perudo
from tahur.players.perudo.expectation import OddsMind


class _Reckoner(Protocol):
    def act(self, view: View, rng: np.random.Generator) -> Decision: ...

    def probabilities(self, view: View) -> Mapping[Action, float]: ...


class OddsAnywhere:
    """Remembers nothing."""

    learns = False

    def __init__(self) -> None:
        self._holdem: _Reckoner | None = None
        self._perudo: _Reckoner = OddsMind()

    def plays(self, game: Game[Any]) -> bool:
        return isinstance(game, Holdem | Perudo)

    def begin(self, view: View, rng: np.random.Generator) -> None:
        """Nothing to prepare."""

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        return self.at(view.game).act(view, rng)

    def learn(self, seen: Seen) -> None:
        """Nothing to remember."""

    def probabilities(self, view: View) -> Mapping[Action, float]:
        return self.at(view.game).probabilities(view)

    def at(self, game: Game[Any]) -> _Reckoner:
        """Who plays that game."""
        if isinstance(game, Perudo):
            return self._perudo
        if self._holdem is None:
            from tahur.players.odds.player import OddsPlayer

            self._holdem = OddsPlayer()
        return self._holdem
