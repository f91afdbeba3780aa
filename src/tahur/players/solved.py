"""A player that follows a solved strategy: `strategy:FILE`, where the file is what `tahur solve` wrote."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tahur.core.errors import PlayerError
from tahur.core.game import Action, Game
from tahur.core.player import Decision, View
from tahur.core.record import Seen
from tahur.core.solution import Solution
from tahur.core.strategy import draw
from tahur.core.strategy_file import read_solution


@dataclass(frozen=True, slots=True, eq=False)
class SolvedPlayer:
    """Draws its actions from the strategy of whichever seat it sits in; prepares nothing and remembers nothing."""

    solution: Solution

    def plays(self, game: Game[Any]) -> bool:
        return self.solution.facts.misfit(game) is None

    def why_not(self, game: Game[Any]) -> str | None:
        """Why it cannot sit there, in a sentence."""
        return self.solution.facts.misfit(game)

    def begin(self, view: View, rng: np.random.Generator) -> None:
        """Nothing to prepare."""

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        return Decision(draw(self.probabilities(view), rng))

    def learn(self, seen: Seen) -> None:
        """Nothing to remember."""

    def probabilities(self, view: View) -> Mapping[Action, float]:
        return self.solution.probabilities(view)


def solved_from_file(file: str) -> SolvedPlayer:
    """The player of the strategy in a file."""
    if not file:
        raise PlayerError("strategy: which file? Such as strategy:leduc.tahur, which 'tahur solve leduc' writes")
    return SolvedPlayer(read_solution(Path(file)))
