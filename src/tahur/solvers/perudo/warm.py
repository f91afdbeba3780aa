"""Call every kernel of the Perudo solver once, on the smallest round, so that compilation does not delay later work."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tahur.games.perudo.game import perudo
from tahur.solvers.perudo.exact.polish import polished
from tahur.solvers.perudo.kernels import shares_of
from tahur.solvers.perudo.ladder_tables import rungs_of
from tahur.solvers.perudo.recall.solver import RecallSolver
from tahur.solvers.perudo.solver import RoundSolver


def warm_up() -> Iterator[str]:
    """Compile or load the kernels, yielding the name of each group before it starts."""
    game = perudo(rules="classic", cups=(1, 1))
    for kind in (np.float64, np.float32):
        yield f"rounds of Perudo, {np.dtype(kind).name}"
        solver = RoundSolver(game, dtype=kind)
        solver.iterate(1)
        solver.strategy(solver.measure())
        whole, result = np.ones(1, kind)[0], np.zeros(solver.ladder.size, np.uint16)
        shares_of(rungs_of(solver.ladder), solver._sides[0], solver.buffers.averages, result, whole, whole)
    yield "rounds of Perudo, to the end"
    solver = RoundSolver(perudo(cups=(1, 1)))  # palifico: the smallest there is
    solver.iterate(20)
    for _ in polished(solver, target=1e-3):
        pass
    yield "rounds of Perudo, imperfect recall"
    recalled = RecallSolver(game)
    recalled.iterate(1)
    recalled.strategy(recalled.measure())
