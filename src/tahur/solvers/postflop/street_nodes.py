"""The betting tree as flat arrays: one street tree for each street; lines that end a street are the roots of the next.

Terminal payoffs are in chips, counted from before the pot at the root was formed: the winner gets the other's half of
the pot and bets, minus the rake. With rake r and stakes s each, a hand that beats mine costs s - r/2 and a hand that I
beat earns s - r/2, relative to -r/2.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np

from tahur.solvers.postflop.spot import Spot
from tahur.solvers.postflop.tables import StreetTree
from tahur.solvers.postflop.tree import Node, NodeKind

FOLD: Final = 2
SHOWDOWN: Final = 3
DEAL: Final = 4
_KINDS: Final = {NodeKind.FOLD: FOLD, NodeKind.SHOWDOWN: SHOWDOWN, NodeKind.DEAL: DEAL}


@dataclass(frozen=True, slots=True, eq=False)
class StreetNodes:
    """One street of the betting: its nodes in the order of the tree's arrays, and the arrays."""

    nodes: tuple[Node, ...]
    tree: StreetTree


def street_nodes(spot: Spot, root: Node) -> tuple[StreetNodes, ...]:
    """The street trees from the first street to the river."""
    streets: list[StreetNodes] = []
    roots: tuple[Node, ...] = (root,)
    for _ in range(spot.first_street, 3):
        street = _street_of(spot, roots)
        streets.append(street)
        roots = tuple(street.nodes[place].children[0] for place in street.tree.deals)
    return tuple(streets)


@dataclass(slots=True)
class _Rows:
    """The columns of the arrays, filled node by node."""

    nodes: list[Node] = field(default_factory=list)
    children: list[list[int]] = field(default_factory=list)
    reach: list[tuple[int, int]] = field(default_factory=list)
    next_row: list[int] = field(default_factory=lambda: [0, 0])


def _street_of(spot: Spot, roots: tuple[Node, ...]) -> StreetNodes:
    """One street of the betting as arrays, from the nodes at which it begins."""
    rows = _Rows()
    starts = [_walk(root, rows, _new_rows(rows, (0, 1))) for root in roots]
    kind = [node.seat if node.kind is NodeKind.DECISION else _KINDS[node.kind] for node in rows.nodes]
    data, data_rows = _data_rows(rows.nodes)
    count = [len(children) for children in rows.children]
    first, second = (_terminal_rows(spot, rows, traverser) for traverser in (0, 1))
    terminal_rows = [*first, *second]
    payments = [payment for row in terminal_rows for payment in row.terminals]
    tree = StreetTree(
        kind=np.array(kind, np.int8),
        first=(np.cumsum(count) - count).astype(np.int32),
        moves=np.array(count, np.int32),
        child=np.array([child for children in rows.children for child in children], np.int32),
        data=data,
        reach=np.ascontiguousarray(np.array(rows.reach, np.int32).T),
        roots=np.array(starts, np.int32),
        deals=np.array([place for place, node_kind in enumerate(kind) if node_kind == DEAL], np.int32),
        rows=np.array(rows.next_row, np.int64),
        data_rows=data_rows,
        terminal_start=np.array([0, len(first), len(terminal_rows)], np.int64),
        terminal_split=np.array(
            [sum(row.has_showdown for row in first), len(first) + sum(row.has_showdown for row in second)], np.int64
        ),
        terminal_row=np.array([row.row for row in terminal_rows], np.int32),
        terminal_first=np.cumsum([0, *(len(row.terminals) for row in terminal_rows)]).astype(np.int64),
        terminal_node=np.array([payment.node for payment in payments], np.int32),
        terminal_sweep=np.array([payment.sweep for payment in payments], np.float32),
        terminal_total=np.array([payment.total for payment in payments], np.float32),
    )
    return StreetNodes(tuple(rows.nodes), tree)


def _walk(node: Node, rows: _Rows, reach: tuple[int, int]) -> int:
    """Number the node and its subtree on this street."""
    place = len(rows.nodes)
    rows.nodes.append(node)
    rows.reach.append(reach)
    rows.children.append([])
    if node.kind is NodeKind.DECISION:
        for child in node.children:
            fresh = _new_rows(rows, (1 - node.seat,))  # a traverser tracks only the opponent's reach
            both = fresh[0] if node.seat else reach[0], reach[1] if node.seat else fresh[1]
            rows.children[place].append(_walk(child, rows, both))
    return place


def _new_rows(rows: _Rows, traversers: tuple[int, ...]) -> tuple[int, int]:
    fresh = rows.next_row[0], rows.next_row[1]
    for seat in traversers:
        rows.next_row[seat] += 1
    return fresh


def _data_rows(nodes: list[Node]) -> tuple[np.ndarray, np.ndarray]:
    """How many rows of regrets come before each decision's, among its seat's; and the total of each seat."""
    before, total = np.zeros(len(nodes), np.int64), np.zeros(2, np.int64)
    for place, node in enumerate(nodes):
        if node.kind is NodeKind.DECISION:
            before[place] = total[node.seat]
            total[node.seat] += len(node.moves)
    return before, total


class _Payment(NamedTuple):
    """What a terminal pays the traverser: `sweep` times (weight it beats - weight that beats it), plus `total` times
    the weight of all hands that the opponent may hold."""

    node: int
    sweep: float  # 0 for a fold
    total: float


class _TerminalRow(NamedTuple):
    """A row of the opponent's reach, and the terminals whose values are computed from it."""

    row: int
    terminals: list[_Payment]

    @property
    def has_showdown(self) -> bool:
        return any(payment.sweep for payment in self.terminals)

    @property
    def needs_total(self) -> bool:
        return any(payment.total for payment in self.terminals)


def _terminal_rows(spot: Spot, rows: _Rows, traverser: int) -> list[_TerminalRow]:
    """The rows of reach that have terminals.

    Rows with showdowns come first, and among them those that do not need the opponent's total weight, which the kernels
    then do not compute.
    """
    terminals: dict[int, list[_Payment]] = {}
    for place, node in enumerate(rows.nodes):
        if node.kind in (NodeKind.FOLD, NodeKind.SHOWDOWN):
            terminals.setdefault(rows.reach[place][traverser], []).append(_payment(spot, place, node, traverser))
    unsorted = [_TerminalRow(row, payments) for row, payments in terminals.items()]
    return sorted(unsorted, key=lambda row: (not row.has_showdown, row.needs_total))


def _payment(spot: Spot, place: int, node: Node, traverser: int) -> _Payment:
    """What a fold or a showdown pays the traverser."""
    stake = spot.pot / 2 + node.bet
    rake = spot.rake.of(2 * stake)
    if node.kind is NodeKind.SHOWDOWN:
        return _Payment(place, stake - rake / 2, -rake / 2)
    return _Payment(place, 0.0, -stake if node.seat == traverser else stake - rake)
