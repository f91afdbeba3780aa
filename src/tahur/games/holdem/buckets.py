"""Nine buckets for a hand on a flop, from premium to air, by what the hole cards add to the board.

`classify` follows the table in docs/street.md: each row that the hand matches gives a bucket, and the strongest one is
used. What the board makes alone does not count: on KK7 a seven is second pair, and an ace alone is an overcard.
`bucket_table` computes the same with a kernel, for every hand on many flops.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import COMBOS, RANKS, cards_text, check_distinct
from tahur.core.errors import CardError
from tahur.games.holdem.textures import ACE, BROADWAY, Texture, check_flop, read_flop

JACK: Final = RANKS.index("J")
QUEEN: Final = RANKS.index("Q")
KING: Final = RANKS.index("K")
NO_HAND: Final = 255  # in a table of buckets: the combo contains a card of the flop
STRAIGHTS: Final = tuple({rank % len(RANKS) for rank in range(low, low + 5)} for low in range(ACE - len(RANKS), 9))


class Bucket(IntEnum):
    """Strongest first, so the strongest of several is the minimum."""

    PREMIUM = 0
    NUT = 1
    STRONG = 2
    GOOD = 3
    MEDIUM = 4
    DRAW = 5
    WEAK_MADE = 6
    WEAK_DRAW = 7
    AIR = 8

    @property
    def label(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class BucketRule:
    """A row of the table that a hand matches: the bucket it gives, and why."""

    bucket: Bucket
    reason: str


@dataclass(frozen=True, slots=True)
class Classification:
    """What a hand is on a flop. `rows` are all rows that it matches, in the order of the table."""

    texture: Texture
    texture_reason: str
    bucket: Bucket
    reason: str
    rows: tuple[BucketRule, ...]


def classify(hand: Sequence[int], flop: Sequence[int]) -> Classification:
    """The bucket of two hole cards on a flop, and the reason in words."""
    check_flop(flop)
    if len(hand) != 2:
        raise CardError(f"'{cards_text(hand)}' is {len(hand)} cards; a hand is two, such as TdTh")
    check_distinct((cards_text(hand), hand), ("the flop", flop))
    reading = read_flop(flop)
    rows = tuple(_rows(_Spot(tuple(hand), tuple(flop), reading.texture.scary)))
    best = min(rows, key=lambda row: row.bucket)
    return Classification(
        texture=reading.texture, texture_reason=reading.reason, bucket=best.bucket, reason=best.reason, rows=rows
    )


def bucket_table(flops: Sequence[Sequence[int]] | NDArray[np.int64]) -> NDArray[np.uint8]:
    """(flops, 1326) the bucket of every combo on every flop, `NO_HAND` where they share a card."""
    from tahur.games.holdem.kernels.buckets import fill_buckets

    boards = np.array([tuple(flop) for flop in flops], np.int64).reshape(-1, 3)
    scary = np.array([read_flop(flop).texture.scary for flop in boards.tolist()], np.bool_)
    table = np.empty((len(boards), COMBOS), np.uint8)
    fill_buckets(boards, scary, table)
    return table


# ---- a hand on a flop, as needed by the rows ------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Spot:
    hand: tuple[int, ...]
    flop: tuple[int, ...]
    scary: bool

    @property
    def ranks(self) -> tuple[int, int]:
        """The ranks of the hole cards, the higher first."""
        high, low = sorted((card >> 2 for card in self.hand), reverse=True)
        return high, low

    @property
    def is_pocket_pair(self) -> bool:
        return self.ranks[0] == self.ranks[1]

    @property
    def board(self) -> list[int]:
        """The distinct ranks of the flop, highest first."""
        return sorted({card >> 2 for card in self.flop}, reverse=True)

    @property
    def paired(self) -> list[int]:
        """The ranks that hand and board have once each, highest first; a pocket pair pairs no board card."""
        return [] if self.is_pocket_pair else [rank for rank in self.ranks if self.on_board(rank) == 1]

    @property
    def pair(self) -> int | None:
        """The rank of the one pair that hand and board make together."""
        return self.paired[0] if len(self.paired) == 1 else None

    def on_board(self, rank: int) -> int:
        return sum(card >> 2 == rank for card in self.flop)

    @property
    def longest_suit(self) -> int:
        """The number of the five cards that share a suit with a hole card, for the longest such suit."""
        cards = (*self.hand, *self.flop)
        return max(sum(card & 3 == mine & 3 for card in cards) for mine in self.hand)

    @property
    def straight_ranks(self) -> set[int]:
        """The ranks that would complete a straight; empty if there already is one."""
        held = {card >> 2 for card in (*self.hand, *self.flop)}
        missing = (straight - held for straight in STRAIGHTS)
        return set() if self.has_straight else {rank for ranks in missing if len(ranks) == 1 for rank in ranks}

    @property
    def has_straight(self) -> bool:
        held = {card >> 2 for card in (*self.hand, *self.flop)}
        return held in STRAIGHTS

    def unless_scary(self, bucket: Bucket) -> Bucket:
        """The bucket, one weaker on a scary flop; below medium comes weak_made, since a draw is not a made hand."""
        if not self.scary:
            return bucket
        return Bucket.WEAK_MADE if bucket == Bucket.MEDIUM else Bucket(bucket + 1)


# ---- the rows of the table ------------------------------------------------------------------------


def _rows(spot: _Spot) -> Iterator[BucketRule]:
    """Every row that the hand matches, from the top of the table to the bottom."""
    checks = (_full, _flush, _straight, _three, _two_pair, _overpair, _top_pair, _middle_pair, _low_pair)
    met = [*(row for rule in checks if (row := rule(spot))), *_draws(spot)]
    yield from met or [BucketRule(Bucket.AIR, "no pair, no draw, no ace or king over the board")]


def _full(spot: _Spot) -> BucketRule | None:
    held = [card >> 2 for card in (*spot.hand, *spot.flop)]
    if spot.longest_suit == 5 and spot.has_straight:
        return BucketRule(Bucket.PREMIUM, "straight flush")
    if max(held.count(rank) for rank in held) == 4:
        return BucketRule(Bucket.PREMIUM, "four of a kind")
    return BucketRule(Bucket.PREMIUM, "full house") if len(set(held)) == 2 else None


def _flush(spot: _Spot) -> BucketRule | None:
    """On a flop a flush uses both hole cards. The highest missing card of the suit makes the nut flush."""
    if spot.longest_suit < 5:
        return None
    best = spot.ranks[0]
    above = sum(rank not in spot.board for rank in range(best + 1, len(RANKS)))
    if above == 0:
        return BucketRule(Bucket.PREMIUM, f"the nut flush, with the {RANKS[best]}")
    if above <= 2:
        return BucketRule(Bucket.NUT, f"a flush with the {RANKS[best]}; only {above} higher is missing")
    return BucketRule(Bucket.STRONG, f"a low flush: {above} higher cards of the suit are missing")


def _straight(spot: _Spot) -> BucketRule | None:
    """On a flop a straight uses both hole cards."""
    if not spot.has_straight:
        return None
    return BucketRule(spot.unless_scary(Bucket.NUT), "a straight with both hole cards" + _scare(spot))


def _three(spot: _Spot) -> BucketRule | None:
    """The bucket of a set (a pocket pair that hits the board) or of trips (a pair on the board)."""
    high, low = spot.ranks
    if spot.is_pocket_pair and spot.on_board(high):
        is_top = high == spot.board[0]
        bucket = spot.unless_scary(Bucket.PREMIUM if is_top else Bucket.NUT)
        return BucketRule(bucket, f"{'top set' if is_top else 'a set'}, {RANKS[high]}{RANKS[high]}" + _scare(spot))
    if not spot.is_pocket_pair and (trips := [rank for rank in (high, low) if spot.on_board(rank) == 2]):
        return BucketRule(spot.unless_scary(Bucket.STRONG), f"trips with one {RANKS[trips[0]]} in hand" + _scare(spot))
    return None


def _two_pair(spot: _Spot) -> BucketRule | None:
    """The bucket of two pair with both hole cards."""
    if len(spot.paired) < 2:
        return None
    is_top = spot.paired == spot.board[:2]
    bucket = spot.unless_scary(Bucket.NUT if is_top else Bucket.STRONG)
    return BucketRule(bucket, f"{'top two pair' if is_top else 'two pair'} with both hole cards" + _scare(spot))


def _overpair(spot: _Spot) -> BucketRule | None:
    """The bucket of a pocket pair above all cards of the board."""
    rank = spot.ranks[0]
    if not spot.is_pocket_pair or rank < spot.board[0] or spot.on_board(rank):
        return None
    name = f"overpair {RANKS[rank]}{RANKS[rank]}"
    if rank >= QUEEN:
        return BucketRule(spot.unless_scary(Bucket.STRONG), f"{name}, queens or better" + _scare(spot))
    if rank >= BROADWAY:
        return BucketRule(spot.unless_scary(Bucket.GOOD), f"{name}, tens or jacks" + _scare(spot))
    return BucketRule(Bucket.MEDIUM, f"{name}, below tens")


def _top_pair(spot: _Spot) -> BucketRule | None:
    """The bucket of a pair with the highest card of the board, by its kicker."""
    top = spot.board[0]
    if spot.pair != top:
        return None
    kicker = next(rank for rank in spot.ranks if rank != top)
    name = f"top pair of {RANKS[top]}, kicker {RANKS[kicker]}"
    if kicker == ACE:
        return BucketRule(spot.unless_scary(Bucket.STRONG), name + _scare(spot))
    if kicker >= JACK:
        return BucketRule(spot.unless_scary(Bucket.GOOD), name + _scare(spot))
    return BucketRule(Bucket.MEDIUM, name)


def _middle_pair(spot: _Spot) -> BucketRule | None:
    """With a draw it counts as a draw, which is worth more than the pair."""
    if len(spot.board) < 2:
        return None
    top, second = spot.board[:2]
    between = spot.is_pocket_pair and second < spot.ranks[0] < top
    if not between and spot.pair != second:
        return None
    name = "a pocket pair between the two top board cards" if between else f"second pair, of {RANKS[second]}"
    if _has_draw(spot):
        return BucketRule(Bucket.DRAW, f"{name}, with a draw")
    return BucketRule(spot.unless_scary(Bucket.MEDIUM), name + _scare(spot))


def _low_pair(spot: _Spot) -> BucketRule | None:
    bottom, rank = spot.board[-1], spot.ranks[0]
    if spot.is_pocket_pair and rank < spot.board[0] and not spot.on_board(rank):
        return BucketRule(Bucket.WEAK_MADE, f"underpair {RANKS[rank]}{RANKS[rank]}")
    return BucketRule(Bucket.WEAK_MADE, f"bottom pair, of {RANKS[bottom]}") if spot.pair == bottom else None


def _draws(spot: _Spot) -> Iterator[BucketRule]:
    """Two ranks that complete a straight make an open-ended draw, wherever they are; one makes a gutshot."""
    completing = spot.straight_ranks
    if spot.longest_suit == 4 and len(completing) >= 2:
        yield BucketRule(Bucket.NUT, "flush draw and open-ended straight draw")
    if spot.longest_suit == 4:
        yield BucketRule(Bucket.DRAW, "flush draw")
    if len(completing) >= 2:
        yield BucketRule(Bucket.DRAW, "open-ended straight draw")
    if len(completing) == 1:
        yield BucketRule(Bucket.WEAK_DRAW, "gutshot")
    if spot.longest_suit == 3:
        yield BucketRule(Bucket.WEAK_DRAW, "backdoor flush draw")
    if over := [RANKS[rank] for rank in spot.ranks if rank >= KING and rank > spot.board[0]]:
        yield BucketRule(Bucket.WEAK_DRAW, f"{over[0]} overcard")


def _has_draw(spot: _Spot) -> bool:
    return spot.longest_suit == 4 or len(spot.straight_ranks) >= 2


def _scare(spot: _Spot) -> str:
    return ", a bucket lower on a scary flop" if spot.scary else ""
