"""The clock of one decision: time to decide, then the time bank, then extra time for a lost connection.

All times are arguments; nothing here reads a clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

UNATTENDED: Final = 60.0  # seconds for a disconnected seat in a room without a clock, if others wait


@dataclass(slots=True)
class TurnClock:
    """One turn of one seat. Times are seconds on the room's clock; `bank` is milliseconds."""

    hand: int
    at: int
    seat: int
    began: float
    seconds: int  # 0: no clock
    bank: int
    grace: float = 0.0  # extra seconds, once per hand

    def deadline(self) -> float | None:
        """When the time is up, including bank and extra time; None for never."""
        if not self.seconds:
            return None
        return self.began + self.seconds + self.grace + self.bank / 1000

    def bank_left(self, now: float) -> int:
        """Milliseconds left in the time bank if the seat acts now."""
        if not self.seconds:
            return self.bank
        over = now - self.began - self.seconds - self.grace
        return max(0, self.bank - max(0, int(over * 1000)))

    def left(self, now: float) -> int | None:
        """Milliseconds until the time bank is used; None without a clock."""
        if not self.seconds:
            return None
        return max(0, int(1000 * (self.began + self.seconds + self.grace - now)))
