"""The planner: how many deals are needed to tell two players apart.

Two players are told apart when the interval of their difference, paired deal by deal, excludes 0. That depends on luck,
so a plan has a power: the probability that a match of that many deals tells them apart.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from tahur.arena.moments import Moments
from tahur.arena.stats import LEVEL, gap
from tahur.core.errors import ResultsError
from tahur.core.quantiles import normal_quantile, normal_reach

POWER: Final = 0.9
FEWEST_PILOT: Final = 10  # deals; with fewer, the standard deviation is too uncertain


@dataclass(frozen=True, slots=True)
class Plan:
    """Deals needed for a gap between two players, in total, not in addition; 95 % confident in `fewest` to `most`."""

    gap: float
    sd: float
    deals: int
    fewest: int
    most: int


def deals_needed(gap: float, sd: float, power: float = POWER, level: float = LEVEL) -> int:
    """The deals needed to tell apart two players who differ by `gap`, with standard deviation `sd` over deals.

    Both are of the paired difference, in the same unit. The last term corrects for the standard deviation being
    estimated (Guenther 1981); without it a small match would be planned two deals too short.
    """
    if not (math.isfinite(gap) and gap and math.isfinite(sd) and sd >= 0):
        raise ResultsError(f"a gap of {gap} with a standard deviation of {sd}; both must be finite and the gap not 0")
    reach = normal_reach(level)
    errors = (reach + normal_quantile(power)) * sd / gap
    deals = errors * errors + reach * reach / 2
    if not math.isfinite(deals):
        raise ResultsError(f"a gap of {gap} with a standard deviation of {sd}: no match is long enough")
    return max(2, math.ceil(deals))


def tell_apart(moments: Moments, a: int, b: int, *, power: float = POWER, level: float = LEVEL) -> Plan | None:
    """The plan for the measured gap; None if its interval includes 0: then use `plan` with a gap of interest.

    The range covers the uncertainty of gap and standard deviation together. Players who were only just told apart owe
    it partly to luck, so their plan is short and their range wide.
    """
    measured = gap(moments, a, b, level)
    if measured.holds(0) or not math.isfinite(measured.half_width):
        return None
    sd = moments.spread(a, b)
    near, far = sorted((abs(measured.low), abs(measured.high)))
    low, high = spread_range(moments, a, b, level)
    return Plan(
        gap=measured.mean,
        sd=sd,
        deals=deals_needed(measured.mean, sd, power, level),
        fewest=deals_needed(far, low, power, level),
        most=deals_needed(near, high, power, level),
    )


def plan(
    moments: Moments, a: int, b: int, gap_of_interest: float, *, power: float = POWER, level: float = LEVEL
) -> Plan:
    """The plan for a gap of interest; the standard deviation is estimated from the deals played so far, the pilot."""
    if moments.count < FEWEST_PILOT:
        raise ResultsError(f"a plan from {moments.count} deals; a pilot needs at least {FEWEST_PILOT}")
    spreads = (moments.spread(a, b), *spread_range(moments, a, b, level))
    deals, fewest, most = (deals_needed(gap_of_interest, sd, power, level) for sd in spreads)
    return Plan(gap=gap_of_interest, sd=spreads[0], deals=deals, fewest=fewest, most=most)


def spread_range(moments: Moments, a: int, b: int, level: float = LEVEL) -> tuple[float, float]:
    """An interval of the standard deviation of the difference.

    The variance of an estimated variance grows with the kurtosis, which in poker is far above that of a normal
    distribution; the larger kurtosis of the two players is used, which is exact if their payoffs sum to zero.
    """
    sd = moments.spread(a, b)
    if moments.count < 2:
        return 0.0, math.inf
    kurtosis = max(3.0, float(moments.kurtosis[a]), float(moments.kurtosis[b]))
    factor = math.exp(normal_reach(level) / 2 * math.sqrt((kurtosis - 1) / (moments.count - 1)))
    return sd / factor, sd * factor
