"""The betting of a game as flat arrays, without the cards: legal actions depend only on the public state.

The rules are walked once, with arbitrary cards where chance moves, and each node is numbered. A decision has three
slots (fold, check or call, bet or raise) with the node that each leads to; a terminal has seat 0's winnings, as a
constant or times the sign of the showdown. Nodes are in depth-first order: a node before what follows it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.core.arrays import Int32s
from tahur.core.game import CHANCE, OVER, Action, Game
from tahur.core.terminal import Fold
from tahur.core.towers import SLOTS
from tahur.games.encoders.encoder import Encoder

FOLDED: Final = -1  # `turn`: a terminal that pays independently of the hands,
SHOWN: Final = -2  # or by the showdown
NOWHERE: Final = -1  # an illegal slot


@dataclass(frozen=True, slots=True, eq=False)
class BettingTree:
    """One entry per node; `decisions` are those where a seat acts, and `rows` are their betting features."""

    turn: Int32s  # the role to act, or FOLDED or SHOWN
    street: Int32s
    children: Int32s  # (nodes, 3), NOWHERE for illegal slots
    parent: Int32s
    slot: Int32s  # the slot of its parent that leads here
    stake: NDArray[np.float64]  # what role 0 wins at a terminal
    number: Int32s  # of a node among the decisions
    decisions: Int32s
    legal: NDArray[np.bool_]  # (decisions, 3)
    rows: NDArray[np.float32]  # (decisions, betting features)
    lines: tuple[tuple[Action, ...], ...]  # the seats' actions that lead to each decision
    most: tuple[int, int]  # decisions of a role that one deal reaches at most, if the other plays one action at each
    depth: int  # the longest path, in nodes

    @property
    def streets(self) -> int:
        return int(self.street.max()) + 1

    @property
    def scale(self) -> float:
        """A typical stake: nets learn regrets in units of it."""
        ends = self.stake[self.turn < 0]
        return float(np.sqrt((ends**2).mean()))


def betting_tree(game: Game[Any], encoder: Encoder) -> BettingTree:
    """The tree of a game for two that ends in folds and showdowns."""
    builder = _BettingBuilder(game, encoder)
    builder.visit(game.start(), (), NOWHERE, NOWHERE)
    return builder.finish()


class _BettingBuilder:
    """Lists that grow during the walk."""

    def __init__(self, game: Game[Any], encoder: Encoder) -> None:
        self.game, self.encoder = game, encoder
        self.columns: list[list[int]] = []  # turn, street, three children, parent, slot
        self.stakes: list[float] = []
        self.rows: list[NDArray[np.float32]] = []
        self.lines: list[tuple[Action, ...]] = []

    def visit(self, table: Any, line: tuple[Action, ...], parent: int, slot: int) -> int:
        while table.turn == CHANCE:  # any card will do
            table = table.after(self.game.outcomes(table, ())[0])
        node = len(self.columns)
        self.columns.append([FOLDED, self.encoder.street(table), NOWHERE, NOWHERE, NOWHERE, parent, slot])
        self.stakes.append(0.0)
        if table.turn == OVER:
            self._terminal(table, node)
        else:
            self._decide(table, line, node)
        return node

    def _terminal(self, table: Any, node: int) -> None:
        terminal = self.game.terminal(table)  # type: ignore[attr-defined]
        sign = 1 - 2 * self.encoder.role(self.game, 0)
        if isinstance(terminal, Fold):
            self.stakes[node] = sign * terminal.won
        else:
            self.columns[node][0], self.stakes[node] = SHOWN, terminal.win

    def _decide(self, table: Any, line: tuple[Action, ...], node: int) -> None:
        self.columns[node][0] = self.encoder.role(self.game, table.turn)
        self.rows.append(self.encoder.betting(table))
        self.lines.append(line)
        for slot, action in enumerate(self.encoder.slots(table)):
            if action is not None:
                child = self.visit(table.after(action), (*line, action), node, slot)
                self.columns[node][2 + slot] = child

    def finish(self) -> BettingTree:
        table = np.array(self.columns, np.int32).T
        turn = table[0]
        decisions = np.flatnonzero(turn >= 0).astype(np.int32)
        number = np.full(len(turn), NOWHERE, np.int32)
        number[decisions] = np.arange(len(decisions))
        children = np.ascontiguousarray(table[2 : 2 + SLOTS].T)
        return BettingTree(
            turn=turn,
            street=table[1],
            children=children,
            parent=table[5],
            slot=table[6],
            stake=np.array(self.stakes),
            number=number,
            decisions=decisions,
            legal=children[decisions] != NOWHERE,
            rows=np.array(self.rows),
            lines=tuple(self.lines),
            most=(_most(children, turn, 0), _most(children, turn, 1)),
            depth=_depth(table[5]),
        )


def _most(children: Int32s, turn: Int32s, role: int) -> int:
    """All children of the role's own decisions, the maximum over the other's; successors come after a node."""
    counts = np.zeros(len(turn) + 1, np.int64)  # the last one is that of NOWHERE
    for node in range(len(turn) - 1, -1, -1):
        below = counts[children[node]]
        counts[node] = 0 if turn[node] < 0 else 1 + below.sum() if turn[node] == role else below.max()
    return int(counts[0])


def _depth(parent: Int32s) -> int:
    depths = np.ones(len(parent), np.int64)
    for node in range(1, len(parent)):
        depths[node] = depths[parent[node]] + 1
    return int(depths.max())
