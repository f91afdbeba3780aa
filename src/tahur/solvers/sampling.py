"""Monte Carlo CFR on a flat tree: many cheap iterations instead of few exact ones, for games too big to walk.

*Chance sampling* draws the deal and what chance shows and walks every action of both seats. *External sampling* draws
the other seat's actions too, and counts its strategy whenever it is met. Regrets and averages grow without discounts,
in double precision. The tree must not be merged: a sampled hand has one name.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tahur.core.arrays import Float64s
from tahur.core.errors import SolverError
from tahur.solvers.cfr import CfrState
from tahur.solvers.ends import possible_pairs
from tahur.solvers.interrupts import run_apart
from tahur.solvers.kernels.sampled import sample
from tahur.solvers.response import Judge, Measure, normalised
from tahur.solvers.sides import buffers_of, side_of, work_of
from tahur.solvers.tree import Tree


class Sampling(Enum):
    """What is drawn besides the deal and the cards on the table."""

    CHANCE = "chance"  # nothing
    EXTERNAL = "external"  # the other seat's actions


class Stack(NamedTuple):
    """The decisions a walk is inside of, one entry or row each."""

    node: NDArray[np.int64]
    at: NDArray[np.int64]  # how many actions are done
    child: NDArray[np.int64]  # the next one
    own: Float64s  # reach
    other: Float64s
    values: Float64s
    played: Float64s
    sampled: Float64s  # scratch for one strategy


class Sampler:
    """One game being solved by samples; `rng` gives one number, from which all others follow."""

    def __init__(self, tree: Tree, sampling: Sampling, rng: np.random.Generator) -> None:
        if tree.symmetric:
            raise SolverError(f"{tree.game.name}: samples need every outcome; unroll the game with merge=False")
        self.tree = tree
        self.sampling = sampling
        self.iteration = 0
        self.word = rng.integers(0, 1 << 63, size=1, dtype=np.uint64)  # where the stream is; keep it to resume
        self._buffers = buffers_of(tree, np.float64)
        self._sides = side_of(tree, 0, np.float64), side_of(tree, 1, np.float64)
        self._judge = Judge(tree, self._sides, work_of(tree, np.float64))
        self._ladders = tuple(_ladder(prior) for prior in tree.priors)
        self._possible = possible_pairs(tree.game) > 0
        self._stack = _stack_of(tree)

    @property
    def state(self) -> CfrState:
        """As it is now; copy it, and the word, to keep it."""
        return CfrState(self.iteration, *self._buffers)

    def advance(self, iterations: int) -> None:
        """So many deals for each seat; an interrupt is raised once they are done and counted."""
        run_apart(lambda _: self._advance(iterations))

    def _advance(self, iterations: int) -> None:
        whole = self.sampling is Sampling.CHANCE
        sample(
            self.tree.nodes, self._sides, self._ladders, self._possible, iterations, whole, self._buffers, self._stack,
            self.word,
        )  # fmt: skip
        self.iteration += iterations

    def strategy(self) -> Float64s:
        return normalised(self.tree, self._buffers.averages)

    def measure(self) -> Measure:
        """Exact best responses to the average strategy."""
        return self._judge.measure(self._buffers.averages)


def _ladder(prior: Float64s) -> Float64s:
    """How likely a hand is or one before it; the last is just 1, whatever rounding says."""
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
