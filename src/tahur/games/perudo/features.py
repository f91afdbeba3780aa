"""Features of Perudo for learners: turns a view into a row of numbers.

A row is computed from a `View` alone, so the dice under other cups cannot be in it. Seats are listed relative to the
seat itself: it comes first, then the others in the order of the table. Counts of dice are plain numbers, everything
else is 0 or 1. Legal actions are not included: they are the mask of the menu that the learner plays from.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tahur.core.errors import SettingError
from tahur.core.game import Action, Seat
from tahur.core.player import View
from tahur.games.perudo.bids import FACES, FIRST_BID, count_of, face_of
from tahur.games.perudo.rules import FEWEST_SEATS, MOST_SEATS
from tahur.games.perudo.table import PerudoTable, dice_of

LEAST_SLOTS: Final = 12
BID: Final = 1 + len(FACES)  # numbers that encode a bid: its count, and a one-hot face


@dataclass(frozen=True, slots=True)
class PerudoLayout:
    """The slices of a row: `row[layout.cups]` are the dice of all seats, the seat's own first."""

    seats: int
    slots: int  # how many bids of the round are encoded: the last ones, if there are more
    own: slice  # 6: how many of the seat's own dice show an ace, a two, ..., a six
    cups: slice  # how many dice each seat has
    palifico: slice  # 1: 1 if aces are not wild
    dropped: slice  # for each seat: 1 if it has had its palifico, in rules that give it one
    opener: slice  # for each seat: 1 if it opened the round
    bidder: slice  # for each seat: 1 if the standing bid is its own
    standing: slice  # 7: the standing bid's count, and its face, the ace first
    history: slice  # `slots` bids of `per_bid` numbers, the oldest first; 0 where there is none

    @property
    def size(self) -> int:
        """The length of a row."""
        return int(self.history.stop)

    @property
    def per_bid(self) -> int:
        """Numbers per bid: the bidder (one-hot), the count, and the face (one-hot)."""
        return self.seats + BID

    def story(self, row: NDArray[np.float32]) -> NDArray[np.float32]:
        """The bids of a row, as (slots, per_bid)."""
        return row[self.history].reshape(self.slots, self.per_bid)


@cache
def layout(seats: int) -> PerudoLayout:
    """The layout for a table with `seats` seats, including those that are out."""
    if not FEWEST_SEATS <= seats <= MOST_SEATS:
        raise SettingError(f"perudo: {seats} seats; valid: {FEWEST_SEATS} to {MOST_SEATS}")
    slots = max(LEAST_SLOTS, 2 * seats)
    lengths = (len(FACES), seats, 1, seats, seats, seats, BID, slots * (seats + BID))
    ends = tuple(accumulate(lengths))
    parts = (slice(end - length, end) for end, length in zip(ends, lengths, strict=True))
    return PerudoLayout(seats, slots, *parts)


def features(view: View) -> NDArray[np.float32]:
    """What the seat sees, as a row of numbers in the order of `layout`."""
    table: PerudoTable = view.table
    where = layout(len(table.cups))
    row = np.zeros(where.size, dtype=np.float32)
    row[list(_ones(where, table, view.seat))] = 1
    dice = () if view.hand is None else dice_of(view.hand)
    row[where.own] = [dice.count(face) for face in FACES]
    row[where.cups] = table.cups[view.seat :] + table.cups[: view.seat]
    if (standing := table.standing) is not None:
        _write(row[where.standing], standing)
    _write_bids(where.story(row), table, view.seat)
    return row


def _ones(where: PerudoLayout, table: PerudoTable, seat: Seat) -> Iterator[int]:
    """The positions in a row that are 1, apart from the bids."""
    if table.round.palifico:
        yield where.palifico.start
    yield where.opener.start + (table.round.opener - seat) % where.seats
    if table.bidder is not None:
        yield where.bidder.start + (table.bidder - seat) % where.seats
    for other in table.round.dropped:
        yield where.dropped.start + (other - seat) % where.seats


def _write_bids(slots: NDArray[np.float32], table: PerudoTable, seat: Seat) -> None:
    """Write the last bids into the slots."""
    seats = len(table.cups)
    bids = [action for action in table.history if action >= FIRST_BID]
    first = max(0, len(bids) - len(slots))
    for number, slot in zip(range(first, len(bids)), slots, strict=False):
        slot[(table.seat_at(number) - seat) % seats] = 1
        _write(slot[seats:], bids[number])


def _write(numbers: NDArray[np.float32], bid: Action) -> None:
    numbers[0] = count_of(bid)
    numbers[face_of(bid)] = 1
