"""The odds of Perudo: how likely so many unknown dice count for a face, exactly.

Own dice are known; each unknown one counts with the same chance. What other seats bid on a face this round tilts that
chance of a single die, never the probability that comes out, so that probabilities stay probabilities.
"""

from __future__ import annotations

from functools import cache
from math import comb
from typing import Final

from tahur.games.perudo.reading import chance_of

BOOSTS: Final = (
    1.0,
    1.0,
    1.1,
    1.2,
    1.35,
)  # by how many bids other seats made on the face this round; the last for more
HIGHEST: Final = 0.99  # a tilted chance stays below certainty


def boost(bids: int) -> float:
    """How much likelier each unknown die is to count after so many bids of others on the face."""
    return BOOSTS[min(bids, len(BOOSTS) - 1)]


@cache
def tilted(face: int, bids: int = 0, *, wild: bool = True) -> float:
    """The chance that an unknown die counts for the face, after so many bids of other seats on it."""
    return min(HIGHEST, chance_of(face, wild=wild) * boost(bids))


def exactly(needed: int, unknown: int, chance: float) -> float:
    """How likely exactly so many of the unknown dice count."""
    return _single(unknown, chance)[needed] if 0 <= needed <= unknown else 0.0


def at_least(needed: int, unknown: int, chance: float) -> float:
    """How likely so many of the unknown dice, or more, count."""
    if needed <= 0:
        return 1.0
    return tail(unknown, chance)[needed] if needed <= unknown else 0.0


def expected(matches: int, unknown: int, chance: float) -> float:
    """How many dice should count: one's own that do, and a part of the unknown ones."""
    return matches + unknown * chance


@cache
def _single(unknown: int, chance: float) -> tuple[float, ...]:
    return tuple(comb(unknown, k) * chance**k * (1 - chance) ** (unknown - k) for k in range(unknown + 1))


@cache
def tail(unknown: int, chance: float) -> tuple[float, ...]:
    """How likely at least 0, at least 1, ..., all of the unknown dice count.

    Summed from the top, the small ones first, so that nothing is lost.
    """
    sums = [0.0]
    for probability in reversed(_single(unknown, chance)):
        sums.append(sums[-1] + probability)
    return tuple(reversed(sums))[:-1]
