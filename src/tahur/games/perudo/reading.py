"""What a bid tells by itself, before anybody looks under a cup: how bold it is, how far it jumps, who can stand by it.

The prior expectation of a face is how many of all dice should count for it when nothing is known, and a bid's ratio is
its count as a part of that. An ace claims as much as two dice of another face, so while aces are wild an increment is
counted in those: from 4 fives to 2 aces it is 0, from 2 aces to 5 fives 1.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from tahur.core.game import Action
from tahur.games.perudo.bids import ACE, count_of, face_of

SUPPORT: Final = 3  # tenths of a bid's count that its bidder should hold
SQUEEZE_RATIO: Final = 0.75  # from this ratio on, a jump squeezes
SQUEEZED_DICE: Final = 2  # the next seat has at most so many
SQUEEZE_JUMP: Final = 2


def dice_for_one(face: int, *, wild: bool) -> int:
    """Of how many unknown dice one counts for the face, on average."""
    return 3 if wild and face != ACE else 6


def chance_of(face: int, *, wild: bool) -> float:
    """How likely an unknown die counts for the face."""
    return 1 / dice_for_one(face, wild=wild)


def prior_expectation(total: int, face: int, *, wild: bool) -> float:
    """How many of all dice should count for the face, when none of them is known."""
    return total / dice_for_one(face, wild=wild)


def ratio_of(bid: Action, total: int, *, wild: bool) -> float:
    """The bid's count as a part of the prior expectation, rounded once: 3 fives of ten dice are 0.9, not above it."""
    return count_of(bid) * dice_for_one(face_of(bid), wild=wild) / total


@cache
def increment(before: Action, bid: Action, wild: bool = True) -> int:
    """By how many dice a raise goes up; between aces and other faces an ace counts for two."""
    low, high = count_of(before), count_of(bid)
    from_ace, to_ace = face_of(before) == ACE, face_of(bid) == ACE
    if not wild or from_ace == to_ace:
        return high - low
    return 2 * high - low if to_ace else high - 2 * low


def is_supported(matches: int, count: int) -> bool:
    """Whether a bidder who holds so many matching dice can stand by the count."""
    return 10 * matches >= SUPPORT * count


def is_squeezing(ratio: float, next_dice: int) -> bool:
    """Whether the standing bid is bold and the next seat weak enough for a squeeze."""
    return ratio >= SQUEEZE_RATIO and next_dice <= SQUEEZED_DICE
