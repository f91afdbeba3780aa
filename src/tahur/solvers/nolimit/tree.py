"""The betting tree of a two-seat no-limit game under an action abstraction, as flat arrays.

The tree follows the rules (`games/holdem/table.py`): each node is made from a table and one of its legal actions. Cards
are not part of it: a node is the same for every board. Seat 0 has the button and posts the small blind.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from tahur.core.arrays import Array
from tahur.core.game import CHANCE
from tahur.games.holdem.fourteen import ALL_IN, CALL, FOLD, action_of, legal_mask, situation_of
from tahur.games.holdem.rules import Holdem, no_limit
from tahur.games.holdem.table import HoldemTable
from tahur.solvers.nolimit.abstraction import ActionAbstraction

BIG_BLIND: Final = 100  # chips; fine enough that rounding a size to whole chips does not matter
DECISION, FOLDED, SHOWDOWN = 0, 1, 2
PUSH_FOLD: Final = "push-fold"


class BettingArrays(NamedTuple):
    """The tree for the kernels. Amounts are in big blinds."""

    kind: Array  # (nodes,) int8: DECISION, FOLDED, SHOWDOWN
    seat: Array  # (nodes,) int8: who acts; at a fold, who folded
    street: Array  # (nodes,) int8: 0 preflop to 3 river
    moves: Array  # (nodes,) int64: number of actions, 0 at a terminal
    child: Array  # (nodes, most actions) int32: -1 where there is none
    stake: Array  # (nodes,) float32: at a terminal, what the loser loses
    first: Array  # (nodes,) int64: where the block [bucket][action] of a decision begins


@dataclass(frozen=True, slots=True, eq=False)
class BettingTree:
    """The arrays, and for each node what its actions are in words of the rules."""

    depth: float  # stacks in big blinds
    game: Holdem
    abstraction: ActionAbstraction
    arrays: BettingArrays
    menus: tuple[tuple[int, ...], ...]  # for each node the fourteen-indices of its actions
    fractions: tuple[tuple[float, ...], ...]  # sizes of its bets as fractions of the pot after a call; 0 for fold, call
    parent: Array  # (nodes,) int32, -1 at the root
    paid: Array  # (nodes,) float32 big blinds that the seat to act has put in so far; 0 at a terminal
    buckets: tuple[int, ...]  # on each street
    cells: int  # numbers in a table of regrets

    @property
    def decisions(self) -> int:
        return int((self.arrays.kind == DECISION).sum())

    def block(self, node: int) -> slice:
        """Where the numbers [bucket][action] of a decision are in a table of `cells`."""
        first = int(self.arrays.first[node])
        return slice(first, first + self.buckets[self.arrays.street[node]] * int(self.arrays.moves[node]))

    def by_street(self) -> tuple[int, int, int, int]:
        """The number of decisions on each street."""
        streets = self.arrays.street[self.arrays.kind == DECISION]
        counts = np.bincount(streets, minlength=4).tolist()
        return counts[0], counts[1], counts[2], counts[3]


def heads_up(depth: float) -> Holdem:
    """The game that a blueprint of that many big blinds is solved for."""
    return no_limit(seats=2, stack=round(depth * BIG_BLIND), blinds=(BIG_BLIND // 2, BIG_BLIND))


@lru_cache(maxsize=4)
def build_tree(depth: float, abstraction: ActionAbstraction, buckets: tuple[int, ...]) -> BettingTree:
    """The tree of a heads-up game with stacks of `depth` big blinds; `buckets`: card buckets on each street."""
    game = heads_up(depth)
    tables: list[HoldemTable] = [game.start()]
    parents, children = [-1], []
    menus: list[tuple[int, ...]] = []
    fractions: list[tuple[float, ...]] = []
    node = 0
    while node < len(tables):
        table = tables[node]
        menu = menu_of(table, abstraction) if table.turn >= 0 else ()
        menus.append(menu)
        fractions.append(tuple(_fraction(table, index) for index in menu))
        children.append(range(len(tables), len(tables) + len(menu)))
        for index in menu:
            tables.append(_dealt(table.after(action_of(situation_of(table), index))))
            parents.append(node)
        node += 1
    arrays, cells = _arrays(tables, children, buckets)
    return BettingTree(
        depth=depth,
        game=game,
        abstraction=abstraction,
        arrays=arrays,
        menus=tuple(menus),
        fractions=tuple(fractions),
        parent=np.array(parents, np.int32),
        paid=np.array([_paid(table) for table in tables], np.float32),
        buckets=buckets,
        cells=cells,
    )


def preflop_decisions(tree: BettingTree) -> list[int]:
    """The decisions before the flop, by number."""
    decisions: list[int] = np.flatnonzero((tree.arrays.kind == DECISION) & (tree.arrays.street == 0)).tolist()
    return decisions


def preflop_cells(tree: BettingTree) -> int:
    """How many numbers a table of `cells` has up to the last decision before the flop."""
    return int(max(tree.block(node).stop for node in preflop_decisions(tree)))


def deepest(tree: BettingTree) -> int:
    """The number of nodes on the longest path."""
    levels = np.ones(len(tree.parent), np.int64)
    for node in range(1, len(levels)):  # parents come before their children
        levels[node] = levels[tree.parent[node]] + 1
    return int(levels.max())


def menu_of(table: HoldemTable, abstraction: ActionAbstraction) -> tuple[int, ...]:
    """The indices of the fourteen actions that the abstraction allows at a table.

    All-in is added where none of the sizes is legal because the stack is too small for them.
    """
    mask = legal_mask(situation_of(table))
    wanted = abstraction.sizes(table.street, table.raised)
    bets = tuple(index for index in wanted if mask[index])
    if not bets and wanted and mask[ALL_IN]:
        bets = (ALL_IN,)
    passive = (FOLD, CALL) if mask[FOLD] else (CALL,)
    if abstraction.name == PUSH_FOLD and table.raised == 0 and mask[FOLD]:
        passive = (FOLD,)  # the small blind may not limp
    return passive + bets


def _paid(table: HoldemTable) -> float:
    """The big blinds that the seat to act has put in; 0 if none acts."""
    return table.committed[table.turn] / BIG_BLIND if table.turn >= 0 else 0.0


def _fraction(table: HoldemTable, index: int) -> float:
    """The size of a bet or raise as a fraction of the pot after a call; 0 for fold and call."""
    if index in (FOLD, CALL):
        return 0.0
    raise_to = action_of(situation_of(table), index) - 1
    return (raise_to - table.bet) / (table.pot + table.to_call)


def _dealt(table: HoldemTable) -> HoldemTable:
    """The table with board cards dealt until a seat acts or the hand is over; which cards does not matter."""
    while table.turn == CHANCE:
        table = table.after(len(table.board))
    return table


def _arrays(tables: list[HoldemTable], children: list[range], buckets: tuple[int, ...]) -> tuple[BettingArrays, int]:
    """The arrays of all nodes, and the number of cells."""
    counts = np.array([len(below) for below in children], np.int64)
    child = np.full((len(tables), int(counts.max())), -1, np.int32)
    kind, seat, street = (np.zeros(len(tables), np.int8) for _ in range(3))
    stake = np.zeros(len(tables), np.float32)
    for node, (table, below) in enumerate(zip(tables, children, strict=True)):
        child[node, : len(below)] = below
        street[node] = table.street
        if table.turn >= 0:
            seat[node] = table.turn
            continue
        stake[node] = min(table.committed) / BIG_BLIND
        kind[node] = FOLDED if len(table.live) == 1 else SHOWDOWN
        seat[node] = 1 - table.live[0] if len(table.live) == 1 else 0
    sizes = counts * np.array(buckets, np.int64)[street]
    arrays = BettingArrays(
        kind=kind, seat=seat, street=street, moves=counts, child=child, stake=stake, first=np.cumsum(sizes) - sizes
    )
    return arrays, int(sizes.sum())
