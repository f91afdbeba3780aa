"""How long minds take, and other randomness of a room that has nothing to do with the cards.

A delay is drawn from the room's secret, the hand's number and the action's: whatever a mind holds, it takes as long.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Final

import numpy as np

from tahur.room.facts import Pace

MEDIAN: Final = 1.6  # seconds
SPREAD: Final = 0.45  # of the logarithm
LEAST, MOST = 0.7, 6.0

FACTORS: Final[Mapping[Pace, float]] = {"calm": 1.6, "usual": 1.0, "quick": 0.35, "brisk": 0.0, "instant": 0.0}
# How long the end of a hand is shown, which people have to follow at any pace of the minds; programs do not.
PAUSES: Final[Mapping[Pace, float]] = {"calm": 1.3, "usual": 1.0, "quick": 0.7, "brisk": 0.6, "instant": 0.0}


def delay(secret: str, hand: int, at: int, pace: Pace) -> float:
    """Seconds that a mind takes for that action."""
    drawn = MEDIAN * float(np.exp(SPREAD * stream(secret, "delay", hand, at).standard_normal()))
    return FACTORS[pace] * min(max(drawn, LEAST), MOST)


def shown_for(seconds: float, pace: Pace) -> float:
    """How long a moment of a hand's end is shown."""
    return PAUSES[pace] * seconds


def stream(secret: str, *what: str | int) -> np.random.Generator:
    """A generator of its own for every use of a room's secret."""
    seed = hashlib.sha256(":".join(map(str, (secret, *what))).encode()).digest()
    return np.random.Generator(np.random.Philox(key=int.from_bytes(seed[:16], "big")))
