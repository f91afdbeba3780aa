"""A strategy: a view in, probabilities of actions out. Solvers write it, players read it, the arena reckons with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

import numpy as np

from tahur.core.game import Action, Game
from tahur.core.player import View


@runtime_checkable
class Strategy(Protocol):
    """Known chances. A player that is also a strategy draws its actions from them, whatever it thinks or says."""

    def probabilities(self, view: View) -> Mapping[Action, float]:
        """How likely each action is; they add up to 1, and an action that is left out is never played."""
        ...


class Fitted(Strategy, Protocol):
    """A strategy out of a file, which is for one game."""

    def misfit(self, game: Game[Any]) -> str | None:
        """Why it cannot be played at that game, in a sentence; None if it can."""
        ...


@runtime_checkable
class Explained(Protocol):
    """A strategy that has something to say about what it does."""

    def thought(self, view: View) -> str: ...


def draw(probabilities: Mapping[Action, float], rng: np.random.Generator) -> Action:
    """One action, by one number of the stream."""
    left = rng.random()
    for action, probability in probabilities.items():
        left -= probability
        if left < 0:
            return action
    return max(probabilities, key=probabilities.__getitem__)  # rounding left a little over
