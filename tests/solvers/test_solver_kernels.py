"""Kernels equal the plain twin, sweeps equal matrices, and no best response sees the other's hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.plain_cfr import PlainCfr, best_response, matched
from solvers.random_games import RandomGame
from solvers.river_spot import river_spot
from tahur.core.game import Solvable
from tahur.games.kuhn import Kuhn
from tahur.games.leduc import Leduc
from tahur.games.liars_dice import LiarsDice
from tahur.games.registry import make
from tahur.solvers.cfr import CfrSolver
from tahur.solvers.response import judge_of, measure, normalise, uniform
from tahur.solvers.schedule import SCHEDULES, Schedule
from tahur.solvers.tree import Tree
from tahur.solvers.unroll import unroll


def _check_twin(game: Solvable[Any], schedule: Schedule, iterations: int, **options: Any) -> None:
    """Regrets, averages and best responses agree after some iterations."""
    tree = unroll(game, merge=False, **options)
    solver, plain = CfrSolver(tree, schedule), PlainCfr(game, schedule)
    solver.iterate(iterations)
    plain.iterate(iterations)
    averages = solver.strategy()
    for node in map(int, tree.decisions):
        history = tree.history(node)
        held = _open(tree, node)
        ours, theirs = tree.part(averages, node)[:, held], matched(plain.averages[history])[:, held]
        np.testing.assert_allclose(ours, theirs, atol=1e-9, err_msg=f"{game} {schedule.name} at {history}")
    half = 1 if tree.zero_sum else 2
    best = [half * best_response(game, seat, lambda table: plain.average(table)) for seat in (0, 1)]
    assert measure(tree, averages).responses == pytest.approx(best, abs=1e-9)


def _open(tree: Tree, node: int) -> Any:
    """The hands of the seat to act that no move of chance on the way has ruled out."""
    seat = tree.turn(node)
    held = np.ones(tree.hands[seat], bool)
    while node:
        dealing = tree.nodes.dealing[node]
        if dealing >= 0:
            held &= tree.dealings.open[seat][tree.dealings.mask[dealing]] > 0
        node = int(tree.nodes.parent[node])
    return held


@pytest.mark.parametrize("schedule", SCHEDULES.values(), ids=lambda each: each.name)
@pytest.mark.parametrize("game", [Kuhn(), LiarsDice(1, 2), RandomGame(3)], ids=["kuhn", "dice", "random"])
def test_every_schedule_equals_its_plain_twin(game: Any, schedule: Schedule) -> None:
    ties = schedule.predict and not isinstance(game, RandomGame)  # regrets that cancel: rounding then decides
    _check_twin(game, schedule.with_plan(20), 2 if ties else 12)


@settings(max_examples=25)
@given(seed=st.integers(0, 10_000), zero_sum=st.booleans(), name=st.sampled_from(sorted(SCHEDULES)))
def test_random_games_equal_their_plain_twin(seed: int, zero_sum: bool, name: str) -> None:
    _check_twin(RandomGame(seed, zero_sum), SCHEDULES[name], 6)


def test_leduc_and_perudo_equal_their_plain_twin() -> None:
    _check_twin(Leduc(), SCHEDULES["cfr+"], 2)
    _check_twin(make("perudo", {"cups": [1, 1]}), SCHEDULES["dcfr"], 4)


@pytest.mark.parametrize(
    "game", [LiarsDice(2, 2), make("perudo", {"cups": [1, 1]}), Leduc()], ids=["dice", "perudo", "leduc"]
)
def test_counted_ends_equal_matrices_in_small_games(game: Any) -> None:
    _check_same_solution(unroll(game, dense=10**6), unroll(game, dense=0))


@settings(max_examples=10)
@given(seed=st.integers(0, 10_000), count=st.integers(5, 45), tie=st.sampled_from([0.0, 0.25]))
def test_sweeps_over_hole_cards_equal_matrices(seed: int, count: int, tie: float) -> None:
    rng = np.random.default_rng(seed)
    spot = river_spot(rng, count, tie=tie)
    dense, counted = judge_of(unroll(spot, dense=10**6)), judge_of(unroll(spot, dense=0))
    strategy = rng.random(dense.tree.size)
    for seat in (0, 1):  # by a strategy without ties: where values cancel, rounding would decide what CFR plays next
        np.testing.assert_allclose(dense.best(strategy, seat), counted.best(strategy, seat), atol=1e-12)
        np.testing.assert_allclose(dense.values(strategy, seat), counted.values(strategy, seat), atol=1e-12)


def test_a_river_spot_equals_its_plain_twin() -> None:
    _check_twin(river_spot(np.random.default_rng(5), 12), SCHEDULES["dcfr"], 3, dense=0)


def _check_same_solution(dense: Tree, counted: Tree) -> None:
    assert set(dense.nodes.kind[dense.nodes.kind > 2]) == {3}
    assert 3 not in counted.nodes.kind
    first, second = (CfrSolver(tree, SCHEDULES["dcfr"]) for tree in (dense, counted))
    first.iterate(20)
    second.iterate(20)
    np.testing.assert_allclose(first.strategy(), second.strategy(), atol=1e-8)
    one, other = first.measure(), second.measure()
    assert one.responses == pytest.approx(other.responses, abs=1e-10)
    assert one.value == pytest.approx(other.value, abs=1e-10)


def _kuhn_equilibrium(tree: Tree) -> np.ndarray:
    """Seat 0 never bets first; rows are pass and bet, columns J, Q and K."""
    betting = {(): (0, 0, 0), (0,): (1 / 3, 0, 1), (1,): (0, 1 / 3, 1), (0, 1): (0, 1 / 3, 1)}
    strategy = np.zeros(tree.size)
    for node in map(int, tree.decisions):
        bets = np.array(betting[tree.history(node)])
        tree.part(strategy, node)[:] = 1 - bets, bets
    return strategy


def test_nobody_gains_at_the_equilibrium_of_kuhn() -> None:
    """If this is about 0.278, the best response sees the other's card."""
    tree = unroll(Kuhn())
    found = measure(tree, _kuhn_equilibrium(tree))
    assert found.value == pytest.approx(-1 / 18, abs=1e-12)
    assert found.exploitability == pytest.approx(0, abs=1e-12)


def test_single_precision_agrees_with_double_after_a_long_run() -> None:
    for game in (Kuhn(), Leduc()):
        tree = unroll(game)
        double, single = (CfrSolver(tree, SCHEDULES["dcfr"], dtype=kind) for kind in (np.float64, np.float32))
        double.iterate(3000)
        single.iterate(3000)
        judged = [measure(tree, each.strategy()) for each in (double, single)]
        assert judged[0].value == pytest.approx(judged[1].value, abs=1e-3)
        assert judged[1].exploitability < 1e-3


def test_strategies_of_numbers_are_normalised() -> None:
    tree = unroll(Leduc())
    shares = normalise(tree, uniform(tree))
    for node in map(int, tree.decisions):
        np.testing.assert_allclose(tree.part(shares, node).sum(axis=0), 1)
