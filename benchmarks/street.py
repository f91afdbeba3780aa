"""The street solver: five textures, exact equities, 10,000 iterations each, in CPU seconds after warm-up."""

from __future__ import annotations

import time

from benchmarks.measure import Wait
from tahur.games.holdem.textures import Texture
from tahur.solvers.street.matrices import exact
from tahur.solvers.street.solve import solve

WELL_ENOUGH = 1e-5  # pots, (BR1 + BR2) / 2


def _five_textures() -> float:
    began = time.process_time()
    last = {}
    for texture in Texture:
        for point in solve(exact(texture)):
            last[texture] = point.exploitability
    if max(last.values()) > WELL_ENOUGH:
        raise AssertionError(f"not solved: {last}")
    return time.process_time() - began


BENCHMARKS = (Wait("street solve, five textures to 1e-5 pots, CPU time", 10.0, _five_textures, rounds=3),)
