"""A player that follows a solved strategy: `strategy:FILE`, where the file was written by `tahur solve`.

Other kinds of files are read by functions that the caller passes in, since players and solvers do not import each
other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tahur.core.archive import BUCKETS, FLOPS, ROUND, kind_of
from tahur.core.errors import PlayerError
from tahur.core.game import Action, Game
from tahur.core.player import Decision, View
from tahur.core.record import Seen
from tahur.core.strategy import Explained, Fitted, draw
from tahur.core.strategy_file import read_solution
from tahur.games.perudo.solved import read_round

Reader = Callable[[Path], Fitted | None]  # None: not a file of this reader's kind


@dataclass(frozen=True, slots=True, eq=False)
class SolvedPlayer:
    """Draws its actions from the strategy for the seat it sits in; remembers nothing."""

    solution: Fitted

    def plays(self, game: Game[Any]) -> bool:
        return self.solution.misfit(game) is None

    def why_not(self, game: Game[Any]) -> str | None:
        """Why it cannot play that game, as a sentence; None if it can."""
        return self.solution.misfit(game)

    def begin(self, view: View, rng: np.random.Generator) -> None:
        """Does nothing."""

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        thought = self.solution.thought(view) if isinstance(self.solution, Explained) else ""
        return Decision(draw(self.probabilities(view), rng), thought)

    def learn(self, seen: Seen) -> None:
        """Does nothing."""

    def probabilities(self, view: View) -> Mapping[Action, float]:
        return self.solution.probabilities(view)


def solved_from_file(file: str, readers: Sequence[Reader] = ()) -> SolvedPlayer:
    """The player of the strategy in a file: read by one of the readers, else as a file of `tahur solve`."""
    if not file:
        raise PlayerError("strategy: no file; write one, such as strategy:leduc.tahur from 'tahur solve leduc'")
    for reader in readers:
        strategy = reader(Path(file))
        if strategy is not None:
            return SolvedPlayer(strategy)
    return SolvedPlayer(_read(Path(file)))


def _read(path: Path) -> Fitted:
    """The strategy in a file; the readers of tables for limit hold'em load Numba, so they are imported when needed."""
    kind = kind_of(path)
    if kind == ROUND.name:
        return read_round(path)
    if kind == BUCKETS.name:
        from tahur.games.holdem.bucket_table import read_bucket_table

        return read_bucket_table(path)
    if kind == FLOPS.name:
        from tahur.games.holdem.flop_table import read_flop_table

        return read_flop_table(path)
    return read_solution(path)
