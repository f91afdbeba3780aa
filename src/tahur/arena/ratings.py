"""Ratings: one number per player from pairwise results, on the Elo scale (Bradley and Terry 1952; Elo 1978).

The expected score of a against b is 1 / (1 + 10 ** ((b - a) / 400)). The ratings are the maximum likelihood estimates,
computed by Newton's method, and their mean is `ANCHOR`. (The usual MM algorithm needs more than 200,000 steps for ten
players of whom each won all of 1,000 games against the next.) A player that never lost would have an infinite rating,
so `DRAWN` drawn game is added for every two players who met: half a win for each, whose effect fades with more games.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from tahur.arena.stats import LEVEL
from tahur.core.arrays import Float64s
from tahur.core.errors import ResultsError
from tahur.core.quantiles import normal_reach

ANCHOR: Final = 1500.0
ELO: Final = 400 / math.log(10)  # Elo points for each unit of log strength
DRAWN: Final = 1.0

_CLOSE: Final = 1e-6  # log strength: the error after a step is about the square of the step
_MOST_STEPS: Final = 10_000


@dataclass(frozen=True, slots=True)
class Pairing:
    """What a scored against b in independent games: a win is 1, a draw 1/2, any share between; in duplicate play a
    game is a deal, and its score the mean over the seatings.

    `variance` is that of one game's score, if it was measured. Otherwise score (1 - score) is used, its maximum: the
    intervals are then conservative, too wide for draws and duplicate deals.
    """

    a: str
    b: str
    score_a: float
    games: float
    variance: float | None = None

    def __post_init__(self) -> None:
        if self.a == self.b:
            raise ResultsError(f"{self.a} is paired with itself; a rating needs another player")
        if not (self.games > 0 and math.isfinite(self.games) and 0 <= self.score_a <= self.games):
            raise ResultsError(f"{self.a} scored {self.score_a} in {self.games} games against {self.b}")
        if self.variance is not None and not 0 <= self.variance < math.inf:
            raise ResultsError(f"{self.a} against {self.b}: a variance of {self.variance}")


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating with the interval of its distance from the mean of all."""

    name: str
    rating: float
    low: float
    high: float
    games: float


def rate(pairings: Sequence[Pairing], *, level: float = LEVEL, drawn: float = DRAWN) -> tuple[Rating, ...]:
    """The ratings, best first. All players must be connected by games; `groups` gives the connected parts."""
    if not drawn > 0:
        raise ResultsError(f"{drawn} drawn games added; without any, an unbeaten player has no finite rating")
    parts = groups(pairings)
    if len(parts) != 1:
        listed = "; ".join(", ".join(part) for part in parts) or "nobody played"
        raise ResultsError(f"ratings need one group of players connected by games; there are {len(parts)}: {listed}")
    names = parts[0]
    tables = _Tables.of(pairings, names, drawn)
    logs = _most_likely(tables)
    reach = normal_reach(level) * np.sqrt(np.maximum(_covariance(tables, logs).diagonal(), 0))
    rows = np.stack([logs, logs - reach, logs + reach]) * ELO + ANCHOR
    played = (math.fsum(pairing.games for pairing in pairings if name in (pairing.a, pairing.b)) for name in names)
    ratings = (Rating(*row) for row in zip(names, *rows.tolist(), played, strict=True))
    return tuple(sorted(ratings, key=lambda rating: (-rating.rating, rating.name)))


def groups(pairings: Sequence[Pairing]) -> tuple[tuple[str, ...], ...]:
    """The players, in groups connected by games; different groups cannot be compared."""
    group: dict[str, set[str]] = {}
    for pairing in pairings:
        joined = group.get(pairing.a, {pairing.a}) | group.get(pairing.b, {pairing.b})
        for name in joined:
            group[name] = joined
    return tuple(sorted({tuple(sorted(names)) for names in group.values()}))


@dataclass(frozen=True, slots=True)
class _Tables:
    """(players, players): games, the row's score, both with the added draws; games and sums of known variance."""

    games: Float64s
    wins: Float64s
    unmeasured: Float64s
    measured: Float64s

    @classmethod
    def of(cls, pairings: Sequence[Pairing], names: Sequence[str], drawn: float) -> Self:
        """The sums of all pairings, (4, players, players): the row's player against the column's, see `_row`."""
        parts: defaultdict[tuple[str, str], list[Pairing]] = defaultdict(list)
        for pairing in pairings:
            parts[pairing.a, pairing.b].append(pairing)
            parts[pairing.b, pairing.a].append(
                Pairing(
                    a=pairing.b,
                    b=pairing.a,
                    score_a=pairing.games - pairing.score_a,
                    games=pairing.games,
                    variance=pairing.variance,
                )
            )
        tables = np.zeros((4, len(names), len(names)))
        index = {name: number for number, name in enumerate(names)}
        for (a, b), played in parts.items():
            tables[:, index[a], index[b]] = _row(played, drawn)
        return cls(*tables)


def _row(played: Sequence[Pairing], drawn: float) -> tuple[float, float, float, float]:
    """The totals of the pairings of two players, with `drawn` drawn games added.

    Returns the games, the score of the first player, the games without a measured variance, and the total variance of
    the others. The added games have variance 1/4 each where variances were measured, or a player who won every game
    would be rated without any uncertainty. Sums are exact, so the order of the pairings does not matter.
    """
    known = [(pairing.games, pairing.variance) for pairing in played if pairing.variance is not None]
    games = math.fsum(pairing.games for pairing in played) + drawn
    unmeasured = games - math.fsum(count for count, _ in known) - (drawn if known else 0)
    measured = math.fsum(count * variance for count, variance in known) + (drawn / 4 if known else 0)
    return games, math.fsum(pairing.score_a for pairing in played) + drawn / 2, unmeasured, measured


def _most_likely(tables: _Tables) -> Float64s:
    """The log strengths, with mean 0.

    Newton's method; no step changes the distance of two players by more than 1, which prevents overshooting.
    """
    scores = tables.wins.sum(axis=1)
    logs = np.zeros(len(scores))
    for _ in range(_MOST_STEPS):
        shares = _shares(logs)
        missing = scores - (tables.games * shares).sum(axis=1)
        step = _inverse(tables.games * shares * shares.T) @ missing
        length = float(np.ptp(step))
        logs = logs + step / max(1.0, length)
        if length < _CLOSE:
            return np.asarray(logs - logs.mean())
    raise ResultsError(f"no ratings after {_MOST_STEPS:,} steps: the scores are too one-sided")


def _shares(logs: Float64s) -> Float64s:
    """(players, players): the expected score of the row against the column."""
    return np.asarray(1 / (1 + np.exp(np.clip(logs[None, :] - logs[:, None], -700, 700))))


def _covariance(tables: _Tables, logs: Float64s) -> Float64s:
    """(players, players): the covariance of the log strengths, by the sandwich estimator I⁻¹ V I⁻¹.

    I is the Fisher information of the model, V the variance of the scores: as measured or, for games without a measured
    variance, as in the model. If no variance was measured, V = I and this is I⁻¹.
    """
    shares = _shares(logs)
    variance_per_game = shares * shares.T  # p (1 - p) for each pair
    inverse = _inverse(tables.games * variance_per_game)
    return np.asarray(inverse @ _laplacian(tables.measured + tables.unmeasured * variance_per_game) @ inverse)


def _inverse(weights: Float64s) -> Float64s:
    """The pseudo-inverse of the Laplacian of these weights (players, players).

    The Laplacian itself has no inverse, because ratings are determined only up to a common constant: it is inverted on
    vectors that sum to 0.
    """
    mean = np.full_like(weights, 1 / len(weights))
    return np.asarray(np.linalg.inv(_laplacian(weights) + mean) - mean)


def _laplacian(weights: Float64s) -> Float64s:
    """The graph Laplacian: row sums on the diagonal minus the weights."""
    return np.diag(weights.sum(axis=1)) - weights
