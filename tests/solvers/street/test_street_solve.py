"""CFR on the street game: the value of the linear program, a true exploitability, and what the views cost."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from solvers.street import plain_response
from solvers.street.linear_program import solve as linear_program
from tahur.games.holdem.textures import Texture
from tahur.solvers.schedule import DCFR
from tahur.solvers.street.baseline import baseline
from tahur.solvers.street.game import StreetGame
from tahur.solvers.street.matrices import exact, independent, sampled
from tahur.solvers.street.solve import ITERATIONS, SolvedTexture, exploitability, from_views, solve, to_views
from tahur.solvers.street.views import average_view, check_strategy, uniform
from tahur.solvers.unroll import unroll


def finished(steps) -> SolvedTexture:  # type: ignore[no-untyped-def]
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            return stop.value


@cache
def solved(texture: Texture) -> SolvedTexture:
    return finished(solve(exact(texture)))


@pytest.mark.parametrize("texture", Texture)
def test_cfr_comes_to_the_value_of_the_linear_program(texture: Texture) -> None:
    assert solved(texture).measure.value == pytest.approx(linear_program(StreetGame(texture)).value, abs=1e-6)


@pytest.mark.parametrize("texture", Texture)
def test_ten_thousand_iterations_leave_less_than_a_hundred_thousandth_of_the_pot(texture: Texture) -> None:
    found = solved(texture)
    assert found.curve[-1].iteration == ITERATIONS
    assert 0 < found.measure.exploitability <= 1e-5
    assert found.measure.nashconv == 2 * found.measure.exploitability


@pytest.mark.parametrize("texture", Texture)
def test_the_kernels_measure_what_a_plain_best_response_measures(texture: Texture) -> None:
    found = solved(texture)
    check_strategy(found.strategy)
    for strategy in (found.strategy, average_view(found.strategy).strategy, baseline(texture), uniform()):
        plain = plain_response.exploitability(found.game, strategy)
        assert exploitability(found.game, strategy) == pytest.approx(plain, abs=1e-12)


@pytest.mark.parametrize("texture", Texture)
def test_averaging_over_sizes_and_seats_costs_ten_to_seventeen_percent_of_the_pot(texture: Texture) -> None:
    """Both seats together; seen 11 to 17. The solved tables, kept apart, cost nothing."""
    assert 0.10 <= 2 * solved(texture).averaged_view_cost <= 0.18


def test_the_curve_falls() -> None:
    curve = [point.exploitability for point in solved(Texture.WET).curve]
    assert curve == sorted(curve, reverse=True)
    assert curve[0] > 0.1


def test_another_schedule_comes_to_the_same_value() -> None:
    other = finished(solve(exact(Texture.WET), iterations=2_000, schedule=DCFR))
    assert other.measure.value == pytest.approx(solved(Texture.WET).measure.value, abs=1e-4)


def test_hands_dealt_independently_are_another_game() -> None:
    alone = finished(solve(independent(exact(Texture.LOW_DRY))))
    assert alone.measure.exploitability <= 1e-5
    assert abs(alone.measure.value - solved(Texture.LOW_DRY).measure.value) > 0.002


def test_sampled_equities_are_solved_too_and_the_same_seed_gives_the_same_strategy() -> None:
    one, again = (finished(solve(sampled(Texture.PAIRED, np.random.default_rng(7)), iterations=500)) for _ in range(2))
    assert np.array_equal(one.strategy, again.strategy)
    assert one.measure.exploitability < 1e-3


def test_a_strategy_goes_to_the_tree_and_back() -> None:
    tree = unroll(StreetGame(Texture.WET))
    strategy = baseline(Texture.WET)
    assert np.array_equal(to_views(tree, from_views(tree, strategy)), strategy)
