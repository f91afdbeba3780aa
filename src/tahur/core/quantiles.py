"""Quantiles of the normal distribution and of Student's t: the half-width of an interval in standard errors.

Student's t is exact to rounding up to `_SERIES_UP_TO` degrees of freedom (a finite sum, inverted by bisection), and to
eight digits or more beyond (an expansion around the normal). This avoids a dependency on a statistics library.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist
from typing import Final

from tahur.core.errors import ResultsError

_SERIES_UP_TO: Final = 200
_HALVINGS: Final = 100


def check_level(level: float) -> None:
    """Raise `ResultsError` unless a confidence level, or a power, is strictly between 0 and 1."""
    if not 0 < level < 1:
        raise ResultsError(f"a level of {level}; it must be between 0 and 1, such as 0.95")


def normal_reach(level: float) -> float:
    """The z with P(-z < Z < z) = level: 1.96 for 0.95."""
    check_level(level)
    return NormalDist().inv_cdf(0.5 + level / 2)


def normal_quantile(probability: float) -> float:
    """The z with P(Z < z) = probability."""
    check_level(probability)
    return NormalDist().inv_cdf(probability)


@lru_cache(maxsize=4096)
def student_reach(level: float, freedom: int) -> float:
    """The t with P(-t < T < t) = level for `freedom` degrees of freedom; infinite for none."""
    check_level(level)
    if freedom < 1:
        return math.inf
    return (
        _quantile_by_bisection(level, freedom)
        if freedom <= _SERIES_UP_TO
        else _quantile_by_series(normal_reach(level), freedom)
    )


def _quantile_by_bisection(level: float, freedom: int) -> float:
    """Bisect the angle arctan(t / sqrt(freedom)), which is bounded although t is not."""
    low, high = 0.0, math.pi / 2
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, freedom) < level else (low, middle)
    return math.sqrt(freedom) * math.tan(low)


def _within(angle: float, freedom: int) -> float:
    """P(-t < T < t) for t = sqrt(freedom) tan(angle): Abramowitz and Stegun 26.7.3 and 26.7.4, all terms positive."""
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = freedom % 2
    term, total = (cosine, 0.0) if odd else (1.0, 0.0)
    for step in range(1 + odd, freedom, 2):
        total += term
        term *= cosine * cosine * step / (step + 1)
    return 2 / math.pi * (angle + sine * total) if odd else sine * total


def _quantile_by_series(z: float, freedom: int) -> float:
    """Abramowitz and Stegun 26.7.5."""
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + math.fsum(term / float(freedom) ** power for power, term in enumerate(terms, start=1))
