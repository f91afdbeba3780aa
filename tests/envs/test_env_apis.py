"""The environments keep the promises of PettingZoo and Gymnasium, as their own checkers see them."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from random import Random
from types import ModuleType
from typing import Any

import pytest

pytest.importorskip("gymnasium", reason="the extra rl is not installed")
pytest.importorskip("pettingzoo", reason="the extra rl is not installed")

import gymnasium
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from envs.rollouts import every_env, trail
from tahur.core.errors import SettingError, UnknownName
from tahur.envs import limit_v0, nlhe14_v0, perudo_v0
from tahur.envs.seat import SeatEnv, any_legal, register

EPISODES = 20  # a check of PettingZoo's plays one episode, and a hand is short
SEATS = [("nlhe14", 2), ("nlhe14", 6), ("nlhe14", 9), ("limit", 2), ("limit", 9), ("perudo", 2), ("perudo", 5)]
NETS = {"nlhe14": "check_or_fold", "limit": "check_or_fold", "perudo": "bid_or_dudo"}

pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation"),  # PettingZoo would rather have no Dict; masks are its own idea
    pytest.mark.filterwarnings("ignore:.*not having a spec"),
]


@every_env
def test_pettingzoo_finds_nothing_wrong(module: ModuleType, settings: dict[str, Any]) -> None:
    env = module.env(**settings)
    for number, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(number)
    for _ in range(EPISODES):
        api_test(env, num_cycles=1000)


@every_env
def test_pettingzoo_finds_one_seed_to_be_one_episode(module: ModuleType, settings: dict[str, Any]) -> None:
    seed_test(lambda: module.env(**settings), num_cycles=1000)


@pytest.mark.parametrize(("game", "seats"), SEATS)
def test_gymnasium_finds_nothing_wrong(game: str, seats: int) -> None:
    check_env(SeatEnv(game, seats=seats, illegal=NETS[game], render_mode="ansi"))


@pytest.mark.parametrize("game", NETS)
def test_gymnasium_makes_the_seat_by_its_name(game: str) -> None:
    register()
    register()  # twice is once
    env = gymnasium.make(f"tahur/{game}-v0", seats=3, illegal=NETS[game], render_mode="ansi")
    check_env(env.unwrapped)
    assert env.unwrapped.kind.layout.seats == 3


def test_environments_can_be_stacked_by_gymnasium() -> None:
    envs = gymnasium.vector.SyncVectorEnv([lambda: SeatEnv("limit", seats=3)] * 2)
    seen, _ = envs.reset(seed=1)
    assert seen["action_mask"].shape == (2, 3)
    seen, *_ = envs.step([1, 1])
    assert envs.observation_space.contains(seen)


@every_env
def test_a_copy_goes_on_like_the_original(module: ModuleType, settings: dict[str, Any]) -> None:
    env = module.raw_env(**settings)
    env.reset(seed=5)
    env.step(int(env.infos[env.agent_selection]["action_mask"].argmax()))
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    assert [trail(each, Random(2)) for each in copies] == [trail(env, Random(2))] * 2


@every_env
def test_names_and_spaces_are_pettingzoos(module: ModuleType, settings: dict[str, Any]) -> None:
    env = module.env(**settings)
    env.reset(seed=1)
    assert str(env) == module.__name__.split(".")[-1]
    assert env.possible_agents == [f"seat_{seat}" for seat in range(env.kind.layout.seats)]
    for agent in env.agents:
        space = env.observation_space(agent)
        assert space["observation"].shape == (env.kind.layout.size,)
        assert space["action_mask"].dtype == env.observe(agent)["action_mask"].dtype == "int8"
        assert space["action_mask"].shape == (env.action_space(agent).n,)


@every_env
def test_only_the_agent_to_act_has_a_mask(module: ModuleType, settings: dict[str, Any]) -> None:
    env = module.env(**settings)
    env.reset(seed=1)
    for agent in env.agents:
        mask = env.observe(agent)["action_mask"]
        assert mask.any() == (agent == env.agent_selection)
        assert mask.tolist() == env.infos[agent]["action_mask"].tolist()


@pytest.mark.parametrize(
    ("module", "words"), [(nlhe14_v0, "pot 1.5 BB"), (limit_v0, "pot 1.5 BB"), (perudo_v0, "cups")]
)
def test_a_render_is_what_the_agent_to_act_sees(module: ModuleType, words: str) -> None:
    env = module.env(seats=3, render_mode="ansi")
    env.reset(seed=1)
    view = env.view(env.agent_selection)
    text = env.render()
    assert words in text
    assert f"{env.agent_selection} holds {view.game.hand_text(view.hand)}" in text
    assert f"{env.agent_selection} may choose" in text
    with pytest.raises(SettingError, match="render_mode 'human'"):
        module.env(render_mode="human")


def test_without_the_extra_one_sentence_names_it() -> None:
    for library, module in (("pettingzoo", "nlhe14_v0"), ("gymnasium", "perudo_v0"), ("gymnasium", "seat")):
        code = f"import sys\nsys.modules['{library}'] = None\nimport tahur.envs\nimport tahur.envs.{module}"
        ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert f"need {library}; in a clone of tahur: pip install -e '.[rl]'" in ran.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: nlhe14_v0.env(seats=10), "10 seats"),
        (lambda: nlhe14_v0.env(seets=2), "seets"),
        (lambda: nlhe14_v0.env(button=2), "button 2; seats are 0 to 1"),
        (lambda: nlhe14_v0.env(pot_base="big"), "pot_base 'big'; after-call or plain"),
        (lambda: nlhe14_v0.env(illegal="bid_or_dudo"), "'raise' or 'check_or_fold'"),
        (lambda: perudo_v0.env(illegal="check_or_fold"), "'raise' or 'bid_or_dudo'"),
        (lambda: limit_v0.env(preset="hulh", seats=3), "3 seats"),
        (lambda: limit_v0.env(preset="hulk"), "hulh, acpc"),
        (lambda: limit_v0.env(preset="hulh", caps=(1, 1, 1, 1)), "has caps"),
        (lambda: perudo_v0.env(match=False, reward="win"), "reward 'win'"),
        (lambda: perudo_v0.env(reward="fame"), "reward 'fame'"),
        (lambda: perudo_v0.env(match="yes"), "match 'yes'"),
        (lambda: perudo_v0.env(palifico_round=True), "palifico_round"),
        (lambda: perudo_v0.env(cups=[5, 5], opener=2), "seat 2 opens"),
        (lambda: SeatEnv(seat=2), "seats are 0 to 1"),
        (lambda: SeatEnv(seats=4, opponents=[any_legal]), "1 opponents; with 4 seats there must be 3"),
        (lambda: SeatEnv(opponents=["caller"]), "opponent 'caller'"),
        (lambda: SeatEnv(opponents=[Random]), "a player, or a function"),
    ],
)
def test_a_wrong_setting_is_refused_in_words(make: Any, words: str) -> None:
    with pytest.raises(SettingError, match=words.replace("[", r"\[")):
        make()


def test_an_unknown_environment_is_refused_with_a_guess() -> None:
    with pytest.raises(UnknownName, match="did you mean 'nlhe14'"):
        SeatEnv("nlhe41")
