"""The model of opponents' ranges.

Before the flop a seat is assumed to hold the top part of all hands, by `rankings.EQUITY_ORDER`. The width of that part
is given by its position (`OPENS`, twice as wide with two seats) times a factor for the tightest thing it has done
(`FACTORS`): calling the blind, raising first, calling a raise, raising one, and so on. A big blind that checked holds
any hand. After the flop each bet or raise, at most two, reduces the weight of the weaker half of its hands
(`players/odds/opponents.HONESTY`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from tahur.players.bounded.position import Position

TIGHTEST: Final = 0.025  # of all hands: aces to queens and ace-king

OPENS: Final[Mapping[Position, float]] = {
    Position.EARLY: 0.15,
    Position.MIDDLE: 0.20,
    Position.LATE: 0.28,
    Position.BUTTON: 0.42,
    Position.BLINDS: 0.35,
}
"""The part of all hands that a seat raises first with, by position."""

FACTORS: Final[Mapping[tuple[int, bool], float]] = {
    (0, False): 1.5,  # called the blind
    (0, True): 1.0,  # raised first
    (1, False): 0.75,  # called a raise
    (1, True): 0.35,  # raised a raise
    (2, False): 0.25,  # called after two or more raises
    (2, True): 0.15,  # raised after two or more raises
}
"""By the number of raises before (2 means two or more), and whether the seat raised."""


@dataclass(frozen=True, slots=True)
class RangeModel:
    """The parameters of the model."""

    opens: Mapping[Position, float] = field(default_factory=lambda: OPENS)
    factors: Mapping[tuple[int, bool], float] = field(default_factory=lambda: FACTORS)
    tightest: float = TIGHTEST


USUAL: Final = RangeModel()
