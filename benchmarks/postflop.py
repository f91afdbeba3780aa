"""The postflop solver on spots that other solvers were measured on: seconds per iteration, to a target, by threads.

The times of postflop-solver (Rust, its fastest build) on a two-core Xeon are public figures of another machine, so they
are not limits here; docs/postflop.md compares them with tahur's. The machine's own speed by two fixed kernels comes
first, and their speed-up with two threads: no solver can gain more than that.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from benchmarks import speed
from benchmarks.measure import Benchmark, Figure, Row, Threads, Wait
from tahur.solvers.postflop.engine import Engine
from tahur.solvers.postflop.layout import lay_out
from tahur.solvers.postflop.solve import PostflopSolver
from tahur.solvers.postflop.spot import spot

RANGES: Final = {
    "oop": "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s",
    "ip": "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+",
    "pot": 200,
}
WEIGHTED: Final = {
    "oop": "AA,KK,QQ,JJ,TT,99:0.75,88:0.75,77:0.5,66:0.25,55:0.25,AK,AQs,AQo:0.75,AJs,AJo:0.5,ATs:0.75,A6s:0.25,"
    "A5s:0.75,A4s:0.75,A3s:0.5,A2s:0.5,KQs,KQo:0.5,KJs,KTs:0.75,K5s:0.25,K4s:0.25,QJs:0.75,QTs:0.75,Q9s:0.5,JTs:0.75,"
    "J9s:0.75,J8s:0.75,T9s:0.75,T8s:0.75,T7s:0.75,98s:0.75,97s:0.75,96s:0.5,87s:0.75,86s:0.5,85s:0.5,76s:0.75,75s:0.5,"
    "65s:0.75,64s:0.5,54s:0.75,53s:0.5,43s:0.5",
    "ip": "QQ:0.5,JJ:0.75,TT,99,88,77,66,55,44,33,22,AKo:0.25,AQs,AQo:0.75,AJs,AJo:0.75,ATs,ATo:0.75,A9s,A8s,A7s,A6s,"
    "A5s,A4s,A3s,A2s,KQ,KJ,KTs,KTo:0.5,K9s,K8s,K7s,K6s,K5s,K4s:0.5,K3s:0.5,K2s:0.5,QJ,QTs,Q9s,Q8s,Q7s,JTs,JTo:0.5,J9s,"
    "J8s,T9s,T8s,T7s,98s,97s,96s,87s,86s,76s,75s,65s,64s,54s,53s,43s",
    "pot": 10,
}
ALL_HANDS: Final = {"oop": "any", "ip": "any", "pot": 200}
RIVER: Final = {"board": "Td9d6hQc2s", "stack": 900, "sizes": "50%,100%,a / 60%,a"}
TURN: Final = {"board": "Td9d6hQc", "stack": 900, "sizes": "50%,a / 60%,a"}
THRESHOLDS: Final = {"add_all_in": 1.5, "force_all_in": 0.15, "merge": 0.1}
SPOTS: Final[Mapping[str, Mapping[str, Any]]] = {
    "river R1": RANGES | RIVER,
    "river R2, all hands": ALL_HANDS | RIVER,
    "turn T0": RANGES | TURN | THRESHOLDS | {"sizes": "60%,e,a / 2.5x", "donk_river": "50%"},
    "turn T1": RANGES | TURN,
    "turn T2, all hands": ALL_HANDS | TURN,
    "flop F0": RANGES | {"board": "Td9d6h", "stack": 400, "sizes": "50% / a"},
    "flop F1": RANGES | {"board": "Td9d6h", "stack": 900, "sizes": "50% / 60%"},
    "flop F2": WEIGHTED
    | {"board": "QsJh2h", "stack": 95, "sizes": "100%,a / 50%,a", "turn": "oop: 100%,a / 50%,a; ip: 100% / 50%"},
    "flop F3": RANGES | {"board": "Td9d6d", "stack": 900, "sizes": "50% / 60%"},
}
TO_TARGET: Final = (
    "river R1",
    "river R2, all hands",
    "turn T1",
    "turn T2, all hands",
    "flop F0",
)  # the others take long
IN_THREADS: Final = ("turn T1", "turn T2, all hands", "flop F0", "flop F3")
BATCH: Final = {"river": 200, "turn": 8, "flop": 1}  # iterations timed together: one river takes less than the call
TRIES: Final = 3  # batches, of which the fastest counts
MOST: Final = 2_000  # iterations
FASTER_IN_TWO: Final = 1.8


def cpu_time() -> float:
    """CPU seconds of the process, read after a pause: the clock lags up to a tick behind a thread that has just
    ended."""
    time.sleep(0.002)
    return time.process_time()


def _solved(name: str, target: float) -> float:
    """CPU seconds of the iterations alone, as the peers count them, without measuring exploitability."""
    solver = PostflopSolver(spot(**SPOTS[name]))
    spent = 0.0
    while solver.engine.iteration < MOST:
        began = cpu_time()
        solver.engine.iterate(10)
        spent += cpu_time() - began
        if solver.engine.exploitability() <= target:
            return spent
    raise AssertionError(f"{name}: {target} % not reached after {MOST} iterations")


def _iteration(name: str) -> float:
    """CPU seconds of one iteration, after two others."""
    engine = Engine(lay_out(spot(**SPOTS[name])))
    engine.iterate(2)
    return min(_taken(engine, cpu_time, BATCH[name.split()[0]]) for _ in range(TRIES))


def _taken(engine: Engine, clock: Callable[[], float], iterations: int) -> float:
    began = clock()
    engine.iterate(iterations)
    return (clock() - began) / iterations


def _by_threads(name: str) -> tuple[float, float]:
    """Wall seconds of an iteration in one thread and in two, alternately."""
    layout = lay_out(spot(**SPOTS[name]))
    engines = [Engine(layout, threads=threads) for threads in (1, 2)]
    for engine in engines:
        engine.iterate(2)
    batch = BATCH[name.split()[0]]
    tries = [[_taken(engine, time.perf_counter, batch) for engine in engines] for _ in range(2 * TRIES)]
    one, two = (min(seconds) for seconds in zip(*tries, strict=True))
    return one, two


def _kernel_by_threads(work: Callable[[int], None]) -> tuple[float, float]:
    """Seconds for a piece of work; two threads do two at once."""
    return speed.seconds(work), speed.seconds(work, 2) / 2


@dataclass(frozen=True, slots=True)
class Bandwidth:
    """Memory bandwidth in bytes per second."""

    work: str = "this machine's memory, one thread"
    peer: str = ""

    def measure(self) -> Row:
        return Row(self.work, self.peer, ours=Figure(speed.bandwidth(), "B/s"))


BENCHMARKS: tuple[Benchmark, ...] = (
    Threads("this machine: a kernel that computes, two threads", None, partial(_kernel_by_threads, speed.compute)),
    Threads("this machine: a kernel that moves memory, two threads", None, partial(_kernel_by_threads, speed.move)),
    Bandwidth(),
    *(
        Wait(f"postflop {name}, an iteration, CPU time", None, partial(_iteration, name), rounds=1)
        for name in SPOTS
    ),
    *(
        Threads(f"postflop {name}, an iteration, two threads", FASTER_IN_TWO, partial(_by_threads, name))
        for name in IN_THREADS
    ),
    *(
        Wait(f"postflop {name} to {target} % of the pot, CPU time", None, partial(_solved, name, target), rounds=1)
        for name in TO_TARGET
        for target in (0.5, 0.1)
    ),
)  # fmt: skip
