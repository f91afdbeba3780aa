"""Counterfactual regret minimisation on a flat tree: a `Solver` for any game whose tree fits in memory.

Non-finite values (NaN or infinity) are detected after every block of iterations, and the solver then returns to the
state before that block.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from tahur import __version__
from tahur.core.arrays import Float64s
from tahur.core.errors import Diverged, SolverError
from tahur.core.game import CHANCE, OVER
from tahur.core.solution import Facts, Solution
from tahur.solvers.interrupts import run_apart
from tahur.solvers.kernels.sampled import sample
from tahur.solvers.kernels.walks import UPDATE, all_finite, walks
from tahur.solvers.response import Judge, Measure, normalise
from tahur.solvers.schedule import CFR_PLUS, Schedule, schedule_named
from tahur.solvers.seat_tables import buffers_of, scratch_of, seat_tables_of
from tahur.solvers.solver import Estimate, SolverState, fill
from tahur.solvers.terminals import possible_pairs
from tahur.solvers.tree import CHANCE_NODE, ROOT, Tree
from tahur.solvers.unroll import unroll

BOTH: Final = np.array([0, 1])


class CfrSolver:
    """Solves one game with one schedule, in float64 or float32."""

    def __init__(self, tree: Tree, schedule: Schedule = CFR_PLUS, *, dtype: DTypeLike = np.float64) -> None:
        """Start at iteration 0 with all regrets and averages 0. `dtype` is that of all buffers."""
        self.tree = tree
        self.schedule = schedule
        self.iteration = 0
        self._buffers = buffers_of(tree, dtype, forecasts=schedule.predict)
        self._seat_tables = seat_tables_of(tree, 0, dtype), seat_tables_of(tree, 1, dtype)
        self._work = scratch_of(tree, dtype)
        self._judge = Judge(tree, self._seat_tables, self._work)
        self._last_finite: SolverState | None = None  # a copy of the last state without NaN or infinity

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
        """Run iterations; if numbers overflow, restore the state before them and raise `Diverged`."""
        backup = self._last_finite or self.state().copy()
        self._iterate(iterations)
        self.iteration += iterations
        if not self.is_finite():
            diverged_at = self.iteration
            self.resume(backup)
            raise Diverged(
                f"{self.tree.game.name} by {self.schedule.name}: numbers overflowed by iteration {diverged_at:,}; "
                f"the state is that of iteration {backup.iteration:,}"
            )
        state = self.state()
        for name, array in state.arrays.items():
            backup.arrays[name][:] = array
        self._last_finite = SolverState(state.iteration, backup.arrays)

    def _iterate(self, iterations: int) -> None:
        """Run iterations without checking for overflow; each updates seat 0 and then seat 1."""
        weights = self.schedule.weights(self.iteration + 1, iterations + 1).astype(self.regrets.dtype)
        buffers, predict = self._buffers, self.schedule.predict
        walks(
            self.tree.nodes, self._seat_tables, BOTH, ROOT, UPDATE, buffers.regrets, buffers, weights, predict,
            self._work,
        )  # fmt: skip

    def strategy(self) -> NDArray[np.float64]:
        """The average strategy, which is the one that converges, as probabilities."""
        return normalise(self.tree, self.averages)

    def measure(self) -> Measure:
        """Exact best responses to the average strategy."""
        return self._judge.measure(self.averages)

    def is_finite(self) -> bool:
        """Whether all regrets and averages are finite."""
        return all(all_finite(buffer) for buffer in self._buffers)

    def state(self) -> SolverState:
        """Regrets, averages and, if the schedule is predictive, forecasts."""
        return SolverState(self.iteration, self._buffers._asdict())

    def resume(self, state: SolverState) -> None:
        """Continue from a copy of another state of the same tree and schedule."""
        fill(self.state().arrays, state, f"{self.tree.game.name} by {self.schedule.name}")
        self.iteration, self._last_finite = state.iteration, None

    def estimate(self) -> Estimate:
        """The memory of regrets, averages and forecasts, counted twice because of the backup; and the size of the
        tree."""
        return Estimate(2 * sum(buffer.nbytes for buffer in self._buffers), self.tree.size)


# ---- Monte Carlo CFR -----------------------------------------------------------------------------
# Monte Carlo CFR on a flat tree (Lanctot and others 2009): many cheap iterations, for games too big to walk in full.
# *Chance sampling* draws the deal and the chance outcomes and walks every action of both seats. *External sampling*
# also draws the other seat's actions, and adds its strategy to the average at every visit. Regrets and averages are not
# discounted and are in double precision. The tree must not be merged, since a sampled hand has one name.


class Sampling(Enum):
    """What is sampled besides the deal and the cards on the table."""

    EXTERNAL = "external"  # the other seat's actions
    CHANCE = "chance"  # nothing else


SAMPLED: Final = {sampling.value: sampling for sampling in Sampling}


class Stack(NamedTuple):
    """The open decisions on the path of a sampled walk: one entry (or row) for each level of depth."""

    node: NDArray[np.int64]
    at: NDArray[np.int64]  # number of actions already walked
    child: NDArray[np.int64]  # the child to walk next
    own: Float64s  # reach of the walking seat
    other: Float64s  # reach of the other seat
    values: Float64s  # (depth, actions) value of each action already walked
    played: Float64s  # (depth, actions) the strategy
    sampled: Float64s  # (actions,) scratch for one strategy


class SampledSolver(CfrSolver):
    """Solves one game by Monte Carlo CFR; `rng` provides one seed, which determines all samples.

    Its `schedule` only has the name of the sampling: samples are not weighted.
    """

    def __init__(self, tree: Tree, sampling: Sampling, rng: np.random.Generator) -> None:
        """The tree must be unrolled with `merge=False`."""
        if tree.symmetric:
            raise SolverError(f"{tree.game.name}: samples need every outcome; unroll the game with merge=False")
        super().__init__(tree, Schedule(sampling.value))
        self._sampling = sampling
        self._word = rng.integers(0, 1 << 63, size=1, dtype=np.uint64)  # the state of the random number generator
        self._cumulative = tuple(_cumulative(prior) for prior in tree.priors)
        self._possible = possible_pairs(tree.game) > 0
        self._stack = _stack_of(tree)

    def _iterate(self, iterations: int) -> None:
        """Sample this many deals for each seat."""
        walk_all_actions = self._sampling is Sampling.CHANCE
        sample(
            self.tree.nodes, self._seat_tables, self._cumulative, self._possible, iterations, walk_all_actions,
            self._buffers, self._stack, self._word,
        )  # fmt: skip

    def state(self) -> SolverState:
        """Regrets, averages and the state of the random number generator."""
        return SolverState(self.iteration, self._buffers._asdict() | {"word": self._word})


def _cumulative(prior: Float64s) -> Float64s:
    """Cumulative probabilities of the hands, from their weights; the last is exactly 1, despite rounding."""
    cumulative: Float64s = np.cumsum(prior) / prior.sum()
    cumulative[-1] = 1.0
    return cumulative


def _stack_of(tree: Tree) -> Stack:
    """An empty stack for a sampled walk, large enough for the tree's depth and its widest decision."""
    depth, most_actions = tree.depth + 1, int(tree.nodes.children.max(initial=1))
    indices = [np.zeros(depth, np.int64) for _ in range(3)]
    return Stack(
        node=indices[0],
        at=indices[1],
        child=indices[2],
        own=np.zeros(depth),
        other=np.zeros(depth),
        values=np.zeros((depth, most_actions)),
        played=np.zeros((depth, most_actions)),
        sampled=np.zeros(most_actions),
    )


# ---- solvers and solutions in files --------------------------------------------------------------
# Convert a solver on a flat tree to what files store (the solution, and the arrays of its state) and back.


def solution_of(solver: CfrSolver, measure: Measure, unit: str) -> Solution:
    """The average strategy on the full tree of the game, in which chance outcomes are not merged by symmetry."""
    tree = solver.tree
    full_tree = unroll(tree.game, merge=False) if tree.symmetric else tree
    kinds = full_tree.nodes.kind
    turns = np.where(kinds < CHANCE_NODE, kinds, np.where(kinds == CHANCE_NODE, CHANCE, OVER))
    return Solution(
        facts=facts_of(solver, measure, unit),
        turns=turns.astype(np.int64),
        ends=full_tree.nodes.end.astype(np.int64),
        actions=full_tree.actions.astype(np.int64),
        hands=(np.array(tree.game.hands(0), np.int64), np.array(tree.game.hands(1), np.int64)),
        chances=onto_full_tree(tree, solver.strategy(), full_tree),
    )


def facts_of(solver: CfrSolver, measure: Measure, unit: str) -> Facts:
    """What was solved and how well, for the file."""
    game, schedule = solver.tree.game, solver.schedule
    return Facts(
        game=game.name,
        settings=dict(game.settings),
        schedule=schedule.name,
        planned=schedule.planned if schedule.needs_plan else 0,
        iterations=solver.iteration,
        exploitability=float(measure.exploitability),
        nashconv=float(measure.nashconv),
        value=float(measure.value),
        unit=unit,
        made_by=f"tahur {__version__}",
    )


def onto_full_tree(tree: Tree, strategy: NDArray[np.float64], full_tree: Tree) -> NDArray[np.float64]:
    """A strategy converted from a tree with merged chance outcomes to the full tree of the same game."""
    if full_tree is tree:
        return strategy
    result = np.empty(full_tree.size)
    for node in map(int, full_tree.decisions):
        merged = tree.find(
            full_tree.history(node)
        )  # the node that represents this one, and which hand each hand is there
        full_tree.part(result, node)[:] = tree.part(strategy, merged.node)[:, merged.hands[full_tree.turn(node)]]
    return result


def schedule_of(facts: Facts) -> Schedule:
    """The schedule that a solution was computed with."""
    schedule = schedule_named(facts.schedule)
    return schedule.with_plan(facts.planned) if schedule.needs_plan else schedule


def resume_solver(tree: Tree, facts: Facts, arrays: Mapping[str, NDArray[Any]]) -> CfrSolver:
    """A solver that continues from the state in a file, bit for bit as the one that wrote it would have."""
    if reason := facts.misfit(tree.game, now="the game to solve is"):
        raise SolverError(f"cannot resume: {reason}")
    solver = _solver(tree, facts, arrays)
    if arrays.keys() != solver.state().arrays.keys():
        raise SolverError(f"cannot resume {facts.game}: the file does not contain the state of its solver")
    solver.resume(SolverState(facts.iterations, arrays))
    return solver


def _solver(tree: Tree, facts: Facts, arrays: Mapping[str, NDArray[Any]]) -> CfrSolver:
    """A new solver of the kind, schedule and number type that a file was made with."""
    if facts.schedule in SAMPLED:
        return SampledSolver(tree, SAMPLED[facts.schedule], np.random.default_rng(0))  # its stream is in the file
    return CfrSolver(tree, schedule_of(facts), dtype=arrays["regrets"].dtype if "regrets" in arrays else np.float64)
