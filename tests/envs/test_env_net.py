"""Illegal choices: refused, or caught by the safety net and said so."""

from __future__ import annotations

import logging
from random import Random
from typing import Any

import numpy as np
import pytest

from envs.rollouts import choices
from tahur.core.errors import IllegalAction
from tahur.envs import limit_v0, nlhe14_v0, perudo_v0
from tahur.envs.seat import SeatEnv
from tahur.games.holdem.table import CALL, FOLD

NET = {"illegal": "check_or_fold"}


def flop(**settings: Any) -> Any:
    """Heads-up on the flop, nothing bet: seat 1, the big blind, is to act."""
    env = nlhe14_v0.env(button=0, **settings)
    env.reset(seed=1)
    env.step(1)
    env.step(1)
    return env


def test_an_illegal_index_is_refused_and_costs_nothing() -> None:
    env = flop()
    before = env.view("seat_1").table
    with pytest.raises(
        IllegalAction, match=r"seat 1 cannot choose 2 \(min-raise\); legal: 1 \(check/call\), 6 \(50 %\)"
    ):
        env.step(2)
    assert (env.view("seat_1").table, env.agent_selection) == (before, "seat_1")
    env.step(1)
    assert env.agent_selection == "seat_0"


def test_a_minimum_raise_into_an_open_pot_is_played_as_a_check(caplog: pytest.LogCaptureFixture) -> None:
    env = flop(**NET)
    with caplog.at_level(logging.INFO, logger="tahur.envs"):
        env.step(2)
    assert env.view("seat_1").table.history[-1] == CALL
    assert env.agent_selection == "seat_0"
    assert (env.infos["seat_1"]["asked"], env.infos["seat_1"]["played"]) == (2, 1)
    assert "nlhe14: seat 1 cannot choose 2 (min-raise); legal: 1 (check/call), 6 (50 %)" in caplog.text
    assert "played: check/call" in caplog.text


def test_a_fold_where_checking_is_free_is_played_as_a_check() -> None:
    env = flop(**NET)
    env.step(0)
    assert env.view("seat_1").table.history[-1] == CALL
    assert (env.infos["seat_1"]["asked"], env.infos["seat_1"]["played"]) == (0, 1)


def test_a_size_that_is_too_small_to_raise_a_bet_is_played_as_a_fold() -> None:
    env = nlhe14_v0.env(button=0, **NET)
    env.reset(seed=1)
    env.step(3)  # 10 % of the pot, facing the big blind
    assert env.view("seat_0").table.history == (FOLD,)
    assert env.rewards == {"seat_0": -0.5, "seat_1": 0.5}
    assert (env.infos["seat_0"]["asked"], env.infos["seat_0"]["played"]) == (3, 0)


def test_the_net_is_told_once_and_only_to_who_fell_into_it() -> None:
    env = flop(**NET)
    env.step(0)
    assert "asked" not in env.infos["seat_0"]
    env.step(1)  # seat 0 checks, and the turn is dealt
    assert env.infos["seat_1"]["asked"] == 0
    env.step(1)
    assert "asked" not in env.infos["seat_1"]


@pytest.mark.parametrize("module", [nlhe14_v0, limit_v0])
def test_every_illegal_index_is_a_check_if_that_is_free_and_a_fold_if_not(module: Any) -> None:
    env, random = module.env(seats=3, stacks=(2, 40), same_depth=False, **NET), Random(2)
    env.reset(seed=2)
    met = set()
    for _ in range(150):
        env.reset()
        for agent in env.agent_iter():
            seen, _, terminated, _, _ = env.last()
            if terminated:
                env.step(None)
                continue
            index = random.randrange(env.action_space(agent).n)
            table = env.view(agent).table
            env.step(index)
            if not seen["action_mask"][index]:
                after = env.view(agent).table.history[len(table.history)]
                assert after == (FOLD if table.to_call else CALL)
                assert env.infos[agent]["asked"] == index
                assert env.infos[agent]["played"] == after
                met.add((index, after))
            else:
                assert "asked" not in env.infos[agent]
    assert {(0, CALL), (2, FOLD)} <= met


def test_in_perudo_the_net_bids_low_or_calls_dudo() -> None:
    env = perudo_v0.env(illegal="bid_or_dudo", opener=0, match=False)
    env.reset(seed=1)
    env.step(0)  # dudo, but there is no bid
    assert env.kind.menu.name(env.infos["seat_0"]["played"]) == "1 two"
    env.step(3)  # 1 two again
    assert (env.infos["seat_1"]["asked"], env.infos["seat_1"]["played"]) == (3, 0)
    assert set(env.terminations.values()) == {True}


@pytest.mark.parametrize("illegal", ["raise", "check_or_fold"])
@pytest.mark.parametrize("index", [14, -1, 1.0, None, "1", np.array([1, 2])])
def test_what_is_not_on_the_menu_is_refused_with_or_without_a_net(illegal: str, index: Any) -> None:
    env = flop(illegal=illegal)
    with pytest.raises(IllegalAction, match="is not on the menu; valid: 0 to 13"):
        env.step(index)
    assert env.agent_selection == "seat_1"


@pytest.mark.parametrize("index", [1, np.int8(1), np.int64(1), np.array(1)])
def test_an_index_may_be_any_whole_number(index: Any) -> None:
    env = flop()
    env.step(index)
    assert env.agent_selection == "seat_0"


def test_the_seat_that_learns_has_the_same_net() -> None:
    strict, caught = SeatEnv(button=0), SeatEnv(button=0, **NET)
    for env in (strict, caught):
        env.reset(seed=1)
    with pytest.raises(IllegalAction, match="cannot choose 3"):
        strict.step(3)
    _, reward, terminated, _, info = caught.step(3)
    assert (reward, terminated, info["asked"], info["played"]) == (-0.5, True, 3, 0)


def test_after_the_end_nothing_can_be_played() -> None:
    env = SeatEnv(button=0)
    env.reset(seed=1)
    env.step(0)
    with pytest.raises(IllegalAction, match="the episode is over; reset begins another one"):
        env.step(1)


def test_legal_choices_are_never_touched_by_the_net(caplog: pytest.LogCaptureFixture) -> None:
    env, random = nlhe14_v0.env(seats=4, **NET), Random(3)
    env.reset(seed=3)
    with caplog.at_level(logging.INFO, logger="tahur.envs"):
        for _ in range(50):
            env.reset()
            assert list(choices(env, random))
    assert not caplog.records
