"""What operators monitor: counters of a running server, and the room and request of its log lines."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Final

STEPS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds


@dataclass(slots=True)
class Histogram:
    """A histogram of seconds: `counts[i]` for up to `STEPS[i]`, the last one for longer times."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(STEPS) + 1))
    total: float = 0.0

    def add(self, seconds: float) -> None:
        self.counts[bisect_left(STEPS, seconds)] += 1
        self.total += seconds


@dataclass(slots=True)
class Figures:
    """The counters of one server since it started; no names, no addresses."""

    acknowledged: Histogram = field(default_factory=Histogram)
    thinking: Histogram = field(default_factory=Histogram)
    actions: Counter[str] = field(default_factory=Counter)  # by source: person, mind (bot), clock, failure
    refused: Counter[str] = field(default_factory=Counter)  # by a short reason


# Context variables of a task or thread, which name the room and the request in log lines.
ROOM: Final[ContextVar[str | None]] = ContextVar("room", default=None)
REQUEST: Final[ContextVar[str | None]] = ContextVar("request", default=None)
