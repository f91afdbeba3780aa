"""Flop Hold'em in memory, and one seat's walk through the whole game: preflop as a small table, the flops by kernels.

A `Book` holds the numbers that strategies are computed from: for every hand at every decision, actions are taken in
proportion to the positive part, and uniformly where there is none. Regrets, strategy sums and probabilities are all
books. The preflop part is float64, `[decision][class][slot]`; the flops are one float32 array, as in
`kernels/flops.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.core.arrays import Float32s, Float64s
from tahur.core.errors import SolverError
from tahur.games.betting import FOLDED, NOT_LEGAL, SLOTS, betting_of
from tahur.games.holdem.rules import Holdem
from tahur.solvers.limit.deck import FULL, Deck, deck_of
from tahur.solvers.limit.flow import LANES, FlopBetting, flop_betting, flow_of
from tahur.solvers.limit.tables import FlopScratch, Flow
from tahur.solvers.rows import aligned

UPDATE, BEST, VALUE = range(3)  # as in the kernels
CHUNKS: Final = 60  # of flops; a fixed number, so that sums are the same for any number of threads


@dataclass(frozen=True, slots=True, eq=False)
class Book:
    """Numbers for both seats at every decision."""

    start: Float64s
    flops: Float32s


@dataclass(frozen=True, eq=False)
class LimitLayout:
    """The game with its deck: everything that does not change while solving."""

    game: Holdem
    deck: Deck
    flop: FlopBetting
    flows: tuple[Flow, Flow]

    @property
    def start_shape(self) -> tuple[int, int, int]:
        return self.flop.first, self.deck.classes, len(SLOTS)

    @property
    def places(self) -> NDArray[np.int64]:
        """(flops + 1,) the offset of each flop's data."""
        return self.deck.flops.start * (2 * self.flop.data_rows * LANES)

    @property
    def cells(self) -> int:
        """Numbers in the flop part of a book."""
        return int(self.places[-1])

    @property
    def information_sets(self) -> int:
        hands = int(self.deck.flops.start[-1])
        return self.flop.first * self.deck.classes + hands * self.flop.decisions * self.flop.lines

    def book(self) -> Book:
        return Book(np.zeros(self.start_shape), aligned(self.cells))


def layout_of(game: Holdem, cards: tuple[int, ...] = FULL, flops: int = 0) -> LimitLayout:
    """The layout of a game of Flop Hold'em, with all its flops or this many; rejects other games."""
    flop = flop_betting(betting_of(game))
    return LimitLayout(game, deck_of(cards, flops), flop, (flow_of(flop, 0), flow_of(flop, 1)))


class Walker:
    """Walks through a layout with one or more threads; the result is the same to the bit for any number of them."""

    def __init__(self, layout: LimitLayout, threads: int = 1) -> None:
        if threads < 1:
            raise SolverError(f"{threads} threads requested; at least 1 is needed")
        self.layout = layout
        self.threads = threads
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._works = [work_for(layout) for _ in range(threads)]

    def walk(
        self, me: int, mode: int, theirs: Book, mine: Book, *, sums: Book | None = None, weights: Float64s | None = None
    ) -> Float64s:
        """The value of each class of hands of the seat against the other's book, times the hands it can meet.

        UPDATE changes my regrets, `mine`, and adds the other's strategy to its `sums`.
        """
        layout = self.layout
        kept = np.zeros(3) if weights is None else weights
        start = PreflopWalk(layout, me, theirs.start)
        if mode == UPDATE and sums is not None:
            start.remember(sums.start, float(kept[2]))
        gathered = None if sums is None else sums.flops
        flop_values = self._flops(me, mode, theirs.flops, mine.flops, gathered, kept, start.before())
        return start.back(mode, mine.start, flop_values, kept)

    @property
    def work(self) -> FlopScratch:
        """One thread's scratch space, for callers that use the kernels directly."""
        return self._works[0]

    def mean(self, values: Float64s) -> float:
        """A seat's mean winnings per deal, in chips, from the result of `walk`."""
        deck = self.layout.deck
        return float(values @ deck.sizes) / len(deck.hands) / deck.pairs

    def _flops(
        self,
        me: int,
        mode: int,
        theirs: Float32s,
        mine: Float32s,
        sums: Float32s | None,
        weights: Float64s,
        before: Float32s,
    ) -> Float64s:
        """(classes, lanes) the values from the flops, for one hand of each class."""
        from tahur.solvers.limit.kernels.flops import traverse

        layout = self.layout
        deck, flow, places = layout.deck, layout.flows[me], layout.places
        chunks = np.array_split(np.arange(len(deck.boards)), min(CHUNKS, len(deck.boards)))
        out = np.zeros((len(chunks), deck.classes * LANES))
        gathered = theirs if sums is None else sums
        free = list(self._works)

        def run(number: int) -> None:
            work, chunk = free.pop(), chunks[number]
            traverse(
                deck.flops, flow, int(chunk[0]), int(chunk[-1]) + 1, mode, theirs, mine, gathered, places, weights,
                before, work, out[number],
            )  # fmt: skip
            free.append(work)

        if self._pool is None:
            for number in range(len(chunks)):
                run(number)
        else:
            list(self._pool.map(run, range(len(chunks))))
        return self.of_hands(out.sum(axis=0))

    def of_hands(self, out: Float64s) -> Float64s:
        """(classes, lanes) for one hand of each class, from the kernels' sums over all of them."""
        deck = self.layout.deck
        mean: Float64s = out.reshape(deck.classes, LANES) / (deck.sizes[:, None] * deck.boards_left)
        return mean


class PreflopWalk:
    """One seat's walk through the preflop betting, with the reach of the other at each node.

    theirs: the regrets or strategy sums by which the other plays, (decisions, classes, slots).
    """

    def __init__(self, layout: LimitLayout, me: int, theirs: Float64s) -> None:
        """Compute the other seat's reach at every preflop node from its regrets or sums, `theirs`."""
        self.layout, self.me = layout, me
        betting = layout.flop.betting
        self._children = betting.children[: layout.flop.first]
        self._played = matched(theirs, self._children != NOT_LEGAL)
        self._reach = {0: np.ones(layout.deck.classes)}
        for node, slot, child in self._steps():
            part = self._played[node, :, slot] if betting.seat[node] != me else 1.0
            self._reach[child] = self._reach[node] * part

    def before(self) -> Float32s:
        """(classes * lanes) the other's reach at each line that leads to the flop."""
        flop = self.layout.flop
        lanes = np.zeros((self.layout.deck.classes, LANES), np.float32)
        for line in range(flop.lines):
            lanes[:, line] = self._reach[flop.first + line * flop.decisions]
        return lanes.ravel()

    def remember(self, sums: Float64s, keep: float) -> None:
        """Add the other's strategy, weighted by its own reach."""
        for node in range(self.layout.flop.first):
            if self.layout.flop.betting.seat[node] != self.me:
                sums[node] = sums[node] * keep + self._reach[node][:, None] * self._played[node]

    def back(self, mode: int, mine: Float64s, flop_values: Float64s, weights: Float64s) -> Float64s:
        """The first decision's values; in UPDATE my regrets change."""
        betting, legal = self.layout.flop.betting, self._children != NOT_LEGAL
        values: dict[int, Float64s] = {}
        for node in range(self.layout.flop.first - 1, -1, -1):
            below = np.zeros((self.layout.deck.classes, len(SLOTS)))
            for slot in np.flatnonzero(legal[node]):
                child = int(self._children[node, slot])
                below[:, slot] = values[child] if child in values else self._terminal(child, flop_values)
            if betting.seat[node] != self.me:
                values[node] = below.sum(axis=1)
            elif mode == BEST:
                values[node] = np.where(legal[node], below, -np.inf).max(axis=1)
            else:
                values[node] = (matched(mine[node], legal[node]) * below).sum(axis=1)
                if mode == UPDATE:
                    kept = mine[node] * np.where(mine[node] > 0, weights[0], weights[1])
                    mine[node] = np.where(legal[node], kept + below - values[node][:, None], 0)
        return values[0]

    def _terminal(self, node: int, flop_values: Float64s) -> Float64s:
        """The payoff of a fold, or the values from the flop."""
        flop = self.layout.flop
        if node < flop.betting.decisions:
            return np.asarray(flop_values[:, (node - flop.first) // flop.decisions])
        if flop.betting.kind[node] != FOLDED:
            raise SolverError(f"{self.layout.game.name}: a showdown before the flop")
        sign = 1.0 if self.me == 0 else -1.0
        won: Float64s = sign * flop.betting.stake[node] * (self.layout.deck.apart @ self._reach[node])
        return won

    def _steps(self) -> Iterator[tuple[int, int, int]]:
        for node in range(self.layout.flop.first):
            for slot in np.flatnonzero(self._children[node] != NOT_LEGAL):
                yield node, int(slot), int(self._children[node, slot])


def matched(book: NDArray[Any], legal: NDArray[np.bool_]) -> Float64s:
    """Probabilities of legal slots, the last axis: positive numbers in proportion, uniform where there are none.
    book: (..., decisions, hands, 3) and legal: (decisions, 3), or one decision's (hands, 3) and (3,).
    """
    legal = np.expand_dims(legal, -2)
    positive = np.where(legal, np.maximum(book, 0), 0.0)
    total = positive.sum(axis=-1, keepdims=True)
    even = np.broadcast_to(legal / legal.sum(axis=-1, keepdims=True), positive.shape)
    return np.where(total > 0, positive / np.where(total > 0, total, 1), even)


def work_for(layout: LimitLayout) -> FlopScratch:
    """Scratch space for one thread."""
    starts = layout.deck.flops.start
    hands = int(np.diff(starts).max())
    rows = layout.flows[0].rows
    values = 2 * rows + layout.flop.decisions + layout.flop.decisions % 2
    orbits = int(layout.deck.flops.orbits.max()) + 1
    return FlopScratch(
        aligned(rows * 8 * hands), aligned(values * 8 * hands), aligned(orbits * 16), aligned(orbits * 16)
    )
