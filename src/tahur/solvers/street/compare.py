"""How far two strategies of the street game are apart, row by row: half the sum of the absolute differences.

That is the share of the time in which they act differently. It says nothing about what the difference costs, which is
why a comparison is told together with the exploitability of both sides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tahur.games.holdem.buckets import Bucket
from tahur.games.holdem.textures import Texture
from tahur.solvers.street.views import TABLES, Strategy, check_strategy, name_of

FLAGGED_ABOVE: Final = 0.15


@dataclass(frozen=True, slots=True)
class Difference:
    """One bucket on one table."""

    texture: Texture
    table: str
    bucket: Bucket
    distance: float  # 0 to 1

    @property
    def flagged(self) -> bool:
        return self.distance > FLAGGED_ABOVE


def compare(texture: Texture, one: Strategy, other: Strategy) -> Iterator[Difference]:
    """Every bucket on every table, in order."""
    check_strategy(one)
    check_strategy(other)
    distances = abs(one - other).sum(axis=2) / 2
    for at, table in enumerate(TABLES):
        for bucket in Bucket:
            yield Difference(texture, name_of(table), bucket, float(distances[at, bucket]))
