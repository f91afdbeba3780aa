"""Rounds that CFR has nearly solved are solved to the end; what was found is not lost, nor told better than it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tahur.core.errors import SolverError
from tahur.games.perudo.game import Perudo, perudo
from tahur.games.perudo.solved import RoundStrategy, read_round, write_round
from tahur.solvers.linear import LinearProgram, MatrixEntries, minimise
from tahur.solvers.perudo.exact import polish
from tahur.solvers.perudo.exact.narrow import restricted_round
from tahur.solvers.perudo.exact.polish import most, nearest, polish_strategy, run_to_the_end
from tahur.solvers.perudo.solver import RoundSolver
from tahur.solvers.perudo.stakes import round_stakes

ENDLESS = 10_000


def plain(*cups: int, **more: Any) -> Perudo:
    """Wild aces, no calza, aces may open."""
    return perudo(rules="classic", cups=cups, **more)


def palifico(*cups: int, **more: Any) -> Perudo:
    return perudo(cups=cups, palifico=True, palifico_round=True, calza=False, **more)


def judged(strategy: RoundStrategy) -> float:
    """The NashConv of what a file holds."""
    solver = RoundSolver(strategy.game)
    solver.refine(strategy.weights.astype(float))
    assert solver.finer is not None
    return solver.finer.measure.nashconv


# ---- linear programmes ---------------------------------------------------------------------------


def entries(*found: tuple[int, int, float]) -> MatrixEntries:
    rows, columns, values = (np.array(each) for each in zip(*found, strict=True))
    return MatrixEntries(rows, columns, values.astype(float))


def test_the_least_of_a_sum_is_found() -> None:
    """x + 2y, with x + y at least 3 and x at most 1: x is 1, y 2. Parts of the matrix are added up."""
    bounds = np.zeros(2), np.array([1.0, np.inf])
    parts = [entries((0, 1, 1.0)), entries((0, 0, 1.0))]
    found = minimise(LinearProgram(np.array([1.0, 2.0]), bounds, (np.array([3.0]), np.array([np.inf])), parts))
    assert found == pytest.approx([1.0, 2.0])


def test_a_programme_without_a_solution_says_so() -> None:
    bounds, rows = (np.zeros(1), np.ones(1)), (np.full(1, 2.0), np.full(1, np.inf))
    with pytest.raises(SolverError, match="1 columns has no solution"):
        minimise(LinearProgram(np.ones(1), bounds, rows, [entries((0, 0, 1.0))]))


def test_a_programme_with_a_place_that_comes_twice_is_refused_and_can_be_added_up() -> None:
    twice = np.zeros(2, np.int64), np.zeros(2, np.int64), np.array([1.0, 2.0])
    bounds, rows = (np.zeros(1), np.full(1, np.inf)), (np.full(1, 6.0), np.full(1, np.inf))
    with pytest.raises(SolverError, match="malformed linear program"):
        minimise(LinearProgram(np.ones(1), bounds, rows, [MatrixEntries(*twice)]))
    assert minimise(LinearProgram(np.ones(1), bounds, rows, [MatrixEntries.summed(*twice)])) == pytest.approx([2.0])


# ---- narrowed rounds -----------------------------------------------------------------------------


def test_a_round_with_all_its_actions_is_worth_what_it_is_worth() -> None:
    """Palifico with a die each: 2/3 to who opens, by both programmes."""
    game = palifico(1, 1)
    ladder = RoundSolver(game).ladder
    everything = np.ones(ladder.size, np.bool_)
    whole = restricted_round(ladder, (1, 1), round_stakes(game.round), everything, np.zeros(ladder.size))
    assert most(whole, 0) == pytest.approx(2 / 3, abs=1e-12)
    assert most(whole, 1) == pytest.approx(-2 / 3, abs=1e-12)


def test_the_nearest_plan_is_the_same_where_that_is_good_enough_and_else_obeys_the_rules() -> None:
    game = palifico(1, 1)
    solver = RoundSolver(game)
    everything = np.ones(solver.ladder.size, np.bool_)
    whole = restricted_round(solver.ladder, (1, 1), round_stakes(game.round), everything, np.zeros(solver.ladder.size))
    rules, right = whole.sequences[0].rules()
    plan = nearest(whole, 0, np.zeros(len(whole.sequences[0])), guarantee=0.6)
    assert rules.times(plan, len(right)) == pytest.approx(right, abs=1e-9)
    assert nearest(whole, 0, plan, guarantee=0.6) == pytest.approx(plan, abs=1e-9)
    assert nearest(whole, 0, plan, guarantee=0.65) != pytest.approx(plan, abs=1e-9)


def test_hands_that_are_allowed_nothing_are_allowed_what_they_usually_do() -> None:
    game = palifico(1, 1)
    ladder = RoundSolver(game).ladder
    allowed, usual = np.zeros(ladder.size, np.bool_), np.zeros(ladder.size)
    usual[: ladder.hands[0]] = 1.0  # the lowest bid, with every die
    narrow = restricted_round(ladder, (1, 1), round_stakes(game.round), allowed, usual)
    assert narrow.sequences[0].indices[1:7] == list(range(6))
    assert allowed[:6].all()
    assert not allowed[6:12].any()


# ---- to the end ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "value"),
    [
        (plain(1, 1), -1 / 18),
        (palifico(1, 2), 7 / 18),
        (palifico(3, 3, rules="classic"), None),
        (plain(1, 1, calza=True), 0.0),
    ],
    ids=["1v1", "palifico-1v2", "palifico-3v3", "calza-1v1"],
)
def test_what_cfr_has_nearly_solved_is_solved_to_the_end(game: Perudo, value: float | None) -> None:
    solver = RoundSolver(game)
    solver.iterate(100)
    before = solver.measure().nashconv
    found = list(polish_strategy(solver, target=1e-8))[-1]
    solver.refine(found.weights)
    after = solver.better_of(solver.measure())
    assert after.responses == pytest.approx(found.responses, abs=1e-12)  # the sweeps of CFR say the same
    assert after.nashconv <= 1e-8 < before
    if value is not None:
        assert after.value == pytest.approx(value, abs=1e-8)


def test_what_begins_badly_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """After two iterations 1v1 with calza takes six programmes: three, if more is hoped for than the third brings."""
    solver = RoundSolver(plain(1, 1, calza=True))
    solver.iterate(2)
    found = [each.nashconv for each in polish_strategy(solver, target=1e-8)]
    assert len(found) > polish.TRIALS
    assert found == sorted(found, reverse=True)
    monkeypatch.setattr(polish, "HOPE", found[polish.TRIALS - 1] / solver.measure().nashconv / 2)
    assert [each.nashconv for each in polish_strategy(solver, target=1e-8)] == found[: polish.TRIALS]


def test_a_run_to_the_end_stops_at_its_target() -> None:
    """Calza with a die each: CFR+ is at 1e-3 after a thousand iterations."""
    solver = RoundSolver(plain(1, 1, calza=True))
    steps = list(run_to_the_end(solver, iterations=ENDLESS, target=5e-8))
    assert solver.iteration < ENDLESS
    assert steps[-1].measure is not None
    assert solver.better_of(steps[-1].measure).nashconv <= 1e-7 < solver.measure().nashconv
    assert list(run_to_the_end(solver, iterations=ENDLESS, target=5e-8)) == []


def test_cfr_goes_on_by_itself_where_few_iterations_are_allowed() -> None:
    solver = RoundSolver(plain(1, 1))
    steps = list(run_to_the_end(solver, iterations=20, target=1e-9, every=10))
    assert [each.iteration for each in steps] == [10, 20]
    assert solver.finer is None


def test_a_finer_strategy_is_kept_as_good_as_it_is_told_and_outlives_worse_averages(tmp_path: Path) -> None:
    solver = RoundSolver(plain(1, 1))
    solver.iterate(100)
    solver.refine(list(polish_strategy(solver, target=1e-7))[-1].weights)
    solver.iterate(5)
    measure = solver.better_of(solver.measure())
    write_round(tmp_path / "round.tahur", solver.strategy(measure))
    kept = read_round(tmp_path / "round.tahur")
    assert kept.facts.nashconv == measure.nashconv <= 1e-7 < solver.measure().nashconv
    assert judged(kept) == pytest.approx(measure.nashconv, abs=1e-7)
    solver.set_stakes(solver.stakes)
    assert solver.finer is None  # it was for something else


@pytest.mark.slow
@pytest.mark.parametrize(("cups", "value"), [((2, 1), 455 / 1674), ((1, 2), None)])
def test_rounds_of_three_dice_are_solved_to_a_millionth_of_a_die(cups: tuple[int, int], value: float | None) -> None:
    """The value of 2v1 was found here: 455/1674, to which the programmes of many narrowed rounds agree to 14 digits."""
    solver = RoundSolver(plain(*cups))
    for _ in run_to_the_end(solver, iterations=ENDLESS, target=5e-7):
        pass
    last = solver.better_of(solver.measure())
    assert last.nashconv <= 1e-6
    assert judged(solver.strategy(last)) <= 1.2e-6
    if value is not None:
        assert -last.responses[1] <= value <= last.responses[0]
