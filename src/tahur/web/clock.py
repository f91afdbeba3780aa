"""The system clock, passed to rooms, which must not read it themselves."""

from __future__ import annotations

import time


class SystemClock:
    """This machine's monotonic and wall clocks."""

    def now(self) -> float:
        return time.monotonic()

    def wall(self) -> float:
        return time.time()
