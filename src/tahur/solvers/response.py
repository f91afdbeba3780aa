"""The value of a strategy and of the best responses to it: exact, with one decision per information set.

A strategy is a flat buffer of non-negative numbers in the tree's layout, for both seats. Within an information set the
numbers are proportions; where all are 0, every action is equally likely. Values are seat 0's payoff or, in games that
are not zero-sum (`Tree.zero_sum`), the difference: seat 0's payoff minus seat 1's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import DTypeLike

from tahur.core.arrays import Array, Float64s
from tahur.core.errors import SolverError
from tahur.core.game import Seat
from tahur.core.player import View
from tahur.core.strategy import Strategy
from tahur.solvers.kernels.walks import BEST, VALUE, walks
from tahur.solvers.seat_tables import Buffers, SeatTables, WalkScratch, scratch_of, seat_tables_of
from tahur.solvers.tree import ROOT, Tree

SEATS: Final = (np.array([0]), np.array([1]))


@dataclass(frozen=True, slots=True)
class Measure:
    """What each seat wins with its best response, and what seat 0 wins if both play the strategy."""

    responses: tuple[float, float]
    value: float

    @property
    def nashconv(self) -> float:
        """The sum of what each seat could gain by deviating alone."""
        return self.responses[0] + self.responses[1]

    @property
    def exploitability(self) -> float:
        """Half of NashConv: what a best response wins, averaged over the seats."""
        return self.nashconv / 2


@dataclass(frozen=True, slots=True, eq=False)
class Judge:
    """Measures strategies on one tree. Its tables are as large as the tree, so reuse one judge."""

    tree: Tree
    seat_tables: tuple[SeatTables, SeatTables]
    work: WalkScratch

    def measure(self, strategy: Array) -> Measure:
        """The value of the strategy, and of each seat's best response to it."""
        best = [float(self._sum(seat, self.best(strategy, seat))) for seat in (0, 1)]
        return Measure((best[0], best[1]), self.value(strategy))

    def value(self, strategy: Array) -> float:
        """Seat 0's value when both seats play the strategy."""
        return self._sum(0, self.values(strategy, 0))

    def values(self, strategy: Array, seat: Seat) -> Float64s:
        """The value of each hand of a seat when both play the strategy, weighted by the reach of opposing hands."""
        return self._walk(strategy, seat, VALUE)

    def best(self, strategy: Array, seat: Seat) -> Float64s:
        """The value of each hand of a seat that plays a best response to the other's strategy, weighted likewise."""
        return self._walk(strategy, seat, BEST)

    def _walk(self, strategy: Array, seat: Seat, mode: int) -> Float64s:
        """The value of each of the seat's hands at the root, by one walk of the tree in a mode of
        `kernels/walks.py`."""
        _check_fits(self.tree, strategy)
        source = np.ascontiguousarray(strategy, self.work.mine.dtype)
        buffers = Buffers(source, source, source[:0])
        weights = np.ones((2, 3), source.dtype)
        walks(self.tree.nodes, self.seat_tables, SEATS[seat], ROOT, mode, source, buffers, weights, False, self.work)
        return self.work.values[: self.tree.hands[seat]].astype(np.float64)

    def _sum(self, seat: Seat, values: Float64s) -> float:
        """The value of a seat per deal, from the values of its hands."""
        return float(values @ self.tree.priors[seat]) / self.tree.mass


def judge_of(tree: Tree, dtype: DTypeLike = np.float64) -> Judge:
    return Judge(tree, (seat_tables_of(tree, 0, dtype), seat_tables_of(tree, 1, dtype)), scratch_of(tree, dtype))


def measure(tree: Tree, strategy: Array) -> Measure:
    """Best responses to a strategy, and its value."""
    return judge_of(tree).measure(strategy)


def uniform(tree: Tree) -> Float64s:
    """The strategy that plays all actions equally often."""
    return np.zeros(tree.size)


def normalise(tree: Tree, strategy: Array) -> Float64s:
    """The same strategy as probabilities: those of each information set add up to 1."""
    result = np.empty(tree.size)
    for node in tree.decisions:
        weights = np.maximum(tree.part(strategy, int(node)), 0).astype(float)
        total = weights.sum(axis=0)
        shares = weights / np.where(total > 0, total, 1)
        tree.part(result, int(node))[:] = np.where(total > 0, shares, 1 / len(weights))
    return result


def combine_seats(tree: Tree, first: Array, second: Array) -> Float64s:
    """Seat 0's part of one strategy combined with seat 1's part of another."""
    result = np.empty(tree.size)
    for node in map(int, tree.decisions):
        result[tree.block(node)] = (first, second)[tree.turn(node)][tree.block(node)]
    return result


def flatten(tree: Tree, first: Strategy, second: Strategy | None = None) -> Float64s:
    """The probabilities of a player at every information set, in the tree's layout; `second`, if given, plays seat
    1."""
    if tree.symmetric:
        raise SolverError(f"{tree.game.name}: players may break symmetries; unroll the game with merge=False")
    result = np.empty(tree.size)
    strategies = first, second or first
    tables = {ROOT: tree.game.start()}
    for node in range(len(tree.actions)):
        if node != ROOT:
            tables[node] = tables[int(tree.nodes.parent[node])].after(int(tree.actions[node]))
        if tree.nodes.kind[node] in (0, 1):
            tree.part(result, node)[:] = _node_strategy(tree, node, tables[node], strategies[tree.turn(node)])
    return result


def _node_strategy(tree: Tree, node: int, table: Any, strategy: Strategy) -> Float64s:
    """(actions, hands) the probabilities that a player gives for each hand at a decision."""
    seat, actions = tree.turn(node), tree.menu(node)
    hands = [strategy.probabilities(View(tree.game, table, seat, hand)) for hand in tree.game.hands(seat)]
    return np.array([[chances.get(action, 0.0) for chances in hands] for action in actions])


def _check_fits(tree: Tree, strategy: Array) -> None:
    if strategy.shape != (tree.size,):
        raise SolverError(
            f"{tree.game.name}: a strategy has {tree.size:,} numbers; the given array has shape {strategy.shape}"
        )
