"""Call every solver kernel once, so that compilation is done before a user waits for a solution."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from tahur.core.game import Solvable
from tahur.solvers.cfr import CfrSolver
from tahur.solvers.sampled import SampledSolver, Sampling
from tahur.solvers.unroll import unroll


def warm_up(game: Solvable[Any], kinds: Sequence[DTypeLike] = (np.float64,)) -> Iterator[str]:
    """Compile or load the kernels, yielding the name of each group before it starts; any small game will do.

    The commands solve in float64. A caller that needs float32 compiles it too, or waits on first use.
    """
    tree = unroll(game)
    for kind in kinds:
        yield f"solver, {np.dtype(kind).name}"
        solver = CfrSolver(tree, dtype=kind)
        solver.iterate(1)
        solver.measure()
    yield "solver, samples"
    SampledSolver(unroll(game, merge=False), Sampling.EXTERNAL, np.random.default_rng(0)).iterate(1)
