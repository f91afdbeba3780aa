"""A strategy maps a view to action probabilities. Solvers write strategies, players read them, the arena uses them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Protocol, runtime_checkable

import numpy as np

from tahur.core.game import Action, Game
from tahur.core.player import View

PLAYED: Final = "the table plays"  # how `misfit` introduces the game that does not fit, unless it is told otherwise


@runtime_checkable
class Strategy(Protocol):
    """Known action probabilities. A player that is also a strategy always draws its actions from them."""

    def probabilities(self, view: View) -> Mapping[Action, float]:
        """The probability of each action; they add up to 1, and an action that is missing is never played."""
        ...


class Fitted(Strategy, Protocol):
    """A strategy read from a file, valid for one game."""

    def misfit(self, game: Game[Any]) -> str | None:
        """Why it cannot be played in that game, as a sentence; None if it can."""
        ...


@runtime_checkable
class Explained(Protocol):
    """A strategy that can explain its decisions."""

    def thought(self, view: View) -> str: ...


def draw(probabilities: Mapping[Action, float], rng: np.random.Generator) -> Action:
    """Draw one action, using one number of the random stream."""
    left = rng.random()
    for action, probability in probabilities.items():
        left -= probability
        if left < 0:
            return action
    return max(probabilities, key=probabilities.__getitem__)  # rounding: the probabilities add up to less than 1
