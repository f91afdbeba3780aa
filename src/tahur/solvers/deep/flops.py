"""Flop Hold'em for all hands at once: its betting before the flop and on it, and the strategies of nets there.

The seven preflop lines that lead to the flop have the same betting with different stakes, so arrays have an axis of
*lines*. On a flop 1,176 hands are possible.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from tahur.cards.cards import COMBOS
from tahur.core.arrays import Array, Int64s
from tahur.core.errors import SolverError
from tahur.core.towers import SLOTS
from tahur.games.encoders.holdem import combo_cards, flop_hands
from tahur.solvers.deep.tree import NOWHERE, BettingTree

HELD: Final = 48  # hands on a flop that contain a given card
FLOPS: Final = 22_100
FLOPS_LEFT: Final = 17_296  # once both hands are known
CLASSES: Final = 169


@dataclass(frozen=True, eq=False)
class FlopTree:
    """The betting on the flop, once for all lines: `turn`, `children` and `place` are indexed by local node."""

    tree: BettingTree
    roots: Int64s  # (lines,) the nodes of the tree where the flop begins
    nodes: Int64s  # (local nodes, lines) their nodes in the tree

    @cached_property
    def turn(self) -> Array:
        return self.tree.turn[self.nodes[:, 0]]

    @cached_property
    def children(self) -> Array:
        """(local nodes, 3)"""
        children = self.tree.children[self.nodes[:, 0]]
        first = self.nodes[0, 0]
        return np.where(children == NOWHERE, NOWHERE, children - first)

    @cached_property
    def stake(self) -> Array:
        """(local nodes, lines)"""
        return self.tree.stake[self.nodes].astype(np.float32)

    @cached_property
    def mine(self) -> tuple[Int64s, Int64s]:
        """The local decisions of each role."""
        return np.flatnonzero(self.turn == 0), np.flatnonzero(self.turn == 1)

    @cached_property
    def rows(self) -> tuple[Array, Array]:
        """The betting input rows of each role's decisions, line by line within a local node."""
        numbers = [self.tree.number[self.nodes[mine]].reshape(-1) for mine in self.mine]
        return self.tree.rows[numbers[0]], self.tree.rows[numbers[1]]

    @cached_property
    def legal(self) -> tuple[Array, Array]:
        """(3, decisions, 1) for each role."""
        first, second = (
            np.repeat(self.children[mine] != NOWHERE, len(self.roots), axis=0).T[:, :, None] for mine in self.mine
        )
        return first, second


def flop_tree(tree: BettingTree) -> FlopTree:
    """The flop betting of a two-street tree with the same betting on every flop."""
    above = tree.parent
    roots = np.array([n for n in range(1, len(above)) if tree.street[n] == 1 and tree.street[above[n]] == 0])
    roots = roots[tree.turn[roots] >= 0]
    size = {int(_size(tree, root)) for root in roots}
    if tree.streets != 2 or len(size) != 1:
        raise SolverError("the fast mode needs two streets and stacks too deep to be all-in before the showdown")
    nodes = roots[None, :] + np.arange(size.pop())[:, None]
    shapes = {
        tuple((tree.children[nodes[:, line]] - nodes[0, line]).clip(-1).reshape(-1)) for line in range(len(roots))
    }
    if len(shapes) != 1:
        raise SolverError("the fast mode needs the same betting on the flop after every line before it")
    return FlopTree(tree, roots, nodes)


def _size(tree: BettingTree, root: int) -> int:
    """The number of nodes in a subtree: depth first, they follow its root."""
    node = root + 1
    while node < len(tree.parent) and tree.parent[node] >= root:
        node += 1
    return node - root


class HandsOfFlop:
    """One flop and its 1,176 hands."""

    def __init__(self, cards: Array) -> None:
        self.cards = cards
        self.hands = flop_hands(cards)
        self.holes = combo_cards()[self.hands]


def policy_by_slots(regrets: Array, legal: Array, *, uniform: bool = False) -> Array:
    """Regret matching over the first axis: (3, decisions, hands). Where no regret is positive, the least bad action."""
    positive = np.maximum(regrets, 0)
    positive *= legal
    total = positive[0] + positive[1] + positive[2]
    none = total <= 0
    if none.any():
        if uniform:
            spare = np.broadcast_to(legal, regrets.shape).astype(regrets.dtype)
        else:
            best = np.where(legal, regrets, -np.inf).argmax(axis=0)
            spare = np.stack([best == slot for slot in range(SLOTS)]).astype(regrets.dtype)
        positive = np.where(none, spare, positive)
        total = np.where(none, spare.sum(axis=0), total)
    positive /= total
    return positive


# ---- before the flop -----------------------------------------------------------------------------


class Preflop:
    """The betting before the flop, for all 1,326 hands; what follows is given line by line."""

    def __init__(self, where: FlopTree) -> None:
        tree = where.tree
        self.tree = tree
        self.nodes = [n for n in range(len(tree.turn)) if tree.street[n] == 0 or n in set(where.roots.tolist())]
        self.line = {int(root): line for line, root in enumerate(where.roots)}
        self.decisions = [[n for n in self.nodes if n not in self.line and tree.turn[n] == role] for role in (0, 1)]

    def legal(self, role: int) -> Array:
        """(3, decisions, 1)"""
        return np.asarray((self.tree.children[self.decisions[role]] != NOWHERE).T[:, :, None])

    def own_reach(self, policy: Array, role: int) -> Array:
        """(decisions, 1326): a role's own reach of each of its decisions."""
        found = self._reaches((policy, policy))[role]  # the other's choices affect the other's reach alone
        return np.array([found[node] for node in self.decisions[role]])

    def reaches(self, policies: tuple[Array, Array]) -> tuple[Array, Array]:
        """(lines, 1326) the reach of each role. policies: (3, decisions, 1326)."""
        found = self._reaches(policies)
        first, second = (np.array([found[role][root] for root in self.line]) for role in (0, 1))
        return first, second

    def _reaches(self, policies: tuple[Array, Array]) -> list[dict[int, Array]]:
        tree = self.tree
        found = [{0: np.ones(COMBOS, np.float64)} for _ in (0, 1)]
        for node in self.nodes:
            if node in self.line or (turn := tree.turn[node]) < 0:
                continue
            place = self.decisions[turn].index(node)
            for slot, child in enumerate(tree.children[node]):
                if child != NOWHERE:
                    found[turn][int(child)] = found[turn][node] * policies[turn][slot, place]
                    found[1 - turn][int(child)] = found[1 - turn][node]
        return found
