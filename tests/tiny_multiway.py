"""Multiway solvers on one card bucket after the flop, for tests."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from solvers.coarse_buckets import coarse
from tahur.solvers.nolimit.multiway.actions import MultiwaySizes, sizes_for
from tahur.solvers.nolimit.multiway.solver import MultiwaySolver
from tahur.solvers.nolimit.multiway.strategy import write_strategy
from tahur.solvers.nolimit.multiway.tree import MultiwayTree, build_preflop, build_tree
from tahur.solvers.postflop.spot import Rake

PUSH_FOLD = replace(sizes_for(20), push_fold=True, most_players=1)


def tiny_tree(
    seats: int = 3, depth: float = 20, rake: Rake | None = None, sizes: MultiwaySizes | None = None
) -> MultiwayTree:
    """A tree with one bucket on each street after the flop."""
    preflop = build_preflop(seats, depth, sizes or sizes_for(depth))
    return build_tree(preflop, rake or Rake(), (169, 1, 1, 1))


def tiny_solver(
    seats: int = 3, depth: float = 20, *, deals: int = 20, sizes: MultiwaySizes | None = None
) -> MultiwaySolver:
    """A solver of such a tree; deals: in a round."""
    return MultiwaySolver(tiny_tree(seats, depth, sizes=sizes), coarse(), seed=1, deals=deals)


def write_tiny_strategy(path: Path, seats: int = 3, depth: float = 20) -> Path:
    """The file of a strategy that was trained for a moment."""
    solver = tiny_solver(seats, depth)
    solver.iterate(2)
    write_strategy(path, solver.strategy(), solver.state().arrays)
    return path
