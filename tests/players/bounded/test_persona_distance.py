"""Personas are distinct, and their habits come in the order of their parameters.

Quick: every persona put to the same situations, its chances added up, so that no luck is in it but that of the cards.
Slow: they play each other (tools/persona_distance.py, which the figures in docs/opponents.md come from).
"""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from itertools import combinations, pairwise
from math import dist
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tahur.arena.match import run
from tahur.core.player import View
from tahur.core.record import decisions
from tahur.games.registry import game_of, make
from tahur.players.bounded.choosers import chances_of
from tahur.players.bounded.menu import write_menu
from tahur.players.bounded.options import Act, Option
from tahur.players.bounded.personas import Persona, house
from tahur.players.bounded.player import BoundedPlayer
from tahur.players.bounded.situation import Situation, situation_of

BETS = (Act.RAISE, Act.ALL_IN)
FIRST, LATER = 110, 90  # situations: first turns before the flop that cost something, and turns after it


@cache
def situations() -> tuple[tuple[Situation, ...], tuple[Situation, ...]]:
    first: list[Situation] = []
    later: list[Situation] = []
    players = [BoundedPlayer(each) for each in house()[1::2]]
    for record in run(make("nlhe", {"seats": 6, "carry": False}), players, seed=8):
        game, seen = game_of(record), set[int]()
        for table, _ in decisions(game, record.actions):
            if table.turn not in seen or table.board:
                situation = situation_of(View(game, table, table.turn, record.hands[table.turn]))
                (later if table.board else first).append(situation)
            seen.add(table.turn)
        if len(first) > 2 * FIRST and len(later) > LATER:
            break
    return tuple([each for each in first if each.cost][:FIRST]), tuple(later[:LATER])


@cache
def point(persona: Persona) -> tuple[float, float, float]:
    """How often it pays and raises on its first turn before the flop, and how often it bets when it does not check."""
    first, later = situations()
    before = [_chances(persona, each) for each in first]
    after = [_chances(persona, each) for each in later]
    paid = sum(chance for each in before for option, chance in each if option.act is not Act.FOLD)
    raised = sum(chance for each in before for option, chance in each if option.act in BETS)
    bet = sum(chance for each in after for option, chance in each if option.act in BETS)
    acted = sum(chance for each in after for option, chance in each if option.act is not Act.CHECK)
    return paid / len(first), raised / len(first), bet / acted


def _chances(persona: Persona, situation: Situation) -> list[tuple[Option, float]]:
    options = write_menu(situation, persona.profile, rng=np.random.default_rng(1)).menu.options
    return list(zip(options, chances_of(options, persona), strict=True))


def test_who_is_looser_plays_more_hands() -> None:
    for less, more in pairwise(sorted(house(), key=lambda each: each.looseness)):
        assert point(less)[0] < point(more)[0], (less.name, more.name)


def test_who_is_more_aggressive_bets_more_often() -> None:
    for less, more in pairwise(sorted(house(), key=lambda each: each.aggression)):
        assert point(less)[2] < point(more)[2], (less.name, more.name)


def test_who_is_both_looser_and_more_aggressive_raises_more_hands() -> None:
    for one, other in combinations(house(), 2):  # the looser comes later
        if one.aggression < other.aggression:
            assert point(one)[1] < point(other)[1], (one.name, other.name)


def test_no_two_personas_are_near_each_other() -> None:
    for one, other in combinations(house(), 2):
        assert dist(point(one), point(other)) > 0.07, (one.name, other.name)


@pytest.mark.slow
def test_personas_that_play_each_other_are_further_apart_than_one_from_itself() -> None:
    """A tenth of the hands that the documentation has, so with more chance in it: a factor of two, not of five."""
    tool = _tool()
    result = tool.Result(tuple(tool.points(1_000, seed) for seed in (1, 2)))
    mean = np.mean([dist(result.seeds[0][name], result.seeds[1][name]) for name in result.seeds[0]])
    assert result.apart[0] > 2 * mean


def _tool() -> Any:
    path = Path(__file__).parents[3] / "tools" / "persona_distance.py"
    spec = importlib.util.spec_from_file_location("persona_distance", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
