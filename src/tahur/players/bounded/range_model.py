"""The model of what opponents hold, all of it.

Before the flop a seat is taken to hold the top part of all hands, by `rankings.EQUITY_ORDER`. How wide that part is
goes by its position (`OPENS`, twice as wide at a table of two) times a factor for the tightest thing it has done
(`FACTORS`): to call a bare blind, to raise first, to call a raise, to raise one, and so on. A big blind that checked
holds anything. After the flop each bet or raise, two at most, makes the weaker half of what it can hold there less
likely (`players/odds/opponents.HONESTY`).
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
"""The part of all hands that a seat raises first with."""

FACTORS: Final[Mapping[tuple[int, bool], float]] = {
    (0, False): 1.5,  # called the blind
    (0, True): 1.0,  # raised first
    (1, False): 0.75,  # called a raise
    (1, True): 0.35,  # raised it
    (2, False): 0.25,  # called after two raises or more
    (2, True): 0.15,  # raised then
}
"""By how many raises there were before, 2 standing for more, and whether the seat raised."""


@dataclass(frozen=True, slots=True)
class RangeModel:
    """The numbers of the model; another set of them is another model."""

    opens: Mapping[Position, float] = field(default_factory=lambda: OPENS)
    factors: Mapping[tuple[int, bool], float] = field(default_factory=lambda: FACTORS)
    tightest: float = TIGHTEST


USUAL: Final = RangeModel()
