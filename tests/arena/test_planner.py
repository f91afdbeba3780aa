"""The planner, against the exact power of the t test (SciPy's noncentral t) and against simulated matches."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from tahur.arena.moments import Moments
from tahur.arena.planner import deals_needed, plan, spread_range, tell_apart
from tahur.arena.stats import gap
from tahur.core.errors import ResultsError


def power(deals: int, lead: float, sd: float, level: float = 0.95) -> float:
    """The chance that the interval of a lead leaves out 0 on the right side."""
    return float(stats.nct.sf(stats.t.isf((1 - level) / 2, deals - 1), deals - 1, lead / sd * deals**0.5))


def pair(deals: int, lead: float, sd: float, seed: int) -> Moments:
    """Two players whose payoffs add up to 0 and whose difference has that standard deviation."""
    half = np.random.default_rng(seed).normal(lead / 2, sd / 2, deals)
    return Moments.of(np.column_stack([half, -half]))


@pytest.mark.parametrize("lead", [0.05, 0.3, 1.0])
@pytest.mark.parametrize("wanted", [0.5, 0.8, 0.9, 0.99])
@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_so_many_deals_have_the_power_and_fewer_do_not(lead: float, wanted: float, level: float) -> None:
    deals = deals_needed(lead, 1.0, wanted, level)
    assert power(deals + 1, lead, 1.0, level) >= wanted  # the formula may be a deal short or long
    assert power(deals - 2, lead, 1.0, level) < wanted


def test_half_the_gap_needs_four_times_the_deals_whatever_its_sign_and_unit() -> None:
    assert deals_needed(0.01, 1.0) == pytest.approx(4 * deals_needed(0.02, 1.0), rel=1e-3)
    assert deals_needed(-0.02, 1.0) == deals_needed(0.02, 1.0) == deals_needed(2.0, 100.0)
    assert deals_needed(1.0, 0.0) == 2


@pytest.mark.parametrize(("lead", "sd"), [(0.0, 1.0), (1.0, -1.0), (1.0, math.inf), (math.nan, 1.0), (1e-300, 1.0)])
def test_a_question_without_answer_is_refused(lead: float, sd: float) -> None:
    with pytest.raises(ResultsError, match="a gap of"):
        deals_needed(lead, sd)


def test_matches_as_long_as_planned_tell_apart_as_often_as_promised() -> None:
    deals = deals_needed(0.4, 2.0)
    apart = sum(gap(pair(deals, 0.4, 2.0, seed), 0, 1).low > 0 for seed in range(1_000))
    assert apart / 1_000 == pytest.approx(0.9, abs=0.025)


def test_players_who_cannot_be_told_apart_are_planned_for_by_a_gap_of_interest() -> None:
    pilot = pair(300, 0.0, 2.0, seed=1)
    assert tell_apart(pilot, 0, 1) is None
    assert tell_apart(Moments.of([[1.0, -1.0]]), 0, 1) is None
    asked = plan(pilot, 0, 1, 0.1)
    assert asked.deals == deals_needed(0.1, pilot.spread(0, 1))
    assert asked.fewest < deals_needed(0.1, 2.0) < asked.most < 2 * asked.fewest
    with pytest.raises(ResultsError, match="a pilot needs at least 10"):
        plan(pair(9, 0.0, 2.0, seed=1), 0, 1, 0.1)


def test_the_range_of_a_plan_holds_the_true_need() -> None:
    need = deals_needed(1.0, 2.0)
    told = [tell_apart(pair(100, 1.0, 2.0, seed), 0, 1) for seed in range(500)]
    ranges = [(each.fewest, each.most) for each in told if each]
    held = sum(fewest <= need <= most for fewest, most in ranges)
    assert len(ranges) > 480
    assert held / len(ranges) >= 0.95


def test_either_player_may_be_named_first() -> None:
    one, other = (tell_apart(pair(300, 1.0, 2.0, 1), *seats) for seats in ((0, 1), (1, 0)))
    assert one is not None
    assert other is not None
    assert (one.deals, one.fewest, one.most, one.gap) == (other.deals, other.fewest, other.most, -other.gap)


@pytest.mark.parametrize(("name", "least"), [("norm", 0.93), ("laplace", 0.92), ("logistic", 0.93)])
def test_the_range_of_the_spread_holds_the_true_one(name: str, least: float) -> None:
    kind = getattr(stats, name)
    draws = kind.rvs(size=(1_000, 300), random_state=np.random.default_rng(2))
    truth = 2 * kind.std()
    held = [low <= truth <= high for low, high in (spread_range(_doubled(row), 0, 1) for row in draws)]
    assert least <= np.mean(held) <= 0.98


def _doubled(row: np.ndarray) -> Moments:
    return Moments.of(np.column_stack([row, -row]))
