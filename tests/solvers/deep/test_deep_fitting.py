"""Memory and fitting of Deep CFR: what is kept, and what nets learn from it. Planted bugs must be found."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from plain_nets import every_deal

from tahur.core.towers import Towers
from tahur.games.registry import make
from tahur.solvers.deep import net, traversal
from tahur.solvers.deep.game import training_game
from tahur.solvers.deep.net import Fitter, Learner, masked_slope, tensor, threads
from tahur.solvers.deep.traversal import Reservoir, Samples


def _numbered_outputs(count: int, start: int = 0) -> Samples:
    numbers = np.arange(start, start + count)
    regrets = np.zeros((count, 3), np.float32)
    return Samples(np.zeros((count, 2), np.uint8), numbers.astype(np.int32), regrets, np.ones(count, np.int32))


def test_a_reservoir_keeps_everything_until_it_is_full() -> None:
    memory = Reservoir(10, 2)
    memory.add(_numbered_outputs(7), np.random.default_rng(0))
    assert memory.samples.decisions.tolist() == list(range(7))


def test_every_sample_ever_seen_is_as_likely_to_be_kept() -> None:
    counts = np.zeros(60)
    for seed in range(400):
        rng, memory = np.random.default_rng(seed), Reservoir(20, 2)
        for start in range(0, 60, 15):
            memory.add(_numbered_outputs(15, start), rng)
        counts[memory.samples.decisions] += 1
    expected = 400 * 20 / 60
    assert np.abs(counts - expected).max() < 5 * np.sqrt(expected * 2 / 3)


def test_gradients_are_those_of_automatic_differentiation() -> None:
    import torch

    learner = Learner((5, 7), 6, (1,))
    rng = np.random.default_rng(2)
    cards, bets, target = (tensor(rng.random(shape).astype(np.float32)) for shape in ((11, 5), (4, 7), (11, 12)))
    weight = tensor((rng.random((11, 12)) > 0.3).astype(np.float32))
    with threads(1):
        answers, hands, lines = learner.answers(cards, bets)
        loss, slope = masked_slope(answers, target, weight)
        learner.learn(slope, hands, lines)
    leaves = {name: part.clone().requires_grad_() for name, part in learner.parts.items()}

    def tower(name: str, rows: Any) -> Any:
        for layer in (0, 1):
            rows = (rows @ leaves[f"{name}.{layer}.weight"].T + leaves[f"{name}.{layer}.bias"]).relu()
        return rows @ leaves[f"{name}.2.weight"].T + leaves[f"{name}.2.bias"]

    top = tower("bets", bets).reshape(12, 7)
    said = tower("cards", cards) @ top[:, :-1].T + top[:, -1]
    error = ((said - target) ** 2 * weight).sum(1).mean()
    error.backward()
    assert loss == pytest.approx(float(error.detach()), rel=1e-5)
    for name, leaf in leaves.items():
        torch.testing.assert_close(learner.slopes[name], leaf.grad, rtol=1e-4, atol=1e-6)


def test_nets_say_the_same_in_numpy_and_in_torch() -> None:
    learner = Learner((5, 7), 6, (1,))
    rng = np.random.default_rng(2)
    cards, bets = rng.random((11, 5)).astype(np.float32), rng.random((4, 7)).astype(np.float32)
    with threads(1):
        expected = learner.answers(tensor(cards), tensor(bets))[0].numpy()
    towers = Towers(learner.freeze().parts)
    factors, added = towers.bets(bets)
    ours = np.einsum("nd,ksd->nks", towers.cards(cards), factors) + added
    np.testing.assert_allclose(ours.reshape(11, -1), expected, atol=1e-5)


def _fitted(regrets_of_illegal: float, *, dense: bool = True, pooled: bool = False) -> Towers:
    """A net after some steps on Leduc samples, with rubbish in the slots that are not legal."""
    game = training_game(make("leduc"))
    deals = every_deal("leduc")
    places, decisions, regrets = traversal.traverse(game, [None, None], 0, deals, np.random.default_rng(0))
    rubbish = np.where(game.betting.legal[decisions], regrets, np.float32(regrets_of_illegal))
    memory = Samples(deals[places], decisions, rubbish, np.ones(len(places), np.int32))
    with threads(1):
        learner = Learner((8, 56), 8, (3,))
        fitter: Any = Fitter(game=game, role=0, learner=learner, memory=memory, batch_size=128)
        fitter.dense = dense
        if pooled:
            fitter = net.PooledFitter(game, 0, learner, memory)
        rng = np.random.default_rng(1)
        for _ in range(5):
            fitter.step(rng)
            learner.step(0.01, 1.0)
        return learner.freeze()


def check_illegal_slots_are_not_fitted() -> None:
    for pooled in (False, True):
        one, other = _fitted(0.0, pooled=pooled), _fitted(777.0, pooled=pooled)
        assert all((one.parts[name] == other.parts[name]).all() for name in one.parts)


def test_what_stands_in_a_slot_that_is_not_legal_teaches_nothing() -> None:
    check_illegal_slots_are_not_fitted()


def test_training_the_illegal_slots_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    every = lambda legal, decisions: np.ones((len(decisions), 3), np.float32)  # noqa: E731
    monkeypatch.setattr(net, "loss_weights", every)
    with pytest.raises(AssertionError):
        check_illegal_slots_are_not_fitted()


def test_answering_all_decisions_and_only_those_asked_for_teach_the_same() -> None:
    one, other = _fitted(0.0), _fitted(0.0, dense=False)
    for name in one.parts:
        np.testing.assert_allclose(one.parts[name], other.parts[name], atol=1e-5)
