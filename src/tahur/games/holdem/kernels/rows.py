"""One hand as a record, the rules as another, and sets of seats as bits.

A *move* is numbered as at the table: 0 folds, 1 checks or calls, x + 1 raises to x chips. An *action* is a column of a
menu, which holds the moves. A kernel is handed a record as one address; twenty arrays, one for each field, would be a
hundred and forty arguments at every call, which made a step four times as long. Seen from NumPy the records are one
array for each field all the same. There is room for nine seats whatever the game, so that the kernels compile once.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tahur.core.arrays import Float64s, Int64s
from tahur.core.kernels import kernel

FOLD = 0
CALL = 1
MASKED = -1
NEVER_REACHED = -1
STREETS = 4
SEATS = 9


Row = Any  # a record of ROW; Numba checks what is done with its fields
Rules = Any  # a record of RULES

ROW = np.dtype(
    [
        ("hand", np.int64),  # its number
        ("acted", np.int32),  # decisions so far
        ("button", np.int32),  # a seat
        ("street", np.int32),  # 0 before the flop, then 1, 2, 3
        ("turn", np.int32),  # the seat to act
        ("live", np.int32),  # the seats that have not folded, as bits, seat 0 the lowest
        ("pending", np.int32),  # the seats yet to act, as bits
        ("pot", np.int32),  # every chip in the middle, this street's bets included
        ("bet", np.int32),  # the highest on this street
        ("last_raise", np.int32),  # the largest bet or raise of this street, 0 before there is one
        ("raised", np.int32, STREETS),  # how many bets and raises on each street
        ("raiser", np.int32, STREETS),  # the seat that made the last of them, NEVER_REACHED before there is one
        ("stacks", np.int32, SEATS),  # what each seat has left
        ("began", np.int32, SEATS),  # what it had before antes and blinds
        ("bets", np.int32, (STREETS, SEATS)),  # on each street, without what nobody called
        ("hole", np.uint8, (SEATS, 2)),  # each seat's cards
        ("board", np.uint8, 5),  # all of it, dealt or not
    ],
    align=True,
)

RULES = np.dtype(
    [
        ("seats", np.int64),
        ("small_blind", np.int64),
        ("big_blind", np.int64),
        ("ante", np.int64),
        ("button", np.int64),  # of hand 0
        ("rounds", np.int64),  # of betting
        ("showdown_board", np.int64),  # cards
        ("is_limit", np.bool_),
        ("least_bets", np.int64, STREETS),  # what a bet or raise adds, in no-limit at least
        ("caps", np.int64, STREETS),  # bets and raises of a street in limit
        ("percents", np.int64, 10),  # of the fourteen actions 3 to 12
        ("is_strict", np.bool_),  # a percentage that is just the smallest bet is masked
        ("after_call", np.bool_),  # percentages are of the pot once the seat has called
        ("deals", np.int64),  # where the random numbers of the deals begin,
        ("choices", np.int64),  # and those of random actions
    ],
    align=True,
)


class DepthArrays(NamedTuple):
    """How the stacks of each hand are drawn: a kind by its share, then any number of chips of that kind."""

    least: Int64s  # (kinds, seats) chips
    most: Int64s  # (kinds, seats)
    upto: Float64s  # (kinds,) the shares, added up; the last is 1
    is_shared: bool  # all seats of a hand get the same draw


@kernel
def next_seat(seats: int, after: int, count: int) -> int:
    """The first of a set of seats, not an empty one, to the left of `after`."""
    seat = after
    while True:
        seat = seat + 1 if seat + 1 < count else 0
        if seats >> seat & 1:
            return seat


@kernel
def at_most_one(seats: int) -> bool:
    """Whether a set of seats has no more than one member."""
    return seats & (seats - 1) == 0


@kernel
def with_chips(row: Row, count: int) -> int:
    """The seats that have not folded and have something to bet."""
    seats = 0
    for seat in range(count):
        seats |= (row.stacks[seat] > 0) << seat
    return seats & row.live
