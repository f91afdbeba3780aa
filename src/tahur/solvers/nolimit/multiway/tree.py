"""The betting tree of a table of two to six seats: before the flop for charts, and to the river for the solver.

Nodes before the flop come first, in breadth-first order, so a strategy for them can be stored without the rest. A node
whose betting before the flop is over and leaves two or more players is the root of the later streets.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from tahur.core.arrays import Array
from tahur.core.errors import SolverError
from tahur.core.game import CHANCE
from tahur.games.holdem.rules import no_limit
from tahur.games.holdem.table import CALL, FOLD, HoldemTable
from tahur.solvers.nolimit.multiway.actions import CHIPS, MultiwaySizes, menu_of
from tahur.solvers.postflop.spot import Rake

DECISION, FOLDED, SHOWDOWN, ALL_IN_TWO = 0, 1, 2, 3
PREFLOP_CLASSES: Final = 169
MOST_SEATS: Final = 6
_NAMES: Final = ("sb", "bb", "utg", "hj", "co", "btn")


class MultiwayArrays(NamedTuple):
    """The tree as the kernels read it. Amounts are in big blinds."""

    kind: Array  # (nodes,) int8 DECISION, FOLDED, SHOWDOWN, or ALL_IN_TWO: two players all-in before the flop
    seat: Array  # (nodes,) int8 the seat to act; at FOLDED the winner
    street: Array  # (nodes,) int8
    moves: Array  # (nodes,) int64 the number of actions
    child: Array  # (nodes, 3) int32
    first: Array  # (nodes,) int64 where the numbers [bucket][action] of a decision begin
    live: Array  # (nodes,) int64 the seats that have not folded, as bits
    won: Array  # (nodes,) float32 the pot that the winners get, after rake
    paid: Array  # (nodes, seats) float32 what each seat has put in


@dataclass(frozen=True, slots=True, eq=False)
class PreflopTree:
    """The betting before the flop. Node 0 is the first decision; children come after their parents."""

    seats: int
    depth: float  # stacks in big blinds
    sizes: MultiwaySizes
    tables: tuple[HoldemTable, ...]  # of each node
    children: tuple[tuple[int, ...], ...]
    parents: tuple[int, ...]  # -1 at the root
    first: tuple[int, ...]  # where the numbers [class][action] of a decision begin
    cells: int

    @property
    def decisions(self) -> tuple[int, ...]:
        """The nodes at which a seat acts."""
        return tuple(node for node, children in enumerate(self.children) if children)

    def menu(self, node: int) -> tuple[int, ...]:
        """The actions at a decision, as the rules number them."""
        return menu_of(self.tables[node], self.sizes)

    def block(self, node: int) -> slice:
        """Where the numbers [class][action] of a decision are in an array of `cells`."""
        return slice(self.first[node], self.first[node] + PREFLOP_CLASSES * len(self.children[node]))

    def path(self, node: int) -> tuple[tuple[int, int], ...]:
        """The decisions that lead to a node, each with the place of the action that was taken."""
        steps: list[tuple[int, int]] = []
        while (parent := self.parents[node]) >= 0:
            steps.append((parent, self.children[parent].index(node)))
            node = parent
        return tuple(reversed(steps))


@dataclass(frozen=True, slots=True, eq=False)
class MultiwayTree:
    """The whole tree, and how many card buckets each street has."""

    preflop: PreflopTree
    rake: Rake
    arrays: MultiwayArrays
    buckets: tuple[int, ...]
    cells: int  # numbers in a table of regrets
    depth: int  # nodes on the longest path


def position_names(seats: int) -> tuple[str, ...]:
    """The names of the seats, by number; seat 0 is the button. With two seats the button posts the small blind."""
    if not 2 <= seats <= MOST_SEATS:
        raise SolverError(f"a table of {seats} seats; charts are for 2 to {MOST_SEATS}")
    if seats == 2:
        return "btn", "bb"
    return ("btn", "sb", "bb", *_NAMES[8 - seats : -1])


@lru_cache(maxsize=8)
def build_preflop(seats: int, depth: float, sizes: MultiwaySizes) -> PreflopTree:
    """The betting before the flop with equal stacks of `depth` big blinds."""
    position_names(seats)
    game = no_limit(seats=seats, stack=round(depth * CHIPS), blinds=(CHIPS // 2, CHIPS))
    tables: list[HoldemTable] = [game.start()]
    parents, children = [-1], []
    for table in tables:  # grows
        menu = menu_of(table, sizes) if table.turn >= 0 else ()
        children.append(tuple(range(len(tables), len(tables) + len(menu))))
        parents += [len(children) - 1] * len(menu)
        tables += [table.after(action) for action in menu]
    counts = np.array([len(below) for below in children], np.int64) * PREFLOP_CLASSES
    first = tuple((np.cumsum(counts) - counts).tolist())
    return PreflopTree(
        seats=seats,
        depth=depth,
        sizes=sizes,
        tables=tuple(tables),
        children=tuple(children),
        parents=tuple(parents),
        first=first,
        cells=int(counts.sum()),
    )


def build_tree(preflop: PreflopTree, rake: Rake, buckets: tuple[int, ...]) -> MultiwayTree:
    """The tree to the river; rake: of a pot that sees a flop, in big blinds; buckets: card buckets on each street."""
    growth = _Growth(preflop.sizes, rake, preflop.seats)
    for table, below in zip(preflop.tables, preflop.children, strict=True):
        growth.add(table, 0, list(below))
    for node, table in enumerate(preflop.tables):
        if table.turn == CHANCE and any(table.stacks[seat] for seat in table.live):
            growth.grow(_dealt(table), node)
    arrays, cells = growth.arrays(buckets)
    return MultiwayTree(preflop=preflop, rake=rake, arrays=arrays, buckets=buckets, cells=cells, depth=_longest(arrays))


class _Growth:
    """Collects the fields of the nodes."""

    def __init__(self, sizes: MultiwaySizes, rake: Rake, seats: int) -> None:
        self._sizes, self._rake, self._seats = sizes, rake, seats
        self._rows: list[tuple[int, int, int, int, float, tuple[float, ...]]] = []
        self._children: list[list[int]] = []

    def add(self, table: HoldemTable, street: int, children: list[int]) -> int:
        """Append a node and return its number."""
        paid = tuple(chips / CHIPS for chips in table.committed)
        pot, live = sum(paid), sum(1 << seat for seat in table.live)
        if table.turn >= 0:
            self._rows.append((DECISION, table.turn, street, live, 0.0, paid))
        elif len(table.live) == 1:
            taken = self._rake.of(pot) if street else 0.0
            self._rows.append((FOLDED, table.live[0], street, live, pot - taken, paid))
        else:
            kind = ALL_IN_TWO if street == 0 and len(table.live) == 2 else SHOWDOWN
            self._rows.append((kind, 0, street, live, pot - self._rake.of(pot), paid))
        self._children.append(children)
        return len(self._rows) - 1

    def grow(self, root: HoldemTable, at: int) -> None:
        """Add the later streets of a pot; `at` is the node that becomes their first decision."""
        self._rows[at] = (DECISION, root.turn, root.street, *self._rows[at][3:])
        todo = [(root, at)]
        while todo:
            table, node = todo.pop()
            for action in menu_of(table, self._sizes):
                after = _dealt(table.after(action))
                child = self.add(after, table.street if after.turn < 0 else after.street, [])
                self._children[node].append(child)
                if after.turn >= 0:
                    todo.append((after, child))

    def arrays(self, buckets: tuple[int, ...]) -> tuple[MultiwayArrays, int]:
        """The arrays, and the number of cells."""
        moves = np.array([len(below) for below in self._children], np.int64)
        child = np.full((len(moves), 3), -1, np.int32)
        for node, below in enumerate(self._children):
            child[node, : len(below)] = below
        kind, seat, street, live, won, paid = zip(*self._rows, strict=True)
        cells = moves * np.array(buckets, np.int64)[np.array(street)]
        before_flop = np.where(np.array(street) == 0, cells, 0)  # come first
        later = cells - before_flop
        first = np.where(before_flop, np.cumsum(before_flop) - before_flop, np.cumsum(later) - later)
        arrays = MultiwayArrays(
            kind=np.array(kind, np.int8),
            seat=np.array(seat, np.int8),
            street=np.array(street, np.int8),
            moves=moves,
            child=child,
            first=first + np.where(before_flop, 0, before_flop.sum()),
            live=np.array(live, np.int64),
            won=np.array(won, np.float32),
            paid=np.array(paid, np.float32),
        )
        return arrays, int(cells.sum())


def _dealt(table: HoldemTable) -> HoldemTable:
    """The table with board cards dealt until a seat acts or the hand is over; which cards does not matter."""
    while table.turn == CHANCE:
        table = table.after(len(table.board))
    return table


def _longest(arrays: MultiwayArrays) -> int:
    """The number of nodes on the longest path."""
    levels = np.ones(len(arrays.kind), np.int64)
    for node in range(len(levels)):  # children come after their parents
        for child in arrays.child[node, : arrays.moves[node]]:
            levels[child] = levels[node] + 1
    return int(levels.max())


def action_names(tree: PreflopTree, node: int) -> tuple[str, ...]:
    """The names of a decision's actions: fold, check, call, limp, raise, all-in."""
    table = tree.tables[node]
    return tuple(_name(table, action) for action in tree.menu(node))


def _name(table: HoldemTable, action: int) -> str:
    if action == FOLD:
        return "fold"
    if action == CALL:
        passive = "limp" if table.raised == 0 else "call"
        return passive if table.to_call else "check"
    return "all-in" if action - 1 == table.bets[table.turn] + table.stacks[table.turn] else "raise"
