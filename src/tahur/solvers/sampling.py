"""Monte Carlo CFR on a flat tree (Lanctot and others 2009): many cheap iterations, for games too big to walk in full.

*Chance sampling* draws the deal and the chance outcomes and walks every action of both seats. *External sampling* also
draws the other seat's actions, and adds its strategy to the average at every visit. Regrets and averages are not
discounted and are in double precision. The tree must not be merged, since a sampled hand has one name.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tahur.core.arrays import Float64s
from tahur.core.errors import SolverError
from tahur.solvers.cfr import CfrState
from tahur.solvers.interrupts import run_apart
from tahur.solvers.kernels.sampled import sample
from tahur.solvers.response import Judge, Measure, normalised
from tahur.solvers.seat_tables import buffers_of, scratch_of, seat_tables_of
from tahur.solvers.terminals import possible_pairs
from tahur.solvers.tree import Tree


class Sampling(Enum):
    """What is sampled besides the deal and the cards on the table."""

    CHANCE = "chance"  # nothing else
    EXTERNAL = "external"  # the other seat's actions


class Stack(NamedTuple):
    """The decisions that a walk is inside of: one entry or row for each."""

    node: NDArray[np.int64]
    at: NDArray[np.int64]  # number of actions already walked
    child: NDArray[np.int64]  # the child to walk next
    own: Float64s  # reach
    other: Float64s
    values: Float64s
    played: Float64s
    sampled: Float64s  # scratch for one strategy


class Sampler:
    """Solves one game by sampling; `rng` provides one seed, which determines all samples."""

    def __init__(self, tree: Tree, sampling: Sampling, rng: np.random.Generator) -> None:
        if tree.symmetric:
            raise SolverError(f"{tree.game.name}: samples need every outcome; unroll the game with merge=False")
        self.tree = tree
        self.sampling = sampling
        self.iteration = 0
        self.word = rng.integers(0, 1 << 63, size=1, dtype=np.uint64)  # state of the random stream; store it to resume
        self._buffers = buffers_of(tree, np.float64)
        self._seat_tables = seat_tables_of(tree, 0, np.float64), seat_tables_of(tree, 1, np.float64)
        self._judge = Judge(tree, self._seat_tables, scratch_of(tree, np.float64))
        self._cumulative = tuple(_cumulative(prior) for prior in tree.priors)
        self._possible = possible_pairs(tree.game) > 0
        self._stack = _stack_of(tree)

    @property
    def state(self) -> CfrState:
        """The current state, not a copy; store it together with `word`."""
        return CfrState(self.iteration, *self._buffers)

    def advance(self, iterations: int) -> None:
        """Sample this many deals for each seat. An interrupt is raised only after they are finished and counted."""
        run_apart(lambda _: self._advance(iterations))

    def _advance(self, iterations: int) -> None:
        whole = self.sampling is Sampling.CHANCE
        sample(
            self.tree.nodes, self._seat_tables, self._cumulative, self._possible, iterations, whole, self._buffers,
            self._stack, self.word,
        )  # fmt: skip
        self.iteration += iterations

    def strategy(self) -> Float64s:
        return normalised(self.tree, self._buffers.averages)

    def measure(self) -> Measure:
        """Exact best responses to the average strategy."""
        return self._judge.measure(self._buffers.averages)


def _cumulative(prior: Float64s) -> Float64s:
    """The cumulative probability of the hands; the last is exactly 1, despite rounding."""
    upto: Float64s = np.cumsum(prior) / prior.sum()
    upto[-1] = 1.0
    return upto


def _stack_of(tree: Tree) -> Stack:
    depth, most = tree.depth + 1, int(tree.nodes.children.max(initial=1))
    ints = [np.zeros(depth, np.int64) for _ in range(3)]
    return Stack(
        node=ints[0],
        at=ints[1],
        child=ints[2],
        own=np.zeros(depth),
        other=np.zeros(depth),
        values=np.zeros((depth, most)),
        played=np.zeros((depth, most)),
        sampled=np.zeros(most),
    )
