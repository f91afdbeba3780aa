"""Push or fold: published equilibria, an exact best response by hand, and the blueprint solver on the same game."""

from __future__ import annotations

import numpy as np
import pytest

from tahur.cards.equity import equity
from tahur.cards.rankings import class_names, class_of_combos
from tahur.core.errors import SolverError
from tahur.solvers.nolimit.chart import preflop_chart
from tahur.solvers.nolimit.push_fold import PushFoldGame, push_fold_steps, solve_push_fold
from tiny_blueprint import tiny_blueprint

NAMES = class_names()
SIZES = np.bincount(class_of_combos(), minlength=169) / 1326


@pytest.mark.parametrize("depth", [2, 5, 10, 15, 20, 25])
def test_the_equilibrium_is_within_a_ten_thousandth_of_a_big_blind(depth: float) -> None:
    found = solve_push_fold(depth)
    assert 0 <= found.exploitability < 1e-6
    assert ((found.push >= 0) & (found.push <= 1) & (found.call >= 0) & (found.call <= 1)).all()


def test_the_frequencies_at_ten_big_blinds_stay_what_they_were() -> None:
    """Computed here first; the sampling blueprint solver finds the same (test_blueprint.py)."""
    found = solve_push_fold(10)
    assert SIZES @ found.push == pytest.approx(0.583, abs=1e-3)
    assert SIZES @ found.call == pytest.approx(0.374, abs=1e-3)


@pytest.mark.parametrize(
    ("hand", "depth", "pushes"),
    [
        ("63s", 7.0, 1),
        ("63s", 7.2, 0),
        ("63s", 5.2, 1),
        ("63s", 5.0, 0),
        ("63s", 2.2, 1),
        ("T3s", 7.5, 1),
        ("T3s", 7.8, 0),
    ],
)
def test_pushes_end_at_the_published_depths(hand: str, depth: float, pushes: int) -> None:
    """HoldemResources: 63s from 5.1 to 7.1 and below 2.3 big blinds, T3s up to 7.7."""
    assert solve_push_fold(depth).push[NAMES.index(hand)] == pytest.approx(pushes, abs=0.1)


def test_calls_end_at_the_published_depth() -> None:
    """HoldemResources: Q2o calls up to 5.6 big blinds."""
    at = NAMES.index("Q2o")
    assert solve_push_fold(5.5).call[at] > 0.99 > 0.01 > solve_push_fold(5.7).call[at]


def test_exploitability_is_what_best_responses_hand_by_hand_win() -> None:
    """Strategies of two hands each, with equities and card removal from `equity` of ranges."""
    depth = 8.0
    push, call = np.zeros(169), np.zeros(169)
    push[[NAMES.index("AA"), NAMES.index("K5s")]] = 1, 0.5
    call[[NAMES.index("QQ"), NAMES.index("AKo")]] = 1, 0.25
    game = PushFoldGame(depth)
    pushing, calling = {"AA": 1.0, "K5s": 0.5}, {"QQ": 1.0, "AKo": 0.25}
    best_push = best_call = 0.0
    for at, name in enumerate(NAMES):
        called, gained = met(name, calling), 0.0
        for other, weight in called.items():
            gained += weight * depth * (2 * equity(name, other).players[0].equity - 1)
        gained += 1 - sum(called.values())
        best_push += SIZES[at] * max(gained, -0.5)
        pushed = met(name, pushing)
        won = sum(weight * depth * (2 * equity(name, other).players[0].equity - 1) for other, weight in pushed.items())
        facing = sum(pushed.values())
        best_call += SIZES[at] * (max(won, -facing) + 0.5 * (1 - facing))
    assert game.exploitability(push, call) == pytest.approx((best_push + best_call) / 2, abs=1e-9)


def met(name: str, held: dict[str, float]) -> dict[str, float]:
    """The probability that the other seat has each hand and plays it, given this hand."""
    return {other: weight * combos_left(name, other) / 1225 for other, weight in held.items()}


def combos_left(name: str, other: str) -> float:
    """The mean number of combos of the other hand that share no card with one of this hand."""
    from tahur.cards.equity.tables import combos
    from tahur.cards.ranges import Range

    mine, theirs = Range(name).indices, Range(other).indices
    mask = combos().mask
    return float((mask[mine][:, None] & mask[theirs] == 0).sum() / len(mine))


def test_the_best_action_of_each_hand_is_taken_and_mixed_hands_are_indifferent() -> None:
    found = solve_push_fold(10, 1e-8)
    for chances, values, folding in ((found.push, found.push_values, -0.5), (found.call, found.call_values, -1.0)):
        sure = np.abs(values - folding) > 0.02
        assert np.array_equal(chances[sure] > 0.5, values[sure] > folding)
        mixed = (chances > 0.05) & (chances < 0.95)
        assert np.abs(values[mixed] - folding).max() < 2e-3
    assert found.value == pytest.approx(SIZES @ (found.push * found.push_values - 0.5 * (1 - found.push)))


def test_the_blueprint_solver_finds_the_same_game() -> None:
    """Monte Carlo CFR on the tree of the rules: after some boards it is nearly unexploitable in the exact game."""
    blueprint = tiny_blueprint(10, "push-fold", rounds=50, boards=400)
    push = preflop_chart(blueprint, 0).shares[1]
    call = preflop_chart(blueprint, int(blueprint.tree.arrays.child[0, 1])).shares[1]
    assert blueprint.training.boards == 20_000
    assert PushFoldGame(10).exploitability(push, call) < 0.003
    assert SIZES @ push == pytest.approx(0.583, abs=0.02)


def test_progress_gets_better_and_impossible_depths_are_refused() -> None:
    steps = [found.exploitability for found in push_fold_steps(10)]
    assert steps[-1] < 1e-6 < steps[0]
    with pytest.raises(SolverError, match="a depth of 1 bb"):
        solve_push_fold(1)
