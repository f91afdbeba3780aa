"""The clock of one decision (time to decide, time bank, extra time for a lost connection), and the delays of bots.

All times are arguments; nothing here reads a clock. A bot's delay depends on the room's secret and the numbers of hand
and action, never on what the bot holds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from tahur.room.facts import Pace

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


# ---- delays of bots and pauses -------------------------------------------------------------------

MEDIAN: Final = 1.6  # seconds
SPREAD: Final = 0.45  # standard deviation of the logarithm
LEAST, MOST = 0.7, 6.0

FACTORS: Final[Mapping[Pace, float]] = {"calm": 1.6, "usual": 1.0, "quick": 0.35, "brisk": 0.0, "instant": 0.0}
# Factors on how long the end of a hand is shown: people must be able to follow it at any pace, programs need not.
PAUSES: Final[Mapping[Pace, float]] = {"calm": 1.3, "usual": 1.0, "quick": 0.7, "brisk": 0.6, "instant": 0.0}


def delay(secret: str, hand: int, at: int, pace: Pace) -> float:
    """The delay of a bot for this action, in seconds."""
    drawn = MEDIAN * float(np.exp(SPREAD * stream(secret, "delay", hand, at).standard_normal()))
    return FACTORS[pace] * min(max(drawn, LEAST), MOST)


def shown_for(seconds: float, pace: Pace) -> float:
    """Seconds that a moment of a hand's end is shown."""
    return PAUSES[pace] * seconds


def stream(secret: str, *what: str | int) -> np.random.Generator:
    """An independent random generator for each use of a room's secret."""
    seed = hashlib.sha256(":".join(map(str, (secret, *what))).encode()).digest()
    return np.random.Generator(np.random.Philox(key=int.from_bytes(seed[:16], "big")))
