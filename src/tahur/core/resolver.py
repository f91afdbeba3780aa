"""What each hand of a seat does at a decision, and what its actions are worth: the answer that a `Resolver` gives.

Solvers implement the protocol; players, reviews, measurements and charts use it without importing a solver.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from tahur.core.arrays import Float64s
from tahur.core.game import Action, Game


@dataclass(frozen=True, slots=True, eq=False)
class ResolvedDecision:
    """One decision, for all hands of the seat to act.

    Columns of hands that are impossible on the board have probabilities, too, which mean nothing.
    """

    actions: tuple[Action, ...]  # ascending
    mix: Float64s  # (actions, hands) probabilities
    ranges: tuple[Float64s, ...]  # of each seat: (hands,) the probability of its actions so far, 0 for impossible hands
    values: Float64s | None = None  # (actions, hands) expected chips compared with folding now; None if unknown
    note: str = ""  # how it was found, as a sentence for people


@runtime_checkable
class Resolver(Protocol):
    """Answers for any decision of a deal, from the public state alone."""

    def misfit(self, game: Game[Any]) -> str | None:
        """Why it cannot answer for that game, as a sentence; None if it can."""
        ...

    def resolve(self, table: Any, /) -> ResolvedDecision:
        """The decision of the seat to act at a table. The same table gets the same answer."""
        ...


@runtime_checkable
class Resolving(Protocol):
    """A player that acts by a resolver, which says what it does with all hands at once."""

    def resolver_for(self, game: Game[Any]) -> Resolver | None:
        """The resolver by which it plays that game; None if it plays it otherwise."""
        ...
