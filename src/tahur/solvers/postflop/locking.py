"""Locks laid out for the kernels: which decisions on which boards they hold, and what each hand is told there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import Card, cards_text
from tahur.core.arrays import Array, Float32s
from tahur.core.errors import SolverError
from tahur.solvers.postflop.boards import Board, BoardHands
from tahur.solvers.postflop.lock import Lock
from tahur.solvers.postflop.spot import STREETS, Spot
from tahur.solvers.postflop.street_trees import StreetNodes, street_nodes
from tahur.solvers.postflop.tables import Boards
from tahur.solvers.postflop.tree import Move, Node, NodeKind, build, move_named

_SLACK = 1e-6
_NAMES = ("out of position", "in position")


class HandLock(Protocol):
    """What a lock tells each hand, where that is not the same for all."""

    def strategy(self, cards: Sequence[int]) -> Array:
        """(moves, 1326) on a board."""


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """How often the moves of a decision are to be made: each that is named, and those that are not together."""

    groups: NDArray[np.int64]  # (moves,) of each move; the last group is the moves that are not named
    often: NDArray[np.float64]  # (groups,) adds up to 1
    is_named: NDArray[np.bool_]  # (moves,)
    is_same_for_all: bool  # one move and no other, or a flat lock

    @property
    def flat(self) -> Float32s:
        """(moves,) for every hand alike; the moves of a group share its frequency."""
        count = np.bincount(self.groups, minlength=len(self.often))
        shares: Float32s = (self.often / np.maximum(count, 1))[self.groups].astype(np.float32)
        return shares


def locked(
    spot: Spot, locks: Sequence[Lock], grown: Sequence[StreetNodes], hands: Sequence[BoardHands],
    boards: Sequence[Boards], told: Sequence[HandLock | None] = (),
) -> tuple[Boards, ...]:  # fmt: skip
    """The boards with the locks in them; `told` has what those tell that shift a solved strategy."""
    rows: list[dict[tuple[int, int], Float32s]] = [{} for _ in grown]
    for lock, shift in zip_longest(locks, told):
        street, number = _place(spot, grown, lock)
        node = grown[street].nodes[number]
        _check_hands(spot, lock, node.seat)
        target = target_of(lock, node.moves)
        if shift is None and not target.is_same_for_all:
            raise no_base(lock)
        for board in boards_with(lock, hands[street].boards):
            held = hands[street].combos[node.seat][board]
            often = (
                target.flat[:, None] if shift is None else shift.strategy(hands[street].boards[board].cards)[:, held]
            )
            room = int(boards[street].size[node.seat, board])
            blank = np.zeros((1 + len(node.moves), room), np.float32)
            _tell(rows[street].setdefault((board, number), blank), lock.mask[held], often)
    return tuple(
        _with_rows(each, nodes_of_street, found)
        for each, nodes_of_street, found in zip(boards, grown, rows, strict=True)
    )


def no_base(lock: Lock) -> SolverError:
    """A lock that shifts a solved strategy, and nothing is solved."""
    return SolverError(
        f"the lock '{lock}' shifts a solved strategy, and there is none; solve the spot without it first, or write "
        f"'flat: {lock}' for every hand alike"
    )


def check_locks(spot: Spot, locks: Sequence[Lock]) -> None:
    """Refuse locks that the spot cannot have, before anything is laid out."""
    grown = street_nodes(spot, build(spot)) if locks else ()
    for lock in locks:
        street, number = _place(spot, grown, lock)
        node = grown[street].nodes[number]
        _check_hands(spot, lock, node.seat)
        target_of(lock, node.moves)


def decision_of(spot: Spot, lock: Lock) -> Node:
    """Where a lock holds."""
    grown = street_nodes(spot, build(spot))
    street, number = _place(spot, grown, lock)
    return grown[street].nodes[number]


def _tell(row: Float32s, is_locked: NDArray[np.bool_], often: Array) -> None:
    """often: (moves, hands), or (moves, 1) for all hands alike."""
    chosen = np.flatnonzero(is_locked)
    row[0, chosen] = 1
    row[1:, chosen] = np.broadcast_to(often, (len(often), len(is_locked)))[:, chosen]


def _with_rows(boards: Boards, nodes_of_street: StreetNodes, rows: dict[tuple[int, int], Float32s]) -> Boards:
    if not rows:
        return boards
    lock = np.full((boards.hands.shape[1], len(nodes_of_street.nodes)), -1, np.int64)
    start = 0
    for place, row in rows.items():
        lock[place] = start
        start += row.size
    return boards._replace(lock=lock, locked=np.concatenate([row.ravel() for row in rows.values()]))


def _place(spot: Spot, grown: Sequence[StreetNodes], lock: Lock) -> tuple[int, int]:
    """The street, from the spot's first, and the number of the node that the line leads to."""
    street, number = 0, 0
    for word in lock.line.split(",") if lock.line else ():
        node, tree = grown[street].nodes[number], grown[street].tree
        choice = move_named(node.moves, word)
        if choice is None:
            raise SolverError(f"no move '{word}' for the lock '{lock}'; there are {', '.join(map(str, node.moves))}")
        number = int(tree.child[tree.first[number] + choice])
        if _leads_on(grown[street].nodes[number]):
            line = int(np.searchsorted(tree.deals, number))
            street, number = street + 1, int(grown[street + 1].tree.roots[line])
    if grown[street].nodes[number].kind is not NodeKind.DECISION:
        raise SolverError(f"nobody decides after '{lock.line}', where there should be a lock; leave the last move away")
    _check_cards(spot, lock, spot.first_street + street)
    return street, number


def _leads_on(node: Node) -> bool:
    return node.kind is NodeKind.DEAL and node.children[0].kind is NodeKind.DECISION


def _check_cards(spot: Spot, lock: Lock, street: int) -> None:
    seen: list[int] = list(spot.board)
    for name, card in (("turn", lock.turn), ("river", lock.river)):
        if card is None:
            continue
        if not spot.first_street < STREETS.index(name) <= street:
            raise SolverError(f"the lock '{lock}' is not after the {name} of the spot; leave that card away")
        if card in seen:
            raise SolverError(f"the lock '{lock}' has a {name} that is on the table already")
        seen.append(card)


def _check_hands(spot: Spot, lock: Lock, seat: int) -> None:
    gone = {*spot.board, *(card for card in (lock.turn, lock.river) if card is not None)}
    possible = Board(tuple(sorted(gone)), ()).leaves
    if not (lock.mask & possible & (spot.ranges[seat].vector > 0)).any():
        raise SolverError(
            f"{_NAMES[seat]} has none of the hands of the lock '{lock}' on {cards_text(Card(card) for card in gone)}"
        )


def target_of(lock: Lock, moves: tuple[Move, ...]) -> Target:
    """How often a lock lets each of the moves be made."""
    often = _named(lock, moves)
    named = ~np.isnan(often)
    left = 1 - float(np.nansum(often))
    if named.all() and left > _SLACK:
        raise SolverError(f"the lock '{lock}' adds up to {1 - left:g}; frequencies add up to 1")
    count = int(named.sum())
    groups = np.where(named, np.cumsum(named) - 1, count)
    shares = np.append(often[named], max(left, 0.0))
    shares = np.where(shares > _SLACK, shares, 0.0) / shares[shares > _SLACK].sum()
    is_one_move = bool(shares.max() == 1 and (groups == shares.argmax()).sum() == 1)
    return Target(groups, shares, named, lock.flat or is_one_move)


def _named(lock: Lock, moves: tuple[Move, ...]) -> NDArray[np.float64]:
    """(moves,) NaN for those that the lock does not name."""
    often = np.full(len(moves), np.nan)
    for name, each in lock.strategy:
        choice = move_named(moves, name)
        if choice is None:
            raise SolverError(f"no move '{name}' for the lock '{lock}'; there are {', '.join(map(str, moves))}")
        if not np.isnan(often[choice]):
            raise SolverError(f"the lock '{lock}' says twice how often to {moves[choice]}")
        often[choice] = each
    return often


def boards_with(lock: Lock, boards: Sequence[Board]) -> list[int]:
    """The numbers of those with the lock's cards."""
    asked = {3: lock.turn, 4: lock.river}
    return [
        number
        for number, board in enumerate(boards)
        if all(board.cards[place] == card for place, card in asked.items() if card is not None)
    ]
