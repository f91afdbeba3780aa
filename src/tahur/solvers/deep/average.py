"""The average strategy of a set of nets, computed explicitly: NumPy only.

At a decision, net t is weighted by its weight times its own seat's reach there: the probability that this net's own
choices lead to it. That is what drawing one net per hand and playing it throughout does on average; without the reach
it would be a different, worse strategy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tahur.core.arrays import Float32s, Float64s
from tahur.core.game import CHANCE, OVER, Solvable
from tahur.core.net_file import KeptNet, NetSet
from tahur.core.towers import SLOTS, Towers, policy_of
from tahur.games.encoders.encoder import BET_WIDTH
from tahur.games.encoders.registry import encoder_of
from tahur.solvers.response import Judge, Measure, judge_of, normalised
from tahur.solvers.tree import ROOT, Tree
from tahur.solvers.unroll import unroll


class TreeAverage:
    """For games that fit in memory: sums up nets, one by one, and evaluates their average by best responses."""

    def __init__(self, game: Solvable[Any], *, uniform: bool = False) -> None:
        self.tree = unroll(game, merge=False)
        self.uniform = uniform
        self.sums = np.zeros(self.tree.size)
        self._told = _DecisionRows(self.tree)
        self._judge: Judge | None = None

    def add(self, net: KeptNet) -> None:
        """Add one net, for both roles."""
        for role in (0, 1):
            for node, chances, reach in self._walk(net.towers[role], role):
                self.tree.part(self.sums, node)[:] += weighed(net.weight, reach, chances)

    def strategy(self) -> Float64s:
        """The average in the tree's layout, as probabilities."""
        return normalised(self.tree, self.sums)

    def measure(self) -> Measure:
        """Exact best responses to the average."""
        self._judge = self._judge or judge_of(self.tree)
        return self._judge.measure(self.sums)

    def _walk(self, towers: Towers, role: int) -> Any:
        """Each decision of the role with the net's probabilities (actions, hands) and the role's own reach (hands)."""
        tree, policies = self.tree, self._told.policies(towers, role, uniform=self.uniform)
        reach = {ROOT: np.ones(tree.hands[role])}
        for node in range(len(tree.actions)):
            here = reach.pop(node)
            chances = policies.get(node)
            for place, child in enumerate(tree.children(node)):
                reach[child] = here if chances is None else here * chances[place]
            if chances is not None:
                yield node, chances, here


def weighed(weight: float, reach: Float64s, chances: Float64s) -> Float64s:
    """A net's contribution to the sums of a decision: its weight times its own reach times its probabilities."""
    return weight * reach * chances


def average_of(nets: NetSet, game: Solvable[Any]) -> TreeAverage:
    """The average of all nets of a set."""
    average = TreeAverage(game, uniform=nets.uniform)
    for net in nets.kept:
        average.add(net)
    return average


class _DecisionRows:
    """The input rows of all decisions and hands of a tree, for each role."""

    def __init__(self, tree: Tree) -> None:
        encoder = encoder_of(tree.game)
        self.hands = tree.hands
        self.nodes: tuple[list[int], list[int]] = ([], [])
        self.slots: dict[int, list[int]] = {}
        bets: tuple[list[Float32s], list[Float32s]] = ([], [])
        cards: tuple[list[Float32s], list[Float32s]] = ([], [])
        tables = {ROOT: tree.game.start()}
        for node in range(len(tree.actions)):
            if node != ROOT:
                tables[node] = tables[int(tree.nodes.parent[node])].after(int(tree.actions[node]))
            table = tables[node]
            if table.turn not in (CHANCE, OVER):
                role = encoder.role(tree.game, table.turn)
                slots = encoder.slots(table)
                self.nodes[role].append(node)
                self.slots[node] = [slots.index(action) for action in tree.menu(node)]
                bets[role].append(encoder.betting(table))
                cards[role].append(encoder.cards(table, np.array(tree.game.hands(table.turn))))
        self.bets = [np.array(each).reshape(-1, BET_WIDTH) for each in bets]
        self.cards = [np.concatenate(each) for each in cards]

    def policies(self, towers: Towers, role: int, *, uniform: bool) -> dict[int, Float64s]:
        """(actions, hands) of each decision of the role."""
        hands = self.hands[role]
        factors, added = towers.bets(self.bets[role])
        cards = towers.cards(self.cards[role]).reshape(len(factors), hands, -1)
        regrets = np.einsum("nhd,nsd->nhs", cards, factors, optimize=True) + added[:, None, :]
        found = {}
        for place, node in enumerate(self.nodes[role]):
            slots = self.slots[node]
            legal = np.isin(np.arange(SLOTS), slots)
            found[node] = policy_of(regrets[place].astype(float), legal, uniform=uniform)[:, slots].T
        return found
