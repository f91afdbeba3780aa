"""Rate limits by token buckets: a burst, then a number per second."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
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
