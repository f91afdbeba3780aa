"""Counterfactual regret minimisation on a flat tree: a `Solver` for any game whose tree fits in memory.

Non-finite values (NaN or infinity) are detected after every block of iterations, and the solver then returns to the
state before that block.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import DTypeLike, NDArray

from tahur.core.errors import Diverged
from tahur.solvers.interrupts import run_apart
from tahur.solvers.kernels.walks import UPDATE, all_finite, walks
from tahur.solvers.response import Judge, Measure, normalised
from tahur.solvers.schedule import CFR_PLUS, Schedule
from tahur.solvers.seat_tables import buffers_of, scratch_of, seat_tables_of
from tahur.solvers.solver import Estimate, SolverState, fill
from tahur.solvers.tree import ROOT, Tree

BOTH: Final = np.array([0, 1])


class CfrSolver:
    """Solves one game with one schedule, in float64 or float32."""

    def __init__(self, tree: Tree, schedule: Schedule = CFR_PLUS, *, dtype: DTypeLike = np.float64) -> None:
        self.tree = tree
        self.schedule = schedule
        self.iteration = 0
        self._buffers = buffers_of(tree, dtype, forecasts=schedule.predict)
        self._seat_tables = seat_tables_of(tree, 0, dtype), seat_tables_of(tree, 1, dtype)
        self._work = scratch_of(tree, dtype)
        self._judge = Judge(tree, self._seat_tables, self._work)
        self._sound: SolverState | None = None  # the last state that was found to be finite

    @property
    def regrets(self) -> NDArray[np.floating]:
        return self._buffers.regrets

    @property
    def averages(self) -> NDArray[np.floating]:
        """The sums of the average strategy, in the tree's layout."""
        return self._buffers.averages

    def iterate(self, iterations: int) -> None:
        """Run this many more iterations. An interrupt is raised only after they are finished and counted."""
        run_apart(lambda _: self._iterate_and_check(iterations))

    def _iterate_and_check(self, iterations: int) -> None:
        sound = self._sound or self.state().copy()
        self._iterate(iterations)
        self.iteration += iterations
        if not self.is_sound():
            broken = self.iteration
            self.resume(sound)
            raise Diverged(
                f"{self.tree.game.name} by {self.schedule.name}: numbers overflowed by iteration {broken:,}; "
                f"the state is that of iteration {sound.iteration:,}"
            )
        state = self.state()
        for name, array in state.arrays.items():
            sound.arrays[name][:] = array
        self._sound = SolverState(state.iteration, sound.arrays)

    def _iterate(self, iterations: int) -> None:
        weights = self.schedule.weights(self.iteration + 1, iterations + 1).astype(self.regrets.dtype)
        buffers, predict = self._buffers, self.schedule.predict
        walks(
            self.tree.nodes, self._seat_tables, BOTH, ROOT, UPDATE, buffers.regrets, buffers, weights, predict,
            self._work,
        )  # fmt: skip

    def strategy(self) -> NDArray[np.float64]:
        """The average strategy, which is the one that converges, as probabilities."""
        return normalised(self.tree, self.averages)

    def measure(self) -> Measure:
        """Exact best responses to the average strategy."""
        return self._judge.measure(self.averages)

    def is_sound(self) -> bool:
        """Whether all regrets and averages are finite."""
        return all(all_finite(buffer) for buffer in self._buffers)

    def state(self) -> SolverState:
        """Regrets, averages and, if the schedule is predictive, forecasts."""
        return SolverState(self.iteration, self._buffers._asdict())

    def resume(self, state: SolverState) -> None:
        """Continue from a copy of another state of the same tree and schedule."""
        fill(self.state().arrays, state, f"{self.tree.game.name} by {self.schedule.name}")
        self.iteration, self._sound = state.iteration, None

    def estimate(self) -> Estimate:
        """Regrets, averages, forecasts, and a copy of them to return to."""
        return Estimate(2 * sum(buffer.nbytes for buffer in self._buffers), self.tree.size)
