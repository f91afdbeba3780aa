"""Intervals, and when a match may stop."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from tahur.arena.moments import Moments
from tahur.arena.stats import Interval, gap, interval, intervals, is_narrow_enough, trusted_from
from tahur.core.errors import ResultsError


def normal(deals: int, players: int = 2, seed: int = 5) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((deals, players))


@pytest.mark.parametrize("deals", [2, 3, 10, 60, 1_000])
@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_the_interval_is_scipys(deals: int, level: float) -> None:
    column = normal(deals)[:, 0]
    ours = interval(column, level)
    error = column.std(ddof=1) / deals**0.5
    low, high = stats.t.interval(level, deals - 1, column.mean(), error)
    assert (ours.mean, ours.low, ours.high, ours.se) == pytest.approx((column.mean(), low, high, error), rel=1e-8)
    assert ours.count == deals


def test_below_two_deals_everything_is_possible() -> None:
    none, one = interval([]), interval([3.0])
    assert math.isnan(none.mean)
    assert (one.mean, one.count) == (3.0, 1)
    for each in (none, one):
        assert (each.low, each.high, each.se) == (-math.inf, math.inf, math.inf)
        assert each.half_width == math.inf
        assert each.holds(1e300)


def test_equal_results_leave_no_doubt() -> None:
    assert interval([0.1] * 7) == Interval(mean=0.1, low=0.1, high=0.1, se=0.0, count=7)


def test_a_gap_is_paired_by_deal() -> None:
    luck = normal(400, 1, seed=1) * 100
    results = luck + normal(400) + [0.5, 0.0]
    moments = Moments.of(results)
    assert gap(moments, 0, 1).half_width < 0.2 < 5 < intervals(moments)[0].half_width
    assert gap(moments, 0, 1) == gap(moments, 0, 1)
    paired = interval(results[:, 0] - results[:, 1])
    assert gap(moments, 0, 1).low == pytest.approx(paired.low, rel=1e-6)
    assert gap(moments, 1, 0).high == pytest.approx(-paired.low, rel=1e-6)


def test_another_unit_scales_all_but_the_count() -> None:
    assert Interval(mean=1, low=-1, high=3, se=0.5, count=9).scaled(50) == Interval(
        mean=50, low=-50, high=150, se=25, count=9
    )
    with pytest.raises(ResultsError, match="scale of -1"):
        Interval(mean=1, low=-1, high=3, se=0.5, count=9).scaled(-1)


def test_a_match_stops_when_the_widest_interval_is_narrow_enough() -> None:
    results = normal(400) * [1.0, 3.0]
    wide = intervals(Moments.of(results))[1].half_width
    assert is_narrow_enough(Moments.of(results), wide)
    assert not is_narrow_enough(Moments.of(results), wide * 0.999)


def test_a_match_does_not_stop_before_it_is_long_enough() -> None:
    assert not is_narrow_enough(Moments.of(normal(199)), 1e6)
    assert is_narrow_enough(Moments.of(normal(200)), 1e6)
    assert is_narrow_enough(Moments.of(normal(50)), 1e6, fewest=50)
    assert not is_narrow_enough(Moments.nothing(2), 1e6, fewest=0)


def test_a_lopsided_match_does_not_stop_on_luck() -> None:
    results = np.full((1_000, 1), -0.75)
    results[:4] = 100.0  # skewness 15.7: some 6,200 deals
    moments = Moments.of(results)
    assert trusted_from(moments) == pytest.approx(25 * stats.skew(results)[0] ** 2, rel=1e-3)
    assert not is_narrow_enough(moments, 1e6)
    assert trusted_from(Moments.of(normal(1_000))) == 30


@pytest.mark.parametrize("half_width", [0.0, -5.0, math.nan])
def test_a_width_that_is_none_is_refused(half_width: float) -> None:
    with pytest.raises(ResultsError, match="larger than 0"):
        is_narrow_enough(Moments.of(normal(300)), half_width)


def test_a_table_of_results_is_no_column() -> None:
    with pytest.raises(ResultsError, match="one number for each deal"):
        interval(normal(5))
