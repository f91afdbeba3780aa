"""The arrays of a spot that solving does not change: boards, hands and betting, and where each regret is stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tahur.cards.equity.tables import combos
from tahur.core.arrays import Array, Float32s
from tahur.solvers.postflop.boards import NO_LOCKS, Board, BoardHands, boards_by_street, check_ranges
from tahur.solvers.postflop.lock import Lock
from tahur.solvers.postflop.locking import HandLock, locked
from tahur.solvers.postflop.merging import RiverGroups, check_merging
from tahur.solvers.postflop.spot import Spot
from tahur.solvers.postflop.street_nodes import StreetNodes, street_nodes
from tahur.solvers.postflop.tables import Boards, MergedBoards
from tahur.solvers.postflop.tree import STREET_START, SubgameRoot, build


@dataclass(frozen=True, slots=True, eq=False)
class MergedRivers:
    """The groups of hands that share a strategy on the river (merging.py). `Boards.data` of the rivers is then not
    where their regrets begin, but where those of one river are expanded to."""

    groups: RiverGroups
    boards: MergedBoards


@dataclass(frozen=True, slots=True, eq=False)
class StoredRows:
    """A seat's regrets or sums on a board: rows of `size` numbers from `start` on, one for each move of a decision."""

    start: int
    size: int
    hands: Array  # the place of each hand in a row; merged hands share a place


@dataclass(frozen=True, slots=True, eq=False)
class SpotLayout:
    """Everything about a spot that solving does not change."""

    spot: Spot
    street_nodes: tuple[StreetNodes, ...]
    hands: tuple[BoardHands, ...]
    boards: tuple[Boards, ...]
    cells: int  # numbers in each of the two large arrays
    priors: tuple[Float32s, Float32s]  # weights of the root's hands
    pairs: float  # total weight of all pairs of hands that can meet
    locks: tuple[Lock, ...] = ()
    merged: MergedRivers | None = None

    @property
    def nodes(self) -> tuple[int, ...]:
        """Nodes on each street, counting every dealt card."""
        return tuple(
            len(nodes_of_street.nodes) * len(hands.boards)
            for nodes_of_street, hands in zip(self.street_nodes, self.hands, strict=True)
        )

    def stored_rows(self, street: int, seat: int, board: int) -> StoredRows:
        """Where a seat's numbers on a board are; street 0 is the spot's first."""
        if self.merged is not None and street == len(self.boards) - 1:
            tables: Boards | MergedBoards = self.merged.boards
            hands = self.merged.groups.group_of(seat, board)
        else:
            tables = self.boards[street]
            hands = np.arange(int(tables.hands[seat, board]))
        return StoredRows(int(tables.data[seat, board]), int(tables.size[seat, board]), hands)

    @property
    def table_bytes(self) -> int:
        merged = () if self.merged is None else (self.merged.boards,)
        return sum(array.nbytes for boards in (*self.boards, *merged) for array in boards)


def lay_out(
    spot: Spot, *, symmetry: bool = True, locks: Sequence[Lock] = (), hand_locks: Sequence[HandLock | None] = (),
    start: SubgameRoot = STREET_START, merge_rivers: bool = False,
) -> SpotLayout:  # fmt: skip
    """Boards, hands and betting as arrays.

    hand_locks: for each lock that shifts a solved strategy, the shifted strategy; start: where the betting begins;
    merge_rivers: see merging.py.
    """
    check_ranges(spot)
    if merge_rivers:
        check_merging(spot, locks)
    hands, tables = hands_and_tables(spot, boards_by_street(spot, symmetry=symmetry, locks=locks))
    betting = street_nodes(spot, build(spot, start))
    groups = RiverGroups(spot, hands[-1]) if merge_rivers else None
    boards, cells, merged = stored_boards(betting, hands, tables, groups)
    boards = locked(spot, locks, betting, hands, boards, hand_locks)
    priors = _priors(spot, hands[0])
    pairs = float(meeting_weights(hands[0], priors, 0).sum())
    return SpotLayout(
        spot=spot,
        street_nodes=betting,
        hands=hands,
        boards=boards,
        cells=cells,
        priors=priors,
        pairs=pairs,
        locks=tuple(locks),
        merged=merged,
    )


def hands_and_tables(spot: Spot, streets: Sequence[list[Board]]) -> tuple[tuple[BoardHands, ...], tuple[Boards, ...]]:
    """The hands and tables of each street's boards, independent of the betting."""
    hands: list[BoardHands] = []
    tables: list[Boards] = []
    for place, street in enumerate(streets):
        hands.append(BoardHands(spot, street, hands[-1] if hands else None))
        tables.append(hands[-1].tables(streets[place + 1] if place + 1 < len(streets) else None))
    return tuple(hands), tuple(tables)


def stored_boards(
    betting: Sequence[StreetNodes], hands: Sequence[BoardHands], tables: Sequence[Boards], groups: RiverGroups | None
) -> tuple[tuple[Boards, ...], int, MergedRivers | None]:
    """`with_offsets`, with the hands of each river merged into `groups` if there are any."""
    if groups is None:
        return *with_offsets(betting, hands, tables), None
    kept: Any = (*tables[:-1], groups.tables())
    stored, cells = with_offsets(betting, (*hands[:-1], groups), kept)
    rows, size = betting[-1].tree.data_rows, hands[-1].size
    expanded = np.stack([np.zeros_like(size[0]), rows[0] * size[0]]).astype(np.int64)
    merged: Any = stored[-1]
    return (*stored[:-1], tables[-1]._replace(data=expanded)), cells, MergedRivers(groups, merged)


def with_offsets(
    betting: Sequence[StreetNodes], hands: Sequence[BoardHands | RiverGroups], tables: Sequence[Boards]
) -> tuple[tuple[Boards, ...], int]:
    """The tables with `data` filled in: where each board's regrets begin, which depends on the betting. Also the total
    number of regrets. Locks are removed."""
    boards: list[Boards] = []
    cells, nodes = 0, 0
    for nodes_of_street, held, table in zip(betting, hands, tables, strict=True):
        rows = nodes_of_street.tree.data_rows
        needed = rows * held.size.sum(1)
        first = np.array([cells, cells + needed[0]])
        data = first[:, None] + rows[:, None] * (table.start - table.start[:, :1])
        lock, hand_locks = NO_LOCKS
        steps = np.array([nodes], np.int64)
        boards.append(table._replace(data=data.astype(np.int64), first_step=steps, lock=lock, locked=hand_locks))
        cells += int(needed.sum())
        nodes += len(nodes_of_street.nodes) * len(held.boards)
    return tuple(boards), cells


def _priors(spot: Spot, hands: BoardHands) -> tuple[Float32s, Float32s]:
    """(hands,) the weights of each seat's hands on the first board."""
    both = []
    for seat in (0, 1):
        prior = np.zeros(hands.size[seat, 0], np.float32)
        prior[: hands.count[seat, 0]] = spot.ranges[seat].vector[hands.combos[seat][0]]
        both.append(prior)
    return both[0], both[1]


def meeting_weights(hands: BoardHands, priors: tuple[Float32s, Float32s], seat: int) -> NDArray[np.float64]:
    """(hands,) at the root: each hand's weight times the weight of all opposing hands that share no card with it."""
    masks = [combos().mask[hands.combos[side][0]] for side in (seat, 1 - seat)]
    weights = [priors[side][: hands.count[side, 0]].astype(np.float64) for side in (seat, 1 - seat)]
    met: NDArray[np.float64] = weights[0] * (((masks[0][:, None] & masks[1]) == 0) @ weights[1])
    return met
