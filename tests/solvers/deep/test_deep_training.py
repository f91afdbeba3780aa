"""Single Deep CFR: traversals, memory, fitting, checkpoints. Bugs are planted in small functions and must be found."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from plain_nets import Twin, constant_net, every_deal, in_python, random_net, random_set
from small_runs import small, trained

from tahur.core.errors import SettingError, SolverError
from tahur.core.net_file import KeptNet, NetSet, read_header, read_log, read_nets
from tahur.core.player import View
from tahur.core.tensors import packed, unpacked
from tahur.core.towers import Towers, policy_of
from tahur.games.encoders.registry import encoder_of
from tahur.games.registry import make
from tahur.players.trained import NetPlayer
from tahur.solvers.deep import average, fitting, kernels, trainer, traversal
from tahur.solvers.deep.average import TreeAverage, average_of
from tahur.solvers.deep.config import MemoryConfig
from tahur.solvers.deep.fitting import Fitter
from tahur.solvers.deep.game import training_game
from tahur.solvers.deep.memory import Reservoir, Samples
from tahur.solvers.deep.net import Learner, masked_slope, tensor, threads
from tahur.solvers.deep.run import Training

# ---- traversals ----------------------------------------------------------------------------------

FOLDS, CALLS, RAISES = (1.0, 0.1, -1.0), (-1.0, 1.0, -1.0), (-1.0, -0.5, 1.0)


def check_traversals_are_right() -> None:
    """Against opponents that always do the same, every regret is what the rules say, worked out one by one."""
    for name, width in (("kuhn", 3), ("leduc", 8)):
        game, deals = training_game(make(name)), every_deal(name)
        for traverser in (0, 1):
            for wishes in (CALLS, RAISES):
                nets = [random_net(width, 5), random_net(width, 6)]
                nets[1 - traverser] = constant_net(width, wishes)
                found = traversal.traversed(game, nets, traverser, deals, np.random.default_rng(0))
                _compare(name, (nets[0], nets[1]), traverser, deals, game.tree.lines, found)


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
    compiled = [traversal.traversed(game, nets, role, deals, np.random.default_rng(7)) for role in (0, 1)]
    in_python(monkeypatch)
    with np.errstate(over="ignore"):
        plain = [traversal.traversed(game, nets, role, deals, np.random.default_rng(7)) for role in (0, 1)]
    for one, other in zip(compiled, plain, strict=True):
        assert (one[0] == other[0]).all()
        assert (one[1] == other[1]).all()
        np.testing.assert_allclose(one[2], other[2], atol=1e-4)


def _answers_to_a_check(nets: list[Any], deals: int) -> float:
    """How often the second player of Kuhn bets after a check, with a queen: seen by the first, who traverses."""
    game = training_game(make("kuhn"))
    found = traversal.traversed(game, nets, 0, np.tile(np.array([[2, 1]], np.uint8), (deals, 1)), _rng())
    lines = [game.tree.lines[decision] for decision in found[1]]
    assert lines.count(()) == deals  # all come to the first decision
    return lines.count((0, 1)) / deals  # those that came back with a bet


def test_the_other_draws_its_actions_as_its_policy_says() -> None:
    nets = [random_net(3, 1), random_net(3, 2, mixed=True)]
    kuhn = make("kuhn")
    player = NetPlayer(NetSet("kuhn", kuhn.settings, 1, False, (KeptNet(1, 1.0, (nets[0], nets[1])),)))
    table = kuhn.start().after(0)
    chances = player.chances(player.nets.kept[0], View(kuhn, table, 1, 1))
    assert 0.1 < chances[1] < 0.9
    assert _answers_to_a_check(nets, 20_000) == pytest.approx(chances[1], abs=0.015)


def test_without_nets_everybody_plays_any_legal_action() -> None:
    assert _answers_to_a_check([None, None], 20_000) == pytest.approx(0.5, abs=0.015)
    game = training_game(make("leduc"))
    _, decisions, regrets = traversal.traversed(game, [None, None], 1, every_deal("leduc"), _rng())
    np.testing.assert_allclose(regrets.sum(axis=1), 0, atol=1e-4)  # of the mean over legal actions
    assert (regrets[~game.tree.legal[decisions]] == 0).all()


def test_no_deal_comes_to_more_decisions_than_there_is_room_for() -> None:
    kuhn, leduc = (training_game(make(name)) for name in ("kuhn", "leduc"))
    assert kuhn.tree.most == (2, 1)  # check, and answer a bet; answer
    assert kuhn.tree.depth == 4
    deals = np.repeat(every_deal("leduc"), 20, axis=0)
    for role in (0, 1):
        counts = np.bincount(traversal.traversed(leduc, [None, None], role, deals, _rng())[0])
        assert leduc.tree.most[role] - 2 <= counts.max() <= leduc.tree.most[role]


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


# ---- memory and fitting --------------------------------------------------------------------------


def _numbered(count: int, start: int = 0) -> Samples:
    numbers = np.arange(start, start + count)
    regrets = np.zeros((count, 3), np.float32)
    return Samples(np.zeros((count, 2), np.uint8), numbers.astype(np.int32), regrets, np.ones(count, np.int32))


def test_a_reservoir_keeps_everything_until_it_is_full() -> None:
    memory = Reservoir(10, 2)
    memory.add(_numbered(7), np.random.default_rng(0))
    assert memory.samples.decisions.tolist() == list(range(7))


def test_every_sample_ever_seen_is_as_likely_to_be_kept() -> None:
    counts = np.zeros(60)
    for seed in range(400):
        rng, memory = np.random.default_rng(seed), Reservoir(20, 2)
        for start in range(0, 60, 15):
            memory.add(_numbered(15, start), rng)
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
    places, decisions, regrets = traversal.traversed(game, [None, None], 0, deals, np.random.default_rng(0))
    rubbish = np.where(game.tree.legal[decisions], regrets, np.float32(regrets_of_illegal))
    memory = Samples(deals[places], decisions, rubbish, np.ones(len(places), np.int32))
    with threads(1):
        learner = Learner((8, 56), 8, (3,))
        fitter: Any = Fitter(game, 0, learner, memory, 128)
        fitter.dense = dense
        if pooled:
            fitter = fitting.PooledFitter(game, 0, learner, memory)
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
    monkeypatch.setattr(fitting, "loss_weights", every)
    with pytest.raises(AssertionError):
        check_illegal_slots_are_not_fitted()


def test_answering_all_decisions_and_only_those_asked_for_teach_the_same() -> None:
    one, other = _fitted(0.0), _fitted(0.0, dense=False)
    for name in one.parts:
        np.testing.assert_allclose(one.parts[name], other.parts[name], atol=1e-5)


# ---- the average ---------------------------------------------------------------------------------


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


# ---- runs ----------------------------------------------------------------------------------------


def _tiny(**training: Any) -> Any:
    config = small("kuhn", iterations=6, traversals_per_iter=200, **training)
    return replace(
        config,
        sgd=replace(config.sgd, steps=15),
        checkpoint=replace(config.checkpoint, interval=2),
        memory=MemoryConfig(500),
    )


def _contents(folder: Path) -> dict[str, bytes]:
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != "log.jsonl"]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_kuhn_is_learnt_in_a_few_iterations() -> None:
    config = small("kuhn", iterations=14, traversals_per_iter=2000)
    from tahur.solvers.deep.trainer import PaperTrainer

    trainer = PaperTrainer(replace(config, sgd=replace(config.sgd, steps=80)))
    whole = TreeAverage(make("kuhn"))
    assert whole.measure().nashconv > 0.9  # of playing anything
    for _ in range(14):
        trainer.advance()
    for net in trainer.kept:
        whole.add(net)
    assert whole.measure().nashconv < 0.1


def test_a_run_that_goes_on_ends_with_the_same_bits(tmp_path: Path) -> None:
    config = _tiny()
    trained(config, tmp_path / "whole")
    trained(replace(config, training=replace(config.training, iterations=4)), tmp_path / "parts")
    trained(config, tmp_path / "parts", resume=True)
    one, other = _contents(tmp_path / "whole"), _contents(tmp_path / "parts")
    assert one == other
    assert [line["iteration"] for line in read_log(tmp_path / "parts")] == [1, 2, 3, 4, 5, 6]


KILLED = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from test_deep_training import _tiny
from tahur.solvers.deep.run import Training
for line in Training(_tiny(), Path(sys.argv[1])).run():
    print(line.iteration, flush=True)
    if line.iteration == 5:
        sys.stdin.read()
"""


@pytest.mark.slow  # another process imports PyTorch
def test_a_run_that_is_killed_goes_on_to_the_same_bits(tmp_path: Path) -> None:
    command = [sys.executable, "-c", KILLED, str(tmp_path / "killed"), str(Path(__file__).parent)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stdin=pipe, text=True) as process:
        assert process.stdout is not None
        for told in process.stdout:
            if told.strip() == "5":  # iteration 5 is done and not in any checkpoint
                break
        os.kill(process.pid, signal.SIGKILL)
    assert read_header(tmp_path / "killed")["iteration"] == 4
    trained(_tiny(), tmp_path / "killed", resume=True)
    trained(_tiny(), tmp_path / "whole")
    assert _contents(tmp_path / "killed") == _contents(tmp_path / "whole")


def test_a_folder_in_use_is_not_overwritten_and_another_config_is_refused(tmp_path: Path) -> None:
    config = _tiny()
    trained(replace(config, training=replace(config.training, iterations=2)), tmp_path)
    with pytest.raises(SettingError, match="has a checkpoint already"):
        Training(config, tmp_path)
    with pytest.raises(SettingError, match=r"sgd\.steps was 15, not 16"):
        Training(replace(config, sgd=replace(config.sgd, steps=16)), tmp_path, resume=True)


def test_numbers_that_are_none_stop_the_run_and_name_the_last_good_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    training = Training(_tiny(), tmp_path)
    steps = training.run()
    for _ in range(3):
        next(steps)
    broken: Callable[..., Any] = lambda self: Towers(  # noqa: E731
        {name: np.full_like(part.numpy(), np.nan) for name, part in self.parts.items()}
    )
    monkeypatch.setattr(Learner, "freeze", broken)
    with pytest.raises(SolverError, match="the last good checkpoint is that of iteration 2"):
        next(steps)
    assert read_nets(tmp_path).iteration == 2


def test_the_log_tells_every_iteration_and_how_good_it_is(tmp_path: Path) -> None:
    config = replace(_tiny(log_interval=3), bands=((3, 0.001, 0.002),))
    _, lines = trained(config, tmp_path)
    assert [line.exploitability is not None for line in lines] == [False, False, True, False, False, True]
    assert "expected 0.001-0.002, you are at" in lines[2].verdict
    assert "worse" in lines[2].verdict
    assert read_log(tmp_path)[5]["samples"] == list(lines[5].samples)
    assert lines[5].fill == (1.0, 1.0)


def test_a_pool_of_deals_is_the_same_in_every_iteration() -> None:
    from tahur.solvers.deep.trainer import PaperTrainer

    config = _tiny()
    trainer = PaperTrainer(replace(config, deals=replace(config.deals, count=2)))
    for _ in range(3):
        trainer.advance()
    assert len(np.unique(trainer.memories[0].samples.deals, axis=0)) <= 2


# ---- files ---------------------------------------------------------------------------------------


def test_files_are_those_of_the_safetensors_library() -> None:
    from safetensors.numpy import load, save

    rng = np.random.default_rng(0)
    arrays = {"a": rng.random((3, 4)).astype(np.float32), "b": np.arange(5), "c": np.zeros((0, 2), np.uint8)}
    theirs, ours = load(packed(arrays)), unpacked(save(arrays))
    for name, array in arrays.items():
        for found in (theirs[name], ours[name]):
            assert found.dtype == array.dtype
            assert (found == array).all()


@pytest.mark.parametrize("cut", [0, 5, 60, -1])
def test_a_file_cut_short_is_not_read(cut: int) -> None:
    whole = packed({"a": np.ones((3, 4), np.float32)})
    with pytest.raises((ValueError, KeyError, TypeError)):
        unpacked(whole[:cut])


def test_time_is_only_what_the_clock_says() -> None:
    """The clock is handed in; nobody's nets depend on it."""
    from tahur.solvers.deep.trainer import PaperTrainer

    one, other = PaperTrainer(_tiny(), time.perf_counter), PaperTrainer(_tiny())
    assert one.advance().losses == other.advance().losses
