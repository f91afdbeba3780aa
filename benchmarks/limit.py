"""Flop Hold'em: CPU seconds of an iteration on all flops, of a best response, and convergence to 1 mbb/g.

`python -m benchmarks.limit [GAME [ITERATIONS [SCHEDULE]]]` prints the curve of docs/limit.md. It takes 1.8 GB
and a minute or two.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from functools import cache
from typing import Any, Final

from benchmarks.measure import Wait
from tahur.games.registry import make
from tahur.solvers.limit.engine import BEST, layout_of
from tahur.solvers.limit.solve import USUAL, FlopSolver
from tahur.solvers.schedule import schedule_named
from tahur.warm import warm_up

MARKS: Final = (1, 2, 5, 10, 20, 30, 50, 75, 100, 150, 200, 250, 300, 400, 500)
MBB: Final = 500  # per chip, which is half a big blind


@cache
def _solver(name: str) -> FlopSolver:
    list(warm_up(("limit",)))
    game: Any = make(name, {})
    solver = FlopSolver(layout_of(game))
    solver.iterate(2)  # the first iteration touches the memory for the first time
    return solver


def _iteration() -> float:
    began = time.process_time()
    _solver("fhp").iterate(1)
    return time.process_time() - began


def _response() -> float:
    """The best responses of both seats."""
    solver = _solver("fhp")
    began = time.process_time()
    for seat in (0, 1):
        solver.walker.walk(seat, BEST, solver.sums, solver.sums)
    return time.process_time() - began


def curve(name: str, iterations: int, schedule: str) -> None:
    """Iterations, CPU seconds of the iterations alone, exploitability, value of the small blind."""
    list(warm_up(("limit",)))
    game: Any = make(name, {})
    solver, spent = FlopSolver(layout_of(game), schedule_named(schedule)), 0.0
    print(f"{name} by {solver.schedule.name}: iterations, CPU s, exploitability mbb/g (NashConv / 2), value mbb/g")
    while solver.iteration < iterations:
        began = time.process_time()
        solver.iterate(1)
        spent += time.process_time() - began
        if solver.iteration in MARKS or solver.iteration == iterations:
            found = solver.measure()
            print(
                f"{solver.iteration:>4} {spent:7.1f} {found.exploitability * MBB:9.3f} {found.value * MBB:+8.2f}",
                flush=True,
            )


def _river_boards() -> float:
    """Run in a separate process, with one thread for matrices as in `tahur eval lhe`."""
    code = "from benchmarks.limit import river_boards; print(river_boards())"
    surroundings = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=surroundings, check=True)
    return float(run.stdout)


def river_boards() -> float:
    """CPU seconds of 100 boards of the river bound for three nets of width 128 with random weights."""
    import numpy as np

    from tahur.core.net_file import KeptNet, NetSet
    from tahur.core.towers import PARTS, Towers
    from tahur.games.encoders.encoder import BET_WIDTH
    from tahur.games.encoders.registry import encoder_of
    from tahur.solvers.deep.average import LimitAverage
    from tahur.solvers.limit.sampled_bounds import sample_bound

    game: Any = make("hulh")
    encoder: Any = encoder_of(game)
    rng = np.random.default_rng(1)
    width, into = 128, {"cards.0": encoder.card_width, "bets.0": BET_WIDTH}

    def part(name: str) -> Any:
        layer, _, kind = name.rpartition(".")
        out = 3 * (width + 1) if layer == "bets.2" else width
        shape = (out, into.get(layer, width)) if kind == "weight" else (out,)
        return rng.normal(scale=0.1, size=shape).astype(np.float32)

    def towers() -> Towers:
        return Towers({name: part(name) for name in PARTS})

    kept = tuple(KeptNet(number, 1.0, (towers(), towers())) for number in (1, 2, 3))
    average = LimitAverage(NetSet(game="hulh", settings=game.settings, iteration=3, uniform=False, kept=kept), game)
    began = time.process_time()
    for _ in sample_bound("river", average.betting, average, 100, np.random.default_rng(1)):
        pass
    return time.process_time() - began


BENCHMARKS = (
    Wait("limit hold'em, river bound of three nets, 100 boards, CPU time", 60.0, _river_boards, rounds=1),
    Wait("Flop Hold'em, one iteration on all flops, CPU time", None, _iteration, rounds=3),
    Wait("Flop Hold'em, best responses of both seats, CPU time", None, _response, rounds=3),
)


if __name__ == "__main__":
    given = dict(enumerate(sys.argv))
    curve(given.get(1, "fhp"), int(given.get(2, 200)), given.get(3, USUAL.name))
