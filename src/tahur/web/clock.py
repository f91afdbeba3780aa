"""The time, for rooms that must not look for themselves."""

from __future__ import annotations

import time


class SystemClock:
    """This machine's clocks."""

    def now(self) -> float:
        return time.monotonic()

    def wall(self) -> float:
        return time.time()
