"""Habits, what a player tends to do, counted in records, and profiles with confidence intervals.

A habit has chances and hits: how often something could have happened, and how often it did. Each game defines its
habits (`Habits`, beside its rules) and counts them in a record, for each seat, in whole numbers, which add up over
records, workers and machines to the same figures in any order. The arena makes a `Profile` of the sums.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from tahur.core.arrays import Int64s
from tahur.core.errors import RecordError
from tahur.core.record import Record
from tahur.core.words import OVER, Seat


class FigureKind(StrEnum):
    """How a figure is computed from hits and chances."""

    RATE = "rate"  # the share of chances that were hits
    MEAN = "mean"  # an amount per chance: hits are a sum, not a count
    ODDS = "odds"  # hits per chance, where a hit is not itself a chance: bets per call


@dataclass(frozen=True, slots=True)
class Habit:
    """Something a player may tend to do: a sentence that explains it, what is counted, and out of what."""

    name: str
    explanation: str
    hits: str
    chances: str
    kind: FigureKind = FigureKind.RATE
    unit: str = "%"


class HabitCounts:
    """The counts of one record while it is being read."""

    __slots__ = ("_counts", "_index")

    def __init__(self, habits: Sequence[Habit], seats: int) -> None:
        self._index = {habit.name: index for index, habit in enumerate(habits)}
        self._counts = [[[0, 0] for _ in habits] for _ in range(seats)]

    def chance(self, seat: Seat, habit: Habit, hit: bool) -> None:
        """Count one chance of the seat, and whether it was a hit."""
        self.add(seat, habit, int(hit), 1)

    def add(self, seat: Seat, habit: Habit, hits: int, chances: int) -> None:
        count = self._counts[seat][self._index[habit.name]]
        count[0] += hits
        count[1] += chances

    def tallies(self) -> Int64s:
        return np.array(self._counts, dtype=np.int64)


Count = Callable[[HabitCounts, Any, Record, Sequence[Any]], None]


@dataclass(frozen=True, slots=True)
class Habits:
    """The habits of a game, and the function that counts them, called with counts, game, record and its tables.

    The function is defined at the top level of a module, so that it can be sent to other processes.
    """

    entries: tuple[Habit, ...]
    count: Count

    def tallies(self, game: Any, record: Record) -> Int64s:
        """The counts of every seat in one record."""
        tables = list(record.replay(game))
        if tables[-1].turn != OVER:
            raise RecordError(f"{record.game}: the record stops after {len(record.actions)} actions, before the end")
        if not len(record.hands) == len(record.payoffs) == game.seats:
            raise RecordError(
                f"{record.game}: {len(record.hands)} hands and {len(record.payoffs)} payoffs for {game.seats} seats"
            )
        counts = HabitCounts(self.entries, game.seats)
        self.count(counts, game, record, tables)
        return counts.tallies()


@dataclass(frozen=True, slots=True)
class HabitFigure:
    """One habit of one player. `value` is None if there was no chance; a bound is None if that side is unknown.

    A rate is a share, from 0 to 1. `low` and `high` are the bounds of a 95 % interval.
    """

    name: str
    value: float | None
    low: float | None
    high: float | None
    hits: int
    chances: int
    deals: int  # number of deals with a hit or a chance
    kind: FigureKind
    unit: str
    explanation: str


@dataclass(frozen=True, slots=True)
class Profile:
    """What one player tends to do in one game."""

    player: str
    game: str
    deals: int
    rows: tuple[HabitFigure, ...]

    def to_json(self) -> dict[str, Any]:
        """The profile as a dict of JSON values."""
        return {**asdict(self), "rows": [asdict(row) for row in self.rows]}
