"""Personas are distinct, and their habits come in the order of their parameters.

Quick: every persona put to the same situations, its chances added up, so that no luck is in it but that of the cards;
who is nearly as loose or as aggressive as another is told apart by many hands only, and by those that each chooses.
Slow: they play each other (tools/persona_distance.py, which the figures in docs/opponents.md come from).
"""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from itertools import combinations, permutations
from math import dist
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tahur.players.bounded.personas import Persona, house

HANDS = 22
CLEARLY = 0.05  # by how much somebody must be looser or more aggressive


@cache
def tool() -> Any:
    """tools/persona_distance.py, which is no part of the package."""
    path = Path(__file__).parents[3] / "tools" / "persona_distance.py"
    spec = importlib.util.spec_from_file_location("persona_distance", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@cache
def situations() -> Any:
    return tool().situations(HANDS, 3)


@cache
def point(persona: Persona) -> tuple[float, float, float]:
    """How often it pays and raises on its first turn before the flop, and how often it bets when it does not check."""
    found: tuple[float, float, float] = tool().expected(persona, situations())
    return found


def test_who_is_looser_plays_more_hands() -> None:
    for less, more in combinations(house(), 2):
        if more.looseness - less.looseness >= CLEARLY:
            assert point(less)[0] < point(more)[0], (less.name, more.name)


def test_who_is_more_aggressive_bets_more_often() -> None:
    for less, more in permutations(house(), 2):
        if more.aggression - less.aggression >= CLEARLY:
            assert point(less)[2] < point(more)[2], (less.name, more.name)


def test_who_is_both_looser_and_more_aggressive_raises_more_hands() -> None:
    for one, other in combinations(house(), 2):  # the looser comes later
        if one.aggression < other.aggression:
            assert point(one)[1] < point(other)[1], (one.name, other.name)


def test_no_two_personas_are_near_each_other() -> None:
    for one, other in combinations(house(), 2):
        assert dist(point(one), point(other)) > 0.1, (one.name, other.name)


@pytest.mark.slow
def test_personas_that_play_each_other_are_further_apart_than_one_from_itself() -> None:
    """A tenth of the hands that the documentation has, so with more chance in it: a factor of two, not of five."""
    result = tool().Result(tuple(tool().points(1_000, seed) for seed in (1, 2)))
    mean = np.mean([dist(result.seeds[0][name], result.seeds[1][name]) for name in result.seeds[0]])
    assert result.apart[0] > 2 * mean
