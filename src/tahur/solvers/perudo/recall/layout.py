"""The memory layout of a round with imperfect recall.

A *row* is an action of a node, with a number for each hand of the seat that acts there; `rows` is where those of a node
begin among all rows of its seat. In files the blocks of both seats are in the order of the nodes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tahur.core.arrays import Array, Int64s
from tahur.games.perudo.bids import count_of
from tahur.games.perudo.recall import Graph


class RecallNodes(NamedTuple):
    """A graph as the kernels read it."""

    seats: Int64s
    standing: Int64s  # rank of the bid, -1 if there is none
    calls: Int64s
    first: Int64s
    children: Int64s
    rows: Int64s
    needed: Int64s  # dice that each bid claims


def nodes_of(graph: Graph) -> RecallNodes:
    seats = np.array([node[0] for node in graph.nodes])
    standing = np.array([node[-1] if node[1:] else -1 for node in graph.nodes])
    counts, rows = row_counts(graph), np.zeros(len(seats), np.int64)
    for seat in (0, 1):
        own = seats == seat
        rows[own] = np.cumsum(counts[own]) - counts[own]
    needed = np.array([count_of(bid) for bid in graph.bids])
    return RecallNodes(
        seats=seats,
        standing=standing,
        calls=graph.calls,
        first=graph.first,
        children=graph.children,
        rows=rows,
        needed=needed,
    )


def row_counts(graph: Graph) -> Int64s:
    """The number of actions of each node."""
    return graph.calls + np.diff(graph.first)


def in_one_row(graph: Graph, rows: tuple[Array, Array]) -> Array:
    """The rows of both seats in file order."""
    nodes, counts = nodes_of(graph), row_counts(graph)
    starts = zip(nodes.seats.tolist(), nodes.rows.tolist(), counts.tolist(), strict=True)
    return np.concatenate([rows[seat][first : first + count].ravel() for seat, first, count in starts])
