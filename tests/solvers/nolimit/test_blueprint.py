"""The blueprint: its tree against the rules, its training against a known equilibrium, its file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from solvers.coarse_buckets import coarse, coarse_centres
from tahur.cards.cards import COMBOS, combo_of, parse_cards
from tahur.cards.equity import equity
from tahur.cards.equity.tables import combos
from tahur.cards.flops import start_classes
from tahur.cards.ranges import Range
from tahur.cards.rankings import class_of_combos
from tahur.core.errors import SolverError, StrategyError, UnknownName
from tahur.core.game import CHANCE
from tahur.games.holdem.fourteen import action_of, situation_of
from tahur.solvers.nolimit.abstraction import DEPTHS, PRESETS, abstraction_named, nearest_depth, sizes_of
from tahur.solvers.nolimit.blueprint import Blueprint, read_blueprint, write_blueprint
from tahur.solvers.nolimit.blueprint_solver import BlueprintSolver, preflop_values
from tahur.solvers.nolimit.chart import action_names, node_of, preflop_chart
from tahur.solvers.nolimit.push_fold import solve_push_fold
from tahur.solvers.nolimit.tree import BIG_BLIND, DECISION, FOLDED, BettingTree, build_tree


@pytest.fixture(scope="module")
def push_fold() -> Blueprint:
    """Trained on 30,000 boards, all-in or fold at 10 big blinds."""
    solver = BlueprintSolver(10, PRESETS["push-fold"], coarse_centres(), coarse(), seed=1, boards=1000)
    solver.iterate(30)
    return solver.blueprint()


def small_tree(depth: float = 20) -> BettingTree:
    return build_tree(depth, PRESETS["small"], (169, 1, 1, 1))


@pytest.mark.parametrize("name", PRESETS)
def test_every_line_of_the_tree_is_legal_and_ends_with_the_payoff_of_the_rules(name: str) -> None:
    tree = build_tree(20, PRESETS[name], (169, 1, 1, 1))
    rng = np.random.default_rng(4)
    for _ in range(200):
        table, node = tree.game.start(), 0
        while tree.arrays.kind[node] == DECISION:
            while table.turn == CHANCE:
                table = table.after(len(table.board))
            assert table.turn == tree.arrays.seat[node]
            assert table.street == tree.arrays.street[node]
            choice = int(rng.integers(len(tree.menus[node])))
            table = table.after(action_of(situation_of(table), tree.menus[node][choice]))
            node = int(tree.arrays.child[node, choice])
        loser_pays = min(table.committed) / BIG_BLIND
        assert tree.arrays.stake[node] == pytest.approx(loser_pays)
        if tree.arrays.kind[node] == FOLDED:
            assert table.live == (1 - tree.arrays.seat[node],)


def test_push_or_fold_comes_close_to_the_exact_equilibrium(push_fold: Blueprint) -> None:
    tree = push_fold.tree
    push = preflop_chart(push_fold, 0)
    call = preflop_chart(push_fold, node_of(tree, "all-in"))
    assert action_names(tree, 0) == ("fold", "all-in")
    exact = solve_push_fold(10).charts()
    assert push.frequencies[1] == pytest.approx(exact[0].frequencies[1], abs=0.015)
    assert call.frequencies[1] == pytest.approx(exact[1].frequencies[1], abs=0.015)


def test_aces_are_pushed_and_the_worst_hand_is_folded(push_fold: Blueprint) -> None:
    mix = push_fold.mix(0, ())
    assert mix[1, combo_of(parse_cards("AsAh"))] > 0.99
    assert mix[0, combo_of(parse_cards("7s2h"))] > 0.9
    classes = class_of_combos()
    same = [mix[1, classes == classes[hand]] for hand in (0, 500, 1000)]
    assert all(np.ptp(row) == 0 for row in same)


def test_the_ev_of_a_push_is_that_of_the_equity_against_the_calling_range(push_fold: Blueprint) -> None:
    blueprint = push_fold.with_values(preflop_values(push_fold, coarse(), boards=4000, seed=2))
    calling = blueprint.mix(node_of(blueprint.tree, "all-in"), ())[1]
    values = blueprint.preflop_values(0)
    assert values is not None
    assert values[0] == pytest.approx(0, abs=1e-5)
    for hand in ("AsAh", "9s9h", "KsQs", "7s2h"):
        number = combo_of(parse_cards(hand))
        alive = (combos().mask & combos().mask[number]) == 0
        called = (calling * alive).sum() / alive.sum()
        share = equity(Range.parse(hand), Range.from_vector(calling)).players[0].equity
        exact = (1 - called) * 1.5 + called * (20 * share - 9.5)  # compared with giving up the small blind
        assert values[1, start_classes().member[number]] == pytest.approx(exact, abs=0.25)


def test_training_does_not_depend_on_the_threads() -> None:
    solvers = [
        BlueprintSolver(10, PRESETS["small"], coarse_centres(), coarse(), seed=3, threads=threads, boards=40)
        for threads in (1, 2, 3)
    ]
    for solver in solvers:
        solver.iterate(2)
    assert len({solver.regrets.tobytes() + solver.sums.tobytes() for solver in solvers}) == 1


def test_a_file_keeps_the_strategy_and_a_shortened_one_its_first_streets(tmp_path: Path) -> None:
    solver = BlueprintSolver(20, PRESETS["small"], coarse_centres(), coarse(), seed=3, boards=40)
    solver.iterate(1)
    blueprint = solver.blueprint()
    write_blueprint(tmp_path / "whole.tahur", blueprint)
    write_blueprint(tmp_path / "short.tahur", blueprint.shortened(2))
    whole, short = (read_blueprint(tmp_path / f"{name}.tahur") for name in ("whole", "short"))
    assert (whole.depth, whole.tree.abstraction, whole.training) == (20, PRESETS["small"], blueprint.training)
    flop, turn = tuple(map(int, parse_cards("Td9d6h"))), tuple(map(int, parse_cards("Td9d6hQc")))
    for node in np.flatnonzero(blueprint.tree.arrays.kind == DECISION).tolist():
        street = blueprint.tree.arrays.street[node]
        if street > 2:
            continue
        board = ((), flop, turn)[street]
        expected = blueprint.mix(node, board)
        assert expected.shape == (len(blueprint.tree.menus[node]), COMBOS)
        assert expected.sum(axis=0) == pytest.approx(1)
        np.testing.assert_array_equal(whole.mix(node, board), expected)
        if street < 2:
            np.testing.assert_array_equal(short.mix(node, board), expected)
        else:
            with pytest.raises(StrategyError, match="ends after the flop"):
                short.mix(node, board)


def test_probabilities_are_stored_to_half_a_percent() -> None:
    solver = BlueprintSolver(20, PRESETS["small"], coarse_centres(), coarse(), seed=3, boards=40)
    solver.iterate(2)
    sums = solver.sums[solver.tree.block(0)].reshape(169, -1)
    exact = sums / sums.sum(axis=1, keepdims=True)
    first = np.unique(coarse().preflop, return_index=True)[1]
    stored = solver.blueprint().mix(0, ())[:, first].T
    np.testing.assert_allclose(stored, exact, atol=0.005)


def test_the_nearest_depth_is_nearest_by_ratio() -> None:
    assert [nearest_depth(depth) for depth in (3, 14, 15, 28, 29, 77, 78, 122, 123, 1000)] == [
        10, 10, 20, 20, 40, 60, 100, 100, 150, 200,
    ]  # fmt: skip
    assert all(nearest_depth(depth) == depth for depth in DEPTHS)


def test_unknown_sizes_and_names_are_refused_with_the_valid_ones() -> None:
    with pytest.raises(SolverError, match=r"'80' in the sizes '50 80'; valid: 10, 25, 33"):
        sizes_of("50 80")
    with pytest.raises(UnknownName, match=r"no action abstraction 'tiny'; valid: push-fold, small, standard, large"):
        abstraction_named("tiny")
    with pytest.raises(StrategyError, match=r"no action 'bet' after raise; valid: fold, call, raise"):
        node_of(small_tree(100), "raise,bet")
