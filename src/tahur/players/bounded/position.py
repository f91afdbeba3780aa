"""Where a seat sits, in the five words that ranges go by."""

from __future__ import annotations

from enum import Enum

from tahur.core.game import Seat
from tahur.games.holdem.stakes import Stakes


class Position(Enum):
    """Where a seat sits; at a table of two the button is the button and the other is in the blinds."""

    EARLY = "early"
    MIDDLE = "middle"
    LATE = "late"
    BUTTON = "button"
    BLINDS = "blinds"


def position_of(stakes: Stakes, seat: Seat) -> Position:
    """Where the seat sits among those dealt in."""
    order = stakes.order
    if seat == stakes.button:
        return Position.BUTTON
    place = order.index(seat)
    if place < 2:
        return Position.BLINDS
    between = len(order) - 3  # neither blinds nor button
    late = 1 if between < 5 else 2
    early = (between - late) // 2
    step = place - 2
    if step < early:
        return Position.EARLY
    return Position.LATE if step >= between - late else Position.MIDDLE
