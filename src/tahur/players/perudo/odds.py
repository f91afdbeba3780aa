"""The odds of Perudo: exact probabilities of how many unknown dice count for a face.

The own dice are known; each unknown one counts with the same probability. Other seats' bids on a face in this round
tilt that probability for each die, never the resulting probability of a count, so results stay between 0 and 1.
"""

from __future__ import annotations

from functools import cache
from math import comb
from typing import Final

from tahur.games.perudo.bids import chance_of

BOOSTS: Final = (
    1.0,
    1.0,
    1.1,
    1.2,
    1.35,
)  # by the number of other seats' bids on the face in this round; the last for more
HIGHEST: Final = 0.99  # upper limit of a tilted probability


def boost(bids: int) -> float:
    """The factor on each unknown die's probability after `bids` bids of others on the face."""
    return BOOSTS[min(bids, len(BOOSTS) - 1)]


@cache
def tilted(face: int, bids: int = 0, *, wild: bool = True) -> float:
    """The probability that an unknown die counts for the face, after `bids` bids of other seats on it."""
    return min(HIGHEST, chance_of(face, wild=wild) * boost(bids))


def exactly(needed: int, unknown: int, chance: float) -> float:
    """The probability that exactly `needed` of the unknown dice count."""
    return _single(unknown, chance)[needed] if 0 <= needed <= unknown else 0.0


def at_least(needed: int, unknown: int, chance: float) -> float:
    """The probability that at least `needed` of the unknown dice count."""
    if needed <= 0:
        return 1.0
    return tail(unknown, chance)[needed] if needed <= unknown else 0.0


def expected(matches: int, unknown: int, chance: float) -> float:
    """The expected number of dice that count: the own matching ones plus a part of the unknown ones."""
    return matches + unknown * chance


@cache
def _single(unknown: int, chance: float) -> tuple[float, ...]:
    return tuple(comb(unknown, k) * chance**k * (1 - chance) ** (unknown - k) for k in range(unknown + 1))


@cache
def tail(unknown: int, chance: float) -> tuple[float, ...]:
    """The probabilities that at least 0, at least 1, ..., all of the unknown dice count.

    Summed from the smallest terms up, to keep precision.
    """
    sums = [0.0]
    for probability in reversed(_single(unknown, chance)):
        sums.append(sums[-1] + probability)
    return tuple(reversed(sums))[:-1]
