"""Every board that a spot can lead to, with the hands that each seat can hold on it.

Boards that differ only by a relabeling of suits are stored once, if the spot's board and both ranges are unchanged by
that relabeling (suit isomorphism). A stored board lists its images: the cards it represents, each with its relabeling.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.cards.equity.tables import combos
from tahur.cards.evaluator import evaluate_many
from tahur.cards.flops import RELABELINGS
from tahur.core.arrays import Array
from tahur.core.errors import SolverError
from tahur.solvers.postflop.lock import Lock, kept_by
from tahur.solvers.postflop.spot import Spot
from tahur.solvers.postflop.tables import Boards

LANES: Final = 8
SCATTER: Final = 509  # mixes hands of equal strength: neighbours that share a card would make sums wait for each other
IDENTITY: Final = 0  # the first of RELABELINGS
NO_LOCKS: Final = np.full((0, 0), -1, np.int64), np.zeros(0, np.float32)  # `lock` and `locked` without any lock


@dataclass(frozen=True, slots=True)
class Board:
    """Cards, the relabelings that leave it unchanged, the index of the previous board, the relabelings to its
    images."""

    cards: tuple[int, ...]
    same: tuple[int, ...]
    parent: int = -1
    images: tuple[int, ...] = ()

    @property
    def leaves(self) -> NDArray[np.bool_]:
        """(1326,) the combos that share no card with the board."""
        alive: NDArray[np.bool_] = (combos().mask & sum(1 << card for card in self.cards)) == 0
        return alive


def boards_by_street(spot: Spot, *, symmetry: bool = True, locks: Sequence[Lock] = ()) -> list[list[Board]]:
    """The boards of each street from the first; boards with the same parent are adjacent."""
    same = symmetries(spot, locks) if symmetry else (IDENTITY,)
    streets = [[Board(tuple(spot.board), same)]]
    while len(streets[-1][0].cards) < 5:
        streets.append([below for index, board in enumerate(streets[-1]) for below in _with_a_card(board, index)])
    return streets


def symmetries(spot: Spot, locks: Sequence[Lock] = ()) -> tuple[int, ...]:
    """The relabelings of suits that preserve the board, both ranges and the locks."""
    image = combos().image
    return tuple(
        number
        for number, suits in enumerate(RELABELINGS)
        if {_relabel(card, suits) for card in spot.board} == set(spot.board)
        and all(np.array_equal(hands.vector[image[number]], hands.vector) for hands in spot.ranges)
        and kept_by(locks, number)
    )


def _with_a_card(board: Board, index: int) -> Iterator[Board]:
    """The board with each further card, one for each class of suit-isomorphic cards."""
    for card in range(52):
        if card in board.cards:
            continue
        to = {_relabel(card, RELABELINGS[number]): number for number in reversed(board.same)}
        if min(to) == card:
            keeping = tuple(number for number in board.same if _relabel(card, RELABELINGS[number]) == card)
            yield Board((*board.cards, card), keeping, index, tuple(to[image] for image in sorted(to)))


def _relabel(card: int, suits: tuple[int, ...]) -> int:
    """The card with its suit replaced."""
    return card & ~3 | suits[card & 3]


class BoardHands:
    """The hands of both seats on the boards of one street: combos in array order, and the arrays."""

    def __init__(self, spot: Spot, street: list[Board], above: BoardHands | None) -> None:
        """List the hands on each board of a street. `above`: the hands of the previous street, if there is one."""
        self.boards = street
        self.combos: tuple[list[Array], list[Array]] = ([], [])
        self._below: tuple[list[Array], list[Array]] = ([], [])
        self._upto: tuple[list[Array], list[Array]] = ([], [])
        for board in street:
            self._list(spot, board)
        self.count = np.array([[len(held) for held in self.combos[seat]] for seat in (0, 1)], np.int64)
        self.size = (self.count // LANES + 1) * LANES  # one at least is spare
        self.above = above

    def _list(self, spot: Spot, board: Board) -> None:
        """Append the hands of both seats on a board; on a river, in the order of strength."""
        mask = sum(1 << card for card in board.cards)
        held = [hands.indices[(combos().mask[hands.indices] & mask) == 0] for hands in spot.ranges]
        if len(board.cards) == 5:
            ranks = [hand_strengths(board.cards, hands) for hands in held]
            order = [np.lexsort((hands * SCATTER % 1326, by)) for hands, by in zip(held, ranks, strict=True)]
            held = [hands[by] for hands, by in zip(held, order, strict=True)]
            ranks = [rank[by] for rank, by in zip(ranks, order, strict=True)]
        for seat in (0, 1):
            self.combos[seat].append(held[seat])
            if len(board.cards) == 5:
                self._below[seat].append(np.searchsorted(ranks[1 - seat], ranks[seat], "left"))
                self._upto[seat].append(np.searchsorted(ranks[1 - seat], ranks[seat], "right"))

    def tables(self, next_boards: list[Board] | None) -> Boards:
        """The arrays of this street, which `Boards` describes. next_boards: those of the next street.

        There are no locks in them, and `data` is 0: `with_offsets` sets it, since it depends on the betting.
        """
        start = np.cumsum(self.size.ravel()) - self.size.ravel()
        start = start.reshape(self.size.shape)
        cards = combos().cards
        parents = [board.parent for board in next_boards or ()]
        up_start, up = up_table(self, self.numbers, self.count)
        lock, locked = NO_LOCKS
        return Boards(
            hands=self.count,
            size=self.size,
            start=start,
            data=np.zeros_like(start),
            low_card=self._flat([[cards[held, 0] for held in self.combos[seat]] for seat in (0, 1)], 0, np.uint8),
            high_card=self._flat([[cards[held, 1] for held in self.combos[seat]] for seat in (0, 1)], 0, np.uint8),
            same=self._flat([self._same(seat) for seat in (0, 1)], 0, np.int16),
            below=self._flat(self._below, 0, np.int16),
            upto=self._flat(self._upto, 0, np.int16),
            down=self._down(),
            children=np.searchsorted(parents, np.arange(len(self.boards) + 1)).astype(np.int64),
            images=np.cumsum([0, *(len(board.images) for board in self.boards)]).astype(np.int64),
            up_start=up_start,
            up=up,
            lock=lock,
            locked=locked,
            first_step=np.zeros(1, np.int64),
        )

    def _flat(self, lists: Any, spare: int, dtype: Any) -> Array:
        return padded_lists(lists, self.size, spare, dtype)

    def numbers(self, seat: int, board: int) -> Array:
        """(1326,) the index of each combo on a board; combos that are not there have the spare index."""
        number = np.full(1326, self.count[seat, board], np.int64)
        number[self.combos[seat][board]] = np.arange(self.count[seat, board])
        return number

    def _same(self, seat: int) -> list[Array]:
        """For each board, the opponent's index of each own hand's two cards; its spare index if it cannot hold them."""
        boards = range(len(self.boards))
        return [self.numbers(1 - seat, board)[self.combos[seat][board]] for board in boards]

    def _down(self) -> Array:
        """The index of each hand on the previous board; spare entries point to a spare entry."""
        filled = np.zeros(int(self.size.sum()), np.int16)
        if self.above is None:
            return filled
        offset = 0
        for seat in (0, 1):
            numbers = [self.above.numbers(seat, index) for index in range(len(self.above.boards))]
            for board, size in enumerate(self.size[seat]):
                parent = self.boards[board].parent
                filled[offset : offset + size] = self.above.count[seat, parent]
                combos_here = self.combos[seat][board]
                filled[offset : offset + len(combos_here)] = numbers[parent][combos_here]
                offset += size
        return filled


def padded_lists(lists: Any, size: Array, spare: int, dtype: Any) -> Array:
    """Both seats' boards one after another, each padded to its size."""
    filled = np.full(int(size.sum()), spare, dtype)
    offset = 0
    for seat in (0, 1):
        for board, length in enumerate(size[seat]):
            if lists[seat]:
                filled[offset : offset + len(lists[seat][board])] = lists[seat][board]
            offset += length
    return filled


def up_table(hands: BoardHands, numbers: Callable[[int, int], Array], count: Array) -> tuple[Array, Array]:
    """For each image of a board: the index here of each hand of the previous board, with suits relabeled.

    numbers: for a seat and a board, the index of each combo; count: (2, boards) the index of hands that are not there.
    """
    above = hands.above
    if above is None:
        return np.zeros((2, 0), np.int64), np.zeros(0, np.int16)
    image = combos().image
    starts: list[list[int]] = [[], []]
    parts: list[Array] = []
    offset = 0
    for seat in (0, 1):
        for index, board in enumerate(hands.boards):
            here = numbers(seat, index)
            combos_before = above.combos[seat][board.parent]
            for relabeling in board.images:
                part = np.full(above.size[seat, board.parent], count[seat, index], np.int16)
                part[: len(combos_before)] = here[image[_inverse(relabeling)][combos_before]]
                starts[seat].append(offset)
                parts.append(part)
                offset += len(part)
    return np.array(starts, np.int64), np.concatenate(parts)


def _inverse(relabeling: int) -> int:
    """The number of the relabeling that undoes another."""
    suits = RELABELINGS[relabeling]
    return RELABELINGS.index(tuple(suits.index(suit) for suit in range(4)))


def hand_strengths(board: tuple[int, ...], held: Array) -> Array:
    """The strength of each hand on a river board; higher is better."""
    sevens = np.empty((len(held), 7), np.uint8)
    sevens[:, :5] = board
    sevens[:, 5:] = combos().cards[held]
    return evaluate_many(sevens).astype(np.int64)


def check_ranges(spot: Spot) -> None:
    """Reject ranges that have no pair of hands without a shared card."""
    mask = sum(1 << card for card in spot.board)
    held = [hands.indices[(combos().mask[hands.indices] & mask) == 0] for hands in spot.ranges]
    for name, hands in zip(("out of position", "in position"), held, strict=True):
        if not len(hands):
            raise SolverError(f"the range {name} has no hand that is possible on this board; add one")
    masks = [combos().mask[hands] for hands in held]
    if not ((masks[0][:, None] & masks[1]) == 0).any():
        raise SolverError("every hand of one range shares a card with every hand of the other; such ranges never meet")
