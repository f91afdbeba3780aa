"""Rounds solved for seats that forget: judged as the generic solver judges them, and as good as they claim."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tahur.core.player import View
from tahur.games.perudo.game import Perudo, perudo
from tahur.games.perudo.recall import Recall
from tahur.games.perudo.solved import RoundStrategy, read_round, write_round
from tahur.solvers.perudo.recall.solver import RecallSolver
from tahur.solvers.perudo.solver import RoundSolver
from tahur.solvers.perudo.stakes import Stakes
from tahur.solvers.response import flatten, measure
from tahur.solvers.unroll import unroll

ALL = Recall(12, 0.0)  # with one die each nothing is forgotten and no bid is left out


def solved(game: Perudo, recall: Recall, iterations: int, **more: Any) -> RecallSolver:
    solver = RecallSolver(game, recall, **more)
    solver.advance(iterations)
    return solver


def plain(*cups: int, **more: Any) -> Perudo:
    return perudo(rules="classic", cups=cups, **more)


class _Whole:
    """A strategy that leaves bids out, as one for the whole round."""

    def __init__(self, strategy: RoundStrategy) -> None:
        self.strategy = strategy

    def probabilities(self, view: View) -> Any:
        return dict.fromkeys(view.table.actions(), 0.0) | dict(self.strategy.probabilities(view))


@pytest.mark.parametrize(("recall", "calza"), [(Recall(2, 0.05), False), (Recall(1, 0.2), True)])
def test_the_generic_solver_judges_a_forgetful_strategy_as_we_do(recall: Recall, calza: bool) -> None:
    game = plain(1, 1, calza=calza)
    solver = solved(game, recall, 15)
    found = solver.bounds(0.0)
    tree = unroll(game)
    theirs = measure(tree, flatten(tree, _Whole(solver.strategy(found))))
    for ours, response in zip((found.opener, found.other), theirs.responses, strict=True):
        assert ours == pytest.approx((response, response), abs=2e-4)  # chances are kept in steps of 1/65535
    assert solver.value() == pytest.approx(theirs.value, abs=2e-4)


def test_a_walk_that_stops_early_bounds_what_a_longer_one_finds() -> None:
    solver = solved(plain(1, 1), Recall(2, 0.05), 10)
    exact, rough = solver.bounds(0.0), solver.bounds(0.05)
    assert rough.opener[0] <= exact.opener[0] <= rough.opener[1]
    assert rough.other[0] <= exact.other[0] <= rough.other[1]
    assert rough.nashconv[1] > rough.nashconv[0] + 0.01


def test_who_forgets_nothing_comes_to_the_value_of_the_round() -> None:
    solver = solved(plain(1, 1), ALL, 150)
    assert solver.value() == pytest.approx(-1 / 18, abs=2e-3)
    assert solver.bounds(0.0).nashconv[1] < 0.01


def test_stakes_are_what_is_played_for() -> None:
    """The same round for a tenth of a die and something on top of it."""
    stakes = Stakes(((0.4, 0.6), (0.6, 0.4)), ((0.6, 0.4), (0.4, 0.6)))
    solver = solved(plain(1, 1), ALL, 60, stakes=stakes)
    assert solver.value() == pytest.approx(0.5 - 0.1 / 18, abs=1e-3)
    assert solver.strategy(solver.bounds()).facts.unit == "matches won"


def test_it_comes_back_from_its_file(tmp_path: Path) -> None:
    solver = solved(plain(1, 1), Recall(2, 0.05), 5)
    strategy = solver.strategy(solver.bounds())
    write_round(tmp_path / "round.tahur", strategy)
    back = read_round(tmp_path / "round.tahur")
    assert back.recall == Recall(2, 0.05)
    assert (back.weights == strategy.weights).all()
    assert back.facts == strategy.facts


def test_regrets_fall_below_nothing_only_where_some_hands_are_looked_at() -> None:
    few, many = solved(plain(2, 1), Recall(1, 0.05), 2), solved(plain(3, 1), Recall(1, 0.2), 2)
    assert few.schedule.name == "cfr+2"
    assert few._work.regrets.min() == 0
    assert many.schedule.name == many.strategy(many.bounds()).facts.schedule == "linear"
    assert many._work.regrets.min() < 0


@pytest.mark.slow
def test_a_dozen_hands_an_iteration_are_enough_for_six_dice() -> None:
    """CFR+, which forgets regrets below nothing, comes to 0.20 in 200 iterations of a dozen hands, and falls slowly."""
    solver = solved(perudo(cups=(3, 3)), Recall(2), 300)
    assert solver.bounds(0.003).nashconv[0] < 0.17


@pytest.mark.slow
def test_four_dice_are_nearly_solved_by_who_remembers_four_bids() -> None:
    """2v2 is worth about 0.033 (the rulings' table); what is forgotten costs a few hundredths of a die."""
    solver = RecallSolver(plain(2, 2))
    assert solver.recall.bids == 4
    solver.advance(60)
    found = solver.bounds(1e-4)
    assert -found.other[1] <= 0.033 <= found.opener[1]
    assert found.nashconv[1] < 0.08


@pytest.mark.slow
def test_who_forgets_guarantees_no_more_than_the_round_is_worth() -> None:
    whole = RoundSolver(plain(2, 1))
    whole.advance(200)
    solver = RecallSolver(plain(2, 1))
    solver.advance(60)
    found, exact = solver.bounds(0.0), whole.measure()
    assert -found.other[0] <= exact.responses[0]
    assert found.opener[0] >= -exact.responses[1]
