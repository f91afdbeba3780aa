"""Runs can be stopped, resumed and refused; strategies of others can be measured; trees know where everything is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from solvers.random_games import RandomGame
from tahur.core.errors import SolverError, UnknownName
from tahur.core.game import CHANCE, OVER
from tahur.core.player import View
from tahur.games.kuhn import BET, PASS, Kuhn
from tahur.games.leduc import CALL, Leduc
from tahur.games.registry import make
from tahur.solvers.cfr import CfrSolver
from tahur.solvers.response import combine_seats, flatten, judge_of, measure, uniform
from tahur.solvers.schedule import CFR_PLUS, PDCFR_PLUS, SCHEDULES, Schedule, schedule_named
from tahur.solvers.solver import SolverState, run
from tahur.solvers.unroll import unroll


@pytest.mark.parametrize("schedule", SCHEDULES.values(), ids=lambda each: each.name)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_resumed_run_equals_one_that_never_stopped(schedule: Schedule, dtype: Any) -> None:
    tree = unroll(Leduc())
    whole = CfrSolver(tree, schedule, dtype=dtype)
    whole.iterate(30)
    first = CfrSolver(tree, schedule, dtype=dtype)
    first.iterate(13)
    second = CfrSolver(tree, schedule, dtype=dtype)
    second.resume(first.state())
    for _ in run(second, iterations=30, every=7, step=2):
        pass
    for ours, theirs in zip(_arrays(whole.state()), _arrays(second.state()), strict=True):
        assert ours.tobytes() == theirs.tobytes()


def _arrays(state: SolverState) -> tuple[np.ndarray, ...]:
    return tuple(state.arrays.values())


def test_a_run_stops_at_its_target() -> None:
    solver = CfrSolver(unroll(Kuhn()), PDCFR_PLUS)
    found = list(run(solver, iterations=10_000, target=1e-3, every=10))
    assert found[-1].iteration < 1000
    assert found[-1].measure is not None
    assert found[-1].measure.exploitability <= 1e-3 < found[-2].measure.exploitability  # type: ignore[union-attr]


def test_a_run_that_nobody_asks_any_more_keeps_what_it_has() -> None:
    solver = CfrSolver(unroll(Kuhn()))
    for progress in run(solver, iterations=1000, every=10):
        if progress.iteration == 30:
            break
    assert solver.iteration == 30


def test_numbers_that_overflow_are_refused_and_the_last_good_state_kept() -> None:
    tree = unroll(Kuhn())
    solver = CfrSolver(tree, Schedule("growing", alpha=2.0, beta=2.0))
    steps = run(solver, iterations=100, every=5)
    next(steps)
    good = solver.state().copy()
    solver.regrets[3] = np.nan
    with pytest.raises(SolverError, match="iteration 5"):
        next(steps)
    assert solver.iteration == 5
    assert solver.regrets.tobytes() == good.arrays["regrets"].tobytes()


def test_a_state_of_another_tree_is_refused() -> None:
    state = CfrSolver(unroll(Kuhn())).state()
    with pytest.raises(SolverError, match="1,344"):
        CfrSolver(unroll(Leduc())).resume(state)


def test_games_that_cannot_be_solved_are_refused_in_words() -> None:
    with pytest.raises(SolverError, match="3 seats"):
        unroll(Kuhn(3))
    with pytest.raises(SolverError, match="menu"):
        unroll(make("nlhe", {"seats": 2}))
    with pytest.raises(SolverError, match="memory"):
        unroll(make("fhp"), most_bytes=20 << 20)
    with pytest.raises(UnknownName, match="did you mean 'dcfr'"):
        schedule_named("dcf")


def test_memory_is_known_before_any_is_taken() -> None:
    tree = unroll(Leduc(), merge=False)
    needed = 2 * 8 * tree.size  # regrets and averages
    assert needed == sum(array.nbytes for array in _arrays(CfrSolver(tree, CFR_PLUS).state()))
    unroll(Leduc(), merge=False, most_bytes=needed)
    with pytest.raises(SolverError):
        unroll(Leduc(), merge=False, most_bytes=needed - 16)


@pytest.mark.parametrize("game", [Kuhn(), Leduc(), RandomGame(11)], ids=["kuhn", "leduc", "random"])
def test_every_history_is_found_and_told(game: Any) -> None:
    tree = unroll(game, merge=False)
    for node in range(len(tree.actions)):
        history = tree.history(node)
        table = game.start()
        for action in history:
            table = table.after(action)
        assert tree.find(history).node == node
        assert table.turn == {0: 0, 1: 1, 2: CHANCE}.get(int(tree.nodes.kind[node]), OVER)
        if table.turn >= 0:
            assert tree.menu(node) == tuple(table.actions())


def test_a_merged_tree_finds_the_boards_it_left_out() -> None:
    """The kings are alike, so the second one is the first one with names swapped."""
    tree, full = unroll(Leduc()), unroll(Leduc(), merge=False)
    merged, whole = CfrSolver(tree), CfrSolver(full)
    merged.iterate(15)
    whole.iterate(15)
    ours, theirs = merged.strategy(), whole.strategy()
    for node in map(int, full.decisions):
        place = tree.find(full.history(node))
        seat = full.turn(node)
        found = tree.part(ours, place.node)[:, place.hands[seat]]
        board = [action for at, action in enumerate(full.history(node)) if _is_board(full, node, at)]
        held = np.array([hand not in board for hand in range(6)])
        np.testing.assert_allclose(found[:, held], full.part(theirs, node)[:, held], atol=1e-9)


def _is_board(tree: Any, node: int, at: int) -> bool:
    """Whether the action at that place of the node's history was chance's."""
    way = [node]
    while way[-1]:
        way.append(int(tree.nodes.parent[way[-1]]))
    return bool(tree.nodes.dealing[way[::-1][at + 1]] >= 0)


class _Timid:
    """Bets only the king, calls only with the king."""

    def probabilities(self, view: View) -> Mapping[int, float]:
        return {BET: 1.0} if view.hand == 2 else {PASS: 1.0}


class _Caller:
    def probabilities(self, view: View) -> Mapping[int, float]:
        return {CALL: 1.0}


def test_a_players_known_chances_are_measured() -> None:
    """Against who pays with the king alone: first, a jack bets at -1/2, a queen breaks even, a king wins 1.

    Second, a jack and a queen break even and a king wins 1, so the responses win 1/6 and 1/3.
    """
    tree = unroll(Kuhn(), merge=False)
    found = measure(tree, flatten(tree, _Timid()))
    assert found.value == pytest.approx(0, abs=1e-12)
    assert found.responses == pytest.approx((1 / 6, 1 / 3), abs=1e-12)


def test_two_strategies_meet_and_the_value_is_exact() -> None:
    tree = unroll(Kuhn(), merge=False)
    judge, timid = judge_of(tree), flatten(tree, _Timid())
    for seats in ((0, 1), (1, 0)):
        strategies = [(timid, uniform(tree))[seat] for seat in seats]
        players = [(_Timid(), None)[seat] for seat in seats]
        deals = [(one, other) for one in range(3) for other in range(3) if one != other]
        expected = sum(_won(Kuhn().start(), hands, players) for hands in deals) / len(deals)
        assert judge.value(combine_seats(tree, *strategies)) == pytest.approx(expected, abs=1e-12)


def _won(table: Any, hands: tuple[int, int], players: Any) -> float:
    """Seat 0's, by asking the game; no player is one who plays at random."""
    if table.turn == OVER:
        return float(Kuhn().payoffs(table, hands)[0])
    player = players[table.turn]
    asked = (
        player.probabilities(View(Kuhn(), table, table.turn, hands[table.turn])) if player else {PASS: 0.5, BET: 0.5}
    )
    return sum(chance * _won(table.after(action), hands, players) for action, chance in asked.items())


def test_a_player_is_not_measured_on_a_tree_that_left_out_boards() -> None:
    with pytest.raises(SolverError, match="merge=False"):
        flatten(unroll(Leduc()), _Caller())
