"""What a player tends to do: habits counted in records, and the profile that tells them with their intervals.

A habit is chances and hits: how often something could have happened, and how often it did. The game says what to look
for (`Habits`, beside its rules) and counts it in one record, for each seat, in whole numbers; those add up over
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
    """How hits and chances make a figure."""

    RATE = "rate"  # the share of the chances that were hits
    MEAN = "mean"  # an amount for each chance: hits are a sum, not a count
    ODDS = "odds"  # hits for each chance, where what is a hit is not also a chance: bets for each call


@dataclass(frozen=True, slots=True)
class Habit:
    """Something a player may tend to do: one sentence on it, what is counted, and out of what."""

    name: str
    explanation: str
    hits: str
    chances: str
    kind: FigureKind = FigureKind.RATE
    unit: str = "%"


class HabitCounts:
    """The counts of one record while it is read."""

    __slots__ = ("_counts", "_places")

    def __init__(self, habits: Sequence[Habit], seats: int) -> None:
        self._places = {habit.name: place for place, habit in enumerate(habits)}
        self._counts = [[[0, 0] for _ in habits] for _ in range(seats)]

    def chance(self, seat: Seat, habit: Habit, hit: bool) -> None:
        """The seat could have done it, and did or did not."""
        self.add(seat, habit, int(hit), 1)

    def add(self, seat: Seat, habit: Habit, hits: int, chances: int) -> None:
        count = self._counts[seat][self._places[habit.name]]
        count[0] += hits
        count[1] += chances

    def tallies(self) -> Int64s:
        return np.array(self._counts, dtype=np.int64)


Count = Callable[[HabitCounts, Any, Record, Sequence[Any]], None]


@dataclass(frozen=True, slots=True)
class Habits:
    """The habits of a game, and the function that counts them: it is given the sheet, the game, the record, its tables.

    The function stands at the top level of a module, so that it can be sent to other processes.
    """

    each: tuple[Habit, ...]
    count: Count

    def tallies(self, game: Any, record: Record) -> Int64s:
        """What every seat did in one record."""
        tables = list(record.replay(game))
        if tables[-1].turn != OVER:
            raise RecordError(f"{record.game}: the record stops after {len(record.actions)} actions, before the end")
        if not len(record.hands) == len(record.payoffs) == game.seats:
            raise RecordError(
                f"{record.game}: {len(record.hands)} hands and {len(record.payoffs)} payoffs for {game.seats} seats"
            )
        sheet = HabitCounts(self.each, game.seats)
        self.count(sheet, game, record, tables)
        return sheet.tallies()


@dataclass(frozen=True, slots=True)
class HabitFigure:
    """One habit of one player. No value: there was no chance yet. No bound: nothing is known on that side.

    A rate is a share, from 0 to 1. `low` and `high` are the bounds of a 95 % interval.
    """

    name: str
    value: float | None
    low: float | None
    high: float | None
    hits: int
    chances: int
    deals: int  # in which there was a hit or a chance
    kind: FigureKind
    unit: str
    explanation: str


@dataclass(frozen=True, slots=True)
class Profile:
    """What one player tends to do at one game."""

    player: str
    game: str
    deals: int
    rows: tuple[HabitFigure, ...]

    def to_json(self) -> dict[str, Any]:
        """Only what JSON can hold."""
        return {**asdict(self), "rows": [asdict(row) for row in self.rows]}
