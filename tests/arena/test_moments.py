"""Moments: the same as over all rows at once, and the same bits whoever computed the blocks."""

from __future__ import annotations

from functools import reduce

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tahur.arena.moments import Moments
from tahur.core.errors import ResultsError


def rows(deals: int, players: int = 3, seed: int = 1) -> np.ndarray:
    results = np.random.default_rng(seed).exponential(3.0, (deals, players))
    return results - results.mean(axis=1, keepdims=True)  # they add up to 0


def merged(results: np.ndarray, cuts: list[int]) -> Moments:
    blocks = (Moments.of(block) for block in np.split(results, cuts))
    return reduce(Moments.merged, blocks, Moments.nothing(results.shape[1]))


@given(st.lists(st.integers(0, 400), max_size=6), st.integers(2, 400), st.integers(0, 9))
def test_blocks_add_up_to_the_whole(cuts: list[int], deals: int, seed: int) -> None:
    results = rows(deals, seed=seed)
    moments = merged(results, sorted(cuts))
    assert moments.count == deals
    np.testing.assert_allclose(moments.means, results.mean(axis=0), atol=1e-12)
    np.testing.assert_allclose(moments.covariance, np.cov(results.T), atol=1e-11)
    if deals > 3:  # SciPy warns where all are equal but for rounding
        np.testing.assert_allclose(moments.skewness, stats.skew(results), atol=1e-9)
        np.testing.assert_allclose(moments.kurtosis, stats.kurtosis(results, fisher=False), rtol=1e-9)


def test_the_same_blocks_give_the_same_bits_whoever_computed_them_and_when() -> None:
    results = rows(10_000, players=4)
    cuts = [1_000, 2_500, 2_501, 9_000]
    blocks = np.split(results, cuts)
    late_first = [Moments.of(np.asfortranarray(block)) for block in reversed(blocks)][::-1]
    assert reduce(Moments.merged, late_first, Moments.nothing(4)) == merged(results, cuts)
    assert merged(results, cuts) != merged(results, cuts[:-1])  # else this test could not fail


def test_a_large_mean_costs_no_precision() -> None:
    results = rows(3_000) + 1e9
    rounded = results - 1e9  # what is left of the results at that size
    moments = merged(results, list(range(7, 3_000, 7)))
    np.testing.assert_allclose(moments.covariance, np.cov(rounded.T), rtol=1e-6)


def test_equal_results_have_their_own_value_as_mean_and_no_variance() -> None:
    moments = merged(np.full((1_000, 2), 0.1), [3, 500])
    assert moments.means.tolist() == [0.1, 0.1]
    assert not moments.products.any()
    assert moments.skewness.tolist() == moments.kurtosis.tolist() == [0.0, 0.0]


def test_the_spread_of_a_difference_is_that_of_the_paired_results() -> None:
    results = rows(500)
    paired = results[:, 2] - results[:, 0]
    assert Moments.of(results).spread(2, 0) == pytest.approx(paired.std(ddof=1), rel=1e-12)
    assert Moments.of(results).spread(1, 1) == 0.0
    assert Moments.of(results[:1]).spread(2, 0) == np.inf


@pytest.mark.parametrize(
    ("results", "told"),
    [
        ([1.0, 2.0], "shape"),
        (np.zeros((3, 0)), "shape"),
        ([[1.0, 2.0], [np.nan, 1.0]], "deal 1 has"),
        ([[np.inf, 2.0]], "deal 0 has"),
    ],
)
def test_results_that_are_none_are_refused(results: object, told: str) -> None:
    with pytest.raises(ResultsError, match=told):
        Moments.of(results)  # type: ignore[arg-type]


def test_matches_of_different_size_are_not_merged() -> None:
    with pytest.raises(ResultsError, match="2 players and of 3"):
        Moments.of(rows(5, 2)).merged(Moments.of(rows(5, 3)))
