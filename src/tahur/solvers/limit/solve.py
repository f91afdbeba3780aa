"""Flop Hold'em solved by counterfactual regret minimisation: `FlopSolver`.

Each iteration updates seat 0 and then seat 1 on all flops. A seat's strategy is added to its sums, weighted by its own
reach, during the other seat's walk: seat 1's strategy before its update, seat 0's after. So the sums of seat 0 begin
with its second strategy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tahur import __version__
from tahur.cards.flops import Flop, hand_classes
from tahur.core.arrays import Float32s
from tahur.core.solution import Facts
from tahur.games.betting import SLOTS
from tahur.solvers.interrupts import Stop, run_apart
from tahur.solvers.limit.engine import BEST, UPDATE, VALUE, Book, LimitLayout, Walker, matched
from tahur.solvers.limit.flow import LANES
from tahur.solvers.response import Measure
from tahur.solvers.schedule import DCFR_PLUS, Schedule

USUAL: Final = DCFR_PLUS
UNIT: Final = "mbb/g"


@dataclass(frozen=True, slots=True)
class MemoryNeed:
    """The memory that solving takes, in bytes."""

    memory: int
    checkpoint: int


def memory_need(layout: LimitLayout, threads: int = 1) -> MemoryNeed:
    """Regrets and sums, and the threads' scratch space; known before anything is allocated."""
    books = 2 * 4 * layout.cells
    return MemoryNeed(books + (150 << 20) + threads * (4 << 20), books)


class FlopSolver:
    """Solves one game with one schedule."""

    def __init__(self, layout: LimitLayout, schedule: Schedule = USUAL, *, threads: int = 1) -> None:
        self.layout = layout
        self.schedule = schedule
        self.iteration = 0
        self.regrets, self.sums = layout.book(), layout.book()
        self.walker = Walker(layout, threads)

    def advance(self, iterations: int = 1) -> None:
        """Run this many more iterations; if interrupted, fewer, but only whole ones."""
        run_apart(lambda stop: self._advance(iterations, stop))

    def _advance(self, iterations: int, stop: Stop) -> None:
        for weights in self.schedule.weights(self.iteration + 1, iterations):
            if stop.requested:
                return
            for seat in (0, 1):
                self.walker.walk(seat, UPDATE, self.regrets, self.regrets, sums=self.sums, weights=weights)
            self.iteration += 1

    def measure(self) -> Measure:
        """Exact best responses to the average strategy, in chips."""
        return run_apart(lambda _: measure_book(self.walker, self.sums))

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
        found = np.zeros((flop.lines, flop.decisions, len(order), len(SLOTS)), np.float32)
        for decision in range(flop.decisions):
            for slot in flop.moves(decision):
                row = rows[flop.seat(decision), flop.rows[decision, slot]]
                found[:, decision, :, slot] = row[order, : flop.lines].T
        legal = flop.betting.legal[flop.first : flop.first + flop.decisions]
        return matched(found, legal).astype(np.float32)


def rows_of(layout: LimitLayout, flops: NDArray[np.float32], number: int) -> NDArray[np.float32]:
    """(2, rows of data, hands, lanes) a flop's part of a book, the hands weakest first."""
    places = layout.places
    part = flops[places[number] : places[number + 1]]
    return part.reshape(2, layout.flop.data_rows, -1, LANES)
