"""Flop Hold'em for all hands at once, and the fast mode: sums against slow ones, nets against players."""

from __future__ import annotations

from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from plain_flops import PlainFlop, compatible, swept
from plain_nets import lines_of, random_net
from small_runs import small

from tahur.cards.cards import parse_cards
from tahur.core.net_file import KeptNet, NetSet
from tahur.core.player import View
from tahur.core.towers import policy_of
from tahur.games.betting import betting_of
from tahur.games.encoders.holdem import flop_hands
from tahur.games.registry import make
from tahur.players.solved import NetPlayer
from tahur.solvers.deep import flop_nets
from tahur.solvers.deep.average import LimitAverage
from tahur.solvers.deep.flop_memory import FlopMemory, Sweeper
from tahur.solvers.deep.flop_nets import FlopAverage, curve
from tahur.solvers.deep.flop_outputs import FlopHands, KernelNet
from tahur.solvers.deep.flops import Preflop, flop_tree, policy_by_slots
from tahur.solvers.deep.game import training_game
from tahur.solvers.deep.kernels import average_policies
from tahur.solvers.deep.run import Training
from tahur.solvers.deep.traversal import traverse
from tahur.solvers.limit.deck import FULL
from tahur.solvers.limit.engine import LimitLayout, layout_of
from tahur.solvers.limit.evaluate import measure_policy
from tahur.solvers.limit.player_policy import AnyFlopPolicy

BOARD = tuple(sorted(parse_cards("Td9d6h")))


@pytest.fixture(scope="module")
def flop() -> PlainFlop:
    return PlainFlop(np.array(BOARD, np.uint8))


def _random_policies(where: Any, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    first, second = (
        policy_by_slots(rng.standard_normal((3, len(where.rows[role]), 1176)).astype(np.float32), where.legal[role])
        for role in (0, 1)
    )
    return first, second


def test_sums_over_the_hands_that_can_meet_are_those_of_all_pairs(flop: PlainFlop) -> None:
    reach = np.random.default_rng(0).random((2, 1176))
    cards = flop.holes
    apart = ~(cards[:, None, :, None] == cards[None, :, None, :]).any((2, 3))
    wins = np.sign(flop.ranks[:, None] - flop.ranks[None, :]) * apart
    against = flop.against(reach)
    np.testing.assert_allclose(against, reach @ apart.T, rtol=1e-9)
    np.testing.assert_allclose(flop.shown(reach, against), reach @ wins.T, atol=1e-8)
    all_hands = np.random.default_rng(1).random(1326)
    assert compatible(all_hands)[flop.hands].shape == (1176,)


def test_what_one_role_wins_the_other_loses(flop: PlainFlop) -> None:
    where = flop_tree(training_game(make("fhp")))
    reach = tuple(np.random.default_rng(seed).random((7, 1176)).astype(np.float32) for seed in (1, 2))
    first, second = swept(where, flop, _random_policies(where, 3), (reach[0], reach[1]))
    one, other = (first.values * reach[0]).sum(axis=1), (second.values * reach[1]).sum(axis=1)
    np.testing.assert_allclose(one, -other, rtol=1e-3, atol=1.0)
    best, _ = swept(where, flop, _random_policies(where, 3), (reach[0], reach[1]), best=True)
    assert (best.values >= first.values - 1e-2).all()


def test_a_sweep_regrets_what_sampled_deals_regret_on_average(flop: PlainFlop) -> None:
    """Two hands meet on this flop: regrets of the sweep and of the traversal, decision by decision."""
    training = training_game(make("fhp"))
    where = flop_tree(training)
    width = training.encoder.card_width
    nets = [random_net(width, 1, mixed=True), random_net(width, 2, mixed=True)]
    average = FlopAverage(_set("fhp", (KeptNet(1, 1.0, (nets[0], nets[1])),)), make("fhp"))
    policies = average.on(flop)
    mine, theirs = 200, 700
    assert not set(flop.holes[mine]) & set(flop.holes[theirs])
    reach = np.zeros((7, 1176), np.float32), np.zeros((7, 1176), np.float32)
    reach[0][:, mine] = reach[1][:, theirs] = 1
    result, _ = swept(where, flop, policies, reach)
    deals = np.tile(np.concatenate([flop.holes[mine], flop.holes[theirs], np.array(BOARD, np.uint8)]), (4000, 1))
    found = traverse(training, nets, 0, deals.astype(np.uint8), np.random.default_rng(5))
    numbers = np.argsort(np.argsort(where.betting.walk[: where.betting.decisions]))  # depth first, as in training
    numbers = numbers[where.nodes[where.mine[0]]].reshape(-1)
    compared = 0
    for place, number in enumerate(numbers):
        here = found[1] == number
        reached = result.against[place, mine]
        if here.sum() > 200:
            expected = result.regrets[:, place, mine] / reached
            error = found[2][here].std(axis=0) / np.sqrt(here.sum())
            assert (np.abs(found[2][here].mean(axis=0) - expected) <= 5 * error + 0.01).all()
            compared += 1
    assert compared > 5


def _set(name: str, kept: tuple[KeptNet, ...]) -> NetSet:
    game = make(name)
    return NetSet(game=game.name, settings=game.settings, iteration=len(kept), uniform=False, kept=kept)


def _kept(name: str, number: int, *, tables: bool) -> KeptNet:
    training = training_game(make(name))
    width = training.encoder.card_width
    rng = np.random.default_rng(number)
    table = tuple(rng.random((4, 169, 3)).astype(np.float32) for _ in (0, 1))
    towers = random_net(width, 10 * number, mixed=True), random_net(width, 10 * number + 1, mixed=True)
    return KeptNet(number, float(number), towers, (table[0], table[1]) if tables else None)


@pytest.mark.parametrize("tables", [False, True])
def test_the_average_of_one_net_is_what_its_player_does(tables: bool, flop: PlainFlop) -> None:
    game = make("fhp-3-4")
    nets = _set("fhp-3-4", (_kept("fhp-3-4", 3, tables=tables),))
    average, player = FlopAverage(nets, game), NetPlayer(nets)
    betting = average.where.betting
    before, after = average.preflop(), average.flop(BOARD)
    assert len(before) + len(after) == betting.decisions == 78
    rng = np.random.default_rng(0)
    for number in rng.choice(betting.decisions, 12, replace=False):
        early = number < len(before)
        place = number if early else number - len(before)
        hand = int(rng.choice(flop.hands))
        table = _table(game, lines_of(betting)[number])
        chances = player.chances(nets.kept[0], View(game, table, table.turn, hand))
        expected = [chances.get(action, 0.0) for action in average.training.encoder.slots(table)]
        np.testing.assert_allclose((before if early else after)[place, hand], expected, atol=1e-4)


def _table(game: Any, line: tuple[int, ...]) -> Any:
    table = game.start()
    board = list(BOARD)
    for action in line:
        while table.turn < 0:
            table = table.after(board.pop(0))
        table = table.after(action)
    while table.turn < 0:
        table = table.after(board.pop(0))
    return table


def check_the_average_weighs_nets_by_their_own_reach(flop: PlainFlop) -> None:
    """How likely a seat's own choices lead through each decision: the average's, and the mean over the nets."""
    nets = _set("fhp", (_kept("fhp", 1, tables=True), _kept("fhp", 2, tables=True)))
    average = FlopAverage(nets, make("fhp"))
    where, preflop = average.where, Preflop(average.where)
    mixed = average.on(flop)
    order = sorted(node for mine in preflop.decisions for node in mine)
    for role in (0, 1):
        rows = [order.index(node) for node in preflop.decisions[role]]
        before = average.preflop()[rows].transpose(2, 0, 1)
        starts = preflop.reaches((before, before))[role][:, flop.hands].astype(np.float32)
        ours = flop_nets.own_reach(where, mixed[role], starts, role) * mixed[role]
        expected = 0
        for weight, (_, reaches, ready) in zip(nets.weights, average._nets, strict=True):
            policy = ready[role].policy(flop_nets.flop_rows(average.training, flop))
            reach = flop_nets.own_reach(where, policy, reaches[role][:, flop.hands], role)
            expected = expected + weight * reach * policy
        np.testing.assert_allclose(ours, expected, atol=1e-4)


def test_the_average_of_flop_nets_is_what_one_net_per_hand_plays(flop: PlainFlop) -> None:
    check_the_average_weighs_nets_by_their_own_reach(flop)


def test_an_average_of_flop_nets_without_the_own_reach_is_found_out(
    flop: PlainFlop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flop_nets, "weighed", lambda weight, reach, policy: np.float32(weight) * policy)
    with pytest.raises(AssertionError):
        check_the_average_weighs_nets_by_their_own_reach(flop)


@pytest.fixture(scope="module")
def layout() -> LimitLayout:
    """Five flops that stand for all."""
    return layout_of(make("fhp-3-4"), FULL, 5)


def check_kernels_regret_what_plain_sums_regret(layout: LimitLayout) -> None:
    """All hands of a flop against two nets: the sweep of the fast mode, and sums in NumPy."""
    training = training_game(layout.game)
    where = flop_tree(training)
    hands = FlopHands(layout, where, training.encoder)
    nets = [random_net(training.encoder.card_width, seed, mixed=True) for seed in (1, 2)]
    pair = KernelNet(hands.outputs[0], nets[0]), KernelNet(hands.outputs[1], nets[1])
    reach = np.random.default_rng(4).random((2, 7, 169)).astype(np.float32)
    number, deck = 2, layout.deck
    plain = PlainFlop(deck.boards[number].astype(np.uint8))
    rows = flop_nets.flop_rows(training, plain)
    chances = [flop_nets.FlopNet(where, role, nets[role]).policy(rows) for role in (0, 1)]
    starts = [each[:, deck.class_of[plain.hands]] for each in reach]
    expected = swept(where, plain, (chances[0], chances[1]), (starts[0], starts[1]))
    member = deck.members[number][plain.hands]
    for role in (0, 1):
        before = np.zeros((169, 8), np.float32)
        before[:, :7] = reach[1 - role].T
        regrets = _regrets(hands, pair, role, before.ravel(), number)
        columns = regrets.transpose(1, 0, 2).reshape(regrets.shape[1], -1)[:, hands.outputs[role].back]
        told = (columns * hands.outputs[role].legal)[member].reshape(1176, -1, 3)
        np.testing.assert_allclose(told, expected[role].regrets.transpose(2, 1, 0), rtol=2e-2, atol=3.0)
        assert np.abs(told).mean() > 30


def _regrets(hands: FlopHands, nets: Any, role: int, before: np.ndarray, number: int) -> np.ndarray:
    """(rows, hands, lanes) of one flop, by the sweep of the fast mode."""
    found: list[np.ndarray] = []
    sweeper = Sweeper(hands, 1, lambda rows: rows.astype(np.float32))
    with ThreadPoolExecutor(1) as pool:
        sweeper.sweep(pool, nets, role, before, np.array([number]), lambda _, now, __: found.append(now.copy()))
    return found[0]


def test_kernels_regret_what_plain_sums_regret(layout: LimitLayout) -> None:
    check_kernels_regret_what_plain_sums_regret(layout)


def test_nets_of_the_wrong_seats_are_found_out(layout: LimitLayout, monkeypatch: pytest.MonkeyPatch) -> None:
    right = KernelNet.write
    monkeypatch.setattr(KernelNet, "write", lambda self, rows, out: right(self, rows[::-1].copy(), out))
    with pytest.raises(AssertionError):
        check_kernels_regret_what_plain_sums_regret(layout)


def test_an_average_is_measured_alike_by_books_and_by_probabilities(layout: LimitLayout) -> None:
    nets = _set("fhp-3-4", (_kept("fhp-3-4", 1, tables=True), _kept("fhp-3-4", 2, tables=True)))
    average = FlopAverage(nets, layout.game)
    slow = SimpleNamespace(preflop=average.preflop, flop=average.flop)
    quick, told = finished(measure_policy(layout, average)), finished(measure_policy(layout, slow))
    assert quick.responses == pytest.approx(told.responses, abs=1e-5)
    assert quick.value == pytest.approx(told.value, abs=1e-5)
    first, both = finished(curve(layout, nets, layout.game, [1, 2]))
    assert both == pytest.approx(quick.exploitability, abs=1e-6)
    alone = FlopAverage(replace(nets, kept=nets.kept[:1]), layout.game)
    assert first == pytest.approx(finished(measure_policy(layout, alone)).exploitability, abs=1e-6)


def finished(steps: Generator[float, None, Any]) -> Any:
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def test_the_fast_mode_goes_on_to_the_same_bits(tmp_path: Path) -> None:
    config = small("fhp-quick", iterations=3, keep_every=1, keep_from=1)
    config = replace(
        config,
        network=replace(config.network, hidden_dim=16),
        sgd=replace(config.sgd, steps=3, batch_size=256),
        fast=replace(config.fast, flops=5, flops_per_iter=2),
        checkpoint=replace(config.checkpoint, interval=2),
    )
    for folder, steps in (("whole", 3), ("parts", 2)):
        run = Training(config, tmp_path / folder).run()
        for _ in range(steps):
            next(run)
    list(Training(config, tmp_path / "whole", resume=True).run())
    list(Training(config, tmp_path / "parts", resume=True).run())
    one, other = (
        {p.relative_to(tmp_path / folder): p.read_bytes() for p in (tmp_path / folder).rglob("*.safetensors")}
        for folder in ("whole", "parts")
    )
    assert one == other
    assert len(one) == 4


def test_a_memory_adds_regrets_up_and_forgets_the_negative_ones(layout: LimitLayout) -> None:
    training = training_game(layout.game)
    memory = FlopMemory(FlopHands(layout, flop_tree(training), training.encoder), 0, negative=0.0)
    begin, end = layout.deck.flops.start[1:3]
    for visit, regret in enumerate((-50.0, 30.0, 10.0)):
        memory.add(1, np.full((memory.outputs.data_rows, end - begin, 8), regret, np.float32), visit)
    expected = (30.0 * 2**1.5 / (2**1.5 + 1) + 10.0) * memory.outputs.legal / memory.unit.numpy().repeat(3)
    np.testing.assert_allclose(memory.sums[begin:end].float().numpy(), np.tile(expected, (end - begin, 1)), rtol=2e-3)
    assert not memory.sums[:begin].any()


def test_two_halves_of_a_batch_have_the_slope_of_the_whole() -> None:
    from tahur.solvers.deep.net import Learner, masked_slope, tensor, threads

    rng = np.random.default_rng(2)
    cards, bets, target = (rng.standard_normal(shape).astype(np.float32) for shape in ((8, 5), (4, 6), (8, 12)))
    whole, first = (Learner((5, 6), 7, (3,)) for _ in range(2))
    second, weight = first.twin(), tensor(np.ones((1, 12), np.float32))
    with threads(1):
        for learner, rows in ((whole, slice(0, 8)), (first, slice(0, 4)), (second, slice(4, 8))):
            answers, hands, lines = learner.answers(tensor(cards[rows]), tensor(bets))
            learner.learn(masked_slope(answers, tensor(target[rows]), weight)[1], hands, lines)
        first.join(second)
    for name, slope in whole.slopes.items():
        np.testing.assert_allclose(first.slopes[name].numpy(), slope.numpy(), atol=1e-5)


def test_the_average_asked_decision_by_decision_is_the_average_of_whole_flops() -> None:
    game = make("fhp")
    nets = _set("fhp", tuple(_kept("fhp", seed, tables=False) for seed in (3, 4)))
    whole, single = AnyFlopPolicy(FlopAverage(nets, game), betting_of(game)), LimitAverage(nets, game)
    free = flop_hands(np.array(BOARD, np.uint8))
    for decision in (0, 3, 7):
        np.testing.assert_allclose(single.chances(decision, ()), whole.chances(decision, ()), atol=1e-4)
    for decision in (8, 30, 63):
        found, expected = single.chances(decision, BOARD), whole.chances(decision, BOARD)
        np.testing.assert_allclose(found[free], expected[free], atol=1e-4)


def test_nets_of_full_limit_are_asked_on_every_street() -> None:
    game = make("hulh")
    average = LimitAverage(_set("hulh", tuple(_kept("hulh", seed, tables=False) for seed in (1, 2))), game)
    board = tuple(parse_cards("Td9d6hQc2s"))
    for street, cards in enumerate((0, 3, 4, 5)):
        decision = average.betting.of_street(street)[-1]
        chances = average.chances(decision, board[:cards])
        assert chances.sum(axis=1) == pytest.approx(1.0)
        assert (chances[:, ~average.betting.legal[decision]] == 0).all()


@pytest.mark.parametrize("uniform", [False, True])
def test_the_kernel_of_the_average_equals_its_plain_twin(uniform: bool) -> None:
    rng = np.random.default_rng(5)
    regrets = rng.normal(size=(3, 40, 4, 3)).astype(np.float32)
    regrets[:, ::3] = -np.abs(regrets[:, ::3])  # nothing is regretted
    legal = np.array([[0, 1, 1], [1, 1, 1], [1, 1, 0], [1, 1, 1]], np.bool_)
    start = rng.random((3, 40)).astype(np.float32)
    start[:, 7] = 0  # never gets here
    above, slots = np.array([-1, -1, 0, 2]), np.array([0, 0, 2, 1])
    policies = policy_of(regrets, legal, uniform=uniform)
    reach = np.repeat(start[:, :, None], 4, axis=2)
    reach[:, :, 2] = reach[:, :, 0] * policies[:, :, 0, 2]
    reach[:, :, 3] = reach[:, :, 2] * policies[:, :, 2, 1]
    sums = np.einsum("nhd,nhds->hds", reach, policies)
    total = sums.sum(axis=2, keepdims=True)
    expected = np.where(total > 0, sums / np.where(total > 0, total, 1), legal / legal.sum(axis=1, keepdims=True))

    made, mean = np.empty_like(reach), np.zeros((40, 4, 3))
    average_policies(regrets, legal, uniform, start, above, slots, made, mean)
    np.testing.assert_allclose(regrets, policies, atol=1e-6)
    np.testing.assert_allclose(made, reach, atol=1e-6)
    np.testing.assert_allclose(mean, expected, atol=1e-6)
