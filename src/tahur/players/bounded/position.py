"""The position of a seat, in the five categories used for ranges, and the strength of two hole cards."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import cache
from typing import Final

from tahur.cards.cards import COMBOS, combo_of
from tahur.cards.rankings import EQUITY_ORDER, class_names, class_of_combos
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


_SIZES: Final = {"": 6, "s": 4, "o": 12}


def strength_of(hole: Sequence[int]) -> float:
    """The share of all hands that are as good or better, by `rankings.EQUITY_ORDER`."""
    return _strengths()[combo_of(hole)]


@cache
def _strengths() -> tuple[float, ...]:
    """(1326,) the share of all starting hands that are at least as strong as each."""
    upto, total = {}, 0
    for name in EQUITY_ORDER.split():
        total += _SIZES[name[2:]]
        upto[name] = total / COMBOS
    names = class_names()
    return tuple(upto[names[number]] for number in class_of_combos().tolist())
