"""The seat `solver`: heads-up no-limit hold'em by a resolver, which a command or the card room provides.

At a table for more than two it follows charts before the flop, where it is given any, and plays by pot odds later; its
thoughts say so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from tahur.core.game import Action, Game
from tahur.core.player import Decision, Player, View
from tahur.core.record import Seen
from tahur.core.resolver import Resolver
from tahur.core.strategy import Explained, Fitted, Strategy, draw
from tahur.games.holdem.rules import Holdem
from tahur.games.holdem.stakes import NoLimit


class SolverStrategy(Resolver, Fitted, Explained, Protocol):
    """What the seat needs of a resolver."""


class KnownPlayer(Player, Strategy, Protocol):
    """A player whose action probabilities are known."""


class PreflopCharts(Explained, Protocol):
    """Strategies before the flop at tables for more than two."""

    def lacks(self, table: Any, /) -> str:
        """Why there is no chart for a decision, as a sentence; empty if there is one."""
        ...

    def probabilities(self, view: View, /) -> Mapping[Action, float]:
        """The probability of each action with the viewer's hand."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class SolverPlayer:
    """Plays by the resolver where it can, then by charts, else as another player."""

    resolver: SolverStrategy
    substitute: KnownPlayer
    charts: PreflopCharts | None = None

    def plays(self, game: Game[Any]) -> bool:
        return isinstance(game, Holdem) and isinstance(game.stakes.structure, NoLimit)

    def why_not(self, game: Game[Any]) -> str | None:
        """Why it cannot play that game, as a sentence; None if it can."""
        return None if self.plays(game) else self.resolver.misfit(game)

    def begin(self, view: View, rng: np.random.Generator) -> None:
        if self.resolver.misfit(view.game) is not None:
            self.substitute.begin(view, rng)

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        reason = self.resolver.misfit(view.game)
        if reason is None:
            return Decision(draw(self.resolver.probabilities(view), rng), self.resolver.thought(view))
        if (charts := self._charts_for(view)) is not None:
            return Decision(draw(charts.probabilities(view), rng), charts.thought(view))
        decision = self.substitute.act(view, rng)
        return decision._replace(thought=f"{reason}, so I play by pot odds. {decision.thought}")

    def learn(self, seen: Seen) -> None:
        """Does nothing."""

    def probabilities(self, view: View) -> Mapping[Action, float]:
        """The probability of each action with the viewer's hand, as `act` draws it."""
        return (self.resolver_for(view.game) or self._charts_for(view) or self.substitute).probabilities(view)

    def resolver_for(self, game: Game[Any]) -> SolverStrategy | None:
        return self.resolver if self.resolver.misfit(game) is None else None

    def _charts_for(self, view: View) -> PreflopCharts | None:
        """The charts, if they have the decision."""
        has_chart = self.charts is not None and self.plays(view.game) and not self.charts.lacks(view.table)
        return self.charts if has_chart else None
