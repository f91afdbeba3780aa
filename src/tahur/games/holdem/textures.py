"""The five textures of a flop: monotone, paired, wet, high dry, low dry.

They are tested in that order and the first match counts, so every flop has exactly one. *Wet* requires two cards of one
suit and three connected ranks: every gap between neighbours is at most two, with the ace high or low.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Final

from tahur.cards.cards import RANKS, SUITS, cards_text, check_distinct
from tahur.core.errors import CardError

FLOP: Final = 3  # board cards
WIDEST_GAP: Final = 2  # between neighbouring ranks of a connected flop
BROADWAY: Final = RANKS.index("T")
ACE: Final = RANKS.index("A")
ACE_LOW: Final = -1  # below the deuce, which is 0


class Texture(StrEnum):
    """In order of priority."""

    MONOTONE = "monotone"
    PAIRED = "paired"
    WET = "wet"
    HIGH_DRY = "high_dry"
    LOW_DRY = "low_dry"

    @property
    def scary(self) -> bool:
        """Whether flushes or straights are likely enough to make good hands weaker."""
        return self in (Texture.MONOTONE, Texture.WET)


@dataclass(frozen=True, slots=True)
class FlopReading:
    """The texture of a flop, and the reason in words."""

    texture: Texture
    reason: str


def texture_of(flop: Sequence[int]) -> Texture:
    """The texture of three cards."""
    return read_flop(flop).texture


def read_flop(flop: Sequence[int]) -> FlopReading:
    """The texture of three cards, and the reason in words."""
    check_flop(flop)
    suits = [card & 3 for card in flop]
    most = max(set(suits), key=suits.count)
    high = [RANKS[rank] for rank in sorted((card >> 2 for card in flop), reverse=True) if rank >= BROADWAY]
    if suits.count(most) == FLOP:
        return FlopReading(Texture.MONOTONE, f"three cards of one suit, {SUITS[most]}")
    if pair := _rank_of_pair(flop):
        return FlopReading(Texture.PAIRED, f"more than one {pair} on the board")
    if suits.count(most) == 2 and is_connected(flop):
        return FlopReading(Texture.WET, f"two cards of one suit, {SUITS[most]}, and no gap wider than {WIDEST_GAP}")
    if len(high) >= 2:
        return FlopReading(Texture.HIGH_DRY, f"{' and '.join(high)} are ten or higher, and it is not wet")
    count = f"only {high[0]} is" if high else "no card is"
    return FlopReading(Texture.LOW_DRY, f"{count} ten or higher, and it is not wet")


def is_connected(flop: Sequence[int]) -> bool:
    """Whether no gap between neighbouring ranks is wider than two, with the ace high or low."""
    ranks = [card >> 2 for card in flop]
    low_aces = [ACE_LOW if rank == ACE else rank for rank in ranks]
    return _close(ranks) or _close(low_aces)


def check_flop(flop: Sequence[int]) -> None:
    """Raise `CardError` unless it is three distinct cards."""
    if len(flop) != FLOP:
        raise CardError(f"'{cards_text(flop)}' is {len(flop)} cards; a flop is {FLOP}, such as Tc7d2s")
    check_distinct(("the flop", flop))


def _rank_of_pair(flop: Sequence[int]) -> str:
    """The rank that occurs more than once, or an empty string."""
    ranks = [card >> 2 for card in flop]
    return next((RANKS[rank] for rank in ranks if ranks.count(rank) > 1), "")


def _close(ranks: Sequence[int]) -> bool:
    return all(high - low <= WIDEST_GAP for low, high in pairwise(sorted(ranks)))
