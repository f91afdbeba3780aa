"""Flop Hold'em for all hands at once: what every hand wins at every decision, on one flop after another.

The seven ways to come to the flop lead to the same betting with other stakes, so arrays have a place for each *line*.
On a flop 1,176 hands are left. What a hand wins at a showdown is found from running sums over the hands in order of
strength, less those that share a card with it: two running sums for its own cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import COMBOS, DECK_SIZE
from tahur.cards.evaluator import evaluate_many
from tahur.cards.rankings import class_of_combos
from tahur.core.errors import SolverError
from tahur.core.towers import SLOTS
from tahur.games.encoders.holdem import FLOP_HANDS, combo_cards, flop_hands
from tahur.solvers.deep.tree import FOLDED, NOWHERE, SHOWN, BettingTree

Numbers = NDArray[Any]
Whole = NDArray[np.int64]

HELD: Final = 48  # hands on a flop that hold a given card
FLOPS: Final = 22_100
FLOPS_LEFT: Final = 17_296  # once both hands are known
CLASSES: Final = 169


@dataclass(frozen=True, eq=False)
class FlopTree:
    """The betting on the flop, once for all lines: `turn`, `children` and `place` go by local node."""

    tree: BettingTree
    roots: Whole  # (lines,) the nodes of the tree where the flop begins
    nodes: Whole  # (local nodes, lines) their nodes in the tree

    @cached_property
    def turn(self) -> Numbers:
        return self.tree.turn[self.nodes[:, 0]]

    @cached_property
    def children(self) -> Numbers:
        """(local nodes, 3)"""
        children = self.tree.children[self.nodes[:, 0]]
        first = self.nodes[0, 0]
        return np.where(children == NOWHERE, NOWHERE, children - first)

    @cached_property
    def stake(self) -> Numbers:
        """(local nodes, lines)"""
        return self.tree.stake[self.nodes].astype(np.float32)

    @cached_property
    def mine(self) -> tuple[Whole, Whole]:
        """The local decisions of each role."""
        return np.flatnonzero(self.turn == 0), np.flatnonzero(self.turn == 1)

    @cached_property
    def rows(self) -> tuple[Numbers, Numbers]:
        """The betting rows of each role's decisions, those of a local node line by line."""
        numbers = [self.tree.number[self.nodes[mine]].reshape(-1) for mine in self.mine]
        return self.tree.rows[numbers[0]], self.tree.rows[numbers[1]]

    @cached_property
    def legal(self) -> tuple[Numbers, Numbers]:
        """(3, decisions, 1) for each role."""
        first, second = (
            np.repeat(self.children[mine] != NOWHERE, len(self.roots), axis=0).T[:, :, None] for mine in self.mine
        )
        return first, second


def flop_tree(tree: BettingTree) -> FlopTree:
    """Of a tree of two streets whose flops are all bet alike."""
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
    """How many nodes stand below and at a node: depth first, they follow it."""
    node = root + 1
    while node < len(tree.parent) and tree.parent[node] >= root:
        node += 1
    return node - root


class Flop:
    """One flop: its 1,176 hands, and what sums over them are needed."""

    def __init__(self, cards: Numbers) -> None:
        self.cards = cards
        self.hands = flop_hands(cards)
        self.holes = combo_cards()[self.hands]
        board = np.broadcast_to(np.asarray(cards, np.uint8), (FLOP_HANDS, 3))
        self.ranks = evaluate_many(np.concatenate([self.holes, board], axis=1)).astype(np.int64)
        self.order = np.argsort(self.ranks, kind="stable")
        ordered = self.ranks[self.order]
        self.low, self.high = (np.searchsorted(ordered, self.ranks, side) for side in ("left", "right"))
        left = np.setdiff1d(np.arange(DECK_SIZE), cards)
        number = np.full(DECK_SIZE, -1)
        number[left] = np.arange(len(left))
        self.first, self.second = number[self.holes[:, 0]], number[self.holes[:, 1]]
        self._hold(ordered)

    def _hold(self, ordered: Whole) -> None:
        """For each card the hands that hold it, by strength, and where each hand's rank falls among them."""
        holders = np.empty((DECK_SIZE - 3, HELD), np.int64)
        for card in range(DECK_SIZE - 3):
            holders[card] = self.order[(self.first[self.order] == card) | (self.second[self.order] == card)]
        self.holders = holders
        keys = (self.ranks[holders] + 10_000 * np.arange(len(holders))[:, None]).reshape(-1)
        self.bounds = [
            np.searchsorted(keys, 10_000 * card + self.ranks, side) - HELD * card + (HELD + 1) * card
            for card in (self.first, self.second)
            for side in ("left", "right")
        ]

    def against(self, reach: Numbers) -> Numbers:
        """(n, 1176): the other's reach, summed over the hands that each hand can meet."""
        cards = reach[:, self.holders].sum(axis=2)
        total: Numbers = reach.sum(axis=1, keepdims=True) - cards[:, self.first] - cards[:, self.second] + reach
        return total

    def shown(self, reach: Numbers, against: Numbers) -> Numbers:
        """(n, 1176): the other's reach where it loses, less where it wins; `against` as above."""
        sums = np.zeros((len(reach), FLOP_HANDS + 1), reach.dtype)
        np.cumsum(reach[:, self.order], axis=1, out=sums[:, 1:])
        held = np.zeros((len(reach), DECK_SIZE - 3, HELD + 1), reach.dtype)
        np.cumsum(reach[:, self.holders], axis=2, out=held[:, :, 1:])
        flat: Numbers = held.reshape(len(reach), -1)
        below_first, upto_first, below_second, upto_second = (flat[:, bound] for bound in self.bounds)
        lost = sums[:, self.low] - below_first - below_second
        upto = sums[:, self.high] - upto_first - upto_second + reach
        result: Numbers = lost + upto - against
        return result


@dataclass(frozen=True, slots=True, eq=False)
class Swept:
    """What one flop says to a role: regrets (3, decisions, hands), the other's reach there, values at the roots."""

    regrets: Numbers
    against: Numbers  # (decisions, hands)
    values: Numbers  # (lines, hands)


def swept(
    where: FlopTree,
    flop: Flop,
    policies: tuple[Numbers, Numbers],
    reach: tuple[Numbers, Numbers],
    *,
    best: bool = False,
) -> tuple[Swept, Swept]:
    """Walk all lines of a flop. policies: (3, decisions, hands) of each role; reach: (lines, hands) of each.

    With `best` each role answers the other as well as it can, instead of by its own policy.
    """
    lines = len(where.roots)
    places = {int(node): (role, place) for role in (0, 1) for place, node in enumerate(where.mine[role])}
    chances = [policy.reshape(SLOTS, -1, lines, FLOP_HANDS) for policy in policies]
    reaches = _reaches(where, places, chances, reach)
    first, second = (_ups(where, flop, places, chances[role], reaches[1 - role], role, best) for role in (0, 1))
    return first, second


def _reaches(where: FlopTree, places: Any, chances: Any, reach: tuple[Numbers, Numbers]) -> tuple[Numbers, Numbers]:
    """(local nodes, lines, hands) of each role."""
    found = [np.empty((len(where.turn), *each.shape), np.float32) for each in reach]
    for role in (0, 1):
        found[role][0] = reach[role]
    for node in range(len(where.turn)):
        if (turn := where.turn[node]) < 0:
            continue
        place = places[node][1]
        for slot, child in enumerate(where.children[node]):
            if child != NOWHERE:
                found[1 - turn][child] = found[1 - turn][node]
                np.multiply(found[turn][node], chances[turn][slot, place], out=found[turn][child])
    return found[0], found[1]


def _ups(where: FlopTree, flop: Flop, places: Any, chances: Numbers, others: Numbers, role: int, best: bool) -> Swept:
    lines = len(where.roots)
    against = flop.against(others.reshape(-1, FLOP_HANDS)).reshape(others.shape)
    values = np.zeros_like(others)
    _pay(where, flop, others, against, values, role)
    regrets = np.zeros_like(chances)
    for node in range(len(where.turn) - 1, -1, -1):
        if where.turn[node] < 0:
            continue
        slots = [slot for slot in range(SLOTS) if where.children[node][slot] != NOWHERE]
        below = values[where.children[node][slots]]
        if where.turn[node] != role:
            values[node] = below.sum(axis=0)
            continue
        place = places[node][1]
        worth = below.max(axis=0) if best else (chances[slots, place] * below).sum(axis=0)
        values[node] = worth
        regrets[slots, place] = below - worth
    mine = against[where.mine[role]]
    return Swept(regrets.reshape(SLOTS, -1, FLOP_HANDS), mine.reshape(-1, FLOP_HANDS), values[0].reshape(lines, -1))


def _pay(where: FlopTree, flop: Flop, others: Numbers, against: Numbers, values: Numbers, role: int) -> None:
    """What the role wins at the ends, all hands at once."""
    sign = 1 - 2 * role
    folded, shown = (np.flatnonzero(where.turn == kind) for kind in (FOLDED, SHOWN))
    values[folded] = sign * where.stake[folded][:, :, None] * against[folded]
    won = flop.shown(others[shown].reshape(-1, FLOP_HANDS), against[shown].reshape(-1, FLOP_HANDS))
    values[shown] = where.stake[shown][:, :, None] * won.reshape(len(shown), len(where.roots), FLOP_HANDS)


def policy_by_slots(regrets: Numbers, legal: Numbers, *, uniform: bool = False) -> Numbers:
    """Regret matching over the first axis: (3, decisions, hands). Where nothing is regretted, the least bad action."""
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
    """The betting before the flop, for all 1,326 hands; what comes after is given line by line."""

    def __init__(self, where: FlopTree) -> None:
        tree = where.tree
        self.tree = tree
        self.nodes = [n for n in range(len(tree.turn)) if tree.street[n] == 0 or n in set(where.roots.tolist())]
        self.line = {int(root): line for line, root in enumerate(where.roots)}
        self.decisions = [[n for n in self.nodes if n not in self.line and tree.turn[n] == role] for role in (0, 1)]

    def legal(self, role: int) -> Numbers:
        """(3, decisions, 1)"""
        return np.asarray((self.tree.children[self.decisions[role]] != NOWHERE).T[:, :, None])

    def own_reach(self, policy: Numbers, role: int) -> Numbers:
        """(decisions, 1326): how a role's own choices lead to each of its decisions."""
        found = self._reaches((policy, policy))[role]  # the other's choices are in the other's reach alone
        return np.array([found[node] for node in self.decisions[role]])

    def reaches(self, policies: tuple[Numbers, Numbers]) -> tuple[Numbers, Numbers]:
        """(lines, 1326) of each role. policies: (3, decisions, 1326)."""
        found = self._reaches(policies)
        first, second = (np.array([found[role][root] for root in self.line]) for role in (0, 1))
        return first, second

    def regrets(
        self, policies: tuple[Numbers, Numbers], values: tuple[Numbers, Numbers], *, best: bool = False
    ) -> tuple[tuple[Numbers, Numbers], tuple[float, float]]:
        """(3, decisions, 1326) of each role, and what each wins a deal. values: (lines, 1326) of each role."""
        reach = self._reaches(policies)
        found = [self._up(policies[role], values[role], reach[1 - role], role, best) for role in (0, 1)]
        pairs = COMBOS * (COMBOS - 1 - 2 * 50)  # ordered pairs of hands without a card in common
        return (found[0][0], found[1][0]), (float(found[0][1].sum()) / pairs, float(found[1][1].sum()) / pairs)

    def _reaches(self, policies: tuple[Numbers, Numbers]) -> list[dict[int, Numbers]]:
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

    def _up(
        self, policy: Numbers, below: Numbers, others: dict[int, Numbers], role: int, best: bool
    ) -> tuple[Numbers, Numbers]:
        tree, values, regrets = self.tree, dict[int, Numbers](), np.zeros_like(policy)
        for node in reversed(self.nodes):
            turn = tree.turn[node]
            slots = [slot for slot in range(SLOTS) if tree.children[node][slot] != NOWHERE]
            if node in self.line:
                values[node] = below[self.line[node]]
            elif turn < 0:
                values[node] = (1 - 2 * role) * tree.stake[node] * compatible(others[node])
            elif turn != role:
                values[node] = np.sum([values[int(tree.children[node][slot])] for slot in slots], axis=0)
            else:
                place = self.decisions[role].index(node)
                options = np.array([values[int(tree.children[node][slot])] for slot in slots])
                worth = options.max(axis=0) if best else (policy[slots, place] * options).sum(axis=0)
                values[node] = worth
                regrets[slots, place] = options - worth
        return regrets, values[0]


def compatible(reach: Numbers) -> Numbers:
    """(1326,): the reach of all hands that share no card with each."""
    high, low = combo_cards().T
    cards = np.bincount(high, reach, DECK_SIZE) + np.bincount(low, reach, DECK_SIZE)
    total: Numbers = reach.sum() - cards[high] - cards[low] + reach
    return total


def by_class(values: Numbers) -> Numbers:
    """(..., 1326): every combo's value replaced by the mean over its class; suits have no order."""
    classes = class_of_combos()
    counts = np.bincount(classes, minlength=CLASSES)
    flat = values.reshape(-1, COMBOS)
    means = np.stack([np.bincount(classes, row, CLASSES) for row in flat]) / counts
    return np.asarray(means[:, classes].reshape(values.shape))
