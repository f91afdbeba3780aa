"""Seatings: which player sits in each seat, by number. Over all seatings of a deal no player has the better seats."""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import Final

MOST_PERMUTED: Final = 3  # players; from four on there are too many orders, and rotations are used

Seating = tuple[int, ...]


@cache
def rotations(players: int) -> tuple[Seating, ...]:
    """Every player in every seat once, with the same order around the table."""
    return tuple(tuple((seat + step) % players for seat in range(players)) for step in range(players))


@cache
def duplicates(players: int) -> tuple[Seating, ...]:
    """The seatings in which one deal is played so that its cards favour nobody."""
    return tuple(permutations(range(players))) if players <= MOST_PERMUTED else rotations(players)
