"""Rounds of Perudo with wild aces: CPU seconds of one iteration of CFR+, the mean of some, starting with the first.

The limits are twice what a prototype in C took: 0.09 s for 2v1, and 5.5 s in 6.4 GB for 2v2, both without calza. Two
threads are compared with one in wall time, which needs two idle cores.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from benchmarks.measure import Benchmark, Threads, Wait
from tahur.games.perudo.game import perudo
from tahur.solvers.perudo.recall.solver import RecallSolver
from tahur.solvers.perudo.solver import RoundSolver
from tahur.solvers.schedule import CFR_PLUS
from tahur.warm import warm_up


def _iteration(cups: tuple[int, int], iterations: int) -> float:
    list(warm_up(("perudo",)))
    solver = RoundSolver(perudo(rules="classic", cups=cups), CFR_PLUS)
    began = time.process_time()
    solver.iterate(iterations)
    return (time.process_time() - began) / iterations


def _whole_by_threads() -> tuple[float, float]:
    """In the number format of larger rounds."""
    list(warm_up(("perudo",)))
    game = perudo(rules="classic", cups=(2, 1), calza=True)
    return _raced([RoundSolver(game, CFR_PLUS, threads=threads, dtype=np.float32) for threads in (1, 2)])


def _recalled_by_threads() -> tuple[float, float]:
    list(warm_up(("perudo",)))
    return _raced([RecallSolver(perudo(rules="classic", cups=(4, 4)), threads=threads) for threads in (1, 2)])


def _raced(solvers: Sequence[RoundSolver | RecallSolver]) -> tuple[float, float]:
    """Wall seconds of ten iterations of both, alternately, after warm-up."""
    for solver in solvers:
        solver.iterate(40)
    tries = [[_taken(solver, 10) for solver in solvers] for _ in range(4)]
    one, two = (min(each) for each in zip(*tries, strict=True))
    return one, two


def _taken(solver: RoundSolver | RecallSolver, iterations: int) -> float:
    began = time.perf_counter()
    solver.iterate(iterations)
    return time.perf_counter() - began


BENCHMARKS: tuple[Benchmark, ...] = (
    Wait("perudo 2v1, wild aces, an iteration of CFR+, CPU time", 0.18, lambda: _iteration((2, 1), 20), rounds=2),
    Wait("perudo 2v2, wild aces, an iteration in 4 GiB, CPU time", 11.0, lambda: _iteration((2, 2), 4), rounds=1),
    Threads("perudo 2v1 with calza, ten iterations, two threads", 1.3, _whole_by_threads),
    Threads("perudo 4v4, two bids remembered, ten iterations, two threads", 1.5, _recalled_by_threads),
)
