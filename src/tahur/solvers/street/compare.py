"""The distance between two strategies of the street game, row by row: half the sum of the absolute differences.

That is the share of the time in which they act differently. It says nothing about what the difference costs, so a
comparison is printed together with the exploitability of both strategies. Buckets that cannot occur are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tahur.core.arrays import Float64s
from tahur.games.holdem.buckets import Bucket
from tahur.games.holdem.textures import Texture
from tahur.solvers.street.game import StreetGame
from tahur.solvers.street.views import TABLES, check_strategy, frequencies, name_of, occurring

FLAGGED_ABOVE: Final = 0.15


@dataclass(frozen=True, slots=True)
class Difference:
    """One bucket at one table: its probabilities in both strategies."""

    texture: Texture
    table: str
    bucket: Bucket
    one: dict[str, float]  # action: probability
    other: dict[str, float]

    @property
    def distance(self) -> float:
        """0 (the same) to 1 (never the same action)."""
        return sum(abs(share - self.other[action]) for action, share in self.one.items()) / 2

    @property
    def flagged(self) -> bool:
        return self.distance > FLAGGED_ABOVE


def compare(game: StreetGame, one: Float64s, other: Float64s) -> Iterator[Difference]:
    """Every bucket that can occur on every table, in order."""
    check_strategy(one)
    check_strategy(other)
    held = occurring(game)
    for at, table in enumerate(TABLES):
        for bucket in (bucket for bucket in Bucket if held[at, bucket]):
            yield Difference(
                texture=game.texture,
                table=name_of(table),
                bucket=bucket,
                one=frequencies(one[at, bucket], table),
                other=frequencies(other[at, bucket], table),
            )
