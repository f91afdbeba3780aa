"""Chances to win a match: known ones, bounds that hold, and what they must do."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from typing import Any

import pytest

from tahur.core.errors import SettingError
from tahur.games.perudo.game import perudo
from tahur.games.perudo.rules import CLASSIC, FAROLEO, PerudoRules, with_calza, with_palifico
from tahur.solvers.perudo.solver import RoundSolver
from tahur.solvers.perudo.values import MatchValue, match_values


def last(rules: PerudoRules, dice: int, iterations: int, **more: Any) -> dict[tuple[int, int], MatchValue]:
    steps, before = match_values(replace(rules, dice=dice), iterations=iterations, **more), 0.0
    while True:
        try:
            now = next(steps)
        except StopIteration as stop:
            return {(each.mine, each.yours): each for each in stop.value}
        assert before <= now <= 1 + 1e-9
        before = now


def test_one_die_each_without_calza_is_the_round_itself() -> None:
    found = last(CLASSIC, 1, 300)[1, 1]
    assert found.exact
    assert found.lower <= (1 - 1 / 18) / 2 <= found.upper
    assert found.upper - found.lower < 1e-3


def test_with_calza_a_match_of_one_die_each_is_worth_the_golden_ratio() -> None:
    """A right calza with a full cup changes nothing but the opener: x = 1 / (1 + x), where palifico leads."""
    found = last(FAROLEO, 1, 120)[1, 1]
    assert found.lower <= (sqrt(5) - 1) / 2 <= found.upper
    assert found.upper - found.lower < 1e-6  # by linear programmes; CFR alone leaves a hundredth


def test_a_palifico_match_of_two_dice_follows_from_its_rounds() -> None:
    """1v1: 5/6. From 1v2 the opener must win the round, and then meets an opener with one die."""
    rules = with_calza(FAROLEO, False)
    found = last(rules, 2, 60, most=60_000)
    assert found[1, 1].lower == pytest.approx(5 / 6, abs=2e-3)
    assert found[1, 2].exact
    assert found[1, 2].upper < 1 / 6 + 1e-3
    assert not found[2, 2].exact
    assert found[2, 2].lower < found[2, 2].upper
    assert found[2, 1].lower > found[2, 2].upper > found[1, 2].upper


@pytest.mark.parametrize("rules", [CLASSIC, FAROLEO], ids=["classic", "with calza"])
def test_bounds_hold_however_badly_rounds_were_solved(rules: PerudoRules) -> None:
    """Also if it was enough before anything was solved, when everybody chooses at random."""
    fine = last(rules, 1, 200)[1, 1]
    nothing = last(rules, 1, 200, enough=lambda: True)[1, 1]
    assert nothing.lower < fine.lower - 0.05
    assert nothing.upper > fine.upper + 0.05


def test_what_was_solved_before_it_was_enough_counts() -> None:
    """Asked once for every block: the rounds of the first passes are solved, and bounds are nearer than without."""
    looks = iter([False] * 6)
    some = last(FAROLEO, 1, 120, enough=lambda: next(looks, True))[1, 1]
    assert some.upper - some.lower < 1e-3


def test_a_solved_round_is_judged_and_not_solved_again() -> None:
    solver = RoundSolver(perudo(rules="classic", cups=(1, 1)))
    solver.iterate(600)
    solved = [solver.strategy(solver.measure())]
    found = last(CLASSIC, 1, 1, solved=solved)[1, 1]
    assert found.lower <= (1 - 1 / 18) / 2 <= found.upper
    assert found.upper - found.lower < 1e-6  # one iteration alone leaves a tenth
    with pytest.raises(SettingError, match="without calza"):
        last(FAROLEO, 1, 1, solved=solved)
    with pytest.raises(SettingError, match=r"the round 1v1-.* does not occur in this match"):
        last(with_calza(FAROLEO, False), 1, 1, solved=solved)  # palifico there


def test_one_palifico_for_each_seat_is_refused() -> None:
    with pytest.raises(SettingError, match="one palifico per seat"):
        last(with_palifico(CLASSIC, True), 5, 1)
