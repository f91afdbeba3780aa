"""Call every kernel of the postflop solver once, on the smallest spots."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tahur.solvers.postflop.solve import PostflopSolver
from tahur.solvers.postflop.spot import spot

BOARDS: Final = {"postflop, river": "Td9d6hQc2s", "postflop, turn": "Td9d6hQc", "postflop, flop": "Td9d6h"}


def warm_up(*, half: bool = False) -> Iterator[str]:
    """Compile or load the kernels, yielding the name of each group before it starts; `half`: the 16-bit ones."""
    for name, board in BOARDS.items():
        yield name + (", 16 bits" if half else "")
        solver = PostflopSolver(spot(board=board, oop="AA", ip="KK", pot=2, stack=1, sizes="a / a"), half=half)
        solver.iterate(1)
        solver.solution()


def warm_up_half() -> Iterator[str]:
    """The 16-bit kernels."""
    yield from warm_up(half=True)
