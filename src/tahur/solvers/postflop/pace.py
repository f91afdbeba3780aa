"""How long a spot will take: the work of its tree, the speed of this machine, and a guess at the iterations.

Work is counted in *cells*: numbers that an iteration goes through, one for each move of each hand on each board; what
comes with each hand and each board besides is worth so many cells, as measured. How many cells a second this machine
goes through is measured on a small turn. How many iterations a target takes is not
known before: `iterations_to` is what spots of all kinds took (tools/postflop_pace.py prints them), within a factor of
two. Nothing here reads a clock; `machine_speed` is given one.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import Final

from tahur.solvers.postflop.engine import Engine, lay_out
from tahur.solvers.postflop.estimate import Estimate, estimate
from tahur.solvers.postflop.spot import spot

USUAL_SPEED: Final = 2e8  # cells a second of one core, before anything is measured
EVERY: Final = 10  # iterations between two looks at the exploitability, each of which costs as much as an iteration
_AT_HALF_A_PERCENT: Final = 85  # iterations, with stacks of
_DEPTH: Final = 4.5  # pots
_STEEPNESS: Final = 0.6  # a target half as big takes 2 ** 0.6 times the iterations
_DEEPER: Final = 0.35  # and stacks twice as deep 2 ** 0.35 times
_PLACE: Final = 4  # cells that each hand on each board is worth in an iteration
_BOARD: Final = 1_300  # cells that each board is worth
_LAID_PLACE: Final = 130  # and once, for laying them out before and for the equity after
_LAID_BOARD: Final = 44_000
_SHARED: Final = 0.9  # what each thread after the first adds, from the turn on
_ROUNDS: Final = 4
_ITERATIONS: Final = 5
_PILOT: Final = {
    "board": "Td9d6hQc", "oop": "22+,A2s+,KTs+,QTs+,JTs", "ip": "22+,A8s+,K9s+,AJo+,KQo", "pot": 200, "stack": 900,
    "sizes": "50%,a / a",
}  # fmt: skip


def iterations_to(target: float, size: Estimate) -> int:
    """About how many iterations reach `target` % of the pot."""
    guess = _AT_HALF_A_PERCENT * (0.5 / target) ** _STEEPNESS * (size.depth / _DEPTH) ** _DEEPER
    return int(max(ceil(guess / EVERY), 1) * EVERY)


def seconds_to(target: float, size: Estimate, *, speed: float = USUAL_SPEED, threads: int = 1) -> float:
    """About how long solving takes until `target` % of the pot, with so many cells a second of one thread."""
    crews = 1.0 if len(size.nodes) == 1 else 1 + (threads - 1) * _SHARED  # a river is played by one
    iterations = iterations_to(target, size) * (1 + 1 / EVERY)
    return (_work(size) * iterations / crews + size.places * _LAID_PLACE + size.boards * _LAID_BOARD) / speed


def machine_speed(clock: Callable[[], float]) -> float:
    """Cells a second that one thread goes through here and now: the fastest of a few rounds on a small turn."""
    pilot = spot(**_PILOT)
    engine = Engine(lay_out(pilot))
    engine.advance(1)
    return _work(estimate(pilot)) * _ITERATIONS / min(_timed(engine, clock) for _ in range(_ROUNDS))


def _work(size: Estimate) -> int:
    """Cells of an iteration."""
    return size.cells + size.places * _PLACE + size.boards * _BOARD


def _timed(engine: Engine, clock: Callable[[], float]) -> float:
    began = clock()
    engine.advance(_ITERATIONS)
    return max(clock() - began, 1e-9)
