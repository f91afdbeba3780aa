"""`odds` in every supported game: pot odds in hold'em, the expected change in dice in Perudo.

The hold'em player is created when it is first needed: it loads the equity kernels, which Perudo does not use.
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


class _OddsStrategy(Protocol):
    def act(self, view: View, rng: np.random.Generator) -> Decision: ...

    def probabilities(self, view: View) -> Mapping[Action, float]: ...


class OddsAnywhere:
    """Remembers nothing."""

    learns = False

    def __init__(self) -> None:
        self._holdem: _OddsStrategy | None = None
        self._perudo: _OddsStrategy = OddsMind()

    def plays(self, game: Game[Any]) -> bool:
        return isinstance(game, Holdem | Perudo)

    def begin(self, view: View, rng: np.random.Generator) -> None:
        """Does nothing."""

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        return self.at(view.game).act(view, rng)

    def learn(self, seen: Seen) -> None:
        """Does nothing."""

    def probabilities(self, view: View) -> Mapping[Action, float]:
        return self.at(view.game).probabilities(view)

    def at(self, game: Game[Any]) -> _OddsStrategy:
        """The player for that game."""
        if isinstance(game, Perudo):
            return self._perudo
        if self._holdem is None:
            from tahur.players.odds.player import OddsPlayer

            self._holdem = OddsPlayer()
        return self._holdem
