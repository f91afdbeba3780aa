"""Rounds solved for seats that forget: judged as the generic solver judges them, and as good as they claim."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from plain_recall import Plain

from tahur.core.player import View
from tahur.games.perudo.game import Perudo, perudo
from tahur.games.perudo.recall import Recall
from tahur.games.perudo.solved import RoundStrategy, read_round, write_round
from tahur.games.perudo.table import prior
from tahur.solvers.perudo.recall.solver import EVEN, RecallSolver, usual_recall
from tahur.solvers.perudo.solver import RoundSolver
from tahur.solvers.perudo.stakes import RoundStakes
from tahur.solvers.response import flatten, measure
from tahur.solvers.unroll import unroll

ALL = Recall(12, 0.0)  # with one die each nothing is forgotten and no bid is left out


def solved(game: Perudo, recall: Recall, iterations: int, **more: Any) -> RecallSolver:
    solver = RecallSolver(game, recall, **more)
    solver.iterate(iterations)
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
    found = solver.measure(0.0)
    tree = unroll(game)
    theirs = measure(tree, flatten(tree, _Whole(solver.strategy(found))))
    for ours, response in zip((found.opener, found.other), theirs.responses, strict=True):
        assert ours == pytest.approx((response, response), abs=2e-4)  # chances are kept in steps of 1/65535
    assert found.value == pytest.approx(theirs.value, abs=2e-4)


def test_a_walk_that_stops_early_bounds_what_a_longer_one_finds() -> None:
    solver = solved(plain(1, 1), Recall(2, 0.05), 10)
    exact, rough = solver.measure(0.0), solver.measure(0.05)
    assert rough.opener[0] <= exact.opener[0] <= rough.opener[1]
    assert rough.other[0] <= exact.other[0] <= rough.other[1]
    assert rough.nashconv[1] > rough.nashconv[0] + 0.01


def test_who_forgets_nothing_comes_to_the_value_of_the_round() -> None:
    found = solved(plain(1, 1), ALL, 150).measure(0.0)
    assert found.value == pytest.approx(-1 / 18, abs=2e-3)
    assert found.nashconv[1] < 0.01


def test_stakes_are_what_is_played_for() -> None:
    """The same round for a tenth of a die and something on top of it."""
    stakes = RoundStakes(((0.4, 0.6), (0.6, 0.4)), ((0.6, 0.4), (0.4, 0.6)))
    solver = solved(plain(1, 1), ALL, 60, stakes=stakes)
    found = solver.measure()
    assert found.value == pytest.approx(0.5 - 0.1 / 18, abs=1e-3)
    assert solver.strategy(found).facts.unit == "matches won"


def test_it_comes_back_from_its_file(tmp_path: Path) -> None:
    solver = solved(plain(1, 1), Recall(2, 0.05), 5)
    strategy = solver.strategy(solver.measure())
    write_round(tmp_path / "round.tahur", strategy)
    back = read_round(tmp_path / "round.tahur")
    assert back.recall == Recall(2, 0.05)
    assert (back.weights == strategy.weights).all()
    assert back.facts == strategy.facts


def test_small_rounds_remember_more() -> None:
    asked = [usual_recall(perudo(cups=cups).round).bids for cups in ((2, 2), (3, 2), (5, 5))]
    assert asked == sorted(asked, reverse=True)
    assert asked[0] > asked[-1] == 2


def test_threads_share_out_hands_to_the_same_bits() -> None:
    alone, shared = solved(plain(3, 1), Recall(1, 0.2), 3), solved(plain(3, 1), Recall(1, 0.2), 3, threads=2)
    for ours, theirs in zip(alone.average(), shared.average(), strict=True):
        assert (ours == theirs).all()


def test_the_first_iteration_is_what_a_plain_one_is() -> None:
    """The kernels gather histories and take hands in tiles and batches; the twin takes every history by itself."""
    game = plain(2, 1, calza=True)
    solver = solved(game, Recall(1, 0.3), 1)
    twin = Plain(solver.graph, solver.stakes, float(EVEN))
    opener = twin.regrets(0, twin.alike(0), twin.alike(1), prior(1))
    other = twin.regrets(1, twin.alike(1), twin.by(opener), prior(2))
    for seat, regrets in enumerate((opener, other)):
        ours = solver._rows(seat, solver._seats[seat].regrets)
        for node, expected in regrets.items():
            first = solver._nodes.rows[node]
            assert ours[first : first + len(expected)] == pytest.approx(np.maximum(expected, 0), abs=1e-6)


@pytest.mark.parametrize("seat", [0, 1])
def test_what_is_foreseen_bounds_every_walk_from_there(seat: int) -> None:
    """A walk that stops at once tells what the tables say, and one that goes to the end is between."""
    solver = solved(plain(2, 1), Recall(2, 0.05), 10)
    at_once, exact = solver.measure(1e9), solver.measure(0.0)
    told, found = ((each.opener, each.other)[seat] for each in (at_once, exact))
    assert found[0] == pytest.approx(found[1], abs=1e-6)
    assert told[0] <= found[0] + 1e-6
    assert found[1] <= told[1] + 1e-6
    assert told[1] > told[0] + 0.1


@pytest.mark.slow
def test_six_dice_are_known_within_a_hundredth() -> None:
    """Two bids remembered cost 0.15 of a die; a walk to the end of what matters says so from both sides."""
    low, high = solved(perudo(rules="classic", cups=(3, 3)), Recall(2), 200).measure(1e-5).nashconv
    assert 0.13 < low < high < 0.16


@pytest.mark.slow
def test_four_dice_are_nearly_solved_by_who_remembers_five_bids() -> None:
    """2v2 is worth about 0.033 (the rulings' table); what is forgotten costs a few hundredths of a die."""
    solver = RecallSolver(plain(2, 2))
    assert solver.recall.bids == 5
    solver.iterate(60)
    found = solver.measure(1e-4)
    assert -found.other[1] <= 0.033 <= found.opener[1]
    assert found.nashconv[1] < 0.04


@pytest.mark.slow
def test_who_forgets_guarantees_no_more_than_the_round_is_worth() -> None:
    whole = RoundSolver(plain(2, 1))
    whole.iterate(200)
    solver = RecallSolver(plain(2, 1))
    solver.iterate(60)
    found, exact = solver.measure(0.0), whole.measure()
    assert -found.other[0] <= exact.responses[0]
    assert found.opener[0] >= -exact.responses[1]
