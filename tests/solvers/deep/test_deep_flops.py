"""Flop Hold'em for all hands at once, and the fast mode: sums against slow ones, nets against players."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from plain_nets import random_net
from small_runs import small

from tahur.cards.cards import parse_cards
from tahur.core.net_file import KeptNet, NetSet
from tahur.core.player import View
from tahur.games.encoders.holdem import flop_hands
from tahur.games.holdem.limit_betting import betting_of
from tahur.games.registry import make
from tahur.players.trained import NetPlayer
from tahur.solvers.deep import flop_nets
from tahur.solvers.deep.flop_nets import FlopAverage
from tahur.solvers.deep.flops import Flop, Preflop, by_class, compatible, flop_tree, policy_by_slots, swept
from tahur.solvers.deep.game import training_game
from tahur.solvers.deep.limit_nets import LimitAverage
from tahur.solvers.deep.run import Training
from tahur.solvers.deep.traversal import traversed
from tahur.solvers.limit.asked import OnAnyFlop

BOARD = tuple(sorted(parse_cards("Td9d6h")))


@pytest.fixture(scope="module")
def flop() -> Flop:
    return Flop(np.array(BOARD, np.uint8))


def _random_policies(where: Any, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    first, second = (
        policy_by_slots(rng.standard_normal((3, len(where.rows[role]), 1176)).astype(np.float32), where.legal[role])
        for role in (0, 1)
    )
    return first, second


def test_sums_over_the_hands_that_can_meet_are_those_of_all_pairs(flop: Flop) -> None:
    reach = np.random.default_rng(0).random((2, 1176))
    cards = flop.holes
    apart = ~(cards[:, None, :, None] == cards[None, :, None, :]).any((2, 3))
    wins = np.sign(flop.ranks[:, None] - flop.ranks[None, :]) * apart
    against = flop.against(reach)
    np.testing.assert_allclose(against, reach @ apart.T, rtol=1e-9)
    np.testing.assert_allclose(flop.shown(reach, against), reach @ wins.T, atol=1e-8)
    all_hands = np.random.default_rng(1).random(1326)
    assert compatible(all_hands)[flop.hands].shape == (1176,)


def test_what_one_role_wins_the_other_loses(flop: Flop) -> None:
    where = flop_tree(training_game(make("fhp")).tree)
    reach = tuple(np.random.default_rng(seed).random((7, 1176)).astype(np.float32) for seed in (1, 2))
    first, second = swept(where, flop, _random_policies(where, 3), (reach[0], reach[1]))
    one, other = (first.values * reach[0]).sum(axis=1), (second.values * reach[1]).sum(axis=1)
    np.testing.assert_allclose(one, -other, rtol=1e-3, atol=1.0)
    best, _ = swept(where, flop, _random_policies(where, 3), (reach[0], reach[1]), best=True)
    assert (best.values >= first.values - 1e-2).all()


def test_a_sweep_regrets_what_sampled_deals_regret_on_average(flop: Flop) -> None:
    """Two hands meet on this flop: regrets of the sweep and of the traversal, decision by decision."""
    training = training_game(make("fhp"))
    where, tree = flop_tree(training.tree), training.tree
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
    found = traversed(training, nets, 0, deals.astype(np.uint8), np.random.default_rng(5))
    numbers = tree.number[where.nodes[where.mine[0]]].reshape(-1)
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
    return NetSet(game.name, game.settings, len(kept), False, kept)


def _kept(name: str, number: int, *, tables: bool) -> KeptNet:
    training = training_game(make(name))
    width = training.encoder.card_width
    rng = np.random.default_rng(number)
    table = tuple(rng.random((4, 169, 3)).astype(np.float32) for _ in (0, 1))
    towers = random_net(width, 10 * number, mixed=True), random_net(width, 10 * number + 1, mixed=True)
    return KeptNet(number, float(number), towers, (table[0], table[1]) if tables else None)


@pytest.mark.parametrize("tables", [False, True])
def test_the_average_of_one_net_is_what_its_player_does(tables: bool, flop: Flop) -> None:
    game = make("fhp-3-4")
    nets = _set("fhp-3-4", (_kept("fhp-3-4", 3, tables=tables),))
    average, player = FlopAverage(nets, game), NetPlayer(nets)
    tree = average.training.tree
    before, after = average.preflop(), average.flop(BOARD)
    assert len(before) + len(after) == len(tree.decisions) == 78
    rng = np.random.default_rng(0)
    for number in rng.choice(len(tree.decisions), 12, replace=False):
        early = tree.street[tree.decisions[number]] == 0
        place = int((tree.street[tree.decisions[:number]] == (0 if early else 1)).sum())
        hand = int(rng.choice(flop.hands))
        table = _table(game, tree.lines[number])
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


def check_the_average_weighs_nets_by_their_own_reach(flop: Flop) -> None:
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


def test_the_average_of_flop_nets_is_what_one_net_per_hand_plays(flop: Flop) -> None:
    check_the_average_weighs_nets_by_their_own_reach(flop)


def test_an_average_of_flop_nets_without_the_own_reach_is_found_out(
    flop: Flop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flop_nets, "weighed", lambda weight, reach, policy: np.float32(weight) * policy)
    with pytest.raises(AssertionError):
        check_the_average_weighs_nets_by_their_own_reach(flop)


def test_values_by_class_are_the_same_for_all_suits() -> None:
    values = by_class(np.random.default_rng(0).random((2, 1326)))
    assert len(np.unique(values[0])) == 169


def test_the_fast_mode_goes_on_to_the_same_bits(tmp_path: Path) -> None:
    config = small("fhp-quick", iterations=3, keep_every=1, keep_from=1)
    config = replace(
        config,
        network=replace(config.network, hidden_dim=16),
        sgd=replace(config.sgd, steps=3, batch_size=256),
        fast=replace(config.fast, flops_per_iter=2),
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


def test_the_average_asked_decision_by_decision_is_the_average_of_whole_flops() -> None:
    game = make("fhp")
    nets = _set("fhp", tuple(_kept("fhp", seed, tables=False) for seed in (3, 4)))
    whole, single = OnAnyFlop(FlopAverage(nets, game), betting_of(game)), LimitAverage(nets, game)
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
