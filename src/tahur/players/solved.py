"""A player that follows a solved strategy: `strategy:FILE`, where the file is what `tahur solve` wrote.

Other kinds of files are read by whoever knows them: a door hands in their readers, since players and solvers never
import each other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tahur.core.block_file import kind_of
from tahur.core.errors import PlayerError
from tahur.core.game import Action, Game
from tahur.core.player import Decision, View
from tahur.core.record import Seen
from tahur.core.strategy import Explained, Fitted, draw
from tahur.core.strategy_file import read_solution
from tahur.games.perudo.solved import is_round_file, read_round

Reader = Callable[[Path], Fitted | None]  # None: a file of another kind


@dataclass(frozen=True, slots=True, eq=False)
class SolvedPlayer:
    """Draws its actions from the strategy of whichever seat it sits in; prepares nothing and remembers nothing."""

    solution: Fitted

    def plays(self, game: Game[Any]) -> bool:
        return self.solution.misfit(game) is None

    def why_not(self, game: Game[Any]) -> str | None:
        """Why it cannot sit there, in a sentence."""
        return self.solution.misfit(game)

    def begin(self, view: View, rng: np.random.Generator) -> None:
        """Nothing to prepare."""

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        thought = self.solution.thought(view) if isinstance(self.solution, Explained) else ""
        return Decision(draw(self.probabilities(view), rng), thought)

    def learn(self, seen: Seen) -> None:
        """Nothing to remember."""

    def probabilities(self, view: View) -> Mapping[Action, float]:
        return self.solution.probabilities(view)


def solved_from_file(file: str, readers: Sequence[Reader] = ()) -> SolvedPlayer:
    """The player of the strategy in a file: what one of the readers knows, or else what `tahur solve` wrote."""
    if not file:
        raise PlayerError("strategy: which file? Such as strategy:leduc.tahur, which 'tahur solve leduc' writes")
    for reader in readers:
        found = reader(Path(file))
        if found is not None:
            return SolvedPlayer(found)
    if is_round_file(Path(file)):
        return SolvedPlayer(read_round(Path(file)))
    if (kind := kind_of(Path(file))) is not None:
        return SolvedPlayer(_of_blocks(Path(file), kind))
    return SolvedPlayer(read_solution(Path(file)))


def _of_blocks(path: Path, kind: str) -> Fitted:
    """A table too big for a `Solution`; its reader loads Numba, so only who asks for it waits."""
    from tahur.games.holdem import bucket_table, flop_table

    return bucket_table.read_bucket_table(path) if kind == bucket_table.KIND else flop_table.read_flop_table(path)
