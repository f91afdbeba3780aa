"""The size of a spot, computed before anything is allocated, which bet size to drop to make it smaller, and the time.

Work is counted in *cells*: numbers that an iteration processes, one for each move of each hand on each board; the
overhead of each hand and each board is expressed as a number of cells, from measurements. The number of cells per
second of this machine is measured on a small turn. The number of iterations to a target is not known in advance:
`iterations_to` is a fit to spots of all kinds (tools/postflop_pace.py prints them), accurate within a factor of two.
Nothing here reads a clock; `machine_speed` is passed one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Final

import numpy as np

from tahur.cards.equity.tables import combos
from tahur.solvers.postflop.boards import LANES, Board, boards_by_street
from tahur.solvers.postflop.engine import Engine
from tahur.solvers.postflop.layout import lay_out
from tahur.solvers.postflop.lock import Lock
from tahur.solvers.postflop.merging import check_merging, group_sizes
from tahur.solvers.postflop.sizes import BetSize, BetSizes, Street
from tahur.solvers.postflop.spot import STREETS, Spot
from tahur.solvers.postflop.spot import spot as spot_from
from tahur.solvers.postflop.street_nodes import StreetNodes, street_nodes
from tahur.solvers.postflop.tree import build, decisions
from tahur.solvers.solver import Estimate

_NUMBER: Final = 4  # bytes of a float32
_HALF: Final = 2  # bytes of a 16-bit number; a node's numbers also share one float32 step
_TABLES: Final = 10  # bytes of the tables for each hand on each board, and four for each image of the board

USUAL_SPEED: Final = 2e8  # cells per second on one core, before anything is measured
EVERY: Final = 10  # iterations between two measurements of exploitability, each of which costs as much as an iteration
_AT_HALF_A_PERCENT: Final = 85  # iterations, with stacks of
_DEPTH: Final = 4.5  # pots
_STEEPNESS: Final = 0.6  # halving the target takes 2 ** 0.6 times the iterations
_DEEPER: Final = 0.35  # and doubling the stacks 2 ** 0.35 times
_PLACE: Final = 4  # overhead of each hand on each board in an iteration, in cells
_BOARD: Final = 1_300  # overhead of each board, in cells
_LAID_PLACE: Final = 130  # and once, for building the tables before and the equity after
_LAID_BOARD: Final = 44_000
_SHARED: Final = 0.9  # what each thread after the first adds, from the turn on
_ROUNDS: Final = 4
_ITERATIONS: Final = 5
_PILOT: Final = {
    "board": "Td9d6hQc", "oop": "22+,A2s+,KTs+,QTs+,JTs", "ip": "22+,A8s+,K9s+,AJo+,KQo", "pot": 200, "stack": 900,
    "sizes": "50%,a / a",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class SpotEstimate(Estimate):
    """Also: decision nodes without cards, nodes of each street with cards, and what the time depends on."""

    decisions: int
    nodes: tuple[int, ...]
    hint: str  # how to make it smaller
    places: int  # hands on all boards
    boards: int
    depth: float  # the stack in pots


def estimate(
    spot: Spot, *, symmetry: bool = True, locks: Sequence[Lock] = (), half: bool = False, merge_rivers: bool = False
) -> SpotEstimate:
    """The size of solving this spot."""
    if merge_rivers:
        check_merging(spot, locks)
    root = build(spot)
    betting = street_nodes(spot, root)
    streets = boards_by_street(spot, symmetry=symmetry, locks=locks)
    hand_sizes = [_hand_sizes(spot, street) for street in streets]
    nodes = tuple(
        len(nodes_of_street.nodes) * len(street) for nodes_of_street, street in zip(betting, streets, strict=True)
    )
    places = sum(int(sizes.sum()) for sizes in hand_sizes)
    stored_sizes = [*hand_sizes[:-1], group_sizes(spot, streets[-1])] if merge_rivers else hand_sizes
    cells = _cells(betting, stored_sizes)
    tables = places * _TABLES + 2 * sum(
        len(board.images) * int(sizes.max())
        for street, sizes in zip(streets, hand_sizes, strict=True)
        for board in street
    )
    stored = 2 * (cells * _HALF + sum(nodes) * _NUMBER) if half else 2 * cells * _NUMBER
    return SpotEstimate(
        decisions=decisions(root),
        nodes=nodes,
        bytes=stored + tables,
        hint=_hint(spot, betting, stored_sizes),
        cells=cells,
        places=places,
        boards=sum(map(len, streets)),
        depth=spot.stack / spot.pot,
    )


def iterations_to(target: float, size: SpotEstimate) -> int:
    """Approximately how many iterations reach `target` % of the pot."""
    guess = _AT_HALF_A_PERCENT * (0.5 / target) ** _STEEPNESS * (size.depth / _DEPTH) ** _DEEPER
    return int(max(ceil(guess / EVERY), 1) * EVERY)


def seconds_to(target: float, size: SpotEstimate, *, speed: float = USUAL_SPEED, threads: int = 1) -> float:
    """Approximate seconds of solving to `target` % of the pot, with `speed` cells per second and thread."""
    speedup = 1.0 if len(size.nodes) == 1 else 1 + (threads - 1) * _SHARED  # a river uses one thread
    iterations = iterations_to(target, size) * (1 + 1 / EVERY)
    return (_work(size) * iterations / speedup + size.places * _LAID_PLACE + size.boards * _LAID_BOARD) / speed


def machine_speed(clock: Callable[[], float]) -> float:
    """Cells per second of one thread on this machine: the fastest of a few rounds on a small turn."""
    pilot = spot_from(**_PILOT)
    engine = Engine(lay_out(pilot))
    engine.iterate(1)
    return _work(estimate(pilot)) * _ITERATIONS / min(_time_iterations(engine, clock) for _ in range(_ROUNDS))


def _hand_sizes(spot: Spot, street: list[Board]) -> np.ndarray:
    """(2, boards) the number of hands of each seat, padded to whole SIMD registers."""
    held = [combos().mask[hands_of_seat.indices] for hands_of_seat in spot.ranges]
    masks = [sum(1 << card for card in board.cards) for board in street]
    counts = [[int(((hands & mask) == 0).sum()) for mask in masks] for hands in held]
    return (np.array(counts) // LANES + 1) * LANES


def _cells(betting: tuple[StreetNodes, ...], hand_sizes: list[np.ndarray]) -> int:
    """The numbers in an array of regrets: for each move of each decision, one for each hand on each board."""
    return sum(
        int((nodes_of_street.tree.data_rows * sizes.sum(1)).sum())
        for nodes_of_street, sizes in zip(betting, hand_sizes, strict=True)
    )


def _hint(spot: Spot, betting: tuple[StreetNodes, ...], hand_sizes: list[np.ndarray]) -> str:
    """Which single bet size to remove for the smallest spot."""
    now = _cells(betting, hand_sizes)
    smaller = [(_cells(street_nodes(less, build(less)), hand_sizes), name) for less, name in _without_one(spot)]
    if not smaller:
        return "use smaller ranges or start on a later street"
    cells, name = min(smaller)
    return f"without {name} the size is {cells / max(now, 1):.0%} of that"


def _without_one(spot: Spot) -> Iterator[tuple[Spot, str]]:
    """The spot without each of its bet and raise sizes in turn, and which size that is."""
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
    return replace(sizes, bets=tuple(bet for bet in sizes.bets if bet != size))


def _raises_without(sizes: BetSizes, size: BetSize) -> BetSizes:
    return replace(sizes, raises=tuple(raise_ for raise_ in sizes.raises if raise_ != size))


def _work(size: SpotEstimate) -> int:
    """Cells per iteration."""
    return size.cells + size.places * _PLACE + size.boards * _BOARD


def _time_iterations(engine: Engine, clock: Callable[[], float]) -> float:
    """Seconds of a few iterations."""
    began = clock()
    engine.iterate(_ITERATIONS)
    return max(clock() - began, 1e-9)
