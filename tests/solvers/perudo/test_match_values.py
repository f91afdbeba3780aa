"""Chances to win a match: known ones, bounds that hold, and what they must do."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

import pytest

from tahur.core.errors import SettingError
from tahur.games.perudo.game import perudo
from tahur.games.perudo.rules import CLASSIC, FAROLEO, PerudoRules, with_calza, with_palifico
from tahur.solvers.perudo.solver import RoundSolver
from tahur.solvers.perudo.values import MatchValue, match_values


def last(rules: PerudoRules, dice: int, iterations: int, **more: int) -> dict[tuple[int, int], MatchValue]:
    *_, (done, found) = match_values(replace(rules, dice=dice), iterations=iterations, **more)
    assert done == 1
    return {(each.mine, each.yours): each for each in found}


def test_one_die_each_without_calza_is_the_round_itself() -> None:
    found = last(CLASSIC, 1, 300)[1, 1]
    assert found.exact
    assert found.lower <= (1 - 1 / 18) / 2 <= found.upper
    assert found.upper - found.lower < 1e-3


def test_with_calza_a_match_of_one_die_each_is_worth_the_golden_ratio() -> None:
    """A right calza with a full cup changes nothing but the opener: x = 1 / (1 + x), where palifico leads."""
    found = last(FAROLEO, 1, 2400)[1, 1]
    assert found.lower <= (sqrt(5) - 1) / 2 <= found.upper
    assert found.upper - found.lower < 5e-3


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


def test_bounds_hold_however_badly_rounds_were_solved() -> None:
    rough, fine = last(CLASSIC, 1, 3)[1, 1], last(CLASSIC, 1, 200)[1, 1]
    assert rough.lower <= fine.lower <= fine.upper <= rough.upper


def test_a_solved_round_is_judged_and_not_solved_again() -> None:
    solver = RoundSolver(perudo(rules="classic", cups=(1, 1)))
    solver.advance(600)
    solved = [solver.strategy(solver.measure())]
    *_, (_, (found,)) = match_values(replace(CLASSIC, dice=1), iterations=1, solved=solved)
    assert found.lower <= (1 - 1 / 18) / 2 <= found.upper
    assert found.upper - found.lower < 1e-6  # one iteration alone leaves a tenth
    with pytest.raises(SettingError, match="without calza"):
        next(iter(match_values(replace(FAROLEO, dice=1), solved=solved)))
    with pytest.raises(SettingError, match="does not come to the round 1v1-"):
        next(iter(match_values(with_calza(replace(FAROLEO, dice=1), False), solved=solved)))  # palifico there


def test_one_palifico_for_each_seat_is_refused() -> None:
    with pytest.raises(SettingError, match="one palifico for each seat"):
        next(iter(match_values(with_palifico(CLASSIC, True))))
