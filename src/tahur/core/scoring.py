"""What a match is counted in: which stretch of play gives one result, and the unit it is told in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tahur.core.record import Record

Decided = Callable[[Any, Record], tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class Scoring:
    """A result times `scale` is in `unit`: chips a hand times 100 / big blind are bb/100.

    A result is the payoffs of one deal from the same start. Where the game has `decided` it is that of a match, played
    deal after deal to its end: a function of the last game and its record, at the top level of a module.
    """

    unit: str
    scale: float = 1.0
    decided: Decided | None = None
    of: str = "hand"  # what one result is called: a hand, a round, a match
    par: float = 0.0  # the result of each if all were equal
