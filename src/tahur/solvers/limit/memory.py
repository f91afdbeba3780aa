"""The state of a Flop Hold'em solver in a file: everything needed to resume bit for bit, after Ctrl-C or a crash."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.core.archive import FLOPS_MEMORY, Archive, write_archive
from tahur.core.errors import SolverError
from tahur.solvers.limit.engine import LimitLayout
from tahur.solvers.limit.solve import FlopSolver
from tahur.solvers.schedule import schedule_named
from tahur.solvers.solver import SolverState

PART: Final = 1 << 23  # numbers in a block


def write_memory(path: Path, solver: FlopSolver) -> None:
    """Write regrets and sums without conversion; the file is as large as both together."""
    game = solver.layout.game
    header = {"game": game.name, "schedule": solver.schedule.name, "iteration": solver.iteration}
    blocks = ((name, part.data.cast("B")) for name, part in _parts(solver.state()))
    write_archive(path, FLOPS_MEMORY, header, blocks, compress=False)


def resumed(path: Path, layout: LimitLayout, *, schedule: str | None = None, threads: int = 1) -> FlopSolver:
    """A solver that continues where another one stopped."""
    file = Archive(path, FLOPS_MEMORY)
    header = file.header
    if header["game"] != layout.game.name:
        raise SolverError(f"{path} belongs to {header['game']}; the game to solve is {layout.game.name}")
    if schedule not in (None, header["schedule"]):
        raise SolverError(f"{path} was started with --schedule {header['schedule']}; it cannot resume with {schedule}")
    solver = FlopSolver(layout, schedule_named(header["schedule"]), threads=threads)
    state = solver.state()
    for name, part in _parts(state):
        part[:] = np.frombuffer(file.block(name, part.nbytes), part.dtype)
    solver.resume(replace(state, iteration=int(header["iteration"])))
    return solver


def _parts(state: SolverState) -> Iterator[tuple[str, NDArray[Any]]]:
    """The arrays in blocks: those of the flops are `regrets/0`, `regrets/1` and so on."""
    for book in ("regrets", "sums"):
        yield f"{book}/start", state.arrays[f"{book}/start"].reshape(-1)
        flops = state.arrays[f"{book}/flops"]
        for number, begin in enumerate(range(0, len(flops), PART)):
            yield f"{book}/{number}", flops[begin : begin + PART]
