"""Call every kernel of the postflop solver once, on the smallest spots."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tahur.solvers.postflop.solve import Solver
from tahur.solvers.postflop.spot import spot

BOARDS: Final = {"postflop, river": "Td9d6hQc2s", "postflop, turn": "Td9d6hQc", "postflop, flop": "Td9d6h"}


def warm_up() -> Iterator[str]:
    """Compile or load the kernels, naming each group before it."""
    for name, board in BOARDS.items():
        yield name
        solver = Solver(spot(board=board, oop="AA", ip="KK", pot=2, stack=1, sizes="a / a"))
        solver.engine.advance(1)
        solver.solution()
