"""Full limit hold'em with card abstraction: external sampling with linear weights.

The betting is not abstracted, the cards are (`cards/buckets.py`). The result is a strategy for every betting line and
bucket: a baseline opponent, not an equilibrium of the real game.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from tahur.cards.buckets import CHOOSE, Buckets, classes
from tahur.cards.equity.tables import combos
from tahur.cards.tables import load
from tahur.core.arrays import Array
from tahur.games.betting import DECISION, FOLDED, SLOTS, Betting
from tahur.games.holdem.bucket_table import BucketTable, TrainingRecord, first_rows
from tahur.solvers.interrupts import Stop, run_apart
from tahur.solvers.limit.kernels.bucketed import sample
from tahur.solvers.response import Measure
from tahur.solvers.solver import Estimate, SolverState, fill


class BucketTree(NamedTuple):
    """A limit betting tree for the kernels, decisions before terminals, with the offset of each decision's numbers."""

    kind: Array  # (nodes,) int8
    seat: Array  # (nodes,) int8
    street: Array  # (nodes,) int8
    children: Array  # (decisions, 3) int32, -1 where not legal
    moves: Array  # (decisions,) int64 number of legal slots
    first: Array  # (decisions,) int64 where its block [bucket][slot] begins
    pays: Array  # (nodes,) float64 to seat 0 at a fold, or if it wins the showdown
    folded: Array  # (nodes,) bool


class BucketCards(NamedTuple):
    """The buckets of all boards, as stored by `cards/buckets.py`."""

    preflop: Array
    flop: Array
    flop_number: Array
    flop_label: Array
    turn: Array
    turn_number: Array
    turn_label: Array
    river: Array
    choose: Array  # (53, 5) binomial coefficients


PAIRS: Final = 20  # hands on each board: ranking a board costs as much as several walks
BOARDS: Final = 2_000  # boards of a round, after which older rounds are discounted
DISCOUNTED: Final = 500  # rounds; later discounts would change too little to justify touching every number


class Trainer:
    """Regrets and strategy sums of both seats, and the word of the random stream.

    An iteration is a round of `boards` boards. Round t has t times the weight of the first, up to `DISCOUNTED`.
    """

    def __init__(self, betting: Betting, buckets: Buckets, seed: int, *, boards: int = BOARDS) -> None:
        """Start at iteration 0, with regrets and sums of 0. `boards`: the boards sampled in each iteration."""
        self.betting, self.buckets, self.seed, self._boards = betting, buckets, seed, boards
        self.tree = tree_of(betting, buckets.counts)
        self.cards = cards_of(buckets)
        cells = int(self.tree.first[-1]) + len(SLOTS) * buckets.counts[betting.streets - 1]
        self.regrets, self.sums = np.zeros(cells, np.float32), np.zeros(cells, np.float32)
        self._word = np.array([seed], np.uint64)
        self._visited = np.zeros(1, np.int64)
        self.iteration = 0

    @property
    def deals(self) -> int:
        return self.iteration * self._boards * PAIRS

    @property
    def visited(self) -> int:
        """The number of nodes visited."""
        return int(self._visited[0])

    def iterate(self, iterations: int) -> None:
        """Run this many more rounds; if interrupted, fewer, but only whole ones."""
        run_apart(lambda stop: self._iterate(iterations, stop))

    def _iterate(self, iterations: int, stop: Stop) -> None:
        """Sample boards and hands and update regrets, until all iterations are done or a stop is requested."""
        for _ in range(iterations):
            if stop.requested:
                return
            self._visited += sample(
                self._boards, PAIRS, self.tree, self.cards, load(), combos(), self.regrets, self.sums, self._word
            )
            self.iteration += 1
            if self.iteration < DISCOUNTED:
                keep = np.float32(self.iteration / (self.iteration + 1))
                self.regrets *= keep
                self.sums *= keep

    def measure(self) -> Measure | None:
        """None: it cannot be measured exactly. `sampled_bounds` bounds what the strategy can lose."""
        return None

    def state(self) -> SolverState:
        """Regrets, strategy sums, the state of the random number generator, and the number of visited nodes."""
        arrays: dict[str, Array] = {
            "regrets": self.regrets,
            "sums": self.sums,
            "word": self._word,
            "visited": self._visited,
        }
        return SolverState(self.iteration, arrays)

    def resume(self, state: SolverState) -> None:
        """Continue from a copy of a state, with the same numbers as an uninterrupted run."""
        fill(self.state().arrays, state, f"{self.betting.game.name} on buckets")
        self.iteration = state.iteration

    def estimate(self) -> Estimate:
        return Estimate(self.regrets.nbytes + self.sums.nbytes, len(self.regrets))

    def table(self) -> BucketTable:
        """The average strategy so far."""
        training = TrainingRecord(
            game=self.betting.game.name,
            buckets=self.buckets.counts,
            rounds=self.iteration,
            deals=self.deals,
            seed=self.seed,
        )
        return BucketTable(training, self.betting, self.buckets, self.average())

    def average(self) -> Array:
        """(cells / 3, 3) the average strategy; uniform over legal slots where nothing was visited."""
        sums = self.sums.reshape(-1, len(SLOTS)).astype(np.float64)
        legal = np.repeat(self.betting.legal, self._buckets_of_decisions(), axis=0)
        total = sums.sum(axis=1, keepdims=True)
        even = legal / legal.sum(axis=1, keepdims=True)
        return np.where(total > 0, sums / np.where(total > 0, total, 1.0), even)

    def _buckets_of_decisions(self) -> Array:
        return np.array(self.buckets.counts)[self.betting.street[: self.betting.decisions]]


def tree_of(betting: Betting, counts: tuple[int, ...]) -> BucketTree:
    """The arrays of a betting tree, with `counts` buckets on each street."""
    lost = betting.committed.min(axis=1).astype(np.float64)
    folded = betting.kind == FOLDED
    return BucketTree(
        kind=betting.kind,
        seat=betting.seat,
        street=betting.street,
        children=betting.children,
        moves=betting.legal.sum(axis=1).astype(np.int64),
        first=len(SLOTS) * first_rows(betting, counts),
        pays=np.where(betting.kind == DECISION, 0.0, np.where(folded & (betting.seat == 0), -lost, lost)),
        folded=folded,
    )


def cards_of(buckets: Buckets) -> BucketCards:
    """The arrays of the buckets."""
    flops, turns = classes(3), classes(4)
    return BucketCards(
        preflop=buckets.preflop,
        flop=buckets.flop,
        flop_number=flops.number,
        flop_label=flops.label,
        turn=buckets.turn,
        turn_number=turns.number,
        turn_label=turns.label,
        river=buckets.river,
        choose=CHOOSE,
    )
