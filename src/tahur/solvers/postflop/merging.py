"""Merged rivers: on each river, hands that differ only in suits without use there share one strategy.

A suit is of use on a river if it can make a flush, or if two cards of it lay on the turn: a missed flush draw is played
unlike other hands. The cards of a rank in all other suits are one *class*; a card of a suit of use is a class of its
own. A *group* is all hands of a seat with the same two classes, so all are equally strong. Solving plays rivers by
groups: a group's reach is the sum of its hands', and two groups share a card as often as if all their hands were
equally likely. The flop and the turn are solved for every hand, and exploitability and EVs are measured with every hand
(kernels/merged.py), so they include what merging costs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import COMBOS, cards_text
from tahur.cards.equity.tables import combos
from tahur.core.arrays import Array
from tahur.core.errors import SolverError
from tahur.solvers.postflop.boards import LANES, SCATTER, Board, BoardHands, hand_strengths, padded_lists, up_table
from tahur.solvers.postflop.lock import Lock
from tahur.solvers.postflop.spot import Spot
from tahur.solvers.postflop.tables import MergedBoards

_FLUSH: Final = 3  # cards of a suit on the board make a flush possible
_DRAW: Final = 2  # and on the turn a flush draw
_CARDS: Final = 52


@dataclass(frozen=True, slots=True, eq=False)
class _Groups:
    """One seat's groups on one river, in the order of strength."""

    keys: Array  # the two classes of cards, as 52 x the lower + the higher
    strengths: Array
    of_hand: Array  # the group of each hand, hands in the order of `BoardHands`
    by_card: Array  # (groups, 52) the weight of the group's hands with each card
    identical: Array  # the weight of pairs of identical hands, one of each seat


class RiverGroups:
    """The groups of both seats on all rivers, and the arrays. `boards` and `size` are as in `BoardHands`."""

    def __init__(self, spot: Spot, hands: BoardHands) -> None:
        self.boards, self._hands = hands.boards, hands
        self._classes = [card_classes(board.cards) for board in hands.boards]
        self._groups = [[self._grouped(spot, seat, index) for index in range(len(hands.boards))] for seat in (0, 1)]
        self.count = np.array([[len(groups.keys) for groups in self._groups[seat]] for seat in (0, 1)], np.int64)
        self.size = (self.count // LANES + 1) * LANES  # one at least is spare

    def _grouped(self, spot: Spot, seat: int, index: int) -> _Groups:
        """A seat's groups on a board."""
        held, cards = self._hands.combos[seat][index], self.boards[index].cards
        keys, first, of_hand = np.unique(_keys(self._classes[index])[held], return_index=True, return_inverse=True)
        strengths = hand_strengths(cards, held[first])
        order = np.lexsort((keys * SCATTER % (_CARDS * _CARDS), strengths))
        of_hand = np.argsort(order)[of_hand]
        weights = spot.ranges[seat].vector[held]
        by_card = sum(
            np.bincount(of_hand * _CARDS + combos().cards[held, card], weights, len(keys) * _CARDS) for card in (0, 1)
        )
        return _Groups(
            keys=keys[order],
            strengths=strengths[order],
            of_hand=of_hand,
            by_card=np.reshape(by_card, (len(keys), _CARDS)),
            identical=np.bincount(of_hand, weights * spot.ranges[1 - seat].vector[held], len(keys)),
        )

    def keys(self, seat: int, board: int) -> Array:
        """The two classes of cards of each group, as one number."""
        return self._groups[seat][board].keys

    def group_of(self, seat: int, board: int) -> Array:
        """The group of each hand, in the order of `BoardHands`."""
        return self._groups[seat][board].of_hand

    def tables(self) -> MergedBoards:
        """The arrays of the groups, which `MergedBoards` describes; `data` is 0, see `with_offsets`."""
        start = (np.cumsum(self.size.ravel()) - self.size.ravel()).reshape(self.size.shape)
        both = [self._compared(seat) for seat in (0, 1)]
        columns = {
            name: padded_lists([[row[name] for row in rows] for rows in both], self.size, spare, dtype)
            for name, spare, dtype in (
                ("low_card", 0, np.uint8), ("high_card", 0, np.uint8), ("low_share", 0, np.float32),
                ("high_share", 0, np.float32), ("same", 0, np.int16), ("same_share", 0, np.float32),
                ("below", 0, np.int16), ("upto", 0, np.int16),
            )
        }  # fmt: skip
        up_start, up = up_table(self._hands, self._numbers, self.count)
        return MergedBoards(
            hands=self.count,
            size=self.size,
            start=start,
            data=np.zeros_like(start),
            images=np.cumsum([0, *(len(board.images) for board in self.boards)]).astype(np.int64),
            up_start=up_start,
            up=up,
            group=self._group_of_all(),
            lock=np.full((0, 0), -1, np.int64),
            locked=np.zeros(0, np.float32),
            first_step=np.zeros(1, np.int64),
            **columns,
        )

    def _numbers(self, seat: int, board: int) -> Array:
        """(1326,) the group of each combo on a board; combos that are not there have the spare index."""
        number = np.full(COMBOS, self.count[seat, board], np.int64)
        number[self._hands.combos[seat][board]] = self.group_of(seat, board)
        return number

    def _group_of_all(self) -> Array:
        """The group of each hand of all boards, in the layout of `BoardHands`."""
        boards = range(len(self.boards))
        flat = [[self.group_of(seat, board) for board in boards] for seat in (0, 1)]
        spares = np.repeat(self.count.ravel(), self._hands.size.ravel())
        filled = padded_lists(flat, self._hands.size, -1, np.int16)
        return np.where(filled < 0, spares, filled).astype(np.int16)

    def _compared(self, seat: int) -> list[dict[str, Array]]:
        """For each board, the columns of the tables that compare a seat's groups with the opponent's."""
        return [
            _columns(mine, theirs, classes)
            for mine, theirs, classes in zip(self._groups[seat], self._groups[1 - seat], self._classes, strict=True)
        ]


def check_merging(spot: Spot, locks: Sequence[Lock]) -> None:
    """Reject spots and locks that cannot be combined with merged rivers."""
    if len(spot.board) != 3:
        raise SolverError(
            f"rivers are merged in spots from the flop on, and the board {cards_text(spot.board)} has "
            f"{len(spot.board)} cards; solve it with every hand"
        )
    if locks:
        raise SolverError(f"the lock '{locks[0]}' cannot be combined with merged rivers; omit one of them")


def group_sizes(spot: Spot, rivers: Sequence[Board]) -> NDArray[np.int64]:
    """(2, boards) the padded number of groups of each seat, for an estimate."""
    held = [hands.indices for hands in spot.ranges]
    sizes = np.zeros((2, len(rivers)), np.int64)
    for index, board in enumerate(rivers):
        keys = np.where(board.leaves, _keys(card_classes(board.cards)), -1)
        for seat in (0, 1):
            there = np.bincount(keys[held[seat]] + 1, minlength=1)
            sizes[seat, index] = int((there[1:] > 0).sum()) // LANES * LANES + LANES
    return sizes


def card_classes(board: Sequence[int]) -> NDArray[np.int64]:
    """(52,) the class of each card on a river: the lowest card of its rank whose suit matters as little."""
    dealt = np.array(board) & 3
    matters = (np.bincount(dealt, minlength=4) >= _FLUSH) | (np.bincount(dealt[:-1], minlength=4) >= _DRAW)
    alive = np.setdiff1d(np.arange(_CARDS), board)
    merged = alive[~matters[alive & 3]]
    first = np.full(_CARDS // 4, -1, np.int64)
    first[merged[::-1] >> 2] = merged[::-1]
    classes = np.arange(_CARDS)
    classes[merged] = first[merged >> 2]
    return classes


def _keys(classes: NDArray[np.int64]) -> NDArray[np.int64]:
    """(1326,) the two classes of each combo, as one number."""
    both = np.sort(classes[combos().cards], axis=1)
    keys: NDArray[np.int64] = both[:, 0] * _CARDS + both[:, 1]
    return keys


def _columns(mine: _Groups, theirs: _Groups, classes: NDArray[np.int64]) -> dict[str, Array]:
    """The columns of the tables for one board and seat."""
    share = 1 / np.maximum(np.bincount(classes, minlength=_CARDS), 1)
    low, high = mine.keys // _CARDS, mine.keys % _CARDS
    place = np.minimum(np.searchsorted(np.sort(theirs.keys), mine.keys), len(theirs.keys) - 1)
    same = np.argsort(theirs.keys)[place]
    is_there = theirs.keys[same] == mine.keys
    return {
        "low_card": low,
        "high_card": high,
        "low_share": share[low],
        "high_share": share[high],
        "same": np.where(is_there, same, len(theirs.keys)),
        "same_share": np.where(is_there, _same_share(mine, theirs, same, share), 0),
        "below": np.searchsorted(theirs.strengths, mine.strengths, "left"),
        "upto": np.searchsorted(theirs.strengths, mine.strengths, "right"),
    }


def _same_share(mine: _Groups, theirs: _Groups, same: Array, share: Array) -> Array:
    """For each own group and the opponent's with the same classes: the probability that two of their hands share no
    card, minus what the shares of the two cards leave of it."""
    pairs = mine.by_card.sum(1) / 2 * (theirs.by_card[same].sum(1) / 2)
    meeting = (mine.by_card * theirs.by_card[same]).sum(1)  # counts pairs of identical hands twice
    low, high = mine.keys // _CARDS, mine.keys % _CARDS
    conflicts = np.where(low == high, 4, 1) * share[low] + np.where(low == high, 0, 1) * share[high]
    left: Array = 1 - (meeting - mine.identical) / pairs - (1 - conflicts)
    return left
