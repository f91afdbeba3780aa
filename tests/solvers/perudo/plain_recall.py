"""An iteration for a round that is remembered in part, plainly: each history by itself, whole tables of hands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tahur.core.arrays import Array
from tahur.games.perudo.bids import count_of
from tahur.games.perudo.recall import Graph
from tahur.solvers.perudo.stakes import RoundStakes

Chances = Mapping[int, Array]  # by node: [action, hand]


@dataclass(frozen=True)
class Plain:
    graph: Graph
    stakes: RoundStakes
    even: float

    def alike(self, seat: int) -> Chances:
        """Anything as likely as anything."""
        counts = {node: self._actions(node) for node in self._spoken_by(seat)}
        return {node: np.full((count, self.graph.hands[seat]), 1 / count) for node, count in counts.items()}

    def regrets(self, seat: int, mine: Chances, theirs: Chances, likely: Array) -> Chances:
        """After one iteration; tables of hands are [ours, the other's]."""
        owns, joints = defaultdict[int, Any](float), defaultdict[int, Any](float)
        hands = self.graph.hands[seat]

        def walk(node: int, own: Array, joint: Array) -> None:
            owns[node], joints[node] = owns[node] + own, joints[node] + joint
            calls, children = self.graph.calls[node], self._children(node)
            for row, child in enumerate(children, start=calls):
                if node in mine:
                    chance = (1 - self.even) * mine[node][row] + self.even / len(children)
                    walk(child, own * chance, joint * chance[:, None])
                else:
                    walk(child, own / (calls + len(children)), joint * theirs[node][row])

        walk(0, np.ones(hands), np.ones((hands, 1)) * likely)
        found = {}
        for node, chances in mine.items():
            rows = self._worths(node, seat, mine, theirs)
            value = sum(chance[:, None] * row for chance, row in zip(chances, rows, strict=True))
            found[node] = np.array([((row - value) * joints[node]).sum(axis=1) / owns[node] for row in rows])
        return found

    def by(self, regrets: Chances) -> Chances:
        """In proportion to what is positive; alike where nothing is."""
        found = {}
        for node, rows in regrets.items():
            positive = np.maximum(rows, 0)
            total = positive.sum(axis=0)
            found[node] = np.where(total > 0, positive / np.where(total > 0, total, 1), 1 / len(rows))
        return found

    def _worths(self, node: int, seat: int, mine: Chances, theirs: Chances) -> list[Array]:
        """What each action is worth to the seat."""
        calls = [self._paid(node, seat, call) for call in range(self.graph.calls[node])]
        return [*calls, *(self._worth(child, seat, mine, theirs) for child in self._children(node))]

    def _worth(self, node: int, seat: int, mine: Chances, theirs: Chances) -> Array:
        rows = self._worths(node, seat, mine, theirs)
        if node in mine:
            return sum(chance[:, None] * row for chance, row in zip(mine[node], rows, strict=True))
        return sum(chance * row for chance, row in zip(theirs[node], rows, strict=True))

    def _paid(self, node: int, seat: int, call: int) -> Array:
        caller, *_, bid = self.graph.nodes[node]
        held = self.graph.matches[seat][bid][:, None] + self.graph.matches[1 - seat][bid]
        needed = count_of(self.graph.bids[bid])
        yes, no = (self.stakes.dudo, self.stakes.calza)[call][caller]
        return np.where(held >= needed if call == 0 else held == needed, yes, no) * (1 - 2 * seat)

    def _children(self, node: int) -> list[int]:
        return list(self.graph.children[self.graph.first[node] : self.graph.first[node + 1]])

    def _actions(self, node: int) -> int:
        return int(self.graph.calls[node]) + len(self._children(node))

    def _spoken_by(self, seat: int) -> list[int]:
        return [number for number, node in enumerate(self.graph.nodes) if node[0] == seat]
