"""Sampled CFR with the interface of a `Solver`, so that `run`, files and commands treat it like any other.

It has the name of a schedule instead of a schedule: samples are not weighted. Besides its state it stores the word of
its random stream, so that it too resumes bit for bit.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tahur.core.errors import SolverError
from tahur.solvers.cfr import CfrState
from tahur.solvers.response import Measure
from tahur.solvers.sampling import Sampler, Sampling
from tahur.solvers.schedule import Schedule
from tahur.solvers.tree import Tree

SAMPLED: Final[Mapping[str, Sampling]] = {each.value: each for each in (Sampling.EXTERNAL, Sampling.CHANCE)}


class SampledSolver:
    """Solves one game by sampling, on a tree that is not merged."""

    def __init__(self, tree: Tree, name: str, rng: np.random.Generator) -> None:
        self.tree = tree
        self.schedule = Schedule(name)
        self._sampler = Sampler(tree, SAMPLED[name], rng)

    @property
    def iteration(self) -> int:
        return self._sampler.iteration

    @property
    def state(self) -> CfrState:
        return self._sampler.state

    @property
    def word(self) -> NDArray[np.uint64]:
        """The state of the random stream; a solver with another word draws other samples."""
        return self._sampler.word

    def advance(self, iterations: int) -> None:
        self._sampler.advance(iterations)

    def strategy(self) -> NDArray[np.float64]:
        return self._sampler.strategy()

    def measure(self) -> Measure:
        return self._sampler.measure()

    def is_sound(self) -> bool:
        state = self.state
        return bool(np.isfinite(state.regrets).all() and np.isfinite(state.averages).all())

    def restore(self, state: CfrState, word: NDArray[np.uint64] | None = None) -> None:
        """Replace the current state; without its word, the samples that follow differ."""
        ours = self.state
        if ours.regrets.shape != state.regrets.shape or ours.averages.shape != state.averages.shape:
            raise SolverError(f"{self.tree.game.name} by {self.schedule.name}: the given state does not fit this tree")
        ours.regrets[:], ours.averages[:] = state.regrets, state.averages
        self._sampler.iteration = state.iteration
        if word is not None:
            self._sampler.word[:] = word
