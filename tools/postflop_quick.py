"""Compare `tahur postflop solve --quick` with the whole tree on K72 rainbow: `python tools/postflop_quick.py 0.5`.

The argument is the target of the whole tree, which takes minutes and, with merged rivers, 5.2 GB.
"""

from __future__ import annotations

import sys
import time
from typing import Final

from tahur.solvers.postflop.quick import TARGET, after_check, moves_text, quick_spot, until_measured
from tahur.solvers.postflop.solve import PostflopSolver, until_stalled
from tahur.solvers.postflop.spot import Spot, spot
from tahur.solvers.solver import run

BUTTON: Final = "22+,A2s+,K2s+,Q2s+,J4s+,T6s+,96s+,85s+,75s+,64s+,53s+,43s,A2o+,K8o+,Q9o+,J9o+,T8o+,98o,87o"  # opens
BIG_BLIND: Final = (
    "TT-22,AJs-A2s,KQs-K2s,QJs-Q2s,JTs-J5s,T9s-T6s,98s-95s,87s-84s,76s-74s,65s-63s,54s-53s,43s,AJo-A5o,KQo-K9o,"
    "QJo-Q9o,JTo-J9o,T9o-T8o,98o,87o"  # calls
)
SPOT: Final = {
    "board": "Ks7h2d", "oop": BIG_BLIND, "ip": BUTTON, "pot": "5.5bb", "stack": "97.5bb", "sizes": "33%,75% / 60%",
    "raise_cap": 2,
}  # fmt: skip


def main() -> None:
    whole = spot(**SPOT)
    _show("quick", quick_spot(whole).spot, TARGET)
    _show("whole", whole, float(sys.argv[1]) if len(sys.argv) > 1 else 0.5)


def _show(name: str, asked: Spot, target: float) -> None:
    began = time.process_time()
    solver = PostflopSolver(asked, merge_rivers=True)
    for _ in until_stalled(run(solver, iterations=2000, target=target, every=until_measured)):
        pass
    solution, spent = solver.solution(), time.process_time() - began
    first = moves_text(zip(solution.moves, solution.frequencies, strict=True))
    print(
        f"{name}: {solution.exploitability:.2f} % after {solution.iterations} iterations, {spent:.1f} CPU s, "
        f"{solver.estimate().bytes / 1e9:.2f} GB; out of position {first}, "
        f"EV {solution.ev[0] / asked.pot:.1%} of the pot; after a check {moves_text(after_check(solution.engine))}",
        flush=True,
    )


if __name__ == "__main__":
    main()
