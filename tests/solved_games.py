"""Small games solved a little way, for the tests of files, players and pictures."""

from __future__ import annotations

from functools import cache
from typing import Any

from tahur.core.game import Settings
from tahur.core.solution import Solution
from tahur.games.registry import make
from tahur.solvers.cfr import CfrSolver, solution_of
from tahur.solvers.schedule import schedule_named
from tahur.solvers.tree import Tree
from tahur.solvers.unroll import unroll

SETTINGS: dict[str, Settings] = {"kuhn": {}, "leduc": {}, "liars-dice": {"faces": 3}, "perudo": {"cups": [1, 1]}}


def game_of(name: str) -> Any:
    return make(name, SETTINGS[name])


@cache
def tree_of(name: str, *, merge: bool = True) -> Tree:
    return unroll(game_of(name), merge=merge)


def solver_of(name: str, iterations: int, schedule: str = "dcfr") -> CfrSolver:
    solver = CfrSolver(tree_of(name), schedule_named(schedule))
    solver.iterate(iterations)
    return solver


@cache
def solution(name: str, iterations: int = 100) -> Solution:
    solver = solver_of(name, iterations)
    return solution_of(solver, solver.measure(), "antes")
