"""Convert a solver to what files store (the solution, and the memory needed to resume) and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur import __version__
from tahur.core.errors import SolverError
from tahur.core.game import CHANCE, OVER
from tahur.core.solution import Facts, Solution
from tahur.solvers.cfr import CfrSolver, CfrState
from tahur.solvers.response import Measure
from tahur.solvers.sampled import SAMPLED, SampledSolver
from tahur.solvers.schedule import Schedule, schedule_named
from tahur.solvers.tree import CHANCE_NODE, Tree
from tahur.solvers.unroll import unroll

AnySolver = CfrSolver | SampledSolver

MEMORY: Final = ("regrets", "averages", "forecasts")


def solution_of(solver: AnySolver, measure: Measure, unit: str) -> Solution:
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


def facts_of(solver: AnySolver, measure: Measure, unit: str) -> Facts:
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


def memory_of(solver: AnySolver) -> dict[str, NDArray[Any]]:
    """Everything needed to resume, besides the facts. The arrays are the solver's own, not copies."""
    state = solver.state
    stream = {"word": solver.word} if isinstance(solver, SampledSolver) else {}
    return {name: getattr(state, name) for name in MEMORY} | stream


def schedule_of(facts: Facts) -> Schedule:
    """The schedule that a solution was computed with."""
    schedule = schedule_named(facts.schedule)
    return schedule.over(facts.planned) if schedule.needs_plan else schedule


def resumed(tree: Tree, facts: Facts, memory: Mapping[str, NDArray[Any]]) -> AnySolver:
    """A solver that continues where another one stopped, bit for bit."""
    if reason := facts.misfit(tree.game):
        raise SolverError(f"cannot resume: {reason.replace('the table plays', 'the game to solve is')}")
    if set(memory) != set(MEMORY) | ({"word"} if facts.schedule in SAMPLED else set()):
        raise SolverError(f"cannot resume {facts.game}: the file does not contain the state of its solver")
    kind = memory["regrets"].dtype
    state = CfrState(facts.iterations, *(np.asarray(memory[name], kind) for name in MEMORY))
    if facts.schedule not in SAMPLED:
        return CfrSolver(tree, schedule_of(facts), dtype=kind, state=state)
    sampled = SampledSolver(tree, facts.schedule, np.random.default_rng(0))  # replaced by the word in the file
    sampled.restore(state, memory["word"])
    return sampled
