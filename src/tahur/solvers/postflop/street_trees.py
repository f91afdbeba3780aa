"""The betting tree as flat arrays, one street tree per street: lines that end a street are the roots of the next.

Terminal payoffs are in chips, counted from before the pot at the root was formed: the winner gets the other's half of
the pot and bets, minus the rake. With rake r and stakes s each, a hand that beats mine costs s - r/2 and a hand that I
beat earns s - r/2, relative to -r/2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

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
    found: list[StreetNodes] = []
    roots: tuple[Node, ...] = (root,)
    for _ in range(spot.first_street, 3):
        street = _street_of(spot, roots)
        found.append(street)
        roots = tuple(street.nodes[place].children[0] for place in street.tree.deals)
    return tuple(found)


@dataclass(slots=True)
class _Rows:
    """The columns of the arrays, filled node by node."""

    nodes: list[Node] = field(default_factory=list)
    children: list[list[int]] = field(default_factory=list)
    reach: list[tuple[int, int]] = field(default_factory=list)
    next_row: list[int] = field(default_factory=lambda: [0, 0])


def _street_of(spot: Spot, roots: tuple[Node, ...]) -> StreetNodes:
    rows = _Rows()
    starts = [_walk(root, rows, _new_rows(rows, (0, 1))) for root in roots]
    kind = [node.seat if node.kind is NodeKind.DECISION else _KINDS[node.kind] for node in rows.nodes]
    data, data_rows = _data_rows(rows.nodes)
    count = [len(children) for children in rows.children]
    ends = [list(_ends(spot, rows, seat)) for seat in (0, 1)]
    flat = [end for seat in (0, 1) for end in ends[seat]]
    paid = [each for _, _, nodes in flat for each in nodes]
    tree = StreetTree(
        kind=np.array(kind, np.int8),
        first=(np.cumsum(count) - count).astype(np.int32),
        moves=np.array(count, np.int32),
        child=np.array([child for children in rows.children for child in children], np.int32),
        data=data,
        reach=np.ascontiguousarray(np.array(rows.reach, np.int32).T),
        roots=np.array(starts, np.int32),
        deals=np.array([place for place, each in enumerate(kind) if each == DEAL], np.int32),
        rows=np.array(rows.next_row, np.int64),
        data_rows=data_rows,
        end_start=np.array([0, len(ends[0]), len(flat)], np.int64),
        end_split=np.array(
            [sum(sweeps for sweeps, _, _ in ends[0]), len(ends[0]) + sum(s for s, _, _ in ends[1])], np.int64
        ),
        end_row=np.array([row for _, row, _ in flat], np.int32),
        end_first=np.cumsum([0, *(len(nodes) for _, _, nodes in flat)]).astype(np.int64),
        end_node=np.array([place for place, _, _ in paid], np.int32),
        end_sweep=np.array([sweep for _, sweep, _ in paid], np.float32),
        end_total=np.array([total for _, _, total in paid], np.float32),
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


def _ends(spot: Spot, rows: _Rows, seat: int) -> Iterator[tuple[bool, int, list[tuple[int, float, float]]]]:
    """Rows of reach with terminals: whether it has showdowns, the row, each terminal's payoff.

    Rows with showdowns come first, and among them those that pay nothing for the opponent's total weight, which then
    need not be computed.
    """
    found: dict[int, list[tuple[int, float, float]]] = {}
    for place, node in enumerate(rows.nodes):
        if node.kind in (NodeKind.FOLD, NodeKind.SHOWDOWN):
            found.setdefault(rows.reach[place][seat], []).append((place, *_payment(spot, node, seat)))
    some = [(any(sweep for _, sweep, _ in ends), row, ends) for row, ends in found.items()]
    yield from sorted(some, key=lambda each: (not each[0], any(total for _, _, total in each[2])))


def _payment(spot: Spot, node: Node, seat: int) -> tuple[float, float]:
    stake = spot.pot / 2 + node.bet
    rake = spot.rake.of(2 * stake)
    if node.kind is NodeKind.SHOWDOWN:
        return stake - rake / 2, -rake / 2
    return 0.0, -stake if node.seat == seat else stake - rake
