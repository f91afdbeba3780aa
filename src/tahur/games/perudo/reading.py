"""What a bid says by itself, without looking at any dice: how bold it is, how far it jumps, whether dice support it.

The prior expectation of a face is the expected number of all dice that count for it when none is known, and a bid's
ratio is its count divided by that. An ace claims as much as two dice of another face, so while aces are wild an
increment is counted in dice of another face: from 4 fives to 2 aces it is 0, from 2 aces to 5 fives 1.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from tahur.core.game import Action
from tahur.games.perudo.bids import ACE, count_of, face_of

SUPPORT: Final = 3  # tenths of a bid's count that its bidder should hold
SQUEEZE_RATIO: Final = 0.75  # from this ratio on, a jump is a squeeze
SQUEEZED_DICE: Final = 2  # if the next seat has at most this many dice
SQUEEZE_JUMP: Final = 2


def dice_for_one(face: int, *, wild: bool) -> int:
    """The number of unknown dice of which one counts for the face, on average."""
    return 3 if wild and face != ACE else 6


def chance_of(face: int, *, wild: bool) -> float:
    """The probability that an unknown die counts for the face."""
    return 1 / dice_for_one(face, wild=wild)


def ratio_of(bid: Action, total: int, *, wild: bool) -> float:
    """The bid's count divided by the prior expectation, rounded once: 3 fives of ten dice are 0.9, not above it."""
    return count_of(bid) * dice_for_one(face_of(bid), wild=wild) / total


@cache
def increment(before: Action, bid: Action, wild: bool = True) -> int:
    """By how many dice a raise goes up; between aces and other faces an ace counts as two."""
    low, high = count_of(before), count_of(bid)
    from_ace, to_ace = face_of(before) == ACE, face_of(bid) == ACE
    if not wild or from_ace == to_ace:
        return high - low
    return 2 * high - low if to_ace else high - 2 * low


def is_supported(matches: int, count: int) -> bool:
    """Whether `matches` own matching dice are enough to support a bid of `count`."""
    return 10 * matches >= SUPPORT * count


def is_squeezing(ratio: float, next_dice: int) -> bool:
    """Whether the standing bid is bold and the next seat weak enough for a squeeze."""
    return ratio >= SQUEEZE_RATIO and next_dice <= SQUEEZED_DICE
