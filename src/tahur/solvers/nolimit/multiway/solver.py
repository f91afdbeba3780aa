"""The multiway solver: whole hands of two to six seats, sampled, with linear weights.

With two seats this approaches an equilibrium of the abstract game. With more there is no such guarantee: the result is
a set of strategies that play well against each other, as in Pluribus (Brown and Sandholm 2019). Strategies are averaged
before the flop only; later streets serve to value the pots and follow their current strategy.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tahur.cards.buckets import Buckets
from tahur.cards.equity.hand import class_equities
from tahur.cards.equity.tables import combos
from tahur.cards.rankings import class_of_combos
from tahur.cards.tables import load
from tahur.core.arrays import Array
from tahur.solvers.interrupts import Stop, run_apart
from tahur.solvers.limit.bucketed import cards_of
from tahur.solvers.nolimit.multiway.kernels import (
    CLASSES,
    COMBOS,
    MOST_MOVES,
    STREETS,
    MultiwayCards,
    MultiwayDeal,
    MultiwayScratch,
    MultiwayTotals,
    train,
)
from tahur.solvers.nolimit.multiway.strategy import (
    HUNDREDTHS,
    LEAST,
    LEVELS,
    RARE,
    UNKNOWN,
    MultiwayStrategy,
    MultiwayTraining,
)
from tahur.solvers.nolimit.multiway.tree import PREFLOP_CLASSES, MultiwayTree
from tahur.solvers.response import Measure
from tahur.solvers.solver import Estimate, SolverState, fill

DEALS: Final = 1_000  # of a round
LEAST_REACH: Final = 0.01  # of a hand at a decision, below which its average strategy is not used


class MultiwaySolver:
    """Regrets of all seats, and strategy sums before the flop. An iteration is a round of `deals` deals."""

    def __init__(self, tree: MultiwayTree, buckets: Buckets, *, seed: int, deals: int = DEALS) -> None:
        self.tree, self.seed, self.iteration = tree, seed, 0
        self.totals = _totals(tree)
        self._deals, self._buckets, self._cards = deals, cards_of(buckets), _cards()
        self._deal, self._work = _deal(tree.preflop.seats), _scratch(tree.depth)
        self._word = np.array([seed], np.uint64)
        self._visited = np.zeros(1, np.int64)

    @property
    def visited(self) -> int:
        """The number of nodes visited, each with all 169 classes of hands."""
        return int(self._visited[0])

    @property
    def deals(self) -> int:
        """The number of deals sampled."""
        return self.iteration * self._deals

    def iterate(self, iterations: int) -> None:
        """Run this many more rounds; if interrupted, fewer, but only whole ones."""
        run_apart(lambda stop: self._iterate(iterations, stop))

    def _iterate(self, iterations: int, stop: Stop) -> None:
        """Run rounds, until all are done or a stop is requested. Round t has t times the weight of the first."""
        for _ in range(iterations):
            if stop.requested:
                return
            self._visited += train(
                self._deals, self.tree.arrays, load(), self._buckets, combos(), self._cards, self._deal, self._work,
                self.totals, self._word,
            )  # fmt: skip
            self.iteration += 1
            keep = self.iteration / (self.iteration + 1)
            for array in (self.totals.regrets, self.totals.sums, self.totals.worth, self.totals.weight):
                array *= array.dtype.type(keep)

    def measure(self) -> Measure | None:
        """None: it cannot be measured exactly."""
        return None

    def state(self) -> SolverState:
        """Everything that the totals hold, the random word, and the number of visited nodes."""
        arrays: dict[str, Array] = {**self.totals._asdict(), "word": self._word, "visited": self._visited}
        return SolverState(self.iteration, arrays)

    def resume(self, state: SolverState) -> None:
        """Continue from a copy of a state, with the same numbers as an uninterrupted run."""
        preflop = self.tree.preflop
        fill(self.state().arrays, state, f"{preflop.seats} seats at {preflop.depth:g} big blinds")
        self.iteration = state.iteration

    def strategy(self) -> MultiwayStrategy:
        """The average strategy so far, before the flop."""
        preflop, totals = self.tree.preflop, self.totals
        levels = np.zeros(preflop.cells, np.uint8)
        worth = np.full(preflop.cells, UNKNOWN, np.int16)
        for node in preflop.decisions:
            block = preflop.block(node)
            shape = PREFLOP_CLASSES, len(preflop.children[node])
            sums, values = totals.sums[block].reshape(shape), totals.worth[block].reshape(shape)
            mix = _mix(sums, values, totals.weight[node])
            levels[block] = np.rint(LEVELS * np.sqrt(mix)).ravel()
            if totals.arrivals[node] >= RARE:
                means = values / totals.weight[node][:, None]
                worth[block] = np.rint(means * HUNDREDTHS).ravel()
        training = MultiwayTraining(self.deals, self.iteration, self.seed, self.tree.buckets)
        arrivals = totals.arrivals.astype(np.float32)
        return MultiwayStrategy(
            tree=preflop, rake=self.tree.rake, training=training, levels=levels, arrivals=arrivals, worth=worth
        )

    def estimate(self) -> Estimate:
        """The memory of the totals, and the number of regrets."""
        return Estimate(bytes_of(self.tree), self.tree.cells)


def bytes_of(tree: MultiwayTree) -> int:
    """The memory of the totals."""
    nodes = len(tree.preflop.tables)
    return 4 * tree.cells + 12 * tree.preflop.cells + 8 * (CLASSES + 1) * nodes + 16


def _mix(sums: Array, values: Array, weight: Array) -> Array:
    """(169, actions) the average strategy without small probabilities.

    A hand whose own actions hardly ever led here has no average but that of the beginning: it takes its best action.
    """
    rows = sums.astype(np.float64)
    unknown = rows.sum(axis=1) <= LEAST_REACH * weight
    best = values[unknown] >= values[unknown].max(axis=1, keepdims=True)  # all of them if nothing is known
    rows[unknown] = best
    shares = rows / rows.sum(axis=1, keepdims=True)
    shares[shares < LEAST] = 0
    mix: Array = shares / shares.sum(axis=1, keepdims=True)
    return mix


def _totals(tree: MultiwayTree) -> MultiwayTotals:
    preflop = tree.preflop
    nodes = len(preflop.tables)
    return MultiwayTotals(
        regrets=np.zeros(tree.cells, np.float32),
        sums=np.zeros(preflop.cells, np.float32),
        worth=np.zeros(preflop.cells, np.float64),
        weight=np.zeros((nodes, CLASSES), np.float64),
        arrivals=np.zeros(nodes, np.float64),
    )


def _cards() -> MultiwayCards:
    class_of = class_of_combos()
    counts = np.bincount(class_of, minlength=CLASSES)
    return MultiwayCards(
        class_of=class_of,
        starts=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        members=np.argsort(class_of, kind="stable").astype(np.int64),
        equity=class_equities()[0].astype(np.float32),
    )


def _deal(seats: int) -> MultiwayDeal:
    return MultiwayDeal(
        board=np.zeros(5, np.int64),
        hand=np.zeros(seats, np.int64),
        rank=np.zeros(COMBOS, np.int64),
        bucket=np.zeros((STREETS, COMBOS), np.int64),
        free=np.zeros(CLASSES, np.float32),
        mine=np.zeros(CLASSES, np.int64),
        ranks=np.zeros(CLASSES, np.int64),
        buckets=np.zeros((STREETS, CLASSES), np.int64),
    )


def _scratch(depth: int) -> MultiwayScratch:
    return MultiwayScratch(
        reach=np.zeros((depth + 1, CLASSES), np.float32),
        value=np.zeros((depth, MOST_MOVES, CLASSES), np.float32),
        mix=np.zeros((depth, MOST_MOVES, CLASSES), np.float32),
        node=np.zeros(depth + 1, np.int64),
        begun=np.zeros(depth + 1, np.int64),
        to=np.zeros(depth + 1, np.int64),
        slot=np.zeros(depth + 1, np.int64),
        out=np.zeros(CLASSES, np.float32),
        ranks=np.zeros(COMBOS, np.int64),
        held=np.zeros(COMBOS, np.int64),
        spare_ranks=np.zeros(COMBOS, np.int64),
        spare_held=np.zeros(COMBOS, np.int64),
        strength=np.zeros(COMBOS, np.float32),
    )
