"""Hold'em as a learner sees it: a view in, a row of numbers out.

A row is made from a `View` and nothing else, so that a card which is hidden from the seat cannot be in it. Seats are
told from the seat's own place on: it comes first, then the others in the order of the table. Chips are big blinds, all
else is 0 or 1. What one may do is not here: that is the mask of whatever menu the learner plays from.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import DECK_SIZE, cards_of
from tahur.core.errors import SettingError
from tahur.core.game import Action, Hand, Seat
from tahur.core.player import View
from tahur.games.holdem.rules import NO_HAND
from tahur.games.holdem.stakes import FLOP, MOST_SEATS, Stakes
from tahur.games.holdem.table import CALL, FOLD, HoldemTable, opening

STREETS: Final = 4
VERBS: Final = 3  # fold, check or call, bet or raise
LEAST_SLOTS: Final = 12

_STRIDE: Final = 100  # actions looked back at once: each is one call deeper


@dataclass(frozen=True, slots=True)
class HoldemLayout:
    """Where everything lies in a row: `row[layout.stacks]` are the stacks of all seats, the own one first."""

    seats: int
    slots: int  # the actions of a street that are told; of more than that, the last ones
    hole: slice  # 52 each, by the card's number: the seat's own two cards,
    flop: slice  # the three of the flop,
    turn: slice
    river: slice
    street: slice  # 4: before the flop, flop, turn, river
    position: slice  # one for each place in the order after the flop: left of the button first, the button last
    pot: slice  # 1: BB in the middle, this street's bets included
    to_call: slice  # 1: BB, 0 when it is not the seat's turn
    stacks: slice  # BB behind, of each seat
    bets: slice  # BB on this street, of each seat
    live: slice  # of each seat: 1 if it has not folded
    history: slice  # 4 streets of `slots` actions of `per_action` numbers, the oldest first; 0 where there is none

    @property
    def size(self) -> int:
        """How many numbers a row has."""
        return int(self.history.stop)

    @property
    def per_action(self) -> int:
        """Who (one for each seat), what (`VERBS`), and the BB that seat then has on the street."""
        return self.seats + VERBS + 1

    def story(self, row: NDArray[np.float32]) -> NDArray[np.float32]:
        """The history of a row as streets x slots x numbers."""
        return row[self.history].reshape(STREETS, self.slots, self.per_action)


@dataclass(frozen=True, slots=True)
class PastAction:
    """One action of a seat, as it is remembered."""

    seat: Seat
    verb: int  # 0 fold, 1 check or call, 2 bet or raise
    chips: int  # what the seat then has on the street


Story = tuple[tuple[PastAction, ...], ...]  # of each street, what the seats did, the oldest first


@cache
def layout(seats: int) -> HoldemLayout:
    """The row of a table with so many seats."""
    if not 2 <= seats <= MOST_SEATS:
        raise SettingError(f"{seats} seats; hold'em is played with 2 to {MOST_SEATS}")
    slots = max(LEAST_SLOTS, 2 * seats)
    history = STREETS * slots * (seats + VERBS + 1)
    lengths = (*(DECK_SIZE,) * 4, STREETS, seats, 1, 1, seats, seats, seats, history)
    ends = tuple(accumulate(lengths))
    parts = (slice(end - length, end) for end, length in zip(ends, lengths, strict=True))
    return HoldemLayout(seats, slots, *parts)


def features(view: View) -> NDArray[np.float32]:
    """What the seat sees, as numbers; `layout` says which is which."""
    table: HoldemTable = view.table
    seat, where = view.seat, layout(len(view.table.stacks))
    ones = _ones(where, table, seat, view.hand)
    places = [where.pot.start, where.to_call.start, *range(where.stacks.start, where.bets.stop)]
    owed = table.to_call if table.turn == seat else 0
    chips = [table.pot, owed, *_from(seat, table.stacks), *_from(seat, table.bets)]
    _tell(where, table, seat, (ones, places, chips))
    big_blind = table.stakes.blinds[1]
    row = np.zeros(where.size, dtype=np.float32)
    row[ones] = 1
    row[places] = [number / big_blind for number in chips]
    return row


def story(table: HoldemTable) -> Story:
    """What the seats have done so far."""
    stakes, history = table.stakes, table.history
    for length in range(_STRIDE, len(history), _STRIDE):
        _told(stakes, history[:length])
    return _told(stakes, history)[1]


@lru_cache(maxsize=4096)
def _told(stakes: Stakes, history: tuple[Action, ...]) -> tuple[HoldemTable, Story]:
    """The table after that history and what the seats did in it. Kept, since a learner asks again one action later."""
    if not history:
        return opening(stakes), ((),) * STREETS
    table, told = _told(stakes, history[:-1])
    action, street = history[-1], table.street
    if table.turn >= 0:
        told = (*told[:street], (*told[street], _line(table, action)), *told[street + 1 :])
    return table.after(action), told


def _line(table: HoldemTable, action: Action) -> PastAction:
    seat = table.turn
    if action == FOLD:
        return PastAction(seat, 0, table.bets[seat])
    if action == CALL:
        return PastAction(seat, 1, table.bets[seat] + table.to_call)
    return PastAction(seat, 2, action - 1)


def _tell(where: HoldemLayout, table: HoldemTable, seat: Seat, into: tuple[list[int], list[int], list[int]]) -> None:
    """Add the history to the places that are 1, and to the places of chips with their numbers."""
    ones, places, chips = into
    seats, per_action = where.seats, where.per_action
    for street, lines in enumerate(story(table)):
        slot = where.history.start + street * where.slots * per_action
        for line in lines[-where.slots :]:
            ones.append(slot + (line.seat - seat) % seats)
            ones.append(slot + seats + line.verb)
            places.append(slot + seats + VERBS)
            chips.append(line.chips)
            slot += per_action


def _ones(where: HoldemLayout, table: HoldemTable, seat: Seat, hand: Hand | None) -> list[int]:
    """The places of a row that are 1."""
    board, seats = table.board, where.seats
    ones = [where.hole.start + card for card in _cards_of(hand)]
    ones += [where.flop.start + card for card in board[:FLOP]]
    ones += [street.start + card for street, card in zip((where.turn, where.river), board[FLOP:], strict=False)]
    ones.append(where.street.start + table.street)
    ones += [where.live.start + (other - seat) % seats for other in table.live]
    if seat in table.stakes.order:
        ones.append(where.position.start + table.stakes.order.index(seat))
    return ones


def _from(seat: Seat, values: tuple[int, ...]) -> tuple[int, ...]:
    """Values of all seats, the seat's own first."""
    return values[seat:] + values[:seat]


@cache
def _cards_of(hand: Hand | None) -> tuple[int, ...]:
    """The two cards of a combo; none for a spectator or a seat that is not dealt in."""
    return () if hand is None or hand == NO_HAND else tuple(map(int, cards_of(hand)))
