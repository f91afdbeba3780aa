"""The postflop solver: CPU seconds to a target on spots that other solvers were measured on, one thread.

The spots and what postflop-solver (Rust, its fastest build) takes for them on a two-core Xeon are public figures of
another machine, so they are no limits here; docs/postflop.md lays them beside ours.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from benchmarks.measure import Wait
from tahur.solvers.postflop.solve import Solver
from tahur.solvers.postflop.spot import spot

RANGES: Final = {
    "oop": "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s",
    "ip": "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+",
    "pot": 200,
}
ALL_HANDS: Final = {"oop": "any", "ip": "any", "pot": 200}
RIVER: Final = {"board": "Td9d6hQc2s", "stack": 900, "sizes": "50%,100%,a / 60%,a"}
TURN: Final = {"board": "Td9d6hQc", "stack": 900, "sizes": "50%,a / 60%,a"}
SPOTS: Final[Mapping[str, Mapping[str, Any]]] = {
    "river R1": RANGES | RIVER,
    "river R2, all hands": ALL_HANDS | RIVER,
    "turn T1": RANGES | TURN,
    "turn T2, all hands": ALL_HANDS | TURN,
    "flop F0": RANGES | {"board": "Td9d6h", "stack": 400, "sizes": "50% / a"},
}
MOST: Final = 2_000  # iterations


def _solved(name: str, target: float) -> float:
    """CPU seconds of the iterations alone, as the peers count them; measuring exploitability is not in it."""
    solver = Solver(spot(**SPOTS[name]))
    spent = 0.0
    while solver.engine.iteration < MOST:
        began = time.process_time()
        solver.engine.advance(10)
        spent += time.process_time() - began
        if solver.engine.exploitability() <= target:
            return spent
    raise AssertionError(f"{name}: not at {target} % after {MOST} iterations")


BENCHMARKS = tuple(
    Wait(f"postflop {name} to {target} % of the pot, CPU time", None, partial(_solved, name, target), rounds=1)
    for name in SPOTS
    for target in (0.5, 0.1)
)
