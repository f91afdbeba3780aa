"""A hand-made strategy for every texture, table and bucket, and the distance between two strategies.

Numbers are percentages. Like most charts, it ignores the size of a bet or a raise and the seat that faces it;
`exploitability` measures what that costs. Seven of its rows come from the original description of the street solver;
the others were written to match them.

The distance (`compare`) is half the sum of the absolute differences of a row: the share of the time in which they act
differently. It says nothing about what the difference costs, so a comparison is printed together with the
exploitability of both strategies. Buckets that cannot occur are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tahur.core.arrays import Float64s
from tahur.games.holdem.buckets import Bucket
from tahur.games.holdem.textures import Texture
from tahur.solvers.street.game import StreetGame
from tahur.solvers.street.views import (
    KINDS,
    TABLES,
    DecisionKind,
    by_kind,
    check_strategy,
    empty,
    frequencies,
    name_of,
    occurring,
)

WIDTHS: Final = {
    DecisionKind.FIRST: 4,
    DecisionKind.VERSUS_CHECK: 4,
    DecisionKind.FACING_BET: 3,
    DecisionKind.FACING_RAISE: 2,
}

_CHARTS: Final = {
    Texture.MONOTONE: """
                   first           | versus check    | facing a bet    | a raise
                   check   s  m  l | check   s  m  l | fold call raise | fold call
        premium       20  20 30 30 |     5  20 35 40 |    0   40    60 |    0  100
        nut           25  25 35 15 |    15  25 40 20 |    0   65    35 |    5   95
        strong        35  35 30  0 |    20  35 45  0 |    0   80    20 |   15   85
        good          55  30 15  0 |    40  40 20  0 |   20   80     0 |   50   50
        medium        75  25  0  0 |    60  35  5  0 |   45   55     0 |   80   20
        draw          45  25 30  0 |    45  25 25  5 |   15   75    10 |   45   55
        weak_made     90  10  0  0 |    80  20  0  0 |   65   35     0 |   95    5
        weak_draw     75  20  5  0 |    65  25 10  0 |   80   20     0 |  100    0
        air           75  15 10  0 |    60  25 15  0 |   95    0     5 |  100    0
    """,
    Texture.PAIRED: """
                   first           | versus check    | facing a bet    | a raise
                   check   s  m  l | check   s  m  l | fold call raise | fold call
        premium       35  35 20 10 |    15  40 30 15 |    0   65    35 |    0  100
        nut           30  30 30 10 |    20  30 35 15 |    0   60    40 |    5   95
        strong        25  40 25 10 |    10  40 35 15 |    0   75    25 |    5   95
        good          40  40 20  0 |    25  45 30  0 |   15   80     5 |   40   60
        medium        65  30  5  0 |    50  40 10  0 |   35   65     0 |   70   30
        draw          50  35 15  0 |    40  35 25  0 |   25   65    10 |   60   40
        weak_made     75  25  0  0 |    65  35  0  0 |   55   45     0 |   90   10
        weak_draw     65  30  5  0 |    50  40 10  0 |   70   25     5 |   95    5
        air           60  35  5  0 |    45  45 10  0 |   90    0    10 |  100    0
    """,
    Texture.WET: """
                   first           | versus check    | facing a bet    | a raise
                   check   s  m  l | check   s  m  l | fold call raise | fold call
        premium       15  10 35 40 |     5  10 40 45 |    0   35    65 |    0  100
        nut           20  10 40 30 |    10  10 45 35 |    0   45    55 |    0  100
        strong        25  15 40 20 |    15  15 45 25 |    0   75    25 |   10   90
        good          45  25 30  0 |    30  30 40  0 |   15   80     5 |   45   55
        medium        65  25 10  0 |    55  30 15  0 |   40   60     0 |   75   25
        draw          45  20 25 10 |    40  20 30 10 |   20   65    15 |   50   50
        weak_made     85  15  0  0 |    75  25  0  0 |   65   35     0 |   95    5
        weak_draw     70  15 10  5 |    60  20 15  5 |   80   15     5 |  100    0
        air           70  10 10 10 |    55  20 15 10 |   95    0     5 |  100    0
    """,
    Texture.HIGH_DRY: """
                   first           | versus check    | facing a bet    | a raise
                   check   s  m  l | check   s  m  l | fold call raise | fold call
        premium       25  25 30 20 |    10  25 40 25 |    0   45    55 |    0  100
        nut           20  25 35 20 |    10  20 45 25 |    0   55    45 |    0  100
        strong        25  25 40 10 |    15   0 60 25 |    0   85    15 |   10   90
        good          35  25 40  0 |    25  35 40  0 |   10   90     0 |   40   60
        medium        65  30  5  0 |    50  40 10  0 |   30   70     0 |   75   25
        draw          50  30 20  0 |    40  30 30  0 |   25   65    10 |   60   40
        weak_made     80  20  0  0 |    70  30  0  0 |   55   45     0 |   90   10
        weak_draw     65  25  5  5 |    50  30 15  5 |   75   20     5 |   95    5
        air           65  15  5 15 |    50  25 10 15 |   95    0     5 |  100    0
    """,
    Texture.LOW_DRY: """
                   first           | versus check    | facing a bet    | a raise
                   check   s  m  l | check   s  m  l | fold call raise | fold call
        premium       25  20 30 25 |    10  20 40 30 |    0   45    55 |    0  100
        nut           20  20 35 25 |    10  20 40 30 |    0   50    50 |    0  100
        strong        25  25 35 15 |    15  20 45 20 |    0   80    20 |   10   90
        good          40  30 30  0 |    30  30 40  0 |   10   85     5 |   40   60
        medium        60  30 10  0 |    50  35 15  0 |   40   60     0 |   75   25
        draw          50  25 25  0 |    40  25 30  5 |   25   65    10 |   55   45
        weak_made     75  25  0  0 |    65  30  5  0 |   55   45     0 |   90   10
        weak_draw     65  20  5 10 |    50  30 10 10 |   75   20     5 |   95    5
        air           60  10  0 30 |    50  20  5 25 |   95    0     5 |  100    0
    """,
}


def baseline(texture: Texture) -> NDArray[np.float64]:
    """The chart as a strategy: (14, 9, 4), as in `views`."""
    charts = _parse_table(texture)
    strategy = empty()
    for kind in KINDS:
        strategy[by_kind(kind)] = charts[kind]
    return strategy


def _parse_table(texture: Texture) -> dict[DecisionKind, NDArray[np.float64]]:
    """(9, 4) for each kind of table."""
    lines = [line.replace("|", " ").split() for line in _CHARTS[texture].strip().splitlines()[2:]]
    numbers = {name: [int(percent) / 100 for percent in percents] for name, *percents in lines}
    charts: dict[DecisionKind, NDArray[np.float64]] = {}
    start = 0
    for kind, width in WIDTHS.items():
        charts[kind] = np.zeros((len(Bucket), 4))
        for bucket in Bucket:
            charts[kind][bucket, :width] = numbers[bucket.label][start : start + width]
        start += width
    return charts


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
