"""Each figure of a personality moves its statistic as it should, and the minds can be told apart by what they do.

The measuring is that of the tables in docs/perudo.md; here it is done on less, and in the slow tests on as much.
"""

from __future__ import annotations

import sys
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[3] / "tools"))

from perudo_probe import DIRECTIONS, Direction, moved, situations
from perudo_tables import MINDS, apart, profiles

QUICK = {"adaptability": 700, "unpredictability": 70}  # situations, where one takes long
COARSE = {"risk": 1.0}  # standard errors that are asked for where the effect is small


@pytest.fixture(scope="module")
def views() -> list[Any]:
    return situations(1500)


@pytest.mark.parametrize("direction", DIRECTIONS, ids=lambda each: each.figure)
def test_a_figure_moves_its_statistic_as_it_should(direction: Direction, views: list[Any]) -> None:
    found = moved(direction, views[: QUICK.get(direction.figure, len(views))])
    assert found.errors > COARSE.get(direction.figure, 2.0), found


@pytest.mark.slow
@pytest.mark.parametrize("direction", DIRECTIONS, ids=lambda each: each.figure)
def test_a_figure_moves_its_statistic_beyond_doubt(direction: Direction) -> None:
    found = moved(direction, situations(1000 if direction.figure == "unpredictability" else 10_000))
    assert found.errors > 4, found


@pytest.mark.slow
def test_every_two_minds_differ_in_something_by_five_standard_errors() -> None:
    found = profiles(150)
    for one, other in combinations(MINDS, 2):
        most = max(apart(a, b) for a, b in zip(found[one], found[other], strict=True))
        assert most > 5, (one, other)
