"""The state of a Flop Hold'em solver in a file: everything needed to resume bit for bit, after Ctrl-C or a crash."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from tahur.core.archive import FLOPS_MEMORY, Archive, write_archive
from tahur.core.errors import SolverError
from tahur.solvers.limit.engine import Book, LimitLayout
from tahur.solvers.limit.solve import FlopSolver
from tahur.solvers.schedule import schedule_named

PART: Final = 1 << 23  # numbers in a block


def write_memory(path: Path, solver: FlopSolver) -> None:
    """Write regrets and sums without conversion; the file is as large as both together."""
    game = solver.layout.game
    header = {"game": game.name, "schedule": solver.schedule.name, "iteration": solver.iteration}
    write_archive(path, FLOPS_MEMORY, header, _blocks(solver), compress=False)


def resumed(path: Path, layout: LimitLayout, *, schedule: str | None = None, threads: int = 1) -> FlopSolver:
    """A solver that continues where another one stopped."""
    file = Archive(path, FLOPS_MEMORY)
    header = file.header
    if header["game"] != layout.game.name:
        raise SolverError(f"{path} belongs to {header['game']}; the game to solve is {layout.game.name}")
    if schedule not in (None, header["schedule"]):
        raise SolverError(f"{path} was started with --schedule {header['schedule']}; it cannot resume with {schedule}")
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
