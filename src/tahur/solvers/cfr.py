"""Counterfactual regret minimisation on a flat tree: a `CfrSolver` that can be run for any number of iterations.

`run` yields its progress and can be left at any time; the solver keeps its state. That `CfrState` can be saved and
given to another solver, which continues bit for bit as this one would have. Non-finite values (NaN or
infinity) are detected after every block of iterations, and the solver then returns to the state before that block.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import DTypeLike, NDArray

from tahur.core.arrays import Array
from tahur.core.errors import SolverError
from tahur.solvers.interrupts import run_apart
from tahur.solvers.kernels.walks import UPDATE, all_finite, walks
from tahur.solvers.response import Judge, Measure, normalised
from tahur.solvers.schedule import CFR_PLUS, Schedule
from tahur.solvers.sides import buffers_of, side_of, work_of
from tahur.solvers.tree import ROOT, Tree

BOTH: Final = np.array([0, 1])


@dataclass(frozen=True, slots=True, eq=False)
class CfrState:
    """All that a solver remembers, in the tree's layout; what a file must hold to resume."""

    iteration: int  # how many are done
    regrets: Array
    averages: Array
    forecasts: Array  # empty unless the schedule predicts

    def copy(self) -> CfrState:
        return CfrState(self.iteration, self.regrets.copy(), self.averages.copy(), self.forecasts.copy())


@dataclass(frozen=True, slots=True)
class CfrProgress:
    """How far a run is; `measure` is there when it was taken."""

    iteration: int
    measure: Measure | None = None


class CfrSolver:
    """One game being solved by one schedule, in float64 or float32; a state that is given is copied and taken up."""

    def __init__(
        self, tree: Tree, schedule: Schedule = CFR_PLUS, *, dtype: DTypeLike = np.float64, state: CfrState | None = None
    ) -> None:
        self.tree = tree
        self.schedule = schedule
        self.iteration = 0 if state is None else state.iteration
        self._buffers = buffers_of(tree, dtype, forecasts=schedule.predict)
        if state is not None:
            self._put(state)
        self._sides = side_of(tree, 0, dtype), side_of(tree, 1, dtype)
        self._work = work_of(tree, dtype)
        self._judge = Judge(tree, self._sides, self._work)

    @property
    def state(self) -> CfrState:
        """As it is now; copy it to keep it."""
        return CfrState(self.iteration, *self._buffers)

    def advance(self, iterations: int) -> None:
        """So many iterations more; an interrupt is raised once they are done and counted."""
        run_apart(lambda _: self._advance(iterations))

    def _advance(self, iterations: int) -> None:
        weights = self.schedule.weights(self.iteration + 1, iterations + 1).astype(self._buffers.regrets.dtype)
        buffers, predict = self._buffers, self.schedule.predict
        walks(self.tree.nodes, self._sides, BOTH, ROOT, UPDATE, buffers.regrets, buffers, weights, predict, self._work)
        self.iteration += iterations

    def strategy(self) -> NDArray[np.float64]:
        """The average strategy, which is what converges, as probabilities."""
        return normalised(self.tree, self._buffers.averages)

    def measure(self) -> Measure:
        """Exact best responses to the average strategy."""
        return self._judge.measure(self._buffers.averages)

    def is_sound(self) -> bool:
        """Whether every number is one."""
        return all(all_finite(buffer) for buffer in self._buffers)

    def restore(self, state: CfrState) -> None:
        """Go back, or on, to a state of the same tree and schedule."""
        self._put(state)
        self.iteration = state.iteration

    def _put(self, state: CfrState) -> None:
        for ours, theirs in zip(self._buffers, (state.regrets, state.averages, state.forecasts), strict=True):
            if ours.shape != theirs.shape:
                raise SolverError(
                    f"{self.tree.game.name} by {self.schedule.name}: a state of {len(theirs):,} numbers does not fit; "
                    f"{len(ours):,} were expected"
                )
            ours[:] = theirs


def run(
    solver: CfrSolver, *, iterations: int, target: float | None = None, every: int = 100, step: int | None = None
) -> Iterator[CfrProgress]:
    """Go on until `iterations` are done in all, or exploitability is at most `target`, or nobody asks any more.

    Exploitability is measured at each multiple of `every` iterations and at the end; progress comes every `step`
    iterations (as often, if not given). If numbers overflow it raises, and the solver has the last good state.
    """
    if every < 1 or (step or 1) < 1:
        raise SolverError(f"every {every} and step {step} iterations; both are at least 1")
    good = solver.state.copy()
    while solver.iteration < iterations:
        count = min(step or every, every - solver.iteration % every, iterations - solver.iteration)
        solver.advance(count)
        if not solver.is_sound():
            broken = solver.iteration
            solver.restore(good)
            raise SolverError(
                f"{solver.tree.game.name} by {solver.schedule.name}: numbers overflowed by iteration {broken:,}; "
                f"the state is that of iteration {good.iteration:,}"
            )
        good = _keep(good, solver)
        measured = solver.measure() if solver.iteration % every == 0 or solver.iteration == iterations else None
        yield CfrProgress(solver.iteration, measured)
        if target is not None and measured is not None and measured.exploitability <= target:
            return


def _keep(good: CfrState, solver: CfrSolver) -> CfrState:
    """Copy the state over the last good one, without new memory."""
    now = solver.state
    for kept, new in zip(
        (good.regrets, good.averages, good.forecasts), (now.regrets, now.averages, now.forecasts), strict=True
    ):
        kept[:] = new
    return CfrState(now.iteration, good.regrets, good.averages, good.forecasts)
