"""Values, best responses and each iteration, beside OpenSpiel and the values of linear programs."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from tahur.core.game import Solvable
from tahur.games.kuhn import Kuhn
from tahur.games.leduc import Leduc
from tahur.games.liars_dice import LiarsDice
from tahur.solvers.cfr import CfrSolver
from tahur.solvers.response import measure, uniform
from tahur.solvers.schedule import CFR, CFR_PLUS, DCFR, DCFR_PLUS, LINEAR, PDCFR_PLUS, Schedule
from tahur.solvers.solver import run
from tahur.solvers.unroll import unroll

# Values for seat 0 by linear programs over sequences.
VALUES = [
    (Kuhn(), PDCFR_PLUS, -1 / 18, 1e-10),
    (Leduc(), DCFR_PLUS, -0.085606424078, 1e-4),
    (LiarsDice(1, 6), DCFR_PLUS, -0.027131782946, 2e-3),
    (LiarsDice(1, 4), DCFR_PLUS, 0.0625, 1e-3),
    (LiarsDice(2, 3), DCFR_PLUS, 0.061728395062, 2e-3),
]
SPIELS = [
    ("kuhn_poker", Kuhn()),
    ("leduc_poker", Leduc()),
    ("liars_dice(dice_sides=4)", LiarsDice(1, 4)),
    pytest.param("liars_dice", LiarsDice(1, 6), marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("game", "schedule", "value", "within"), VALUES, ids=lambda each: str(each)[:24])
def test_the_value_of_the_game_is_that_of_the_linear_program(
    game: Any, schedule: Schedule, value: float, within: float
) -> None:
    solver = CfrSolver(unroll(game), schedule)
    last = list(run(solver, iterations=4000, target=within, every=100))[-1]
    assert last.measure is not None
    assert last.measure.exploitability <= within
    assert last.measure.value == pytest.approx(value, abs=2 * within)
    low, high = -last.measure.responses[1], last.measure.responses[0]
    assert low - 1e-9 <= value <= high + 1e-9  # best responses bracket the value, whatever the strategy is


@pytest.mark.parametrize(("spiel", "game"), SPIELS, ids=lambda each: str(each)[:24])
@pytest.mark.parametrize("merge", [True, False])
def test_uniform_play_is_as_exploitable_as_openspiel_says(spiel: str, game: Solvable[Any], merge: bool) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game(spiel)
    nashconv = pyspiel.nash_conv(theirs, pyspiel.UniformRandomPolicy(theirs))
    tree = unroll(game, merge=merge)
    assert measure(tree, uniform(tree)).nashconv == pytest.approx(nashconv, abs=1e-9)


def _openspiel(spiel: str, schedule: Schedule) -> Any:
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game(spiel)
    if schedule is CFR:
        return game, pyspiel.CFRSolver(game)
    if schedule is CFR_PLUS:
        return game, pyspiel.CFRPlusSolver(game)
    dcfr = pytest.importorskip("open_spiel.python.algorithms.discounted_cfr")
    return game, dcfr.DCFRSolver(game) if schedule is DCFR else dcfr.LCFRSolver(game)


AT = (*range(1, 11), 20, 35, 50)  # iterations; their best responses take long


@cache
def _theirs(spiel: str, schedule: Schedule) -> list[float]:
    """Exploitability after some iterations."""
    pyspiel = pytest.importorskip("pyspiel")
    exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")
    game, solver = _openspiel(spiel, schedule)
    nash_conv = pyspiel.nash_conv if schedule in (CFR, CFR_PLUS) else exploitability.nash_conv
    found = []
    for iteration in range(1, AT[-1] + 1):
        solver.evaluate_and_update_policy()
        if iteration in AT:
            found.append(nash_conv(game, solver.average_policy()) / 2)
    return found


CASES = [
    ("kuhn_poker", Kuhn(), CFR),
    ("kuhn_poker", Kuhn(), CFR_PLUS),
    ("kuhn_poker", Kuhn(), DCFR),
    ("kuhn_poker", Kuhn(), LINEAR),
    ("leduc_poker", Leduc(), CFR),
    ("leduc_poker", Leduc(), CFR_PLUS),
    pytest.param("leduc_poker", Leduc(), DCFR, marks=pytest.mark.slow),
    ("liars_dice(dice_sides=3)", LiarsDice(1, 3), CFR_PLUS),
]


@pytest.mark.parametrize("merge", [True, False])
@pytest.mark.parametrize(("spiel", "game", "schedule"), CASES, ids=lambda each: str(each)[:24])
def test_every_iteration_is_as_exploitable_as_openspiels(
    spiel: str, game: Any, schedule: Schedule, merge: bool
) -> None:
    solver = CfrSolver(unroll(game, merge=merge), schedule)
    ours = []
    for iteration in AT:
        solver.iterate(iteration - solver.iteration)
        ours.append(solver.measure().exploitability)
    np.testing.assert_allclose(ours, _theirs(spiel, schedule), rtol=0, atol=1e-9)


# Exploitability of Leduc after so many iterations of OpenSpiel 2.0.2, CFR and CFR+ in C++, DCFR in Python.
LEDUC = {
    CFR: {1: 2.3736111111, 2: 2.0613194444, 10: 0.8885789832, 100: 0.0957163530},
    CFR_PLUS: {10: 0.610438901590, 100: 0.013415994971},
    DCFR: {10: 0.778802046996, 100: 0.007753261851},
}


@pytest.mark.parametrize("merge", [True, False])
@pytest.mark.parametrize("schedule", LEDUC, ids=lambda schedule: schedule.name)
def test_leduc_converges_in_step_with_openspiel(schedule: Schedule, merge: bool) -> None:
    solver = CfrSolver(unroll(Leduc(), merge=merge), schedule)
    for iterations, expected in LEDUC[schedule].items():
        solver.iterate(iterations - solver.iteration)
        # By iteration 100 ties that rounding decides have moved the curves apart in the fourth digit.
        within = 2e-10 if iterations < 100 else 1e-3 * expected
        assert solver.measure().exploitability == pytest.approx(expected, abs=within)
