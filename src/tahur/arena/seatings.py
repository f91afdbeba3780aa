"""Who sits where. A seating is the player of each seat, by number; over all seatings no seat's luck is anybody's."""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import Final

MOST_PERMUTED: Final = 3  # players; from four on the orders are too many, and each sits in each seat once

Seating = tuple[int, ...]


@cache
def rotations(players: int) -> tuple[Seating, ...]:
    """Everybody in every seat once, the order around the table kept."""
    return tuple(tuple((seat + step) % players for seat in range(players)) for step in range(players))


@cache
def duplicates(players: int) -> tuple[Seating, ...]:
    """The seatings that one deal is played in so that its cards favour nobody."""
    return tuple(permutations(range(players))) if players <= MOST_PERMUTED else rotations(players)
