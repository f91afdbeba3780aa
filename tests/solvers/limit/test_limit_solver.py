"""Flop Hold'em by flops side by side against the solver that knows no game, on decks small enough for both.

Bugs planted once, and the tests that saw them: cards not removed from folds, or not from showdowns (every test here);
each flop counted once (values); sums without own reach (averages).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from solvers.limit.small_flop import EIGHT_CARDS, NINE_CARDS
from solvers.limit.twins import Twins, twins
from tahur.core.errors import SolverError
from tahur.games.registry import make
from tahur.solvers.cfr import CfrSolver
from tahur.solvers.limit.engine import Book, layout_of
from tahur.solvers.limit.solve import FlopSolver, measure_book, resume_solver, write_memory
from tahur.solvers.response import judge_of, normalise
from tahur.solvers.schedule import CFR, CFR_PLUS, DCFR, Schedule
from tahur.solvers.solver import SolverState

DECKS = {"suits alike": NINE_CARDS, "suits not alike": EIGHT_CARDS}


@pytest.fixture(params=DECKS)
def pair(request: pytest.FixtureRequest) -> Twins:
    return twins("fhp", DECKS[request.param])


def _shuffle(book: Book, seed: int, *, least: float = -1.0) -> None:
    """Numbers up to 2: without them the first regrets of a small deck tie, and rounding decides who plays what."""
    rng = np.random.default_rng(seed)
    book.start[:] = rng.uniform(least, 2, book.start.shape)
    book.flops[:] = rng.uniform(least, 2, book.flops.shape)


def _solvers(pair: Twins, schedule: Schedule, *, least: float = -1.0) -> tuple[FlopSolver, CfrSolver]:
    """Both with the same regrets, after so many iterations that the schedule's weights are neither 0 nor 1."""
    ours = FlopSolver(pair.layout, schedule)
    ours.iteration = 5
    _shuffle(ours.regrets, 1, least=least)
    begun = pair.spread(ours.regrets) * pair.scale
    theirs = CfrSolver(pair.tree, schedule)
    arrays = {"regrets": begun, "averages": np.zeros_like(begun), "forecasts": np.zeros(0)}
    theirs.resume(SolverState(5, arrays))
    return ours, theirs


def test_the_decks_have_flops_with_and_without_symmetries(pair: Twins) -> None:
    many = pair.layout.deck.flops.many
    assert pair.layout.deck.flops.weight.sum() == len(pair.tree.game.flops)  # type: ignore[attr-defined]
    assert (many.max() > 1) == (pair.layout.deck.cards == NINE_CARDS)


def test_best_responses_and_values_are_those_of_the_other_solver(pair: Twins) -> None:
    solver = FlopSolver(pair.layout)
    judge = judge_of(pair.tree)
    for seed in (None, 3, 4):
        if seed is not None:
            _shuffle(solver.sums, seed)
        found, known = measure_book(solver.walker, solver.sums), judge.measure(pair.spread(solver.sums))
        assert found.responses == pytest.approx(known.responses, abs=2e-6)
        assert found.value == pytest.approx(known.value, abs=2e-6)


@pytest.mark.parametrize(
    ("schedule", "iterations", "least"),
    [(CFR, 4, -1.0), (DCFR, 2, -1.0), (CFR_PLUS, 2, 0.5)],
    ids=lambda each: getattr(each, "name", ""),
)
def test_regrets_are_those_of_the_other_solver_iteration_by_iteration(
    pair: Twins, schedule: Schedule, iterations: int, least: float
) -> None:
    """But for a few: where a regret ought to be 0, a hair more or less makes an action played or not."""
    ours, theirs = _solvers(pair, schedule, least=least)
    for _ in range(iterations):
        ours.iterate(1)
        theirs.iterate(1)
        mine, known = pair.spread(ours.regrets)[pair.open], (theirs.regrets / pair.scale)[pair.open]
        assert np.quantile(np.abs(mine - known), 0.999) < 1e-6 * np.abs(known).max()


def test_averages_go_by_own_reach_as_in_the_other_solver(pair: Twins) -> None:
    """With every iteration weighing the same, seat 0's sums are the other's one iteration on, less its first."""
    ours, theirs = _solvers(pair, CFR)
    theirs.iterate(1)
    first = theirs.averages.copy()
    ours.iterate(3)
    theirs.iterate(2)
    second_seat = theirs.averages.copy()
    theirs.iterate(1)
    known = np.where(pair.seat == 0, theirs.averages - first, second_seat)
    known, mine = normalise(pair.tree, known), normalise(pair.tree, pair.spread(ours.sums))
    assert np.abs(mine - known)[pair.open].max() < 2e-5


def test_it_solves_the_game_that_the_other_solver_solves() -> None:
    pair = twins("fhp", EIGHT_CARDS)
    ours, theirs = FlopSolver(pair.layout), CfrSolver(pair.tree, DCFR)
    ours.iterate(100)
    theirs.iterate(60)
    found, known = ours.measure(), theirs.measure()
    assert found.exploitability < 0.01
    assert found.value == pytest.approx(known.value, abs=found.exploitability + known.exploitability)


def test_two_threads_do_what_one_does_to_the_bit() -> None:
    layout = layout_of(make("fhp-3-4", {}), NINE_CARDS)  # type: ignore[arg-type]
    one, two = FlopSolver(layout, threads=1), FlopSolver(layout, threads=2)
    one.iterate(5)
    two.iterate(5)
    assert one.sums.flops.tobytes() == two.sums.flops.tobytes()
    assert one.sums.start.tobytes() == two.sums.start.tobytes()
    assert one.measure() == two.measure()


@pytest.mark.slow
def test_four_bets_on_the_flop_are_measured_as_by_the_other_solver() -> None:
    pair = twins("fhp-3-4", EIGHT_CARDS)
    solver = FlopSolver(pair.layout)
    _shuffle(solver.sums, 5)
    found, known = solver.measure(), judge_of(pair.tree).measure(pair.spread(solver.sums))
    assert found.responses == pytest.approx(known.responses, abs=2e-6)


@pytest.mark.parametrize(
    ("name", "settings", "why"),
    [
        ("hulh", {}, "Flop Hold'em has 3"),
        ("fhp", {"stack": 10}, "16 chips or more"),
        ("fhp", {"showdown_board": 5}, "Flop Hold'em has 3"),
        ("nlhe", {"seats": 2}, "limit game"),
    ],
)
def test_games_that_are_no_deep_flop_holdem_are_refused(name: str, settings: dict[str, object], why: str) -> None:
    with pytest.raises(SolverError, match=why):
        layout_of(make(name, settings), NINE_CARDS)  # type: ignore[arg-type]


def test_a_solver_goes_on_from_its_file_to_the_bit(tmp_path: Path) -> None:
    layout = twins("fhp", EIGHT_CARDS).layout
    whole, first = FlopSolver(layout), FlopSolver(layout)
    whole.iterate(7)
    first.iterate(4)
    write_memory(tmp_path / "memory", first)
    second = resume_solver(tmp_path / "memory", layout)
    second.iterate(3)
    assert second.iteration == 7
    for ours, theirs in ((whole.regrets, second.regrets), (whole.sums, second.sums)):
        assert ours.flops.tobytes() == theirs.flops.tobytes()
        assert ours.start.tobytes() == theirs.start.tobytes()
    with pytest.raises(SolverError, match=r"started with --schedule dcfr\+; it cannot resume with cfr"):
        resume_solver(tmp_path / "memory", layout, schedule="cfr")
    with pytest.raises(SolverError, match="belongs to fhp; the game to solve is fhp-3-4"):
        resume_solver(tmp_path / "memory", layout_of(make("fhp-3-4", {}), EIGHT_CARDS))  # type: ignore[arg-type]
