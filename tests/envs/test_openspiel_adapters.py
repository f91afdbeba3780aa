"""Strategies and policies, to OpenSpiel and back: the same numbers on both sides."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solved_games import game_of, solution, tree_of
from tahur.core.errors import PlayerError, SettingError
from tahur.core.player import View
from tahur.core.solution import read_solution, write_solution
from tahur.core.strategy import Strategy
from tahur.games.registry import make
from tahur.players.simple import RandomPlayer
from tahur.solvers.response import flatten, measure

pytest.importorskip("pyspiel", reason="the adapters are for OpenSpiel")

from open_spiel.python.algorithms import cfr, expected_game_score, exploitability
from open_spiel.python.policy import UniformRandomPolicy, tabular_policy_from_callable

from tahur.envs.openspiel import SpielPlayer, SpielPolicy, spiel_game, state_of, view_of


@pytest.mark.parametrize("name", ["kuhn", "leduc", "liars-dice"])
def test_openspiels_exploitability_of_our_file_is_the_headers(name: str, tmp_path: Path) -> None:
    write_solution(tmp_path / "x.tahur", solution(name))
    found, game = read_solution(tmp_path / "x.tahur"), game_of(name)
    policy = SpielPolicy(found, game)
    theirs = exploitability.nash_conv(spiel_game(game), policy)
    assert theirs == pytest.approx(found.facts.nashconv, abs=1e-9)
    assert theirs / 2 == pytest.approx(found.facts.exploitability, abs=1e-9)
    value = expected_game_score.policy_value(spiel_game(game).new_initial_state(), [policy, policy])
    assert value[0] == pytest.approx(found.facts.value, abs=1e-9)


def test_our_policy_becomes_one_of_their_tables() -> None:
    game = game_of("kuhn")
    table = tabular_policy_from_callable(spiel_game(game), SpielPolicy(solution("kuhn"), game).action_probabilities)
    assert exploitability.nash_conv(spiel_game(game), table) == pytest.approx(solution("kuhn").facts.nashconv, abs=1e-9)


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_a_policy_of_theirs_is_worth_here_what_it_is_there(name: str) -> None:
    game = game_of(name)
    spiel = spiel_game(game)
    solver = cfr.CFRPlusSolver(spiel)
    for _ in range(5):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    player, tree = SpielPlayer(policy, game), tree_of(name, merge=False)
    assert isinstance(player, Strategy)
    ours = measure(tree, flatten(tree, player))
    theirs = expected_game_score.policy_value(spiel.new_initial_state(), [policy, policy])
    assert ours.value == pytest.approx(theirs[0], abs=1e-9)
    assert ours.nashconv == pytest.approx(exploitability.nash_conv(spiel, policy), abs=1e-9)
    against = [policy, SpielPolicy(RandomPlayer(), game)]
    mixed = expected_game_score.policy_value(spiel.new_initial_state(), against)
    assert measure(tree, flatten(tree, player, RandomPlayer())).value == pytest.approx(mixed[0], abs=1e-9)


@pytest.mark.parametrize(
    ("name", "settings"), [("leduc", {}), ("liars-dice", {"dice": 2, "faces": 3}), ("kuhn", {"seats": 3})]
)
def test_a_view_there_and_back_is_the_same_view(name: str, settings: dict[str, Any]) -> None:
    game: Any = make(name, settings)
    spiel, rng = spiel_game(game), np.random.default_rng(4)
    for _ in range(200):
        state = spiel.new_initial_state()
        while not state.is_terminal():
            if not state.is_chance_node():
                seat = state.current_player()
                view = view_of(game, state, seat)
                again = state_of(spiel, view)
                assert view_of(game, again, seat) == view
                assert again.information_state_string(seat) == state.information_state_string(seat)
            state.apply_action(int(rng.choice(state.legal_actions())))


def test_a_policy_of_theirs_sits_at_our_table_and_at_its_own_game_only() -> None:
    game = game_of("leduc")
    player = SpielPlayer(UniformRandomPolicy(spiel_game(game)), game)
    view = View(game, game.start(), 0, 3)
    assert player.probabilities(view) == {1: 0.5, 2: 0.5}
    assert {player.act(view, np.random.default_rng(seed)).action for seed in range(20)} == {1, 2}
    assert player.plays(game)
    assert not player.plays(make("kuhn"))
    with pytest.raises(PlayerError, match="for leduc cannot answer this view of kuhn"):
        player.probabilities(View(make("kuhn"), make("kuhn").start(), 0, 0))


def test_games_that_differ_from_openspiels_are_refused() -> None:
    with pytest.raises(SettingError, match="kuhn, leduc and liars-dice are identical"):
        spiel_game(make("perudo"))


def test_without_openspiel_one_sentence_names_the_extra() -> None:
    code = (
        "import sys; sys.modules['pyspiel'] = None\n"
        "from tahur.core.errors import MissingExtra\n"
        "try:\n    import tahur.envs.openspiel\n"
        "except MissingExtra as error:\n    print(error)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == (
        "OpenSpiel is not installed; in a clone of tahur: pip install -e '.[openspiel]', "
        "with a wheel: pip install 'FILE.whl[openspiel]'\n"
    )
