"""Full limit hold'em with card abstraction: external sampling with linear weights.

The betting is not abstracted, the cards are (`cards/buckets`). The result is a strategy for every betting line and
bucket: a baseline opponent, not an equilibrium of the real game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from tahur.cards.buckets.buckets import CHOOSE, Buckets, classes
from tahur.cards.equity.tables import combos
from tahur.cards.tables import load
from tahur.core.arrays import Array
from tahur.games.holdem.bucket_table import BucketTable, TrainingRecord, first_rows
from tahur.games.holdem.limit_betting import DECISION, FOLDED, SLOTS, Betting
from tahur.solvers.limit.bucketed.kernels import sample
from tahur.solvers.limit.bucketed.tables import BucketCards, BucketTree

PAIRS: Final = 20  # hands on each board: ranking a board costs as much as several walks
BOARDS: Final = 2_000  # boards of a round, after which older rounds are discounted
DISCOUNTED: Final = 500  # rounds; later discounts would change too little to justify touching every number


@dataclass(frozen=True, slots=True)
class BucketTrainingProgress:
    """The progress of a run."""

    round: int
    deals: int
    visited: int  # nodes


class Trainer:
    """Regrets and strategy sums of both seats, and the word of the random stream."""

    def __init__(self, betting: Betting, buckets: Buckets, seed: int) -> None:
        self.betting, self.buckets, self.seed = betting, buckets, seed
        self.tree = tree_of(betting, buckets.counts)
        self.cards = cards_of(buckets)
        cells = int(self.tree.first[-1]) + len(SLOTS) * buckets.counts[betting.streets - 1]
        self.regrets, self.sums = np.zeros(cells, np.float32), np.zeros(cells, np.float32)
        self.word = np.array([seed], np.uint64)
        self.round = self.deals = self.visited = 0

    def run(self, rounds: int, boards: int = BOARDS) -> Iterator[BucketTrainingProgress]:
        """Run `rounds` more rounds of `boards` boards. Round t has t times the weight of the first, up to
        `DISCOUNTED`."""
        for _ in range(rounds):
            self.visited += sample(
                boards, PAIRS, self.tree, self.cards, load(), combos(), self.regrets, self.sums, self.word
            )
            self.round += 1
            self.deals += boards * PAIRS
            if self.round < DISCOUNTED:
                keep = np.float32(self.round / (self.round + 1))
                self.regrets *= keep
                self.sums *= keep
            yield BucketTrainingProgress(self.round, self.deals, self.visited)

    def table(self) -> BucketTable:
        """The average strategy so far."""
        training = TrainingRecord(
            game=self.betting.game.name,
            buckets=self.buckets.counts,
            rounds=self.round,
            deals=self.deals,
            seed=self.seed,
        )
        return BucketTable(training, self.betting, self.buckets, self.average())

    def memory(self) -> dict[str, Array]:
        """Everything needed to resume besides the table; `recall` restores it."""
        counts = np.array([self.visited], np.int64)
        return {"regrets": self.regrets, "sums": self.sums, "word": self.word, "visited": counts}

    def expected(self) -> dict[str, tuple[str, int]]:
        """The dtype and length of each array of `memory`."""
        return {name: (array.dtype.str, len(array)) for name, array in self.memory().items()}

    def recall(self, training: TrainingRecord, memory: Mapping[str, Array]) -> None:
        """Resume from a file, with the same numbers as an uninterrupted run."""
        self.round, self.deals = training.rounds, training.deals
        self.regrets, self.sums, self.word = memory["regrets"], memory["sums"], memory["word"]
        self.visited = int(memory["visited"][0])

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
