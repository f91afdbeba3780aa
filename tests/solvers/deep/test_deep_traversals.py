"""Traversals of Deep CFR: what is regretted where, on any number of threads. Planted bugs must be found."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pytest
from plain_nets import Twin, constant_net, every_deal, in_python, lines_of, random_net
from small_runs import small

from tahur.core.net_file import KeptNet, NetSet
from tahur.core.player import View
from tahur.core.towers import Towers, policy_of
from tahur.games.registry import make
from tahur.players.solved import NetPlayer
from tahur.solvers.deep import kernels, trainer, traversal
from tahur.solvers.deep.game import training_game
from tahur.solvers.deep.net import threads

FOLDS, CALLS, RAISES = (1.0, 0.1, -1.0), (-1.0, 1.0, -1.0), (-1.0, -0.5, 1.0)


def check_traversals_are_right() -> None:
    """Against opponents that always do the same, every regret is what the rules say, worked out one by one."""
    for name, width in (("kuhn", 3), ("leduc", 8)):
        game, deals = training_game(make(name)), every_deal(name)
        for traverser in (0, 1):
            for wishes in (CALLS, RAISES):
                nets = [random_net(width, 5), random_net(width, 6)]
                nets[1 - traverser] = constant_net(width, wishes)
                found = traversal.traverse(game, nets, traverser, deals, np.random.default_rng(0))
                _compare(name, (nets[0], nets[1]), traverser, deals, lines_of(game.betting), found)


def _compare(
    name: str, nets: tuple[Towers, Towers], traverser: int, deals: np.ndarray, lines: Any, found: tuple[Any, Any, Any]
) -> None:
    twin = Twin(name, nets, traverser)
    expected = {}
    for place, deal in enumerate(deals.tolist()):
        twin.found.clear()
        twin.value(twin.game.start(), tuple(deal[:2]), deal[2:])
        expected |= {(place, key[key.index("|") + 1 :]): regrets for key, regrets in twin.found.items()}
    ours = {(int(deal), lines[decision]): regrets.tolist() for deal, decision, regrets in zip(*found, strict=True)}
    assert set(ours) == set(expected)
    for key, regrets in expected.items():
        assert ours[key] == pytest.approx(regrets, abs=1e-4)


def test_regrets_are_those_of_the_rules_for_every_deal() -> None:
    check_traversals_are_right()


def test_the_opponents_nodes_played_by_the_traversers_net_are_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traversal, "net_of", lambda turn, traverser: traverser)
    with pytest.raises(AssertionError):
        check_traversals_are_right()


def test_the_maximum_passed_up_instead_of_the_expectation_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    in_python(monkeypatch)
    monkeypatch.setattr(kernels, "passed_up", lambda so_far, chance, value: max(so_far, value))
    with pytest.raises(AssertionError), np.errstate(over="ignore"):
        check_traversals_are_right()


def test_kernels_do_what_their_python_says(monkeypatch: pytest.MonkeyPatch) -> None:
    game, deals = training_game(make("leduc")), every_deal("leduc")
    nets = [random_net(8, 5, mixed=True), random_net(8, 6)]
    compiled = [traversal.traverse(game, nets, role, deals, np.random.default_rng(7)) for role in (0, 1)]
    in_python(monkeypatch)
    with np.errstate(over="ignore"):
        plain = [traversal.traverse(game, nets, role, deals, np.random.default_rng(7)) for role in (0, 1)]
    for one, other in zip(compiled, plain, strict=True):
        assert (one[0] == other[0]).all()
        assert (one[1] == other[1]).all()
        np.testing.assert_allclose(one[2], other[2], atol=1e-4)


def _answers_to_a_check(nets: list[Any], deals: int) -> float:
    """How often the second player of Kuhn bets after a check, with a queen: seen by the first, who traverses."""
    game = training_game(make("kuhn"))
    found = traversal.traverse(game, nets, 0, np.tile(np.array([[2, 1]], np.uint8), (deals, 1)), _rng())
    all_lines = lines_of(game.betting)
    lines = [all_lines[decision] for decision in found[1]]
    assert lines.count(()) == deals  # all come to the first decision
    return lines.count((0, 1)) / deals  # those that came back with a bet


def test_the_other_draws_its_actions_as_its_policy_says() -> None:
    nets = [random_net(3, 1), random_net(3, 2, mixed=True)]
    kuhn = make("kuhn")
    player = NetPlayer(
        NetSet(
            game="kuhn", settings=kuhn.settings, iteration=1, uniform=False, kept=(KeptNet(1, 1.0, (nets[0], nets[1])),)
        )
    )
    table = kuhn.start().after(0)
    chances = player.chances(player.nets.kept[0], View(kuhn, table, 1, 1))
    assert 0.1 < chances[1] < 0.9
    assert _answers_to_a_check(nets, 20_000) == pytest.approx(chances[1], abs=0.015)


def test_without_nets_everybody_plays_any_legal_action() -> None:
    assert _answers_to_a_check([None, None], 20_000) == pytest.approx(0.5, abs=0.015)
    game = training_game(make("leduc"))
    _, decisions, regrets = traversal.traverse(game, [None, None], 1, every_deal("leduc"), _rng())
    np.testing.assert_allclose(regrets.sum(axis=1), 0, atol=1e-4)  # of the mean over legal actions
    assert (regrets[~game.betting.legal[decisions]] == 0).all()


def test_no_deal_comes_to_more_decisions_than_there_is_room_for() -> None:
    kuhn, leduc = (training_game(make(name)) for name in ("kuhn", "leduc"))
    assert kuhn.betting.most == (2, 1)  # check, and answer a bet; answer
    assert kuhn.betting.depth == 4
    deals = np.repeat(every_deal("leduc"), 20, axis=0)
    for role in (0, 1):
        counts = np.bincount(traversal.traverse(leduc, [None, None], role, deals, _rng())[0])
        assert leduc.betting.most[role] - 2 <= counts.max() <= leduc.betting.most[role]


def test_chances_are_spread_evenly_over_deals_and_nodes() -> None:
    drawn = np.array([kernels.chance(12345, number) for number in range(5000)])
    assert drawn.min() >= 0
    assert drawn.max() < 1
    assert np.abs(np.histogram(drawn, 10, (0, 1))[0] - 500).max() < 100
    assert abs(np.corrcoef(drawn[1:], drawn[:-1])[0, 1]) < 0.05
    assert kernels.chance(12346, 0) != drawn[0]


def test_kernels_match_regrets_as_players_do() -> None:
    rng = _rng()
    regrets = rng.standard_normal((200, 3)).astype(np.float32) - np.float32(0.7)
    for legal in ((True, True, True), (False, True, True), (True, True, False)):
        for even in (False, True):
            found = [kernels.match(tuple(row), legal, even) for row in regrets]
            np.testing.assert_allclose(found, policy_of(regrets, np.array(legal), uniform=even), atol=1e-6)


def test_a_number_falls_to_the_slot_whose_share_it_is_in() -> None:
    shares = tuple(np.float32([0.25, 0.5, 0.25]))
    numbers = np.float32([0, 0.24, 0.26, 0.74, 0.76, 0.99])
    assert [kernels.taken(shares, number) for number in numbers] == [0, 0, 1, 1, 2, 2]
    short = tuple(np.float32([0.3, 0.6, 0]))  # what rounding leaves goes to nobody who never plays
    assert [kernels.taken(short, number) for number in np.float32([0.2, 0.5, 0.95])] == [0, 1, 1]
    assert kernels.taken(tuple(np.float32([0, 0, 1])), np.float32(0)) == 2


def test_threads_traverse_to_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trainer, "BLOCK", 64)
    found = []
    for count in (1, 3):
        run = trainer.PaperTrainer(small("kuhn", traversals_per_iter=200))
        run.nets = [random_net(3, 1, mixed=True), random_net(3, 2, mixed=True)]
        with threads(count):
            run._traverse(1)
        found.append(run.memories[1].arrays())
    assert all((found[0][name] == found[1][name]).all() for name in found[0])
    assert len(found[0]["decisions"]) > 64


def _rng() -> np.random.Generator:
    return np.random.default_rng(0)


def test_where_nothing_is_regretted_the_least_bad_legal_action_is_played() -> None:
    regrets = np.array([[-3.0, -1.0, 9.0], [-1.0, -2.0, -3.0]])
    legal = np.array([[True, True, False], [True, True, True]])
    assert policy_of(regrets, legal).tolist() == [[0, 1, 0], [1, 0, 0]]
    assert policy_of(regrets, legal, uniform=True)[0].tolist() == [0.5, 0.5, 0]
    assert policy_of(np.array([[1.0, 3.0, 9.0]]), legal[:1])[0].tolist() == [0.25, 0.75, 0]


@pytest.mark.parametrize(
    ("name", "digest"), [("leduc", "0ef7a2f5b09ba7d7"), ("fhp", "bc499c9e803c400e"), ("hulh", "e854180b5a54e4af")]
)
def test_a_seed_draws_what_it_always_drew_so_that_interrupted_runs_go_on(name: str, digest: str) -> None:
    """A checkpoint's samples are numbered depth first, and each node's draws depend on its number in the walk."""
    game = training_game(make(name))
    deals = game.deal(np.random.default_rng(0), 50)
    places, decisions, _ = traversal.traverse(game, [None, None], 1, deals, np.random.default_rng(1))
    assert hashlib.sha256(np.stack([places, decisions]).tobytes()).hexdigest()[:16] == digest
