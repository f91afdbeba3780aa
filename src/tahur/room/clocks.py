"""The clock of one decision: seconds to decide, then the time bank, then for who lost the connection a grace.

Everything is reckoned from times handed in; nothing here reads a clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

UNATTENDED: Final = 60.0  # seconds for who is not connected, where there is no clock but others wait


@dataclass(slots=True)
class TurnClock:
    """One turn of one seat. Times are seconds of whatever clock the room runs by; `bank` is milliseconds."""

    hand: int
    at: int
    seat: int
    began: float
    seconds: int  # 0: no clock
    bank: int
    grace: float = 0.0  # given, once a hand

    def deadline(self) -> float | None:
        """When time is up, bank and grace included; None: never."""
        if not self.seconds:
            return None
        return self.began + self.seconds + self.grace + self.bank / 1000

    def bank_left(self, now: float) -> int:
        """Milliseconds of the bank if the seat acts now."""
        if not self.seconds:
            return self.bank
        over = now - self.began - self.seconds - self.grace
        return max(0, self.bank - max(0, int(over * 1000)))

    def left(self, now: float) -> int | None:
        """Milliseconds before the bank is touched; None: no clock."""
        if not self.seconds:
            return None
        return max(0, int(1000 * (self.began + self.seconds + self.grace - now)))
