"""Convert a solver on a flat tree to what files store (the solution, and the arrays of its state) and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tahur import __version__
from tahur.core.errors import SolverError
from tahur.core.game import CHANCE, OVER
from tahur.core.solution import Facts, Solution
from tahur.solvers.cfr import CfrSolver
from tahur.solvers.response import Measure
from tahur.solvers.sampled import SAMPLED, SampledSolver
from tahur.solvers.schedule import Schedule, schedule_named
from tahur.solvers.solver import SolverState
from tahur.solvers.tree import CHANCE_NODE, Tree
from tahur.solvers.unroll import unroll


def solution_of(solver: CfrSolver, measure: Measure, unit: str) -> Solution:
    """The average strategy on the full tree of the game: outcomes merged by symmetry are written out again."""
    tree = solver.tree
    whole = unroll(tree.game, merge=False) if tree.symmetric else tree
    kinds = whole.nodes.kind
    turns = np.where(kinds < CHANCE_NODE, kinds, np.where(kinds == CHANCE_NODE, CHANCE, OVER))
    return Solution(
        facts=facts_of(solver, measure, unit),
        turns=turns.astype(np.int64),
        ends=whole.nodes.end.astype(np.int64),
        actions=whole.actions.astype(np.int64),
        hands=(np.array(tree.game.hands(0), np.int64), np.array(tree.game.hands(1), np.int64)),
        chances=spread(tree, solver.strategy(), whole),
    )


def facts_of(solver: CfrSolver, measure: Measure, unit: str) -> Facts:
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


def spread(tree: Tree, strategy: NDArray[np.float64], whole: Tree) -> NDArray[np.float64]:
    """The same strategy in the layout of the full tree, where every chance outcome has its own nodes."""
    if whole is tree:
        return strategy
    result = np.empty(whole.size)
    for node in map(int, whole.decisions):
        place = tree.find(whole.history(node))
        whole.part(result, node)[:] = tree.part(strategy, place.node)[:, place.hands[whole.turn(node)]]
    return result


def schedule_of(facts: Facts) -> Schedule:
    """The schedule that a solution was computed with."""
    schedule = schedule_named(facts.schedule)
    return schedule.over(facts.planned) if schedule.needs_plan else schedule


def resumed(tree: Tree, facts: Facts, arrays: Mapping[str, NDArray[Any]]) -> CfrSolver:
    """A solver that continues where another one stopped, bit for bit."""
    if reason := facts.misfit(tree.game, now="the game to solve is"):
        raise SolverError(f"cannot resume: {reason}")
    solver = _solver(tree, facts, arrays)
    if arrays.keys() != solver.state().arrays.keys():
        raise SolverError(f"cannot resume {facts.game}: the file does not contain the state of its solver")
    solver.resume(SolverState(facts.iterations, arrays))
    return solver


def _solver(tree: Tree, facts: Facts, arrays: Mapping[str, NDArray[Any]]) -> CfrSolver:
    if facts.schedule in SAMPLED:
        return SampledSolver(tree, SAMPLED[facts.schedule], np.random.default_rng(0))  # its stream is in the file
    return CfrSolver(tree, schedule_of(facts), dtype=arrays["regrets"].dtype if "regrets" in arrays else np.float64)
