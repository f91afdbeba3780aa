"""The size of a spot, computed before anything is allocated, and which bet size to drop to make it smaller."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from tahur.cards.equity.tables import combos
from tahur.solvers.postflop.boards import LANES, Board, dealt
from tahur.solvers.postflop.lock import Lock
from tahur.solvers.postflop.sizes import BetSize, BetSizes, Street
from tahur.solvers.postflop.spot import STREETS, Spot
from tahur.solvers.postflop.street_trees import StreetNodes, street_nodes
from tahur.solvers.postflop.tree import build, decisions

_NUMBER: Final = 4  # bytes of a float32
_HALF: Final = 2  # bytes of a 16-bit number; a node's numbers also share one float32 step
_TABLES: Final = 10  # bytes of the tables for each hand on each board, and four for each image of the board


@dataclass(frozen=True, slots=True)
class Estimate:
    """Decision nodes without cards, nodes of each street with cards, and total bytes.

    `cells`: numbers that an iteration processes; `places`: hands on all `boards`; `depth`: the stack in pots. pace.py
    turns these into time.
    """

    decisions: int
    nodes: tuple[int, ...]
    bytes: int
    hint: str
    cells: int
    places: int
    boards: int
    depth: float


def estimate(spot: Spot, *, symmetry: bool = True, locks: Sequence[Lock] = (), half: bool = False) -> Estimate:
    """The size of solving this spot."""
    root = build(spot)
    grown = street_nodes(spot, root)
    streets = dealt(spot, symmetry=symmetry, locks=locks)
    room = [_room(spot, street) for street in streets]
    nodes = tuple(
        len(nodes_of_street.nodes) * len(street) for nodes_of_street, street in zip(grown, streets, strict=True)
    )
    places, cells = sum(int(each.sum()) for each in room), _cells(grown, room)
    tables = places * _TABLES + 2 * sum(
        len(board.images) * int(each.max()) for street, each in zip(streets, room, strict=True) for board in street
    )
    stored = 2 * (cells * _HALF + sum(nodes) * _NUMBER) if half else 2 * cells * _NUMBER
    return Estimate(
        decisions=decisions(root),
        nodes=nodes,
        bytes=stored + tables,
        hint=_hint(spot, grown, room),
        cells=cells,
        places=places,
        boards=sum(map(len, streets)),
        depth=spot.stack / spot.pot,
    )


def _room(spot: Spot, street: list[Board]) -> np.ndarray:
    """(2, boards) the padded number of hands."""
    held = [combos().mask[each.indices] for each in spot.ranges]
    masks = [sum(1 << card for card in board.cards) for board in street]
    counts = [[int(((hands & mask) == 0).sum()) for mask in masks] for hands in held]
    return (np.array(counts) // LANES + 1) * LANES


def _cells(grown: tuple[StreetNodes, ...], room: list[np.ndarray]) -> int:
    return sum(
        int((nodes_of_street.tree.data_rows * each.sum(1)).sum())
        for nodes_of_street, each in zip(grown, room, strict=True)
    )


def _hint(spot: Spot, grown: tuple[StreetNodes, ...], room: list[np.ndarray]) -> str:
    """Which single bet size to remove for the smallest spot."""
    now = _cells(grown, room)
    smaller = [(_cells(street_nodes(less, build(less)), room), name) for less, name in _without_one(spot)]
    if not smaller:
        return "use smaller ranges or start on a later street"
    cells, name = min(smaller)
    return f"without {name} the size is {cells / max(now, 1):.0%} of that"


def _without_one(spot: Spot) -> Iterator[tuple[Spot, str]]:
    for number in range(spot.first_street, len(STREETS)):
        street = spot.streets[number]
        for size in dict.fromkeys((*street.oop.bets, *street.ip.bets)):
            less = Street(_bets_without(street.oop, size), _bets_without(street.ip, size))
            yield _with_street(spot, number, less), f"the bet {size} on the {STREETS[number]}"
        for size in dict.fromkeys((*street.oop.raises, *street.ip.raises)):
            less = Street(_raises_without(street.oop, size), _raises_without(street.ip, size))
            yield _with_street(spot, number, less), f"the raise {size} on the {STREETS[number]}"


def _with_street(spot: Spot, number: int, street: Street) -> Spot:
    streets = [*spot.streets[:number], street, *spot.streets[number + 1 :]]
    return replace(spot, streets=(streets[0], streets[1], streets[2]))


def _bets_without(sizes: BetSizes, size: BetSize) -> BetSizes:
    return replace(sizes, bets=tuple(each for each in sizes.bets if each != size))


def _raises_without(sizes: BetSizes, size: BetSize) -> BetSizes:
    return replace(sizes, raises=tuple(each for each in sizes.raises if each != size))
