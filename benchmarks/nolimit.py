"""No-limit hold'em: training a blueprint and preflop strategies, and decisions of the seat `solver`, in CPU seconds.

The limits of decisions are twice their budgets: a budget is for the solving of a subgame in the middle of a range.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from benchmarks.measure import Benchmark, Wait
from tahur.cards.buckets import BucketNumbers, BucketProgress, make, make_with_centres
from tahur.cards.cards import parse_cards
from tahur.games.holdem.rules import no_limit
from tahur.games.holdem.table import CALL, HoldemTable
from tahur.solvers.nolimit.abstraction import PRESETS
from tahur.solvers.nolimit.blueprint_solver import BlueprintSolver
from tahur.solvers.nolimit.multiway.actions import sizes_for
from tahur.solvers.nolimit.multiway.solver import MultiwaySolver
from tahur.solvers.nolimit.multiway.tree import build_preflop, build_tree
from tahur.solvers.nolimit.resolving import resolver_named
from tahur.solvers.postflop.spot import Rake
from tahur.warm import warm_up

BOARDS = 1_000
RAISED_POT = (251, CALL, "Td7d2h", CALL, 251, CALL, "Qc")  # a call of a raise, and of a bet on the flop
TO_THE_RIVER = (*RAISED_POT, CALL, CALL, "2s")


def _table(*steps: int | str) -> HoldemTable:
    """A heads-up table of 100 big blinds after actions and cards."""
    table = no_limit(seats=2, stack=10_000, blinds=(50, 100)).start()
    for step in steps:
        for action in [int(card) for card in parse_cards(step)] if isinstance(step, str) else [step]:
            table = table.after(action)
    return table


def _training() -> float:
    """CPU seconds for a round of boards, without the first one."""
    list(warm_up(("limit bucket", "no-limit")))
    steps = make_with_centres(BucketNumbers(50, 50, 50), np.random.default_rng(1))
    centres, buckets = next(step for step in steps if not isinstance(step, BucketProgress))
    solver = BlueprintSolver(100, PRESETS["standard"], centres, buckets, seed=1, boards=BOARDS)
    solver.iterate(1)
    visited, began = solver.visited, time.process_time()
    solver.iterate(2)
    seconds = (time.process_time() - began) / 2
    print(f"    {(solver.visited - visited) / 2 / seconds:,.0f} nodes a second, each with 1,081 hands", file=sys.stderr)
    return seconds


def _six_seats() -> float:
    """CPU seconds for a round of deals, without the first one."""
    list(warm_up(("limit bucket", "multiway")))
    steps = make(BucketNumbers(50, 50, 50), np.random.default_rng(1))
    buckets = next(step for step in steps if not isinstance(step, BucketProgress))
    tree = build_tree(build_preflop(6, 100, sizes_for(100)), Rake(0.05, 0.6), buckets.counts)
    solver = MultiwaySolver(tree, buckets, seed=1)
    solver.iterate(1)
    visited, began = solver.visited, time.process_time()
    solver.iterate(5)
    seconds = (time.process_time() - began) / 5
    print(f"    {(solver.visited - visited) / 5 / seconds:,.0f} nodes a second, each with 169 classes", file=sys.stderr)
    return seconds


def _decision(budget: str, *steps: int | str) -> float:
    list(warm_up(("postflop", "no-limit")))
    resolver, table = resolver_named(budget), _table(*steps)
    resolver.resolve(_table())  # the blueprint is read
    if table.street == 3:
        resolver.resolve(_table(*RAISED_POT))
    began = time.process_time()
    resolver.resolve(table)
    return time.process_time() - began


BENCHMARKS: tuple[Benchmark, ...] = (
    Wait("no-limit blueprint 'standard', 100 bb, 1,000 boards, CPU time", 2.5, _training, rounds=1),
    Wait("preflop strategy for six seats, 100 bb, 1,000 deals, CPU time", 0.5, _six_seats, rounds=1),
    Wait("solver:fast, a decision on the turn, CPU time", 0.6, lambda: _decision("fast", *RAISED_POT), rounds=2),
    Wait("solver, a decision on the turn, CPU time", 4.0, lambda: _decision("", *RAISED_POT), rounds=1),
    Wait("solver, a decision on the river, CPU time", 1.0, lambda: _decision("", *TO_THE_RIVER), rounds=2),
)
