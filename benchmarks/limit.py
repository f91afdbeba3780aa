"""Flop Hold'em: CPU seconds of an iteration on all flops, of a best response, and the way down to 1 mbb/g.

`python -m benchmarks.limit [GAME [ITERATIONS [SCHEDULE]]]` prints the curve of docs/limit.md. It takes 1.8 GB
and a minute or two.
"""

from __future__ import annotations

import sys
import time
from functools import cache
from typing import Any, Final

from benchmarks.measure import Wait
from tahur.games.registry import make
from tahur.solvers.limit.engine import BEST, layout_of
from tahur.solvers.limit.solve import USUAL, FlopSolver
from tahur.solvers.limit.warm import warm_up
from tahur.solvers.schedule import schedule_named

MARKS: Final = (1, 2, 5, 10, 20, 30, 50, 75, 100, 150, 200, 250, 300, 400, 500)
MBB: Final = 500  # of a chip, which is half a big blind


@cache
def _solver(name: str) -> FlopSolver:
    list(warm_up())
    game: Any = make(name, {})
    solver = FlopSolver(layout_of(game))
    solver.advance(2)  # the first one meets the memory for the first time
    return solver


def _iteration() -> float:
    began = time.process_time()
    _solver("fhp").advance(1)
    return time.process_time() - began


def _response() -> float:
    """Of both seats."""
    solver = _solver("fhp")
    began = time.process_time()
    for seat in (0, 1):
        solver.walker.walk(seat, BEST, solver.sums, solver.sums)
    return time.process_time() - began


def curve(name: str, iterations: int, schedule: str) -> None:
    """Iterations, CPU seconds of the iterations alone, exploitability, value of the small blind."""
    list(warm_up())
    game: Any = make(name, {})
    solver, spent = FlopSolver(layout_of(game), schedule_named(schedule)), 0.0
    print(f"{name} by {solver.schedule.name}: iterations, CPU s, exploitability mbb/g (NashConv / 2), value mbb/g")
    while solver.iteration < iterations:
        began = time.process_time()
        solver.advance(1)
        spent += time.process_time() - began
        if solver.iteration in MARKS or solver.iteration == iterations:
            found = solver.measure()
            print(
                f"{solver.iteration:>4} {spent:7.1f} {found.exploitability * MBB:9.3f} {found.value * MBB:+8.2f}",
                flush=True,
            )


BENCHMARKS = (
    Wait("Flop Hold'em, one iteration on all flops, CPU time", None, _iteration, rounds=3),
    Wait("Flop Hold'em, best responses of both seats, CPU time", None, _response, rounds=3),
)


if __name__ == "__main__":
    given = dict(enumerate(sys.argv))
    curve(given.get(1, "fhp"), int(given.get(2, 200)), given.get(3, USUAL.name))
