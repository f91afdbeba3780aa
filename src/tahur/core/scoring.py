"""How a match is scored: what counts as one result, and the unit in which results are reported."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tahur.core.record import Record

Decided = Callable[[Any, Record], tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class Scoring:
    """A result times `scale` is in `unit`: chips per hand times 100 / big blind are bb/100.

    A result is the payoffs of one deal from the same start. If the game has `decided`, a result is instead that of a
    whole match, played deal after deal to its end: `decided` is a function of the last game and its record, defined at
    the top level of a module.
    """

    unit: str
    scale: float = 1.0
    decided: Decided | None = None
    of: str = "hand"  # what one result is: a hand, a round, a match
    par: float = 0.0  # each player's expected result if all were equally strong
