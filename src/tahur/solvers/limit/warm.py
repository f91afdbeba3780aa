"""Call every kernel of Flop Hold'em once, on the smallest deck."""

from __future__ import annotations

from collections.abc import Iterator

from tahur.games.holdem.limit import PRESETS
from tahur.solvers.limit.engine import layout_of
from tahur.solvers.limit.solve import FlopSolver


def warm_up() -> Iterator[str]:
    """Compile or load the kernels, yielding the name of each group before it starts."""
    yield "Flop Hold'em"
    game = next(preset for preset in PRESETS if preset.name == "fhp")()
    solver = FlopSolver(layout_of(game, tuple(range(8))))
    solver.iterate(1)
    solver.measure()
