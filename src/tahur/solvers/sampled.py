"""Monte Carlo CFR on a flat tree (Lanctot and others 2009): many cheap iterations, for games too big to walk in full.

*Chance sampling* draws the deal and the chance outcomes and walks every action of both seats. *External sampling* also
draws the other seat's actions, and adds its strategy to the average at every visit. Regrets and averages are not
discounted and are in double precision. The tree must not be merged, since a sampled hand has one name.
"""

from __future__ import annotations

from enum import Enum
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tahur.core.arrays import Float64s
from tahur.core.errors import SolverError
from tahur.solvers.cfr import CfrSolver
from tahur.solvers.kernels.sampled import sample
from tahur.solvers.schedule import Schedule
from tahur.solvers.solver import SolverState
from tahur.solvers.terminals import possible_pairs
from tahur.solvers.tree import Tree


class Sampling(Enum):
    """What is sampled besides the deal and the cards on the table."""

    EXTERNAL = "external"  # the other seat's actions
    CHANCE = "chance"  # nothing else


SAMPLED: Final = {sampling.value: sampling for sampling in Sampling}


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


class SampledSolver(CfrSolver):
    """Solves one game by sampling; `rng` provides one seed, which determines all samples.

    It has the name of a schedule instead of a schedule: samples are not weighted.
    """

    def __init__(self, tree: Tree, sampling: Sampling, rng: np.random.Generator) -> None:
        if tree.symmetric:
            raise SolverError(f"{tree.game.name}: samples need every outcome; unroll the game with merge=False")
        super().__init__(tree, Schedule(sampling.value))
        self._sampling = sampling
        self._word = rng.integers(0, 1 << 63, size=1, dtype=np.uint64)  # the state of the random stream
        self._cumulative = tuple(_cumulative(prior) for prior in tree.priors)
        self._possible = possible_pairs(tree.game) > 0
        self._stack = _stack_of(tree)

    def _iterate(self, iterations: int) -> None:
        """Sample this many deals for each seat."""
        whole = self._sampling is Sampling.CHANCE
        sample(
            self.tree.nodes, self._seat_tables, self._cumulative, self._possible, iterations, whole, self._buffers,
            self._stack, self._word,
        )  # fmt: skip

    def state(self) -> SolverState:
        """Regrets, averages and the word of the random stream: with another word, other samples follow."""
        return SolverState(self.iteration, self._buffers._asdict() | {"word": self._word})


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
