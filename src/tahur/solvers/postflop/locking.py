"""Locks as arrays for the kernels: the locked decisions on each board, and each hand's strategy there."""

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
from tahur.solvers.postflop.street_nodes import StreetNodes, street_nodes
from tahur.solvers.postflop.tables import Boards
from tahur.solvers.postflop.tree import Move, Node, NodeKind, build, move_named

_SLACK = 1e-6
_NAMES = ("out of position", "in position")


class HandLock(Protocol):
    """The locked strategy of each hand, where it is not the same for all."""

    def strategy(self, cards: Sequence[int]) -> Array:
        """(moves, 1326) on a board."""


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """Target frequencies at a decision: one for each named move, and one for all other moves together."""

    groups: NDArray[np.int64]  # (moves,) the group of each move; the last group is the moves that are not named
    frequencies: NDArray[np.float64]  # (groups,) adds up to 1
    is_named: NDArray[np.bool_]  # (moves,)
    is_same_for_all: bool  # a pure action, or a flat lock

    @property
    def flat(self) -> Float32s:
        """(moves,) the same for every hand; the moves of a group share its frequency equally."""
        count = np.bincount(self.groups, minlength=len(self.frequencies))
        shares: Float32s = (self.frequencies / np.maximum(count, 1))[self.groups].astype(np.float32)
        return shares


def locked(
    spot: Spot, locks: Sequence[Lock], betting: Sequence[StreetNodes], hands: Sequence[BoardHands],
    boards: Sequence[Boards], hand_locks: Sequence[HandLock | None] = (),
) -> tuple[Boards, ...]:  # fmt: skip
    """The boards with the locks applied; `hand_locks` has the strategies of locks that shift a solved strategy."""
    rows: list[dict[tuple[int, int], Float32s]] = [{} for _ in betting]
    for lock, shift in zip_longest(locks, hand_locks):
        street, number = _find_node(spot, betting, lock)
        node = betting[street].nodes[number]
        _check_hands(spot, lock, node.seat)
        target = target_of(lock, node.moves)
        if shift is None and not target.is_same_for_all:
            raise no_base(lock)
        for board in boards_with(lock, hands[street].boards):
            held = hands[street].combos[node.seat][board]
            frequencies = (
                target.flat[:, None] if shift is None else shift.strategy(hands[street].boards[board].cards)[:, held]
            )
            room = int(boards[street].size[node.seat, board])
            blank = np.zeros((1 + len(node.moves), room), np.float32)
            _set_lock(rows[street].setdefault((board, number), blank), lock.mask[held], frequencies)
    return tuple(
        _with_rows(board, nodes_of_street, locked_rows)
        for board, nodes_of_street, locked_rows in zip(boards, betting, rows, strict=True)
    )


def no_base(lock: Lock) -> SolverError:
    """The error for a lock that shifts a solved strategy when there is none."""
    return SolverError(
        f"the lock '{lock}' shifts a solved strategy, and there is none; solve the spot without it first, or write "
        f"'flat: {lock}' for the same frequencies with every hand"
    )


def check_locks(spot: Spot, locks: Sequence[Lock]) -> None:
    """Reject locks that do not fit the spot, before anything is allocated."""
    betting = street_nodes(spot, build(spot)) if locks else ()
    for lock in locks:
        street, number = _find_node(spot, betting, lock)
        node = betting[street].nodes[number]
        _check_hands(spot, lock, node.seat)
        target_of(lock, node.moves)


def decision_of(spot: Spot, lock: Lock) -> Node:
    """The decision that a lock applies to."""
    betting = street_nodes(spot, build(spot))
    street, number = _find_node(spot, betting, lock)
    return betting[street].nodes[number]


def _set_lock(row: Float32s, is_locked: NDArray[np.bool_], frequencies: Array) -> None:
    """frequencies: (moves, hands), or (moves, 1) for all hands alike."""
    chosen = np.flatnonzero(is_locked)
    row[0, chosen] = 1
    row[1:, chosen] = np.broadcast_to(frequencies, (len(frequencies), len(is_locked)))[:, chosen]


def _with_rows(boards: Boards, nodes_of_street: StreetNodes, rows: dict[tuple[int, int], Float32s]) -> Boards:
    """The boards with the rows of locked strategies, by board and node."""
    if not rows:
        return boards
    lock = np.full((boards.hands.shape[1], len(nodes_of_street.nodes)), -1, np.int64)
    start = 0
    for key, row in rows.items():
        lock[key] = start
        start += row.size
    return boards._replace(lock=lock, locked=np.concatenate([row.ravel() for row in rows.values()]))


def _find_node(spot: Spot, betting: Sequence[StreetNodes], lock: Lock) -> tuple[int, int]:
    """The street, from the spot's first, and the index of the node that the line leads to."""
    street, number = 0, 0
    for word in lock.line.split(",") if lock.line else ():
        node, tree = betting[street].nodes[number], betting[street].tree
        choice = move_named(node.moves, word)
        if choice is None:
            raise SolverError(f"no move '{word}' for the lock '{lock}'; valid: {', '.join(map(str, node.moves))}")
        number = int(tree.child[tree.first[number] + choice])
        if _leads_on(betting[street].nodes[number]):
            line = int(np.searchsorted(tree.deals, number))
            street, number = street + 1, int(betting[street + 1].tree.roots[line])
    if betting[street].nodes[number].kind is not NodeKind.DECISION:
        raise SolverError(f"no seat acts after '{lock.line}', the line of a lock; remove its last move")
    _check_cards(spot, lock, spot.first_street + street)
    return street, number


def _leads_on(node: Node) -> bool:
    return node.kind is NodeKind.DEAL and node.children[0].kind is NodeKind.DECISION


def _check_cards(spot: Spot, lock: Lock, street: int) -> None:
    """Reject a lock's turn or river card that is not dealt before `street`, or is already on the table."""
    seen: list[int] = list(spot.board)
    for name, card in (("turn", lock.turn), ("river", lock.river)):
        if card is None:
            continue
        if not spot.first_street < STREETS.index(name) <= street:
            raise SolverError(f"the lock '{lock}' has a {name}, but no {name} is dealt before it; remove that card")
        if card in seen:
            raise SolverError(f"the lock '{lock}' has a {name} that is already on the table; choose another card")
        seen.append(card)


def _check_hands(spot: Spot, lock: Lock, seat: int) -> None:
    """Reject a lock whose hands the seat cannot hold there."""
    gone = {*spot.board, *(card for card in (lock.turn, lock.river) if card is not None)}
    possible = Board(tuple(sorted(gone)), ()).leaves
    if not (lock.mask & possible & (spot.ranges[seat].vector > 0)).any():
        raise SolverError(
            f"{_NAMES[seat]} has none of the hands of the lock '{lock}' on {cards_text(Card(card) for card in gone)}"
        )


def target_of(lock: Lock, moves: tuple[Move, ...]) -> Target:
    """The target frequencies of a lock, for the moves of its decision."""
    frequencies = _frequencies_by_move(lock, moves)
    named = ~np.isnan(frequencies)
    left = 1 - float(np.nansum(frequencies))
    if named.all() and left > _SLACK:
        raise SolverError(f"the lock '{lock}' adds up to {1 - left:g}; frequencies add up to 1")
    count = int(named.sum())
    groups = np.where(named, np.cumsum(named) - 1, count)
    shares = np.append(frequencies[named], max(left, 0.0))
    shares = np.where(shares > _SLACK, shares, 0.0) / shares[shares > _SLACK].sum()
    is_one_move = bool(shares.max() == 1 and (groups == shares.argmax()).sum() == 1)
    return Target(groups, shares, named, lock.flat or is_one_move)


def _frequencies_by_move(lock: Lock, moves: tuple[Move, ...]) -> NDArray[np.float64]:
    """(moves,) the lock's frequencies, NaN for moves that it does not name."""
    frequencies = np.full(len(moves), np.nan)
    for name, frequency in lock.strategy:
        choice = move_named(moves, name)
        if choice is None:
            raise SolverError(f"no move '{name}' for the lock '{lock}'; valid: {', '.join(map(str, moves))}")
        if not np.isnan(frequencies[choice]):
            raise SolverError(f"the lock '{lock}' gives two frequencies for {moves[choice]}; give one")
        frequencies[choice] = frequency
    return frequencies


def boards_with(lock: Lock, boards: Sequence[Board]) -> list[int]:
    """The indices of the boards that contain the lock's cards."""
    cards = {3: lock.turn, 4: lock.river}
    return [
        number
        for number, board in enumerate(boards)
        if all(board.cards[key] == card for key, card in cards.items() if card is not None)
    ]
