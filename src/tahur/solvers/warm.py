"""Call every solver kernel once, so that compiling is over before a person waits for a solution."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tahur.core.game import Solvable
from tahur.solvers.cfr import Solver
from tahur.solvers.sampling import Sampler, Sampling
from tahur.solvers.unroll import unroll


def warm_up(game: Solvable[Any]) -> Iterator[str]:
    """Compile or load the kernels, naming each group before it; any small game will do."""
    tree = unroll(game)
    for kind in (np.float64, np.float32):
        yield f"solver, {np.dtype(kind).name}"
        solver = Solver(tree, dtype=kind)
        solver.advance(1)
        solver.measure()
        solver.is_sound()
    yield "solver, samples"
    Sampler(unroll(game, merge=False), Sampling.EXTERNAL, np.random.default_rng(0)).advance(1)
