"""What a solver remembers, in a file: all that it takes to go on bit for bit, after Ctrl-C or a crash."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from tahur.core.block_file import BlockFile, write_blocks
from tahur.core.errors import SolverError
from tahur.solvers.limit.engine import Book, LimitLayout
from tahur.solvers.limit.solve import FlopSolver
from tahur.solvers.schedule import schedule_named

KIND: Final = "memory of a Flop Hold'em solver"
PART: Final = 1 << 23  # numbers in a block


def write_memory(path: Path, solver: FlopSolver) -> None:
    """Regrets and sums as they are; the file is as big as the two of them."""
    game = solver.layout.game
    header = {"game": game.name, "schedule": solver.schedule.name, "iteration": solver.iteration}
    write_blocks(path, KIND, header, _blocks(solver), compress=False)


def resumed(path: Path, layout: LimitLayout, *, schedule: str | None = None, threads: int = 1) -> FlopSolver:
    """A solver that goes on where another one was."""
    file = BlockFile(path, KIND)
    header = file.header
    if header["game"] != layout.game.name:
        raise SolverError(f"{path} is of {header['game']}; what is to be solved now is {layout.game.name}")
    if schedule not in (None, header["schedule"]):
        raise SolverError(f"{path} was begun with --schedule {header['schedule']}; it cannot go on with {schedule}")
    solver = FlopSolver(layout, schedule_named(header["schedule"]), threads=threads)
    for name, book in _books(solver):
        start = file.block(f"{name}/start", book.start.nbytes)
        book.start[:] = np.frombuffer(start, book.start.dtype).reshape(book.start.shape)
        for number, part in enumerate(_parts(book)):
            part[:] = np.frombuffer(file.block(f"{name}/{number}", part.nbytes), part.dtype)
    solver.iteration = int(header["iteration"])
    return solver


def _blocks(solver: FlopSolver) -> Iterator[tuple[str, memoryview]]:
    for name, book in _books(solver):
        yield f"{name}/start", book.start.data.cast("B")
        for number, part in enumerate(_parts(book)):
            yield f"{name}/{number}", part.data.cast("B")


def _books(solver: FlopSolver) -> tuple[tuple[str, Book], tuple[str, Book]]:
    return ("regrets", solver.regrets), ("sums", solver.sums)


def _parts(book: Book) -> Iterator[np.ndarray[tuple[int], np.dtype[np.float32]]]:
    for begin in range(0, len(book.flops), PART):
        yield book.flops[begin : begin + PART]
