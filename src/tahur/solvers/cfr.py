"""Counterfactual regret minimisation on a flat tree: a `CfrSolver` that can be run for any number of iterations.

`run` yields its progress and can be interrupted at any time; the solver holds its state. That `CfrState` can be saved
and loaded into another solver, which continues bit for bit as this one would have. Non-finite values (NaN or infinity)
are detected after every block of iterations, and the solver then returns to the state before that block.
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
from tahur.solvers.seat_tables import buffers_of, scratch_of, seat_tables_of
from tahur.solvers.tree import ROOT, Tree

BOTH: Final = np.array([0, 1])


@dataclass(frozen=True, slots=True, eq=False)
class CfrState:
    """The complete state of a solver, in the tree's layout: what a file must store to resume."""

    iteration: int  # finished iterations
    regrets: Array
    averages: Array
    forecasts: Array  # empty unless the schedule predicts

    def copy(self) -> CfrState:
        return CfrState(self.iteration, self.regrets.copy(), self.averages.copy(), self.forecasts.copy())


@dataclass(frozen=True, slots=True)
class CfrProgress:
    """The progress of a run; `measure` is None between two measurements."""

    iteration: int
    measure: Measure | None = None


class CfrSolver:
    """Solves one game with one schedule, in float64 or float32; an initial `state` is copied and resumed."""

    def __init__(
        self, tree: Tree, schedule: Schedule = CFR_PLUS, *, dtype: DTypeLike = np.float64, state: CfrState | None = None
    ) -> None:
        self.tree = tree
        self.schedule = schedule
        self.iteration = 0 if state is None else state.iteration
        self._buffers = buffers_of(tree, dtype, forecasts=schedule.predict)
        if state is not None:
            self._put(state)
        self._seat_tables = seat_tables_of(tree, 0, dtype), seat_tables_of(tree, 1, dtype)
        self._work = scratch_of(tree, dtype)
        self._judge = Judge(tree, self._seat_tables, self._work)

    @property
    def state(self) -> CfrState:
        """The current state, not a copy: it changes with the next iteration."""
        return CfrState(self.iteration, *self._buffers)

    def advance(self, iterations: int) -> None:
        """Run this many more iterations. An interrupt is raised only after they are finished and counted."""
        run_apart(lambda _: self._advance(iterations))

    def _advance(self, iterations: int) -> None:
        weights = self.schedule.weights(self.iteration + 1, iterations + 1).astype(self._buffers.regrets.dtype)
        buffers, predict = self._buffers, self.schedule.predict
        walks(
            self.tree.nodes,
            self._seat_tables,
            BOTH,
            ROOT,
            UPDATE,
            buffers.regrets,
            buffers,
            weights,
            predict,
            self._work,
        )
        self.iteration += iterations

    def strategy(self) -> NDArray[np.float64]:
        """The average strategy, which is the one that converges, as probabilities."""
        return normalised(self.tree, self._buffers.averages)

    def measure(self) -> Measure:
        """Exact best responses to the average strategy."""
        return self._judge.measure(self._buffers.averages)

    def is_sound(self) -> bool:
        """Whether all regrets and averages are finite."""
        return all(all_finite(buffer) for buffer in self._buffers)

    def restore(self, state: CfrState) -> None:
        """Replace the current state with another state of the same tree and schedule."""
        self._put(state)
        self.iteration = state.iteration

    def _put(self, state: CfrState) -> None:
        for ours, theirs in zip(self._buffers, (state.regrets, state.averages, state.forecasts), strict=True):
            if ours.shape != theirs.shape:
                raise SolverError(
                    f"{self.tree.game.name} by {self.schedule.name}: the given state has {len(theirs):,} numbers; "
                    f"{len(ours):,} were expected"
                )
            ours[:] = theirs


def run(
    solver: CfrSolver, *, iterations: int, target: float | None = None, every: int = 100, step: int | None = None
) -> Iterator[CfrProgress]:
    """Iterate until `iterations` are done in total, exploitability is at most `target`, or the caller stops iterating.

    Exploitability is measured at each multiple of `every` iterations and at the end. Progress is yielded every `step`
    iterations (default: `every`). If numbers overflow, it raises and the solver holds the last finite state.
    """
    if every < 1 or (step or 1) < 1:
        raise SolverError(f"every={every} and step={step}: both must be at least 1 iteration")
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
    """Copy the state into the arrays of the last good one, without allocating memory."""
    now = solver.state
    for kept, new in zip(
        (good.regrets, good.averages, good.forecasts), (now.regrets, now.averages, now.forecasts), strict=True
    ):
        kept[:] = new
    return CfrState(now.iteration, good.regrets, good.averages, good.forecasts)
