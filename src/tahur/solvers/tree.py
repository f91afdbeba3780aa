"""The public tree of a two-seat game as flat arrays, and where each information set lives in one flat buffer.

Nodes are numbered depth first, a node before its children, so a subtree is the range `node .. end[node]` and any walk
is one loop. Every decision node owns a block `[action][hand]` of the buffers (regrets, averages, strategies) that
solvers allocate; blocks follow the order of the nodes. Terminals are stored by kind in shared tables (`terminals.py`).
A child of a chance node has a *dealing*: its probability, the hands it rules out, and, where the game is symmetric, the
renamings under which it represents further outcomes that then are not in the tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tahur.core.arrays import Float64s, Int32s
from tahur.core.errors import SolverError
from tahur.core.game import Action, Seat, Solvable, Symmetry
from tahur.solvers.terminals import Terminals

CHANCE_NODE: Final = 2  # `kind`: 0 and 1 are the seats, 3 and above the terminals of `terminals.py`
ROOT: Final = 0


class Nodes(NamedTuple):
    """One entry per node; the arrays that kernels walk."""

    kind: Int32s
    parent: Int32s  # -1 for the root
    child_number: Int32s  # its index among its parent's children
    end: Int32s  # the first node after its subtree
    children: Int32s  # number of children
    block: NDArray[np.int64]  # where a decision's block starts in the buffers
    first: Int32s  # for a terminal: the entry in the table of its kind
    second: Int32s  # for a terminal: the row of payoffs
    dealing: Int32s  # for a child of a chance node: its dealing, else -1


class Dealings(NamedTuple):
    """The chance outcomes. Each row of `renamings` maps the hands to those of an isomorphic outcome; row 0 is the
    identity."""

    chance: Float64s  # probability of a dealing, given two hands that leave it possible
    mask: Int32s  # its row of `open`
    open: tuple[Float64s, Float64s]  # (masks, hands) for each seat: 1 if the hand is possible with the dealing, else 0
    renaming_start: Int32s  # where a dealing's renamings start in `renaming_rows`; one more entry at the end
    renaming_rows: Int32s  # rows of `renamings`: the identity, then one for each other outcome that it represents
    renamings: tuple[Int32s, Int32s]  # (rows, hands) for each seat


@dataclass(frozen=True, slots=True)
class TreePosition:
    """The node of a history. `hands[seat][i]` is the tree's index for the game's hand `i`."""

    node: int
    hands: tuple[Int32s, Int32s]


@dataclass(frozen=True, eq=False)
class Tree:
    """A game, unrolled. Hands are identified by their index in `game.hands(seat)`."""

    game: Solvable[Any]
    nodes: Nodes
    actions: NDArray[np.int64]  # the action that leads to each node
    dealings: Dealings
    terminals: Terminals
    priors: tuple[Float64s, Float64s]  # of each seat's hands, unnormalised: the joint is their product where possible
    mass: float  # the sum of the joint weights
    size: int  # of one buffer, in numbers
    depth: int  # decisions, dealings and the terminal on the longest path
    rows: int  # scratch rows of hands that a walk needs at most
    symmetries: tuple[Symmetry, ...]  # row k of `renamings`, from 1 on, is symmetry k - 1
    aliases: dict[tuple[int, Action], tuple[int, int]]  # (chance node, outcome) -> node, row of `renamings`

    @property
    def hands(self) -> tuple[int, int]:
        """The number of hands of each seat."""
        return len(self.priors[0]), len(self.priors[1])

    @property
    def zero_sum(self) -> bool:
        """If false, the solved quantity is the difference of the payoffs: seat 0's minus seat 1's."""
        return self.terminals.zero_sum

    @property
    def symmetric(self) -> bool:
        """Whether chance outcomes were merged by symmetry."""
        return len(self.dealings.renamings[0]) > 1

    @cached_property
    def decisions(self) -> Int32s:
        """The nodes where a seat acts, in order."""
        return np.flatnonzero(self.nodes.kind < CHANCE_NODE).astype(np.int32)

    def block(self, node: int) -> slice:
        """The node's part of a buffer; reshape it to `(actions, hands of the seat)`."""
        start = int(self.nodes.block[node])
        return slice(start, start + int(self.nodes.children[node]) * self.hands[self.turn(node)])

    def part(self, buffer: NDArray[Any], node: int) -> NDArray[Any]:
        """The node's block of a buffer, one row per action; writing to it writes to the buffer."""
        return buffer[self.block(node)].reshape(int(self.nodes.children[node]), -1)

    def turn(self, node: int) -> Seat:
        """The seat that acts at a decision."""
        kind = int(self.nodes.kind[node])
        if kind >= CHANCE_NODE:
            raise SolverError(f"{self.game.name}: no seat acts after {list(self.history(node))}")
        return kind

    def children(self, node: int) -> tuple[int, ...]:
        """The child nodes, in the order of the actions."""
        children = []
        child = node + 1
        while child < self.nodes.end[node]:
            children.append(child)
            child = int(self.nodes.end[child])
        return tuple(children)

    def menu(self, node: int) -> tuple[Action, ...]:
        """The actions of a node, in the order of the rows of its block."""
        return tuple(int(self.actions[child]) for child in self.children(node))

    def history(self, node: int) -> tuple[Action, ...]:
        """Every action from the start to the node, those of chance included."""
        actions: list[Action] = []
        while node != ROOT:
            actions.append(int(self.actions[node]))
            node = int(self.nodes.parent[node])
        return tuple(reversed(actions))

    def find(self, history: Sequence[Action]) -> TreePosition:
        """The node of a history and, for each seat, the index there of each of the game's hands.

        If an outcome of the history was merged into another, this is the node of the one that represents it, with the
        hands renamed by the symmetry between them.
        """
        node, hands = ROOT, self.dealings.renamings
        hand_indices: tuple[Int32s, Int32s] = (hands[0][0], hands[1][0])
        renamed: list[Symmetry] = []
        for action in history:
            for symmetry in renamed if self.nodes.kind[node] == CHANCE_NODE else ():
                action = symmetry.moves[action]
            child, row = self._child_after(node, action, history)
            if row:
                renamed.append(self.symmetries[row - 1])
                hand_indices = hands[0][row][hand_indices[0]], hands[1][row][hand_indices[1]]
            node = child
        return TreePosition(node, hand_indices)

    def _child_after(self, node: int, action: Action, history: Sequence[Action]) -> tuple[int, int]:
        """The child that represents the action, and the row of `renamings` to apply."""
        for child in self.children(node):
            if self.actions[child] == action:
                return child, 0
        if (node, action) in self.aliases:
            return self.aliases[node, action]
        menu = ", ".join(map(str, self.menu(node)))
        raise SolverError(
            f"{self.game.name}: no action {action} after {list(self.history(node))} (in {list(history)}); legal: {menu}"
        )
