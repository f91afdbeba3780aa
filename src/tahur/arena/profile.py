"""Profiles: a player's habits, summed over many deals, with 95 % intervals.

Several chances in one deal are not independent, so a deal is one observation. With hits x and chances y of each deal, a
figure is the ratio of the sums, and its variance is that of x - ratio * y over the deals (the linearised ratio
estimator). Only the number of deals and five integer sums are stored: those of any two parts of the work add up to the
same figures bit for bit.

- A rate has a Wilson interval, with the number of trials that would give that variance, at most the number of chances;
  with no hits, or nothing but hits, the deals with a chance are the trials. So no interval is ever empty: no hit in n
  deals leaves up to about 3.8 / n.
- Odds (bets per call) are the rate of hits among hits and chances, converted to odds.
- A mean has the interval of the normal approximation, not below 0; none if all amounts are the same.

The quantiles are those of Student's t with one degree of freedom less than the number of deals with a chance.
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
    """One player's habits over some deals; counts of other deals can be added."""

    deals: int
    sums: Int64s

    @classmethod
    def none(cls, habits: Habits) -> Counts:
        return cls(0, np.zeros((len(habits.entries), 6), dtype=np.int64))

    @classmethod
    def of(cls, tallies: NDArray[np.int64]) -> Counts:
        """tallies: (deals, habits, 2). Dependent deals, such as one played twice, must be summed into one."""
        hits, chances = tallies[:, :, 0], tallies[:, :, 1]
        parts = ((hits > 0) | (chances > 0), hits, chances, hits * hits, hits * chances, chances * chances)
        return cls(len(tallies), np.stack([part.sum(axis=0) for part in parts], axis=1))

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.deals + other.deals, self.sums + other.sums)


def profile(player: str, game: str, habits: Habits, counts: Counts) -> Profile:
    """The profile computed from counts."""
    rows = (_row(habit, *map(int, sums)) for habit, sums in zip(habits.entries, counts.sums, strict=True))
    return Profile(player, game, counts.deals, tuple(rows))


def play_hands(
    game: Game[Any], line_up: Callable[[], Sequence[Player]], *, hands: int, seed: int, names: Sequence[str] = ()
) -> Iterator[tuple[Record, Seat]]:
    """The given number of hands, each with the seat of the first player of the line-up.

    From match to match every player moves on by a seat and starts afresh; an endless match is cut, so that every seat
    gets the same number of hands.
    """
    seats, left, number = game.seats, hands, 0
    while left:
        seat = number % seats
        players, called = (_rotate(listed, seat) for listed in (line_up(), tuple(names)))
        most = min(left, -(-hands // seats))
        for record in match.run(game, players, seed=_match_seed(seed, number), deals=most, names=called):
            yield record, seat
            left -= 1
        number += 1


def _rotate(players: Sequence[Any], by: int) -> tuple[Any, ...]:
    """The players rotated by `by` seats."""
    return tuple(players[len(players) - by :]) + tuple(players[: len(players) - by])


def _match_seed(seed: int, number: int) -> int:
    """The seed of a match; different seeds share no matches."""
    return int(np.random.SeedSequence([seed, number]).generate_state(1, np.uint64)[0])


# ---- intervals -----------------------------------------------------------------------------------


def _row(habit: Habit, deals: int, *sums: int) -> HabitFigure:
    """The figure of one habit with its interval, from its sums over all deals."""
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
    """The interval of a figure of this kind; `sums` are x, y, xx, xy, yy of `rate_interval`."""
    match kind:
        case FigureKind.RATE:
            return rate_interval(deals, *sums)
        case FigureKind.MEAN:
            return mean_interval(deals, *sums)
        case FigureKind.ODDS:
            return odds_interval(deals, *sums)


def rate_interval(deals: int, x: int, y: int, xx: int, xy: int, yy: int) -> tuple[float, float]:
    """The 95 % interval of x / y, where x is a part of y: hits out of chances.

    Each deal has its own counts x and y; the arguments are the sums of x, y, x², xy and y² over all deals.
    """
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
    """The 95 % interval of x / y, where x and y count different things, such as raises and calls.

    Arguments as in `rate_interval`. With z = x + y, the odds x / y are rate / (1 - rate) of the rate x / z.
    """
    z, xz, zz = x + y, xx + xy, xx + 2 * xy + yy
    low, high = rate_interval(deals, x, z, xx, xz, zz)
    return low / (1 - low), None if high == 1 else high / (1 - high)


def mean_interval(deals: int, x: int, y: int, xx: int, xy: int, yy: int) -> Interval:
    """The interval of x / y, an amount that is never negative."""
    variance = _variance(deals, x, y, xx, xy, yy) if deals > 1 else 0.0
    if not variance:
        return None, None
    off = student_reach(LEVEL, deals - 1) * sqrt(variance)
    return max(0.0, x / y - off), x / y + off


def wilson(rate: float, trials: float, quantile: float) -> tuple[float, float]:
    """The Wilson interval of a rate."""
    square = quantile * quantile / trials
    middle = (rate + square / 2) / (1 + square)
    off = quantile / (1 + square) * sqrt(rate * (1 - rate) / trials + square / (4 * trials))
    low, high = max(0.0, middle - off), min(1.0, middle + off)
    return 0.0 if rate == 0 else low, 1.0 if rate == 1 else high


def _variance(deals: int, x: int, y: int, xx: int, xy: int, yy: int) -> float:
    """The variance of x / y, from x - ratio * y over the deals. Integers until the end, so nothing cancels."""
    spread = xx * y * y - 2 * x * y * xy + x * x * yy
    return deals / (deals - 1) * spread / y**4
