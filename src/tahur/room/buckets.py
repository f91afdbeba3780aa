"""Limits on how often something may be done: so many at once, then so many a second."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from math import ceil
from typing import Final

MOST_KEPT: Final = 10_000  # people or addresses whose pace is remembered


@dataclass(frozen=True, slots=True)
class Limits:
    """So many at once, and so many a second."""

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
        """Whether one more is allowed now; if so, it is counted."""
        if self.wait(now) > 0:
            return False
        self._left -= 1
        return True

    def wait(self, now: float) -> float:
        """Seconds until one more is allowed; 0: now."""
        self._left = min(self._limits.burst, self._left + (now - self._when) * self._limits.rate)
        self._when = now
        return 0.0 if self._left >= 1 else (1 - self._left) / self._limits.rate


class TokenBuckets:
    """One bucket for each of many people or addresses; who was not heard of for longest is forgotten first."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._each: OrderedDict[Hashable, TokenBucket] = OrderedDict()

    def of(self, key: Hashable, now: float) -> TokenBucket:
        bucket = self._each.pop(key, None) or TokenBucket(self.limits, now)
        self._each[key] = bucket  # the last asked last
        while len(self._each) > MOST_KEPT:
            self._each.popitem(last=False)
        return bucket


def seconds_words(seconds: float) -> str:
    """`8 s`, never less than it takes."""
    return f"{max(1, ceil(seconds))} s"
