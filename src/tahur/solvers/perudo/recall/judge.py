"""Bounds on best responses, with perfect recall and all bids, to a strategy with imperfect recall.

In memory, a *row* is an action of a node, with a number for each hand of the seat that acts there; `rows` is where
those of a node begin among all rows of its seat. In files the blocks of both seats are in the order of the nodes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tahur.core.arrays import Array, Int64s
from tahur.games.perudo.bids import FIRST_BID, count_of, face_of
from tahur.games.perudo.recall import Graph
from tahur.games.perudo.round import NO_BID, Round
from tahur.games.perudo.table import prior
from tahur.solvers.perudo.recall.kernels.judging import foresee, respond
from tahur.solvers.perudo.stakes import RoundStakes


class SeatPair(NamedTuple):
    """For each seat: its strategy, its dice that count for each bid, and its payoffs."""

    chances: tuple[Array, Array]
    matches: tuple[Int64s, Int64s]
    pays: tuple[Array, Array]


class ResponseTables(NamedTuple):
    """A seat's values after each node, by the other's hand and its own; the last row is scratch space."""

    clear: Array  # if it sees the other's hand
    blind: Array  # if it plays its own strategy


class Rare(NamedTuple):
    """Bids that are left out, the lowest on each face, in a row; `first`, by the standing rank, starting with none."""

    bids: Int64s
    first: Int64s


class Walk(NamedTuple):
    """The state of a best response: a row for each bid of the current history."""

    reach: Array  # of the other's hands
    lower: Array
    upper: Array
    hope: Array  # the bounds from the tables
    matters: NDArray[np.bool_]  # hands whose value is not known yet
    held: Int64s  # the other's hands with enough reach,
    counts: Int64s  # their number,
    rest: Array  # and the reach of the remaining ones
    bins: Array
    worth: Array
    likely: Array  # our hands
    most: float  # that can be won or lost


@dataclass(frozen=True, slots=True)
class ResponseBounds:
    """Lower and upper bounds of each seat's best response in the full round; the value, to the opener."""

    opener: tuple[float, float]
    other: tuple[float, float]
    value: float

    @property
    def nashconv(self) -> tuple[float, float]:
        return self.opener[0] + self.other[0], self.opener[1] + self.other[1]

    @property
    def exploitability(self) -> float:
        """An upper bound."""
        return self.nashconv[1] / 2


class Response(NamedTuple):
    """Lower and upper bounds of a seat's best response, and its value with its own strategy."""

    lower: float
    upper: float
    usual: float


def bound_responses(
    graph: Graph, round_: Round, stakes: RoundStakes, chances: tuple[Array, Array], least: float
) -> ResponseBounds:
    """Best responses of both seats (see `response`)."""
    opener, other = (response(graph, round_, stakes, chances, seat, least) for seat in (0, 1))
    return ResponseBounds((opener.lower, opener.upper), (other.lower, other.upper), opener.usual)


def response(
    graph: Graph, round_: Round, stakes: RoundStakes, chances: tuple[Array, Array], seat: int, least: float
) -> Response:
    """The best response of a seat to the probabilities of the other, a row for each action.

    Subtrees are skipped where less than `least` could be gained, for all hands of the seat together, as a fraction of
    half of the stakes, which is a die if the unit is a die of lead.
    """
    pair = SeatPair(chances, graph.matches, (stakes.table(0, np.float32), stakes.table(1, np.float32)))
    likely = prior(round_.cups[round_.order[seat]]), prior(round_.cups[round_.order[1 - seat]])
    rare = _rare(graph, round_, seat)
    tables = _tables(graph, pair, rare, seat)
    walk = _walk(graph, pair, likely, seat)
    respond(nodes_of(graph), pair, tables, walk, rare, seat, least * float(np.ptp(pair.pays[seat])) / 2, 0, 0)
    usual = likely[1] @ tables.blind[0].astype(float) @ likely[0]
    return Response(float(walk.lower[0] @ likely[0]), float(walk.upper[0] @ likely[0]), float(usual))


def _tables(graph: Graph, pair: SeatPair, rare: Rare, seat: int) -> ResponseTables:
    shape = len(graph.nodes) + 1, graph.hands[1 - seat], graph.hands[seat]
    tables, nodes = ResponseTables(np.zeros(shape, np.float32), np.zeros(shape, np.float32)), nodes_of(graph)
    for other in range(graph.hands[1 - seat]):
        foresee(nodes, pair, tables, rare, seat, other)
    return tables


def _walk(graph: Graph, pair: SeatPair, likely: tuple[Array, Array], seat: int) -> Walk:
    """The initial state; `likely` are the probabilities of our hands and the other's."""
    mine, theirs, rows = graph.hands[seat], graph.hands[1 - seat], len(graph.kept) + 3
    reach, lower, upper, hope = (np.zeros((rows, count)) for count in (theirs, mine, mine, mine))
    reach[0] = likely[1]
    return Walk(
        reach=reach,
        lower=lower,
        upper=upper,
        hope=hope,
        matters=np.ones((rows, mine), np.bool_),
        held=np.zeros((rows, theirs), np.int64),
        counts=np.zeros(rows, np.int64),
        rest=np.zeros(rows),
        bins=np.zeros(16),
        worth=np.zeros(16),
        likely=likely[0],
        most=float(np.abs(pair.pays[seat]).max()),
    )


def _rare(graph: Graph, round_: Round, seat: int) -> Rare:
    bids = [_forgotten_bids(graph, round_, seat, rank) for rank in range(-1, len(graph.bids))]
    return Rare(np.array([bid for ranks in bids for bid in ranks], np.int64), np.cumsum([0, *map(len, bids)]))


def _forgotten_bids(graph: Graph, round_: Round, seat: int, standing: int) -> list[int]:
    """The ranks of legal bids that the graph does not have: the lowest on each face, as it is true most often."""
    legal = round_.menus[round_.order[seat]][graph.bids[standing] if standing >= 0 else NO_BID]
    lowest: dict[int, int] = {}
    for action in legal:
        if action >= FIRST_BID and graph.rank[action] not in graph.kept:
            lowest.setdefault(face_of(action), graph.rank[action])
    return list(lowest.values())


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
    """The nodes of a graph as the arrays that the kernels read."""
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
