"""Rank bands: the range of places each player may have, instead of an order that the deals do not support.

For each ordered pair of players, the paired differences deal by deal test whether the first is better than the second;
Holm's correction over all k (k - 1) ordered pairs keeps the probability of any false "better than" below 5 %. So with
95 % confidence every player's true place is within its band, simultaneously; for two players, the bands separate
exactly when the interval of the difference excludes 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from tahur.arena.moments import Moments
from tahur.arena.stats import LEVEL
from tahur.core.quantiles import student_reach


@dataclass(frozen=True, slots=True)
class Band:
    """The best and the worst place a player may have; 1 is first."""

    best: int
    worst: int


def bands(moments: Moments, level: float = LEVEL) -> tuple[Band, ...]:
    """The band of each player."""
    better = shown_better(moments, level)
    above, below = better.sum(axis=0), better.sum(axis=1)
    return tuple(Band(1 + int(a), moments.players - int(b)) for a, b in zip(above, below, strict=True))


def shown_better(moments: Moments, level: float = LEVEL) -> NDArray[np.bool_]:
    """(players, players): whether the deals show that the row's player is better than the column's."""
    better = np.zeros((moments.players, moments.players), dtype=np.bool_)
    if moments.count < 2:
        return better
    pairs = list(permutations(range(moments.players), 2))
    pairs.sort(key=lambda pair: -_lead(moments, *pair))
    for shown, (a, b) in enumerate(pairs):
        left = len(pairs) - shown  # Holm: pairs already shown need no correction any more
        lead = _lead(moments, a, b)
        if lead <= 0 or lead <= student_reach(1 - 2 * (1 - level) / left, moments.count - 1):
            break
        better[a, b] = True
    return better


def _lead(moments: Moments, a: int, b: int) -> float:
    """By how many standard errors a is ahead of b."""
    ahead = float(moments.means[a] - moments.means[b])
    error = moments.spread(a, b) / math.sqrt(moments.count)
    if error == 0:
        return math.copysign(math.inf, ahead) if ahead else 0.0
    return ahead / error
