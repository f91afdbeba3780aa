"""CPU seconds of the iterations to 0.5 % and 0.1 % of the pot, one thread: python -m tools.postflop_targets F1 F3.

Without names, all spots of `make bench`: the table of docs/postflop.md, about ten minutes.
"""

from __future__ import annotations

import sys
from typing import Final

from benchmarks.postflop import SPOTS, cpu_time

from tahur.solvers.postflop.solve import PostflopSolver
from tahur.solvers.postflop.spot import spot

TARGETS: Final = (0.5, 0.1)  # % of the pot


def main(names: list[str]) -> None:
    for name in SPOTS:
        if not names or name.split(",")[0].split()[1] in names:
            print(f"{name}: {_solved(name)}", flush=True)


def _solved(name: str) -> str:
    PostflopSolver(spot(**SPOTS[name])).iterate(1)  # loads the kernels
    solver = PostflopSolver(spot(**SPOTS[name]))
    spent, reached = 0.0, []
    for target in TARGETS:
        while solver.iteration == 0 or solver.measure().exploitability > target:
            began = cpu_time()
            solver.iterate(10)
            spent += cpu_time() - began
        reached.append(f"to {target} % {spent:.3g} s in {solver.iteration} iterations")
    result = solver.solution()
    moves = ", ".join(f"{move} {often:.3f}" for move, often in zip(result.moves, result.frequencies, strict=True))
    return "; ".join([*reached, f"EV {result.ev[0]:.3f}", f"equity {result.equity[0]:.3%}", moves])


if __name__ == "__main__":
    main(sys.argv[1:])
