"""How a match is scored: what counts as one result, its unit, and what a position is worth without luck."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, runtime_checkable

from tahur.core.game import Game, Hand, Table
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


# ---- the value of a position ---------------------------------------------------------------------
# The expected payoffs of a position under a fixed reference policy; a control variate that removes luck from results. A
# game names one simple policy for everyone: for example, a player who owes chips folds one time in three, otherwise all
# check to the end. It need not resemble real play. Removing luck stays unbiased because the values are exact:
#
# - once the deal is over, the worth is the payoffs;
# - before a chance move, the worth is the mean of the worths after it, over all of `Game.outcomes`;
# - over all deals, the luck of the deal averages to zero for every seat.
#
# So what chance adds to a seat's worth averages to zero whoever plays, and can be subtracted from the seat's result.


T = TypeVar("T", bound=Table)


@runtime_checkable
class Appraised(Game[T], Protocol[T]):
    """A game that can compute what a position is worth to each seat when all hands are known."""

    def worth(self, table: T, hands: Sequence[Hand]) -> tuple[float, ...] | None:
        """The expected payoffs under the reference policy, or None where computing them would take too long.

        If it is available before a chance move, it is available after every outcome of that move.
        """
        ...

    def luck_of_deal(self, hands: Sequence[Hand]) -> tuple[float, ...]:
        """How much better than the average deal this one is for each seat; zeros if the game cannot compute it."""
        ...
