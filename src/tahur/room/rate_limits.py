"""Rate limits by token buckets: a burst, then a number per second; and those of chat. Not stored in the log."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass, field
from math import ceil
from typing import Final

MOST_KEPT: Final = 10_000  # people or addresses remembered


@dataclass(frozen=True, slots=True)
class Limits:
    """A rate limit: size of a burst, and number per second."""

    burst: float
    rate: float


class TokenBucket:
    """A token bucket."""

    __slots__ = ("_left", "_limits", "_when")

    def __init__(self, limits: Limits, now: float) -> None:
        self._limits = limits
        self._left = limits.burst
        self._when = now

    def take(self, now: float) -> bool:
        """Take one token; returns whether there was one."""
        if self.wait(now) > 0:
            return False
        self._left -= 1
        return True

    def wait(self, now: float) -> float:
        """Seconds until one more is allowed; 0 if now."""
        self._left = min(self._limits.burst, self._left + (now - self._when) * self._limits.rate)
        self._when = now
        return 0.0 if self._left >= 1 else (1 - self._left) / self._limits.rate


class TokenBuckets:
    """One bucket for each person or address; the least recently used is forgotten first."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._each: OrderedDict[Hashable, TokenBucket] = OrderedDict()

    def of(self, key: Hashable, now: float) -> TokenBucket:
        bucket = self._each.pop(key, None) or TokenBucket(self.limits, now)
        self._each[key] = bucket  # most recently used last
        while len(self._each) > MOST_KEPT:
            self._each.popitem(last=False)
        return bucket


def seconds_words(seconds: float) -> str:
    """`8 s`, rounded up."""
    return f"{max(1, ceil(seconds))} s"


# ---- chat ----------------------------------------------------------------------------------------

CHAT: Final = Limits(6, 0.25)  # lines per person, over all tabs
MOST_NOTES: Final = 1000  # notes remembered for repeated requests
TOO_FAST: Final = "you are writing too fast; try again in"


@dataclass(slots=True)
class Chat:
    """The rate limit of each person's chat; no limit without `buckets`."""

    buckets: TokenBuckets | None = None
    _notes: dict[tuple[str, str], str] = field(default_factory=dict)

    @classmethod
    def limited(cls, limits: Limits | None) -> Chat:
        return cls(TokenBuckets(limits) if limits else None)

    def refusal(self, person: str, now: float) -> str:
        """Why the person may not write now; "" if they may (this uses up one token)."""
        if self.buckets is None:
            return ""
        bucket = self.buckets.of(person, now)
        wait = bucket.wait(now)
        bucket.take(now)
        return f"{TOO_FAST} {seconds_words(wait)}" if wait else ""

    def note(self, person: str, request: str, words: str) -> None:
        """Attach a note to the acknowledgement of the request, and to every repetition of it."""
        self._notes[person, request] = words
        while len(self._notes) > MOST_NOTES:
            del self._notes[next(iter(self._notes))]

    def note_for(self, person: str, request: str) -> str:
        return self._notes.get((person, request), "")
