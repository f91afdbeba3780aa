"""The position of a seat, in the five categories used for ranges."""

from __future__ import annotations

from enum import Enum

from tahur.core.game import Seat
from tahur.games.holdem.stakes import Stakes


class Position(Enum):
    """The position of a seat; with two seats the button is the button and the other is in the blinds."""

    EARLY = "early"
    MIDDLE = "middle"
    LATE = "late"
    BUTTON = "button"
    BLINDS = "blinds"


def position_of(stakes: Stakes, seat: Seat) -> Position:
    """The position of the seat among those dealt in."""
    order = stakes.order
    if seat == stakes.button:
        return Position.BUTTON
    index = order.index(seat)
    if index < 2:
        return Position.BLINDS
    between = len(order) - 3  # neither blinds nor button
    late = 1 if between < 5 else 2
    early = (between - late) // 2
    step = index - 2
    if step < early:
        return Position.EARLY
    return Position.LATE if step >= between - late else Position.MIDDLE
