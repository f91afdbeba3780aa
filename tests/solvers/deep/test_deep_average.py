"""The average that Deep CFR's nets play together, by the tree and by drawing one. Planted bugs must be found."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from plain_nets import random_set

from tahur.core.net_file import NetSet
from tahur.core.player import View
from tahur.games.encoders.registry import encoder_of
from tahur.games.registry import make
from tahur.players.solved import NetPlayer
from tahur.solvers.deep import average
from tahur.solvers.deep.average import TreeAverage


def average_of(nets: NetSet, game: Any) -> TreeAverage:
    whole = TreeAverage(game, uniform=nets.uniform)
    for net in nets.kept:
        whole.add(net)
    return whole


def check_the_average_is_what_one_net_per_hand_plays(name: str) -> None:
    """How likely a seat's own choices lead to each of its decisions: the average's, and the mean over the nets."""
    nets, game = random_set(name, 5), make(name)
    whole = average_of(nets, game)
    strategy, tree = whole.strategy(), whole.tree
    for role in (0, 1):
        expected: dict[int, Any] = {}
        for weight, net in zip(nets.weights, nets.kept, strict=True):
            for node, chances, reach in whole._walk(net.towers[role], role):
                expected[node] = expected.get(node, 0) + weight * reach * chances
        reach = {0: np.ones(tree.hands[role])}
        for node in range(len(tree.actions)):
            here = reach.pop(node)
            part = tree.part(strategy, node) if tree.nodes.kind[node] == role else None
            for place, child in enumerate(tree.children(node)):
                reach[child] = here if part is None else here * part[place]
            if part is not None:
                np.testing.assert_allclose(here * part, expected[node], atol=1e-9)


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_the_explicit_average_is_what_one_net_per_hand_plays(name: str) -> None:
    check_the_average_is_what_one_net_per_hand_plays(name)


def test_an_average_without_the_own_reach_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(average, "weighed", lambda weight, reach, chances: weight * chances)
    with pytest.raises(AssertionError):
        check_the_average_is_what_one_net_per_hand_plays("leduc")


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_a_player_that_draws_nets_does_what_the_average_says(name: str) -> None:
    """Seat 0 checks, is bet into, and answers: how often each hand comes there, and calls."""
    nets, game, deals = random_set(name, 3, seed=4), make(name), 500
    player, rng, whole = NetPlayer(nets), np.random.default_rng(0), average_of(nets, game)
    start = game.start()
    check = encoder_of(game).slots(start)[1]
    assert check is not None
    bet = encoder_of(game).slots(start.after(check))[2]
    assert bet is not None
    bet_into = start.after(check).after(bet)
    call = encoder_of(game).slots(bet_into)[1]
    strategy, asked = whole.strategy(), whole.tree.find((check, bet)).node
    for hand in game.hands(0):
        came = called = 0
        for _ in range(deals):
            player.begin(View(game, start, 0, hand), rng)
            if player.act(View(game, start, 0, hand), rng).action == check:
                came += 1
                called += player.act(View(game, bet_into, 0, hand), rng).action == call
        checks = whole.tree.part(strategy, 0)[list(whole.tree.menu(0)).index(check), hand]
        calls = whole.tree.part(strategy, asked)[list(whole.tree.menu(asked)).index(call), hand]
        assert came / deals == pytest.approx(checks, abs=0.09)
        assert called / deals == pytest.approx(checks * calls, abs=0.09)
