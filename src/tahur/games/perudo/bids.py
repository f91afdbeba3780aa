"""Actions in Perudo as numbers: dudo is 0, calza 1, and bids start at 2, each a count and a face.

Bids are numbered in their order in the game. While aces are wild, `n` aces rank above `2n` sixes and below `2n + 1`
twos; this follows from the rules *to aces, at least half rounded up* and *from aces, at least double plus one*. So
eleven numbers form a block, and the number of a bid does not depend on how many dice are in play:

    1 two ... 1 six, 2 twos ... 2 sixes, 1 ace, 3 twos ... 3 sixes, 4 twos ... 4 sixes, 2 aces, 5 twos ...

In palifico aces are not wild and are the lowest face: bids rank by count, then by face.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from functools import cache
from typing import Final, assert_never

from tahur.core.errors import IllegalAction
from tahur.core.game import Action

DUDO: Final = 0
CALZA: Final = 1
FIRST_BID: Final = 2  # 1 two

ACE: Final = 1
FACES: Final = (1, 2, 3, 4, 5, 6)

_NAMES: Final = ("", "ace", "two", "three", "four", "five", "six")
_PLURALS: Final = ("", "aces", "twos", "threes", "fours", "fives", "sixes")
_BLOCK: Final = 11  # two counts of five faces, and one count of aces


class Raising(Enum):
    """Which of the higher bids are legal raises."""

    ANY_FACE = "any face"
    FACE_NEVER_FALLS = "the face never falls"  # except to aces, while they are wild
    FACE_LOCKED = "the face is locked"

    __repr__ = Enum.__str__  # so that rules print the way they are written


@cache
def bid(count: int, face: int) -> Action:
    """The number of a bid: `bid(3, 5)` is three fives."""
    if count < 1 or face not in FACES:
        raise IllegalAction(f"perudo: no bid of {count} dice showing {face}; a bid is 1 or more of a face from 1 to 6")
    if face == ACE:
        return _BLOCK * count + 1
    block, second = divmod(count - 1, 2)
    return _BLOCK * block + 5 * second + face


@cache
def count_of(bid: Action) -> int:
    """How many dice a bid claims."""
    block, offset = divmod(bid - FIRST_BID, _BLOCK)
    return block + 1 if offset == _BLOCK - 1 else 2 * block + 1 + offset // 5


@cache
def face_of(bid: Action) -> int:
    """The face of a bid."""
    offset = (bid - FIRST_BID) % _BLOCK
    return ACE if offset == _BLOCK - 1 else 2 + offset % 5


def action_text(action: Action) -> str:
    """`dudo`, `calza`, `1 ace`, `3 fives`."""
    if action < FIRST_BID:
        return "dudo" if action == DUDO else "calza"
    count, face = count_of(action), face_of(action)
    return f"{count} {(_NAMES if count == 1 else _PLURALS)[face]}"


def rank(bid: Action, *, wild: bool) -> int:
    """The position of a bid in the order of all bids; a higher rank outbids a lower one."""
    return bid if wild else 6 * count_of(bid) + face_of(bid)


@cache
def bids_in_order(total: int, *, wild: bool = True) -> tuple[Action, ...]:
    """Every bid on `total` dice (6 per die), lowest first."""
    bids = [bid(count, face) for count in range(1, total + 1) for face in FACES]
    return tuple(sorted(bids, key=lambda number: rank(number, wild=wild)))


def outbids(bid: Action, standing: Action, raising: Raising, *, wild: bool) -> bool:
    """Whether a bid is a legal raise over the standing one. In palifico (not wild) aces are an ordinary face."""
    higher = rank(bid, wild=wild) > rank(standing, wild=wild)
    match raising:
        case Raising.ANY_FACE:
            return higher
        case Raising.FACE_NEVER_FALLS:
            to_aces = wild and face_of(bid) == ACE
            return higher and (to_aces or face_of(bid) >= face_of(standing))
        case Raising.FACE_LOCKED:
            return higher and face_of(bid) == face_of(standing)
        case _:
            assert_never(raising)


def lowest(actions: Iterable[Action], face: int) -> Action | None:
    """The lowest bid on a face among the actions; None if there is none."""
    return min((action for action in actions if action >= FIRST_BID and face_of(action) == face), default=None)


def matching(dice: Iterable[int], face: int, *, wild: bool = True) -> int:
    """How many of the dice count for a bid on the face: those that show it and, while they are wild, the aces."""
    return sum(die == face or (wild and die == ACE) for die in dice)


# ---- what a bid says by itself -------------------------------------------------------------------
# How bold a bid is, how far it jumps, and whether dice support it. The prior expectation of a face is the expected
# number of all dice that count for it when none is known, and a bid's ratio is its count divided by that. An ace claims
# as much as two dice of another face, so while aces are wild an increment is counted in dice of another face: from 4
# fives to 2 aces it is 0, from 2 aces to 5 fives 1.

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
