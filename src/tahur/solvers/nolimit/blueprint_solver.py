"""The blueprint solver: public chance sampling with linear weights, over card buckets and an action abstraction.

An iteration is a round of boards. The boards of a round are divided into shares; each share starts from the regrets at
the beginning of the round, and what the shares add is summed in order. So the result depends on the seed only, not on
the number of threads, and a resumed run continues bit for bit. Round t has t times the weight of the first.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from tahur.cards.buckets import BucketCentres, Buckets
from tahur.cards.equity.tables import combos
from tahur.cards.tables import load
from tahur.core.arrays import Array, Float32s
from tahur.solvers.interrupts import Stop, run_apart
from tahur.solvers.limit.bucketed import cards_of
from tahur.solvers.nolimit.abstraction import ActionAbstraction
from tahur.solvers.nolimit.blueprint import Blueprint, BlueprintTraining
from tahur.solvers.nolimit.kernels import ALIVE, STREETS, BlueprintScratch, DealtHands, SortScratch, evaluate, train
from tahur.solvers.nolimit.tree import build_tree, deepest, preflop_cells, preflop_decisions
from tahur.solvers.response import Measure
from tahur.solvers.solver import Estimate, SolverState, fill

SHARES: Final = 4  # of a round
BOARDS: Final = 1_000  # of a round
_HANDS: Final = 1326


class BlueprintSolver:
    """Regrets and strategy sums of both seats for one depth of stacks."""

    def __init__(
        self, depth: float, abstraction: ActionAbstraction, centres: BucketCentres, buckets: Buckets, *,
        seed: int, threads: int = 1, boards: int = BOARDS,
    ) -> None:  # fmt: skip
        """depth: stacks in big blinds; boards: sampled in each iteration."""
        self.depth, self.abstraction, self.centres, self.seed = depth, abstraction, centres, seed
        self.tree = build_tree(depth, abstraction, centres.counts)
        self.iteration = 0
        self.regrets, self.sums = np.zeros(self.tree.cells, np.float32), np.zeros(self.tree.cells, np.float32)
        self._visited = np.zeros(1, np.int64)
        self.buckets, self._cards = buckets, cards_of(buckets)
        self._threads, self._boards = threads, boards

    @property
    def visited(self) -> int:
        """The number of nodes visited, each with all hands."""
        return int(self._visited[0])

    @property
    def boards(self) -> int:
        """The number of boards sampled."""
        return self.iteration * self._boards

    def iterate(self, iterations: int) -> None:
        """Run this many more rounds; if interrupted, fewer, but only whole ones."""
        run_apart(lambda stop: self._iterate(iterations, stop))

    def _iterate(self, iterations: int, stop: Stop) -> None:
        """Run rounds, until all are done or a stop is requested."""
        with ThreadPoolExecutor(self._threads) as pool:
            for _ in range(iterations):
                if stop.requested:
                    return
                self._run_round(pool)

    def _run_round(self, pool: ThreadPoolExecutor) -> None:
        """One round: all shares, as many at a time as there are threads, added up in order."""
        before = self.regrets.copy()
        for first in range(0, SHARES, len(self._workers)):
            numbers = range(first, min(first + len(self._workers), SHARES))
            results = [pool.submit(self._share, number, self._workers[number - first], before) for number in numbers]
            for worker, visited in zip(self._workers, [result.result() for result in results], strict=False):
                self.regrets += np.subtract(worker.regrets, before, out=worker.regrets)
                self.sums += worker.sums
                self._visited += visited
        self.iteration += 1
        keep = np.float32(self.iteration / (self.iteration + 1))
        self.regrets *= keep
        self.sums *= keep

    def _share(self, number: int, worker: _Worker, before: Array) -> int:
        """Walk on the boards of one share; returns the number of nodes visited."""
        worker.regrets[:] = before
        worker.sums[:] = 0
        word = np.random.default_rng([self.seed, self.iteration, number]).integers(0, 2**64, 1, np.uint64)
        return int(
            train(
                self._boards // SHARES, self.tree.arrays, self._cards, load(), combos(), worker.dealt, worker.sorting,
                worker.walk, worker.regrets, worker.sums, worker.out, word,
            )
        )  # fmt: skip

    @cached_property
    def _workers(self) -> list[_Worker]:
        """The arrays of each thread."""
        actions, depth = self.tree.arrays.child.shape[1], deepest(self.tree) + 1
        return [_worker(self.tree.cells, actions, depth, max(self.centres.counts)) for _ in range(self._threads)]

    def measure(self) -> Measure | None:
        """None: it cannot be measured exactly; a local best response bounds what the strategy loses."""
        return None

    def state(self) -> SolverState:
        """Regrets, strategy sums, and the number of visited nodes."""
        arrays: dict[str, Array] = {"regrets": self.regrets, "sums": self.sums, "visited": self._visited}
        return SolverState(self.iteration, arrays)

    def resume(self, state: SolverState) -> None:
        """Continue from a copy of a state, with the same numbers as an uninterrupted run."""
        fill(self.state().arrays, state, f"no-limit hold'em at {self.depth:g} big blinds")
        self.iteration = state.iteration

    def estimate(self) -> Estimate:
        return Estimate(bytes_of(self.tree.cells, self._threads), self.tree.cells)

    def blueprint(self) -> Blueprint:
        """The average strategy so far."""
        training = BlueprintTraining(rounds=self.iteration, boards=self.boards, seed=self.seed)
        return Blueprint.from_sums(self.tree, self.centres, training, self.sums)


def preflop_values(blueprint: Blueprint, buckets: Buckets, *, boards: int, seed: int) -> Float32s:
    """What each action before the flop is worth compared with folding, as `Blueprint.values`, by sampling boards.

    Both seats follow the blueprint, which must have all streets. NaN where no sampled hand came.
    """
    tree = blueprint.tree
    worker = _worker(0, tree.arrays.child.shape[1], deepest(tree) + 1, max(blueprint.centres.counts))
    worth = np.zeros((2, preflop_cells(tree)))
    word = np.random.default_rng(seed).integers(0, 2**64, 1, np.uint64)
    evaluate(
        boards, tree.arrays, cards_of(buckets), load(), combos(), worker.dealt, worker.sorting, worker.walk,
        blueprint.levels.astype(np.float32) ** 2, worth, worker.out, word,
    )  # fmt: skip
    with np.errstate(invalid="ignore"):
        means = worth[0] / worth[1]
    blocks = [means[tree.block(node)] + float(tree.paid[node]) for node in preflop_decisions(tree)]
    values: Float32s = np.concatenate(blocks).astype(np.float32)
    return values


def bytes_of(cells: int, threads: int) -> int:
    """The memory of a solver: regrets, a copy of them, and sums, and two such arrays for each thread."""
    return (3 + 2 * threads) * 4 * cells


@dataclass(frozen=True, slots=True, eq=False)
class _Worker:
    """The arrays of one thread."""

    regrets: Array
    sums: Array
    out: Array
    dealt: DealtHands
    walk: BlueprintScratch
    sorting: SortScratch


def _worker(cells: int, actions: int, depth: int, buckets: int) -> _Worker:
    """depth: nodes on the longest path; buckets: most on a street."""
    return _Worker(
        regrets=np.zeros(cells, np.float32),
        sums=np.zeros(cells, np.float32),
        out=np.zeros(ALIVE, np.float32),
        dealt=DealtHands(
            board=np.zeros(5, np.int64),
            hand=np.zeros(ALIVE, np.int64),
            low=np.zeros(ALIVE, np.int64),
            high=np.zeros(ALIVE, np.int64),
            group=np.zeros(ALIVE, np.int64),
            local=np.zeros((STREETS, ALIVE), np.int64),
            bucket=np.zeros((STREETS, ALIVE), np.int64),
            locals=np.zeros(STREETS, np.int64),
        ),
        walk=BlueprintScratch(
            reach=np.zeros((depth + 1, ALIVE), np.float32),
            value=np.zeros((depth, actions, ALIVE), np.float32),
            mix=np.zeros((depth, ALIVE, actions), np.float32),
            change=np.zeros((ALIVE, actions), np.float32),
            by_card=np.zeros(52, np.float32),
            below=np.zeros(52, np.float32),
            node=np.zeros(depth + 1, np.int64),
            begun=np.zeros(depth + 1, np.int64),
            to=np.zeros(depth + 1, np.int64),
            slot=np.zeros(depth + 1, np.int64),
        ),
        sorting=SortScratch(
            ranks=np.zeros(_HANDS, np.int64),
            held=np.zeros(_HANDS, np.int64),
            spare_ranks=np.zeros(_HANDS, np.int64),
            spare_held=np.zeros(_HANDS, np.int64),
            strength=np.zeros(_HANDS, np.float32),
            seen=np.full(buckets, -1, np.int64),
        ),
    )
