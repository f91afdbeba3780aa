"""Features of hold'em for learners: turns a view into a row of numbers.

A row is computed from a `View` alone, so cards that are hidden from the seat cannot be in it. Seats are listed relative
to the seat itself: it comes first, then the others in the order of the table. Chips are in big blinds, everything else
is 0 or 1. Legal actions are not included: they are the mask of the menu that the learner plays from.
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

_STRIDE: Final = 100  # actions looked up at once: each one is a recursive call


@dataclass(frozen=True, slots=True)
class HoldemLayout:
    """The slices of a row: `row[layout.stacks]` are the stacks of all seats, the seat's own first."""

    seats: int
    slots: int  # how many actions of a street are encoded: the last ones, if there are more
    hole: slice  # 52 each, indexed by card number: the seat's own two cards,
    flop: slice  # the three of the flop,
    turn: slice
    river: slice
    street: slice  # 4: before the flop, flop, turn, river
    position: slice  # one-hot position in the order after the flop: left of the button first, the button last
    pot: slice  # 1: BB in the middle, including this street's bets
    to_call: slice  # 1: BB, 0 when it is not the seat's turn
    stacks: slice  # for each seat: BB behind
    bets: slice  # for each seat: BB on this street
    live: slice  # for each seat: 1 if it has not folded
    history: slice  # 4 streets of `slots` actions of `per_action` numbers, the oldest first; 0 where there is none

    @property
    def size(self) -> int:
        """The length of a row."""
        return int(self.history.stop)

    @property
    def per_action(self) -> int:
        """Numbers per action: the seat (one-hot), the verb (`VERBS`), and the BB the seat then has on the street."""
        return self.seats + VERBS + 1

    def story(self, row: NDArray[np.float32]) -> NDArray[np.float32]:
        """The actions of a row, as (streets, slots, per_action)."""
        return row[self.history].reshape(STREETS, self.slots, self.per_action)


@dataclass(frozen=True, slots=True)
class PastAction:
    """One past action of a seat."""

    seat: Seat
    verb: int  # 0 fold, 1 check or call, 2 bet or raise
    chips: int  # what the seat has on the street after it


Story = tuple[tuple[PastAction, ...], ...]  # for each street the seats' actions, oldest first


@cache
def layout(seats: int) -> HoldemLayout:
    """The layout for a table with `seats` seats."""
    if not 2 <= seats <= MOST_SEATS:
        raise SettingError(f"{seats} seats; hold'em is played with 2 to {MOST_SEATS}")
    slots = max(LEAST_SLOTS, 2 * seats)
    history = STREETS * slots * (seats + VERBS + 1)
    lengths = (*(DECK_SIZE,) * 4, STREETS, seats, 1, 1, seats, seats, seats, history)
    ends = tuple(accumulate(lengths))
    parts = (slice(end - length, end) for end, length in zip(ends, lengths, strict=True))
    return HoldemLayout(seats, slots, *parts)


def features(view: View) -> NDArray[np.float32]:
    """What the seat sees, as a row of numbers in the order of `layout`."""
    table: HoldemTable = view.table
    seat, where = view.seat, layout(len(view.table.stacks))
    ones = _ones(where, table, seat, view.hand)
    positions = [where.pot.start, where.to_call.start, *range(where.stacks.start, where.bets.stop)]
    owed = table.to_call if table.turn == seat else 0
    chips = [table.pot, owed, *_from(seat, table.stacks), *_from(seat, table.bets)]
    _encode_history(where, table, seat, (ones, positions, chips))
    big_blind = table.stakes.blinds[1]
    row = np.zeros(where.size, dtype=np.float32)
    row[ones] = 1
    row[positions] = [number / big_blind for number in chips]
    return row


def story(table: HoldemTable) -> Story:
    """All actions of the seats so far."""
    stakes, history = table.stakes, table.history
    for length in range(_STRIDE, len(history), _STRIDE):
        _replay(stakes, history[:length])
    return _replay(stakes, history)[1]


@lru_cache(maxsize=4096)
def _replay(stakes: Stakes, history: tuple[Action, ...]) -> tuple[HoldemTable, Story]:
    """The table after a history, and the seats' actions in it. Cached: a learner asks again one action later."""
    if not history:
        return opening(stakes), ((),) * STREETS
    table, actions = _replay(stakes, history[:-1])
    action, street = history[-1], table.street
    if table.turn >= 0:
        actions = (*actions[:street], (*actions[street], _line(table, action)), *actions[street + 1 :])
    return table.after(action), actions


def _line(table: HoldemTable, action: Action) -> PastAction:
    seat = table.turn
    if action == FOLD:
        return PastAction(seat, 0, table.bets[seat])
    if action == CALL:
        return PastAction(seat, 1, table.bets[seat] + table.to_call)
    return PastAction(seat, 2, action - 1)


def _encode_history(
    where: HoldemLayout, table: HoldemTable, seat: Seat, into: tuple[list[int], list[int], list[int]]
) -> None:
    """Add the history to the positions that are 1, and to the positions of chips with their amounts."""
    ones, positions, chips = into
    seats, per_action = where.seats, where.per_action
    for street, lines in enumerate(story(table)):
        slot = where.history.start + street * where.slots * per_action
        for line in lines[-where.slots :]:
            ones.append(slot + (line.seat - seat) % seats)
            ones.append(slot + seats + line.verb)
            positions.append(slot + seats + VERBS)
            chips.append(line.chips)
            slot += per_action


def _ones(where: HoldemLayout, table: HoldemTable, seat: Seat, hand: Hand | None) -> list[int]:
    """The positions in a row that are 1."""
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
    """The values of all seats, the seat's own first."""
    return values[seat:] + values[:seat]


@cache
def _cards_of(hand: Hand | None) -> tuple[int, ...]:
    """The two cards of a combo; empty for a spectator or a seat that is not dealt in."""
    return () if hand is None or hand == NO_HAND else tuple(map(int, cards_of(hand)))
