"""Solve the street game of a texture: CFR on its flat tree, and the exploitability of each view of the result."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Final

import numpy as np

from tahur.core.arrays import Float64s
from tahur.games.holdem.textures import Texture
from tahur.solvers.cfr import CfrSolver
from tahur.solvers.response import Measure, measure
from tahur.solvers.schedule import CFR_PLUS, Schedule
from tahur.solvers.solver import run
from tahur.solvers.street.game import StreetGame, street_game
from tahur.solvers.street.matrices import Matrices
from tahur.solvers.street.views import TABLES, average_view, betting_frequency, empty
from tahur.solvers.tree import Tree
from tahur.solvers.unroll import unroll

ITERATIONS: Final = 10_000
POINTS: Final = (1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000)  # of the curve, and the last iteration


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The exploitability of a strategy, in pots, after a number of iterations."""

    iteration: int
    exploitability: float


@dataclass(frozen=True, slots=True, eq=False)
class SolvedTexture:
    """One texture. Values and exploitabilities are in pots; `strategy` is laid out as in `views`.

    The curve is empty if the strategy was read from a file.
    """

    matrices: Matrices
    game: StreetGame
    strategy: Float64s
    measure: Measure
    curve: tuple[CurvePoint, ...]
    averaged_view_cost: float  # the exploitability of the lossy view

    @property
    def texture(self) -> Texture:
        return self.matrices.texture

    @property
    def betting(self) -> tuple[float, float]:
        """How often seat 0 bets first, and seat 1 after a check."""
        return betting_frequency(self.game, self.strategy)


def street_solver(matrices: Matrices, schedule: Schedule = CFR_PLUS) -> CfrSolver:
    """A solver of a texture's street game; it measures in pots."""
    return CfrSolver(unroll(street_game(matrices)), schedule)


def solve(
    matrices: Matrices, *, iterations: int = ITERATIONS, schedule: Schedule = CFR_PLUS
) -> Generator[CurvePoint, None, SolvedTexture]:
    """Yields points of the curve and returns the result."""
    solver = street_solver(matrices, schedule)
    curve = []
    for point in (*(point for point in POINTS if point < iterations), iterations):
        for progress in run(solver, iterations=point, every=point):
            if progress.measure is not None:
                curve.append(CurvePoint(point, progress.measure.exploitability))
                yield curve[-1]
    return evaluate_strategy(matrices, to_views(solver.tree, solver.strategy()), tuple(curve))


def evaluate_strategy(matrices: Matrices, strategy: Float64s, curve: tuple[CurvePoint, ...] = ()) -> SolvedTexture:
    """A strategy with its value and exploitability, just solved or read from a file."""
    game = street_game(matrices)
    tree = unroll(game)
    return SolvedTexture(
        matrices=matrices,
        game=game,
        strategy=strategy,
        measure=measure(tree, from_views(tree, strategy)),
        curve=curve,
        averaged_view_cost=exploitability(game, average_view(strategy).strategy),
    )


def averaged_view(solved: SolvedTexture) -> SolvedTexture:
    """The same texture with one table for facing any bet, evaluated."""
    return evaluate_strategy(solved.matrices, average_view(solved.strategy).strategy, solved.curve)


def exploitability(game: StreetGame, strategy: Float64s) -> float:
    """The exploitability of any strategy, (BR1 + BR2) / 2, in pots."""
    tree = unroll(game)
    return measure(tree, from_views(tree, strategy)).exploitability


def to_views(tree: Tree, flat: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Float64s:
    """From the tree's layout to that of the tables."""
    strategy = empty()
    for at, table in enumerate(TABLES):
        rows = tree.part(flat, tree.find(table.history).node)
        strategy[at, :, : len(rows)] = rows.T
    return strategy


def from_views(tree: Tree, strategy: Float64s) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """From the layout of the tables to the tree's."""
    flat = np.zeros(tree.size)
    for at, table in enumerate(TABLES):
        rows = tree.part(flat, tree.find(table.history).node)
        rows[:] = strategy[at, :, : len(rows)].T
    return flat
