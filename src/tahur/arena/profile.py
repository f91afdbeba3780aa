"""Profiles: what a player tends to do, added up over many deals, with 95 % intervals.

Several chances in one deal are not independent, so the deal is what counts as one observation. With hits x and chances
y of each deal, a figure is the ratio of the sums, and its variance that of x - ratio * y over the deals (the ratio
estimator, linearised). Only the deals that count and five sums are kept, whole numbers all: those of any two parts of
the work add up to the same figures bit for bit.

- A rate has the interval of Wilson, with as many trials as would give that variance, at most the chances there were;
  when there were no hits, or nothing but hits, the deals with a chance are the trials. So no interval is ever empty: no
  hit in n deals leaves up to about 3.8 / n open.
- Odds (bets for each call) are the rate of hits among hits and chances, turned into odds.
- A mean has the interval of the normal approximation, not below 0; none when all amounts were the same.

The quantiles are those of Student's t with one degree of freedom less than there were deals with a chance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import inf, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tahur.arena import match
from tahur.arena.stats import LEVEL
from tahur.core.arrays import Int64s
from tahur.core.game import Game, Seat
from tahur.core.habits import FigureKind, Habit, HabitFigure, Habits, Profile
from tahur.core.player import Player
from tahur.core.quantiles import student_reach
from tahur.core.record import Record

Interval = tuple[float | None, float | None]


@dataclass(frozen=True, slots=True)
class Counts:
    """One player's habits over some deals; those of other deals can be added to it."""

    deals: int
    sums: Int64s

    @classmethod
    def none(cls, habits: Habits) -> Counts:
        return cls(0, np.zeros((len(habits.each), 6), dtype=np.int64))

    @classmethod
    def of(cls, tallies: NDArray[np.int64]) -> Counts:
        """tallies: (deals, habits, 2). What must stay together, such as a deal played twice, is one deal: its sum."""
        hits, chances = tallies[:, :, 0], tallies[:, :, 1]
        parts = ((hits > 0) | (chances > 0), hits, chances, hits * hits, hits * chances, chances * chances)
        return cls(len(tallies), np.stack([part.sum(axis=0) for part in parts], axis=1))

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.deals + other.deals, self.sums + other.sums)


def profile(player: str, game: str, habits: Habits, counts: Counts) -> Profile:
    """The figures that the counts come to."""
    rows = (_row(habit, *map(int, sums)) for habit, sums in zip(habits.each, counts.sums, strict=True))
    return Profile(player, game, counts.deals, tuple(rows))


def played(
    game: Game[Any], line_up: Callable[[], Sequence[Player]], *, hands: int, seed: int, names: Sequence[str] = ()
) -> Iterator[tuple[Record, Seat]]:
    """So many hands, each with the seat of the first player of the line-up.

    From match to match everybody moves on by a seat and starts afresh; a match that has no end is cut, so that every
    seat gets as many hands.
    """
    seats, left, number = game.seats, hands, 0
    while left:
        seat = number % seats
        players, called = (_moved_on(each, seat) for each in (line_up(), tuple(names)))
        most = min(left, -(-hands // seats))
        for record in match.run(game, players, seed=_seed(seed, number), deals=most, names=called):
            yield record, seat
            left -= 1
        number += 1


def _moved_on(each: Sequence[Any], by: int) -> tuple[Any, ...]:
    """Everybody so many seats on; who falls off the end comes first."""
    return tuple(each[len(each) - by :]) + tuple(each[: len(each) - by])


def _seed(seed: int, number: int) -> int:
    """Each match has its own, and no two seeds share their matches."""
    return int(np.random.SeedSequence([seed, number]).generate_state(1, np.uint64)[0])


# ---- intervals -----------------------------------------------------------------------------------


def _row(habit: Habit, deals: int, *sums: int) -> HabitFigure:
    hits, chances = sums[:2]
    value = hits / chances if chances else None
    low, high = _interval(habit.kind, deals, *sums) if deals else (None, None)
    return HabitFigure(
        name=habit.name,
        value=value,
        low=low,
        high=high,
        hits=hits,
        chances=chances,
        deals=deals,
        kind=habit.kind,
        unit=habit.unit,
        explanation=habit.explanation,
    )


def _interval(kind: FigureKind, deals: int, *sums: int) -> Interval:
    match kind:
        case FigureKind.RATE:
            return rate_interval(deals, *sums)
        case FigureKind.MEAN:
            return mean_interval(deals, *sums)
        case FigureKind.ODDS:
            return odds_interval(deals, *sums)


def rate_interval(deals: int, x: int, y: int, xx: int, xy: int, yy: int) -> tuple[float, float]:
    """The interval of x / y, where x is a part of y: hits of chances."""
    rate = x / y
    quantile = student_reach(LEVEL, deals - 1)
    if quantile == inf:
        return 0.0, 1.0
    variance = _variance(deals, x, y, xx, xy, yy)
    trials = float(deals) if x in (0, y) else y
    if variance and 0 < x < y:
        trials = min(trials, rate * (1 - rate) / variance)
    return wilson(rate, trials, quantile)


def odds_interval(deals: int, x: int, y: int, xx: int, xy: int, yy: int) -> Interval:
    """The interval of x / y, where x and y are different things: that of x of x + y, turned into odds."""
    low, high = rate_interval(deals, x, x + y, xx, xx + xy, xx + 2 * xy + yy)
    return low / (1 - low), None if high == 1 else high / (1 - high)


def mean_interval(deals: int, x: int, y: int, xx: int, xy: int, yy: int) -> Interval:
    """The interval of x / y, an amount that is never negative."""
    variance = _variance(deals, x, y, xx, xy, yy) if deals > 1 else 0.0
    if not variance:
        return None, None
    off = student_reach(LEVEL, deals - 1) * sqrt(variance)
    return max(0.0, x / y - off), x / y + off


def wilson(rate: float, trials: float, quantile: float) -> tuple[float, float]:
    """Wilson's interval for a rate seen in so many trials."""
    square = quantile * quantile / trials
    middle = (rate + square / 2) / (1 + square)
    off = quantile / (1 + square) * sqrt(rate * (1 - rate) / trials + square / (4 * trials))
    low, high = max(0.0, middle - off), min(1.0, middle + off)
    return 0.0 if rate == 0 else low, 1.0 if rate == 1 else high


def _variance(deals: int, x: int, y: int, xx: int, xy: int, yy: int) -> float:
    """Of x / y, by how x - ratio * y differs from deal to deal. Whole numbers until the end: nothing cancels."""
    spread = xx * y * y - 2 * x * y * xy + x * x * yy
    return deals / (deals - 1) * spread / y**4
