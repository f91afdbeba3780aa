"""Our quantiles against SciPy's."""

from __future__ import annotations

import math

import pytest
from scipy import stats

from tahur.core.errors import ResultsError
from tahur.core.quantiles import normal_quantile, normal_reach, student_reach

LEVELS = [0.5, 0.9, 0.95, 0.99, 0.999, 0.99999]


@pytest.mark.parametrize("level", LEVELS)
def test_students_quantiles_are_scipys(level: float) -> None:
    for freedom in [*range(1, 30), 59, 60, 199, 200, 201, 202, 1_000, 12_345, 10_000_000]:
        theirs = stats.t.isf((1 - level) / 2, freedom)
        assert student_reach(level, freedom) == pytest.approx(theirs, rel=2e-9), freedom


@pytest.mark.parametrize("level", LEVELS)
def test_normal_quantiles_are_scipys(level: float) -> None:
    assert normal_reach(level) == pytest.approx(stats.norm.isf((1 - level) / 2), rel=1e-10)
    assert normal_quantile(level) == pytest.approx(stats.norm.ppf(level), rel=1e-10)


def test_without_degrees_of_freedom_the_reach_is_infinite() -> None:
    assert student_reach(0.95, 0) == math.inf


@pytest.mark.parametrize("level", [0.0, 1.0, 95.0, -0.1, math.nan])
def test_a_level_that_is_no_probability_is_refused(level: float) -> None:
    with pytest.raises(ResultsError, match="between 0 and 1"):
        student_reach(level, 5)
