"""A strategy: a view in, probabilities of actions out. Solvers write it, players read it, the arena reckons with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

import numpy as np

from tahur.core.game import Action
from tahur.core.player import View


@runtime_checkable
class Strategy(Protocol):
    """Known chances. A player that is also a strategy draws its actions from them, whatever it thinks or says."""

    def probabilities(self, view: View) -> Mapping[Action, float]:
        """How likely each action is; they add up to 1, and an action that is left out is never played."""
        ...


def draw(probabilities: Mapping[Action, float], rng: np.random.Generator) -> Action:
    """One action, by one number of the stream."""
    left = rng.random()
    for action, probability in probabilities.items():
        left -= probability
        if left < 0:
            return action
    return max(probabilities, key=probabilities.__getitem__)  # rounding left a little over
