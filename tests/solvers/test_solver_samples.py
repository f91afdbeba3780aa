"""Sampled CFR comes to the same game value, is seeded, and updates the right things."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from solvers.random_games import RandomGame
from tahur.core.errors import SolverError
from tahur.games.kuhn import Kuhn
from tahur.games.leduc import Leduc
from tahur.games.registry import make
from tahur.solvers.cfr import CfrSolver, SampledSolver, Sampling
from tahur.solvers.schedule import DCFR_PLUS
from tahur.solvers.unroll import unroll


@pytest.mark.parametrize("sampling", Sampling)
@pytest.mark.parametrize(
    ("game", "iterations", "within", "dense"),
    [
        (Kuhn(), 200_000, 0.01, 600),
        (Leduc(), 150_000, 0.1, 600),
        (Leduc(), 150_000, 0.1, 0),  # ends that are counted, not looked up
        (RandomGame(4), 100_000, 0.05, 600),
        (make("perudo", {"cups": [1, 1]}), 100_000, 0.05, 0),
    ],
    ids=["kuhn", "leduc", "leduc-counted", "random", "perudo"],
)
def test_samples_come_to_the_value_of_the_game(
    game: Any, iterations: int, within: float, dense: int, sampling: Sampling
) -> None:
    tree = unroll(game, merge=False, dense=dense)
    sampler, exact = SampledSolver(tree, sampling, np.random.default_rng(1)), CfrSolver(tree, DCFR_PLUS)
    sampler.iterate(iterations)
    exact.iterate(1000)
    found = sampler.measure()
    assert found.exploitability < within
    assert found.value == pytest.approx(exact.measure().value, abs=2 * within)


@pytest.mark.parametrize("sampling", Sampling)
def test_the_same_seed_gives_the_same_bits_however_it_is_cut(sampling: Sampling) -> None:
    tree = unroll(Leduc(), merge=False)
    one, other, third = (SampledSolver(tree, sampling, np.random.default_rng(seed)) for seed in (5, 5, 6))
    one.iterate(1000)
    third.iterate(1000)
    for _ in range(10):
        other.iterate(100)
    assert one.regrets.tobytes() == other.regrets.tobytes() != third.regrets.tobytes()
    assert one.averages.tobytes() == other.averages.tobytes()


@pytest.mark.parametrize("sampling", Sampling)
def test_the_mean_of_many_sampled_iterations_is_an_exact_one(sampling: Sampling) -> None:
    """The first walk of seat 0 meets uniform play, so on average its regrets are those of one exact iteration."""
    tree = unroll(Kuhn(), merge=False)
    exact = CfrSolver(tree)
    exact.iterate(1)
    sampler = SampledSolver(tree, sampling, np.random.default_rng(3))
    total, count = np.zeros(tree.size), 8_000
    for _ in range(count):
        sampler.regrets[:] = 0
        sampler.iterate(1)
        total += sampler.regrets
    ours, theirs = (tree.part(each, 0) for each in (total / count, exact.regrets))
    scale = tree.priors[0] / tree.mass  # exact regrets leave out how likely the own hand is
    np.testing.assert_allclose(ours, theirs * scale, atol=0.03)
    assert np.abs(theirs * scale).max() > 0.08  # there is something to be wrong about


def test_samples_need_a_whole_tree() -> None:
    with pytest.raises(SolverError, match="merge=False"):
        SampledSolver(unroll(Leduc()), Sampling.EXTERNAL, np.random.default_rng(1))
