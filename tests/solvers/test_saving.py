"""What is kept of a solver is enough to go on bit for bit, and is refused where it does not belong."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from solved_games import solver_of, tree_of
from tahur.core.errors import SolverError
from tahur.core.solution import read_memory, read_solution, write_solution
from tahur.solvers.cfr import CfrSolver, facts_of, resume_solver, solution_of
from tahur.solvers.schedule import SCHEDULES


@pytest.mark.parametrize("name", SCHEDULES)
def test_a_solver_from_a_file_goes_on_bit_for_bit(name: str, tmp_path: Path) -> None:
    """The schedules with dials were planned for another number of iterations than is usual."""
    schedule = SCHEDULES[name].with_plan(77) if SCHEDULES[name].needs_plan else SCHEDULES[name]
    solver = CfrSolver(tree_of("leduc"), schedule)
    solver.iterate(37)
    write_solution(tmp_path / "x.tahur", solution_of(solver, solver.measure(), "antes"), solver.state().arrays)
    solver.iterate(41)
    other = resume_solver(
        tree_of("leduc"), read_solution(tmp_path / "x.tahur").facts, read_memory(tmp_path / "x.tahur")
    )
    other.iterate(41)
    assert (other.iteration, other.schedule) == (78, schedule)
    for kept, gone_on in zip(other.state().arrays.values(), solver.state().arrays.values(), strict=True):
        np.testing.assert_array_equal(kept, gone_on)


def test_another_game_cannot_be_gone_on_with() -> None:
    solver = solver_of("kuhn", 5)
    facts = facts_of(solver, solver.measure(), "antes")
    with pytest.raises(SolverError, match="solved for kuhn; the game to solve is leduc"):
        resume_solver(tree_of("leduc"), facts, solver.state().arrays)
    with pytest.raises(SolverError, match="the file does not contain the state of its solver"):
        resume_solver(tree_of("kuhn"), facts, {})
    with pytest.raises(SolverError, match=r"the given state has .* were expected"):
        resume_solver(tree_of("kuhn"), facts, {name: each[:5] for name, each in solver.state().arrays.items()})
    with pytest.raises(SolverError, match=r"numbers; .* were expected"):
        resume_solver(tree_of("kuhn"), replace(facts, schedule="pcfr+"), solver.state().arrays)
