"""Flop Hold'em solved by counterfactual regret minimisation: `FlopSolver`.

Each iteration updates seat 0 and then seat 1 on all flops. A seat's strategy is added to its sums, weighted by its own
reach, during the other seat's walk: seat 1's strategy before its update, seat 0's after. So the sums of seat 0 begin
with its second strategy.

`write_memory` writes the state of a solver to a file, from which `resume_solver` continues bit for bit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur import __version__
from tahur.cards.flops import Flop, hand_classes
from tahur.core.archive import FLOPS_MEMORY, Archive, write_archive
from tahur.core.arrays import Float32s
from tahur.core.errors import SolverError
from tahur.core.solution import Facts
from tahur.games.betting import SLOTS
from tahur.solvers.interrupts import Stop, run_apart
from tahur.solvers.limit.engine import BEST, UPDATE, VALUE, Book, LimitLayout, Walker, matched
from tahur.solvers.limit.flow import LANES
from tahur.solvers.response import Measure
from tahur.solvers.schedule import DCFR_PLUS, Schedule, schedule_named
from tahur.solvers.solver import Estimate, SolverState, fill

USUAL: Final = DCFR_PLUS
UNIT: Final = "mbb/g"


def estimate(layout: LimitLayout, threads: int = 1) -> Estimate:
    """Regrets and sums, and the threads' scratch space; known before anything is allocated."""
    return Estimate(books_bytes(layout) + (150 << 20) + threads * (4 << 20), layout.cells)


def books_bytes(layout: LimitLayout) -> int:
    """The size of regrets and sums, which a checkpoint stores."""
    return 2 * 4 * layout.cells


class FlopSolver:
    """Solves one game with one schedule."""

    def __init__(self, layout: LimitLayout, schedule: Schedule = USUAL, *, threads: int = 1) -> None:
        self.layout = layout
        self.schedule = schedule
        self.iteration = 0
        self.regrets, self.sums = layout.book(), layout.book()
        self.walker = Walker(layout, threads)

    def iterate(self, iterations: int) -> None:
        """Run this many more iterations; if interrupted, fewer, but only whole ones."""
        run_apart(lambda stop: self._iterate(iterations, stop))

    def _iterate(self, iterations: int, stop: Stop) -> None:
        for weights in self.schedule.weights(self.iteration + 1, iterations):
            if stop.requested:
                return
            for seat in (0, 1):
                self.walker.walk(seat, UPDATE, self.regrets, self.regrets, sums=self.sums, weights=weights)
            self.iteration += 1

    def measure(self) -> Measure:
        """Exact best responses to the average strategy, in chips."""
        return run_apart(lambda _: measure_book(self.walker, self.sums))

    def state(self) -> SolverState:
        """Regrets and sums, before the flop and on it."""
        arrays = {f"{name}/start": book.start for name, book in self._books.items()}
        return SolverState(self.iteration, arrays | {f"{name}/flops": book.flops for name, book in self._books.items()})

    def resume(self, state: SolverState) -> None:
        """Continue from a copy of another state of the same game and schedule."""
        fill(self.state().arrays, state, f"{self.layout.game.name} by {self.schedule.name}")
        self.iteration = state.iteration

    @property
    def _books(self) -> dict[str, Book]:
        return {"regrets": self.regrets, "sums": self.sums}

    def estimate(self) -> Estimate:
        return estimate(self.layout, self.walker.threads)

    def facts(self, measure: Measure) -> Facts:
        """The metadata of the strategy, in thousandths of a big blind."""
        game = self.layout.game
        scale = 1000 / game.stakes.blinds[1]
        return Facts(
            game=game.name,
            settings=dict(game.settings),
            schedule=self.schedule.name,
            planned=0,
            iterations=self.iteration,
            exploitability=measure.exploitability * scale,
            nashconv=measure.nashconv * scale,
            value=measure.value * scale,
            unit=UNIT,
            made_by=f"tahur {__version__}",
        )


def measure_book(walker: Walker, book: Book) -> Measure:
    """Best responses to a book, and seat 0's value if both play it."""
    best = [walker.mean(walker.walk(seat, BEST, book, book)) for seat in (0, 1)]
    return Measure((best[0], best[1]), walker.mean(walker.walk(0, VALUE, book, book)))


@dataclass(frozen=True, eq=False)
class BookSource:
    """A book of the full deck as probabilities, for a file."""

    layout: LimitLayout
    book: Book

    def start(self) -> Float32s:
        legal = self.layout.flop.betting.legal[: self.layout.flop.first]
        return matched(self.book.start, legal).astype(np.float32)

    def classes(self, cards: Flop) -> Float32s:
        """(lines, decisions of a line, classes of hands, 3)"""
        layout = self.layout
        number = layout.deck.number_of(cards)
        rows = rows_of(layout, self.book.flops, number)
        order = layout.deck.members[number][hand_classes(cards).firsts]
        flop = layout.flop
        chances = np.zeros((flop.lines, flop.decisions, len(order), len(SLOTS)), np.float32)
        for decision in range(flop.decisions):
            for slot in flop.moves(decision):
                row = rows[flop.seat(decision), flop.rows[decision, slot]]
                chances[:, decision, :, slot] = row[order, : flop.lines].T
        legal = flop.betting.legal[flop.first : flop.first + flop.decisions]
        return matched(chances, legal).astype(np.float32)


def rows_of(layout: LimitLayout, flops: NDArray[np.float32], number: int) -> NDArray[np.float32]:
    """(2, rows of data, hands, lanes) a flop's part of a book, the hands weakest first."""
    places = layout.places
    part = flops[places[number] : places[number + 1]]
    return part.reshape(2, layout.flop.data_rows, -1, LANES)


PART: Final = 1 << 23  # numbers in a block


def write_memory(path: Path, solver: FlopSolver) -> None:
    """Write regrets and sums without conversion; the file is as large as both together."""
    game = solver.layout.game
    header = {"game": game.name, "schedule": solver.schedule.name, "iteration": solver.iteration}
    blocks = ((name, part.data.cast("B")) for name, part in _parts(solver.state()))
    write_archive(path, FLOPS_MEMORY, header, blocks, compress=False)


def resume_solver(path: Path, layout: LimitLayout, *, schedule: str | None = None, threads: int = 1) -> FlopSolver:
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
