"""Flop Hold'em for all hands at once: its betting before the flop and on it, and the strategies of nets there.

The seven preflop lines that lead to the flop have the same betting with different stakes, so arrays have an axis of
*lines*. On a flop 1,176 hands are possible.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from tahur.cards.cards import COMBOS
from tahur.core.arrays import Array, Float32s, Int64s
from tahur.core.errors import SolverError
from tahur.core.towers import SLOTS
from tahur.games.betting import NOT_LEGAL, Betting, betting_of
from tahur.games.encoders.holdem import combo_cards, flop_hands
from tahur.solvers.deep.game import TrainingGame

HELD: Final = 48  # hands on a flop that contain a given card
FLOPS: Final = 22_100


@dataclass(frozen=True, eq=False)
class FlopTree:
    """The betting on the flop, once for all lines: local nodes are the decisions of a line, then its terminals."""

    betting: Betting
    betting_rows: Float32s  # (decisions, betting features)
    nodes: Int64s  # (local nodes, lines) their nodes in the betting tree
    children: Int64s  # (local decisions, 3) local nodes, NOT_LEGAL if illegal

    @property
    def decisions(self) -> int:
        return len(self.children)

    @property
    def lines(self) -> int:
        return int(self.nodes.shape[1])

    @property
    def roots(self) -> Int64s:
        """(lines,) the decisions with which the flop begins."""
        return np.asarray(self.nodes[0])

    @cached_property
    def turn(self) -> Array:
        """(local nodes,) the seat to act; -1 at a fold, -2 at a showdown."""
        return self.betting.turn[self.nodes[:, 0]]

    @cached_property
    def mine(self) -> tuple[Int64s, Int64s]:
        """The local decisions of each role."""
        return np.flatnonzero(self.turn == 0), np.flatnonzero(self.turn == 1)

    @cached_property
    def rows(self) -> tuple[Array, Array]:
        """The betting input rows of each role's decisions, line by line within a local node."""
        first, second = (self.betting_rows[self.nodes[mine].reshape(-1)] for mine in self.mine)
        return first, second

    @cached_property
    def legal(self) -> tuple[Array, Array]:
        """(3, decisions, 1) for each role."""
        first, second = (
            np.repeat(self.children[mine] != NOT_LEGAL, self.lines, axis=0).T[:, :, None] for mine in self.mine
        )
        return first, second


def flop_tree(training: TrainingGame) -> FlopTree:
    """The flop betting of a two-street game with the same betting on every flop."""
    game: Any = training.game
    betting = betting_of(game)
    first = betting.first[1]
    lines = int((betting.street[betting.parent[first : betting.decisions]] == 0).sum())
    size, rest = divmod(betting.decisions - first, max(lines, 1))
    if betting.streets != 2 or lines == 0 or rest:
        raise SolverError("the fast mode needs two streets and stacks too deep to be all-in before the showdown")
    decisions = first + np.arange(lines) * size + np.arange(size)[:, None]  # (local decisions, lines)
    children = betting.children[decisions]
    ends = children >= betting.decisions
    shape = np.where(ends, betting.decisions, np.where(children < 0, NOT_LEGAL, children - decisions[0, :, None]))
    if (shape != shape[:, :1]).any():
        raise SolverError("the fast mode needs the same betting on the flop after every line before it")
    local = np.where(ends[:, 0], size - 1 + np.cumsum(ends[:, 0]).reshape(size, SLOTS), shape[:, 0])
    return FlopTree(
        betting=betting,
        betting_rows=np.array([training.encoder.betting(table) for table in betting.tables]),
        nodes=np.concatenate([decisions, children.transpose(0, 2, 1)[ends[:, 0]]]),
        children=local,
    )


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
        self.betting = where.betting
        self.line = {int(root): line for line, root in enumerate(where.roots)}
        seats = self.betting.seat[: self.betting.first[1]]
        self.decisions = [np.flatnonzero(seats == role).tolist() for role in (0, 1)]

    def legal(self, role: int) -> Array:
        """(3, decisions, 1)"""
        return np.asarray(self.betting.legal[self.decisions[role]].T[:, :, None])

    def own_reach(self, policy: Array, role: int) -> Array:
        """(decisions, 1326): a role's own reach of each of its decisions."""
        reaches = self._reaches((policy, policy))[role]  # the other's choices affect the other's reach alone
        return np.array([reaches[node] for node in self.decisions[role]])

    def reaches(self, policies: tuple[Array, Array]) -> tuple[Array, Array]:
        """(lines, 1326) the reach of each role. policies: (3, decisions, 1326)."""
        reaches = self._reaches(policies)
        first, second = (np.array([reaches[role][root] for root in self.line]) for role in (0, 1))
        return first, second

    def _reaches(self, policies: tuple[Array, Array]) -> list[dict[int, Array]]:
        """For each seat, the probability by its own choices of each preflop node, by hand."""
        betting = self.betting
        reaches = [{0: np.ones(COMBOS, np.float64)} for _ in (0, 1)]
        for node in betting.of_street(0):
            turn = int(betting.seat[node])
            row = self.decisions[turn].index(node)
            for slot, child in enumerate(betting.children[node].tolist()):
                if child != NOT_LEGAL:
                    reaches[turn][child] = reaches[turn][node] * policies[turn][slot, row]
                    reaches[1 - turn][child] = reaches[1 - turn][node]
        return reaches
