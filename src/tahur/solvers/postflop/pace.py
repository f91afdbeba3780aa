"""Estimates of solving time: the work of a spot's tree, the speed of this machine, and the number of iterations.

Work is counted in *cells*: numbers that an iteration processes, one for each move of each hand on each board; the
overhead of each hand and each board is expressed as a number of cells, from measurements. The number of cells per
second of this machine is measured on a small turn. The number of iterations to a target is not known in advance:
`iterations_to` is a fit to spots of all kinds (tools/postflop_pace.py prints them), accurate within a factor of two.
Nothing here reads a clock; `machine_speed` is passed one.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import Final

from tahur.solvers.postflop.engine import Engine, lay_out
from tahur.solvers.postflop.estimate import Estimate, estimate
from tahur.solvers.postflop.spot import spot

USUAL_SPEED: Final = 2e8  # cells per second on one core, before anything is measured
EVERY: Final = 10  # iterations between two measurements of exploitability, each of which costs as much as an iteration
_AT_HALF_A_PERCENT: Final = 85  # iterations, with stacks of
_DEPTH: Final = 4.5  # pots
_STEEPNESS: Final = 0.6  # halving the target takes 2 ** 0.6 times the iterations
_DEEPER: Final = 0.35  # and doubling the stacks 2 ** 0.35 times
_PLACE: Final = 4  # overhead of each hand on each board in an iteration, in cells
_BOARD: Final = 1_300  # overhead of each board, in cells
_LAID_PLACE: Final = 130  # and once, for building the tables before and the equity after
_LAID_BOARD: Final = 44_000
_SHARED: Final = 0.9  # what each thread after the first adds, from the turn on
_ROUNDS: Final = 4
_ITERATIONS: Final = 5
_PILOT: Final = {
    "board": "Td9d6hQc", "oop": "22+,A2s+,KTs+,QTs+,JTs", "ip": "22+,A8s+,K9s+,AJo+,KQo", "pot": 200, "stack": 900,
    "sizes": "50%,a / a",
}  # fmt: skip


def iterations_to(target: float, size: Estimate) -> int:
    """Approximately how many iterations reach `target` % of the pot."""
    guess = _AT_HALF_A_PERCENT * (0.5 / target) ** _STEEPNESS * (size.depth / _DEPTH) ** _DEEPER
    return int(max(ceil(guess / EVERY), 1) * EVERY)


def seconds_to(target: float, size: Estimate, *, speed: float = USUAL_SPEED, threads: int = 1) -> float:
    """Approximate seconds of solving to `target` % of the pot, with `speed` cells per second and thread."""
    crews = 1.0 if len(size.nodes) == 1 else 1 + (threads - 1) * _SHARED  # a river uses one thread
    iterations = iterations_to(target, size) * (1 + 1 / EVERY)
    return (_work(size) * iterations / crews + size.places * _LAID_PLACE + size.boards * _LAID_BOARD) / speed


def machine_speed(clock: Callable[[], float]) -> float:
    """Cells per second of one thread on this machine: the fastest of a few rounds on a small turn."""
    pilot = spot(**_PILOT)
    engine = Engine(lay_out(pilot))
    engine.advance(1)
    return _work(estimate(pilot)) * _ITERATIONS / min(_timed(engine, clock) for _ in range(_ROUNDS))


def _work(size: Estimate) -> int:
    """Cells per iteration."""
    return size.cells + size.places * _PLACE + size.boards * _BOARD


def _timed(engine: Engine, clock: Callable[[], float]) -> float:
    began = clock()
    engine.advance(_ITERATIONS)
    return max(clock() - began, 1e-9)
