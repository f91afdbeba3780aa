"""The kinds of benchmarks, and how time is measured.

A `Race` gives the same work to a peer and to tahur, alternately, in several rounds, and uses each side's best round,
since disturbances only make a round slower. Time is CPU time of this process, all threads together. A `Wait` is
measured in seconds alone, against a limit if there is one. Every row is measured in several new processes
(`benchmarks/__main__.py`); `combined` makes one row of them, with the spread of their ratios.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any, Protocol

BETTER_LESS = ("s", "B")  # seconds and bytes; for other units more is better
LIMIT = "limit"  # shown in place of the peer, for time limits
PROCESSES = 3  # new processes in which each row is measured
ROUNDS = 3  # rounds in each process
GO = 0.1  # minimum seconds of CPU time of one side in one round
Side = Callable[[], int]


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured value: seconds if the unit is `s`, bytes if it is `B`, otherwise a rate such as `hands/s`."""

    value: float
    unit: str

    @property
    def speed(self) -> float:
        return 1 / self.value if self.unit in BETTER_LESS else self.value

    def __str__(self) -> str:
        if self.unit == "B":
            return f"{three_digits(self.value / 1e6)} MB"
        steps = ((1, ""), (1e-3, "m"), (1e-6, "u")) if self.unit == "s" else ((1e6, "M "), (1e3, "k "), (1, ""))
        size, prefix = next((step for step in steps if self.value >= step[0]), steps[-1])
        return f"{three_digits(self.value / size)} {prefix}{self.unit}"


def three_digits(value: float) -> str:
    """`1.53`, `15.3`, `153`, `1530`: the precision of a measurement."""
    return f"{value:.{2 if value < 9.995 else 1 if value < 99.95 else 0}f}"


def _figure_from_json(value: Mapping[str, Any] | None) -> Figure | None:
    return None if value is None else Figure(value["value"], value["unit"])


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table. `least` is the smallest ratio that meets the target; `trouble` is why there is no figure.

    The figures are the best of all processes; `speeds` has the ratio of each process, or tahur's speed without a peer.
    """

    work: str
    peer: str
    theirs: Figure | None = None
    ours: Figure | None = None
    least: float | None = None
    trouble: str = ""
    wrong: bool = False
    speeds: tuple[float, ...] = ()

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Row:
        return cls(
            work=values["work"],
            peer=values["peer"],
            theirs=_figure_from_json(values["theirs"]),
            ours=_figure_from_json(values["ours"]),
            least=values["least"],
            trouble=values["trouble"],
            wrong=values["wrong"],
        )

    @property
    def median(self) -> float | None:
        """The median ratio of the processes."""
        return median(self.speeds) if self.speeds and self.theirs else None

    @property
    def spread(self) -> float | None:
        """The difference between the fastest and the slowest process as a share of the median; None for one process."""
        return (max(self.speeds) - min(self.speeds)) / median(self.speeds) if len(self.speeds) > 1 else None

    @property
    def uncertain(self) -> bool:
        """Whether some processes met the target and others did not, so that the spread is larger than the gain."""
        return self.least is not None and bool(self.speeds) and min(self.speeds) < self.least <= max(self.speeds)

    @property
    def ratio(self) -> float | None:
        """How many times as fast as the peer tahur is."""
        return self.ours.speed / self.theirs.speed if self.ours and self.theirs else None

    @property
    def target(self) -> str:
        if self.least is None:
            return ""
        if self.peer != LIMIT or self.theirs is None:
            return f">= {self.least:g}x"
        return f"{'<=' if self.theirs.unit in BETTER_LESS else '>='} {self.theirs}"

    @property
    def verdict(self) -> str:
        if self.trouble:
            return self.trouble
        if self.least is None or self.ratio is None:
            return "for information"
        verdict = "met" if self.ratio >= self.least else f"MISSED by {100 * (1 - self.ratio / self.least):.0f} %"
        return f"{verdict}, within the spread" if self.uncertain else verdict

    @property
    def missed(self) -> bool:
        return self.verdict.startswith("MISSED")


def combined(rows: Sequence[Row]) -> Row:
    """One row of the same row measured in several processes; a wrong or failed one decides."""
    troubled = next((row for row in rows if row.trouble), None)
    if troubled is not None:
        return troubled
    theirs, ours = _best([row.theirs for row in rows]), _best([row.ours for row in rows])
    speeds = tuple(row.ratio or (row.ours.speed if row.ours else 0.0) for row in rows)
    return replace(rows[0], theirs=theirs, ours=ours, speeds=speeds)


def _best(figures: Sequence[Figure | None]) -> Figure | None:
    return max((figure for figure in figures if figure), key=lambda figure: figure.speed, default=None)


class Benchmark(Protocol):
    """Anything that can be measured into a row."""

    @property
    def work(self) -> str: ...

    @property
    def peer(self) -> str: ...

    def measure(self) -> Row: ...


@dataclass(frozen=True, slots=True)
class Contest:
    """Both sides, prepared: each call does the work once and returns its amount. `agree`: whether the answers match."""

    peer: Side
    ours: Side
    agree: Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Race:
    """Work that a peer does too. `unit` is what is counted per second; without one, the time of an answer is shown.

    `open` imports the peer and prepares the input, so that nothing is loaded for rows that are not selected.
    """

    work: str
    peer: str
    target: float | None
    open: Callable[[], Contest]
    unit: str = ""
    rounds: int = ROUNDS

    def measure(self) -> Row:
        try:
            contest = self.open()
        except ImportError as error:
            return Row(self.work, self.peer, least=self.target, trouble=f"not measured: {error}")
        if not contest.agree():
            return Row(self.work, self.peer, least=self.target, trouble="WRONG: the answers differ", wrong=True)
        theirs, ours = best_of_rounds(contest, self.rounds)
        return Row(self.work, self.peer, self._figure(theirs), self._figure(ours), self.target)

    def _figure(self, seconds: float) -> Figure:
        return Figure(1 / seconds, f"{self.unit}/s") if self.unit else Figure(seconds, "s")


@dataclass(frozen=True, slots=True)
class Wait:
    """Something a user waits for; `once` does it and returns the seconds. `most` is the time limit in seconds."""

    work: str
    most: float | None
    once: Callable[[], float]
    rounds: int

    @property
    def peer(self) -> str:
        return "" if self.most is None else LIMIT

    def measure(self) -> Row:
        ours = Figure(min(self.once() for _ in range(self.rounds)), "s")
        if self.most is None:
            return Row(self.work, self.peer, ours=ours)
        return Row(self.work, self.peer, Figure(self.most, "s"), ours, least=1.0)


@dataclass(frozen=True, slots=True)
class Threads:
    """The same work in one thread and in two; `once` returns the seconds of both."""

    work: str
    least: float | None
    once: Callable[[], tuple[float, float]]
    peer: str = "tahur, one thread"

    def measure(self) -> Row:
        one, two = self.once()
        return Row(self.work, self.peer, Figure(one, "s"), Figure(two, "s"), self.least)


@dataclass(frozen=True, slots=True)
class Pace:
    """Work without a peer, with a minimum rate per second of CPU time."""

    work: str
    least: float
    open: Callable[[], Side]
    unit: str
    rounds: int = ROUNDS

    @property
    def peer(self) -> str:
        return LIMIT

    def measure(self) -> Row:
        side = self.open()
        calls = _calls_for_a_go(side)
        seconds = min(_seconds_a_piece(side, calls) for _ in range(self.rounds))
        unit = f"{self.unit}/s"
        return Row(self.work, self.peer, Figure(self.least, unit), Figure(1 / seconds, unit), least=1.0)


def best_of_rounds(contest: Contest, rounds: int) -> tuple[float, float]:
    """Seconds for one piece of work, the peer's and tahur's: each the best of `rounds` alternating rounds."""
    sides = contest.peer, contest.ours
    calls = [_calls_for_a_go(side) for side in sides]
    taken = [list(map(_seconds_a_piece, sides, calls)) for _ in range(rounds)]
    theirs, ours = map(min, zip(*taken, strict=True))
    return theirs, ours


def _calls_for_a_go(side: Side) -> int:
    calls = 1
    while _timed(side, calls)[0] < GO:
        calls *= 2
    return calls


def _seconds_a_piece(side: Side, calls: int) -> float:
    seconds, pieces = _timed(side, calls)
    return seconds / pieces


def _timed(side: Side, calls: int) -> tuple[float, int]:
    """CPU seconds and pieces of work of this many calls, with the garbage collector disabled."""
    gc.collect()
    gc.disable()
    try:
        began = time.process_time()
        pieces = sum(side() for _ in range(calls))
        return time.process_time() - began, pieces
    finally:
        gc.enable()
