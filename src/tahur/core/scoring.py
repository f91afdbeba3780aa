"""How a match is scored: what counts as one result, its unit, and what a position is worth without luck."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, runtime_checkable

from tahur.core.arrays import Float64s
from tahur.core.game import Game, Hand, Seat, Table
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


# ---- the value of a position with ranges ---------------------------------------------------------
# The same for two seats, where what one wins the other loses, averaged over all hands that the seats could hold. A
# range is the weight of each of a seat's hands, 0 for hands that share a card with the board; only ratios matter. Two
# hands are dealt together with a probability proportional to the product of their weights if they can be. What has to
# hold, for any ranges:
#
# - once the deal is over, the worth is the mean payoff;
# - before a chance move, the worth is the mean of the worths after it, with the hands that are still possible;
# - over all deals, the luck of the deal averages to zero, with all hands or one hand in either range.


@runtime_checkable
class RangeAppraised(Game[T], Protocol[T]):
    """A game that can compute what a position is worth to the first of two seats when both hold ranges of hands."""

    def ranges_misfit(self) -> str | None:
        """Why it cannot with its settings, as a sentence; None if it can."""
        ...

    def hands(self, seat: Seat) -> Sequence[Hand]:
        """Every hand that the seat can hold."""
        ...

    def prior(self, seat: Seat) -> Float64s:
        """The probability of each of these hands before other hands are known."""
        ...

    def holdable(self, table: T) -> Float64s:
        """1 for each hand that is possible with the public cards, else 0."""
        ...

    def meeting(self, weights: Float64s) -> Float64s:
        """For each hand of a seat, the total weight of the hands of the other seat that can be dealt with it."""
        ...

    def range_worth(self, table: T, ranges: Sequence[Float64s]) -> float:
        """The expected payoff of seat 0 under the reference policy."""
        ...

    def range_luck_of_deal(self, ranges: Sequence[Float64s]) -> float:
        """How much better than the average deal this one is for seat 0."""
        ...
