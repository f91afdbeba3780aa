"""CPU seconds of the iterations to 0.5 % and 0.1 % of the pot on big flops: python -m tools.postflop_targets F1 F3."""

from __future__ import annotations

import sys
from typing import Final

from benchmarks.postflop import RANGES, cpu_time

from tahur.solvers.postflop.solve import PostflopSolver
from tahur.solvers.postflop.spot import spot

BOARDS: Final = {"F1": "Td9d6h", "F3": "Td9d6d"}
TARGETS: Final = (0.5, 0.1)  # % of the pot


def main(names: list[str]) -> None:
    for name in names or BOARDS:
        solver = PostflopSolver(spot(**(RANGES | {"board": BOARDS[name], "stack": 900, "sizes": "50% / 60%"})))
        spent = 0.0
        for target in TARGETS:
            while solver.engine.iteration == 0 or solver.engine.exploitability() > target:
                began = cpu_time()
                solver.engine.iterate(10)
                spent += cpu_time() - began
            print(f"{name} to {target} %: {spent:.1f} s, {solver.engine.iteration} iterations", flush=True)
        found = solver.solution()
        moves = ", ".join(f"{move} {often:.3f}" for move, often in zip(found.moves, found.frequencies, strict=True))
        print(f"{name}: EV {found.ev[0]:.2f}, equity {found.equity[0]:.3%}, {moves}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
