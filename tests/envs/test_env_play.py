"""What environments play is the game: legal actions, chips and dice that add up, and one story for one seed."""

from __future__ import annotations

from itertools import islice
from random import Random
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from envs.rollouts import ENVS, choices, every_env, totals, trail
from tahur.core.chance import SettledDealer
from tahur.core.game import CHANCE
from tahur.core.record import decisions
from tahur.envs import limit_v0, nlhe14_v0, perudo_v0
from tahur.envs.seat import SeatEnv
from tahur.games.holdem.fourteen import PotBase, menu, situation_of
from tahur.games.perudo.bids import action_text

HANDS = 2000


@pytest.mark.parametrize("hands", [HANDS // len(ENVS), pytest.param(HANDS, marks=pytest.mark.slow)])
@every_env
def test_what_a_mask_allows_can_be_played(module: ModuleType, settings: dict[str, Any], hands: int) -> None:
    """2,000 hands over all environments; the slow test plays as many in each. A match of Perudo is thirty rounds."""
    env, random = module.env(**settings), Random(hands)
    env.reset(seed=hands)
    match = module is perudo_v0 and settings.get("match", True)
    for _ in range(hands // 30 if match else hands):
        env.reset()
        for choice in choices(env, random):
            assert choice.seen["action_mask"][choice.index] == 1
            assert choice.view.seat == choice.view.table.turn


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("pot_base", PotBase)
def test_the_mask_is_the_fourteens_own(strict: bool, pot_base: PotBase) -> None:
    env, random = nlhe14_v0.env(seats=4, stacks=(2, 60), same_depth=False, strict=strict, pot_base=pot_base), Random(3)
    env.reset(seed=3)
    for _ in range(100):
        env.reset()
        for choice in choices(env, random):
            entries = menu(situation_of(choice.view.table), strict=strict, pot_base=pot_base)
            assert choice.seen["action_mask"].tolist() == [entry.legal for entry in entries]
            assert env.infos[choice.agent]["action_mask"].tolist() == [entry.legal for entry in entries]


def test_the_fourteen_actions_do_what_the_menu_says() -> None:
    env, random = nlhe14_v0.env(seats=3, stacks=(5, 100)), Random(4)
    env.reset(seed=4)
    for _ in range(200):
        env.reset()
        chosen = list(choices(env, random))
        *_, last = chosen
        end = env.view(last.agent).table
        for choice, (table, action) in zip(chosen, decisions(last.view.game, end.history), strict=True):
            entry = menu(situation_of(table))[choice.index]
            assert action == (choice.index if entry.raise_to is None else entry.raise_to + 1)


def test_half_the_pot_is_the_least_bet_on_a_flop_of_two_big_blinds() -> None:
    env = nlhe14_v0.env(seats=3, button=0)
    env.reset(seed=1)
    for index in (0, 1, 1):  # the button folds, the small blind calls, the big blind checks
        env.step(index)
    assert env.agent_selection == "seat_1"
    assert np.flatnonzero(env.observe("seat_1")["action_mask"]).tolist() == [1, 6, 7, 8, 9, 10, 11, 12, 13]


def test_the_mask_of_limit_is_what_the_table_allows() -> None:
    env, random = limit_v0.env(seats=5, stacks=(2, 30), same_depth=False), Random(5)
    env.reset(seed=5)
    for _ in range(300):
        env.reset()
        for choice in choices(env, random):
            legal = list(choice.view.table.actions())
            assert choice.seen["action_mask"].tolist() == [0 in legal, 1 in legal, len(legal) > 1 + (0 in legal)]


@pytest.mark.parametrize("rules", ["faroleo", "asmodee", "classic"])
def test_the_mask_of_perudo_is_what_may_be_said(rules: str) -> None:
    env, random = perudo_v0.env(seats=3, rules=rules), Random(6)
    env.reset(seed=6)
    for _ in range(5):
        env.reset()
        for choice in choices(env, random):
            names = {env.kind.menu.name(index) for index in np.flatnonzero(choice.seen["action_mask"]).tolist()}
            assert names == set(map(action_text, choice.view.table.actions()))
    assert [env.kind.menu.name(index) for index in (0, 1, 2, 3, 7, 8, 91)] == [
        "dudo",
        "calza",
        "1 ace",
        "1 two",
        "1 six",
        "2 aces",
        "15 sixes",
    ]


@pytest.mark.parametrize("settings", [{"seats": 2}, {"seats": 6, "stacks": (2, 80), "same_depth": False, "ante": 10}])
def test_no_chip_is_lost_or_found(settings: dict[str, Any]) -> None:
    env, random = nlhe14_v0.env(**settings), Random(7)
    env.reset(seed=7)
    where = env.kind.layout
    for _ in range(200):
        env.reset()
        for choice in choices(env, random):
            table, row = choice.view.table, choice.seen["observation"]
            chips = sum(table.stakes.stacks)
            assert table.pot + sum(table.stacks) == chips
            assert row[where.pot].sum() + row[where.stacks].sum() == pytest.approx(chips / 100, rel=1e-6)


@pytest.mark.parametrize("module", [nlhe14_v0, limit_v0])
@pytest.mark.parametrize("seats", [2, 5, 9])
def test_a_hand_pays_big_blinds_that_add_up_to_nothing(module: ModuleType, seats: int) -> None:
    env, random = module.env(seats=seats, stacks=(3, 50), same_depth=False), Random(8)
    env.reset(seed=8)
    for _ in range(100):
        env.reset()
        game = env.view("seat_0").game
        won = totals(env, random)
        table = env.view("seat_0").table
        big_blind = game.stakes.blinds[1]
        assert sum(won.values()) == pytest.approx(0)
        for seat, committed in enumerate(table.committed):
            assert won[f"seat_{seat}"] >= -committed / big_blind


def test_a_fold_before_the_flop_costs_the_blind() -> None:
    env = nlhe14_v0.env(seats=3, button=0, ante=10)
    env.reset(seed=1)
    for _ in range(2):
        env.step(0)
    assert env.rewards == {"seat_0": -0.1, "seat_1": -0.6, "seat_2": pytest.approx(0.7)}
    assert set(env.terminations.values()) == {True}


def test_a_match_of_perudo_pays_its_winner_what_the_others_lose() -> None:
    env, random = perudo_v0.env(seats=4, dice=2), Random(9)
    env.reset(seed=9)
    for _ in range(30):
        env.reset()
        won = totals(env, random)
        assert sorted(won.values()) == pytest.approx([-1 / 3] * 3 + [1.0])


def test_a_match_that_pays_dice_pays_what_each_seat_lost() -> None:
    env, random = perudo_v0.env(seats=3, dice=3, reward="dice", calza=False), Random(10)
    env.reset(seed=10)
    for _ in range(20):
        env.reset()
        won = totals(env, random)
        assert sorted(won.values())[:2] == [-3, -3]
        assert max(won.values()) in (0, -1, -2)


def test_a_seat_without_dice_is_terminated_while_the_others_go_on() -> None:
    env, random = perudo_v0.env(seats=3, dice=1), Random(11)
    env.reset(seed=11)
    for _ in range(30):
        env.reset()
        while not any(env.terminations.values()):
            env.step(random.choice(env.infos[env.agent_selection]["action_mask"].nonzero()[0].tolist()))
        _, reward, terminated, _, info = env.last()
        out = env.agent_selection
        assert (reward, terminated, info["action_mask"].any()) == (-0.5, True, False)
        assert sorted(env.terminations.values()) == [False, False, True]
        env.step(None)
        assert out not in env.agents
        assert env.view(env.agent_selection).table.cups[int(out[-1])] == 0
        assert env.infos[env.agent_selection]["action_mask"].any()


def test_single_rounds_end_with_the_first_call() -> None:
    env, random = perudo_v0.env(seats=3, match=False), Random(12)
    env.reset(seed=12)
    for _ in range(100):
        env.reset()
        *_, last = choices(env, random)
        assert last.index in (0, 1)  # dudo or calza


def test_cups_are_drawn_from_one_die_to_all_of_them() -> None:
    env = perudo_v0.env(match=False, cups="any")
    env.reset(seed=13)
    met = set()
    for _ in range(300):
        env.reset()
        met.add(env.view("seat_0").table.cups)
    assert met == {(one, two) for one in range(1, 6) for two in range(1, 6)}


@pytest.mark.parametrize(("module", "first"), [(nlhe14_v0, "button"), (limit_v0, "button"), (perudo_v0, "opener")])
def test_who_begins_is_drawn_unless_it_is_said(module: ModuleType, first: str) -> None:
    drawn, said = module.env(seats=4), module.env(seats=4, **{first: 2})
    for env, expected in ((drawn, {0, 1, 2, 3}), (said, {2})):
        env.reset(seed=14)
        met = set()
        for _ in range(60):
            env.reset()
            start = env.view("seat_0").game
            met.add(start.stakes.button if first == "button" else start.round.opener)
        assert met == expected


# ---- one seed, one story -------------------------------------------------------------------------


@every_env
def test_one_seed_is_one_story(module: ModuleType, settings: dict[str, Any]) -> None:
    def story(seed: int) -> list[Any]:
        env, random = module.env(**settings), Random(1)
        env.reset(seed=seed)
        first = trail(env, random)
        env.reset()
        return [first, trail(env, random)]

    assert story(21) == story(21)
    assert story(21) != story(22)
    assert story(21)[0] != story(21)[1]


@every_env
def test_an_episode_starts_alike_whatever_was_played_before_it(module: ModuleType, settings: dict[str, Any]) -> None:
    env = module.env(**settings)
    starts = []
    for play in range(3):
        env.reset(seed=31)
        list(islice(choices(env, Random(play)), None if play else 1))
        env.reset()
        starts.append((env.agent_selection, [env.view(agent).hand for agent in env.agents]))
    assert starts[0] == starts[1] == starts[2]


def test_the_cards_do_not_depend_on_how_stacks_are_drawn() -> None:
    dealt = set()
    for stacks in (100, (20, 100), {20: 1, 60: 2}):
        env = nlhe14_v0.env(seats=3, stacks=stacks)
        env.reset(seed=41)
        dealt.add(tuple(env.view(agent).hand for agent in env.agents))
    assert len(dealt) == 1


def test_the_learner_of_a_seat_is_dealt_what_the_agents_are() -> None:
    env, seat = nlhe14_v0.env(seats=2, button=0), SeatEnv(seats=2, button=0)
    env.reset(seed=51)
    seen, _ = seat.reset(seed=51)
    assert env.agent_selection == "seat_0"
    assert np.array_equal(seen["observation"], env.observe("seat_0")["observation"])


def test_a_dealer_can_be_given_for_an_episode() -> None:
    env = nlhe14_v0.env(button=0)
    env.reset(options={"dealer": SettledDealer((3, 400), (40, 41, 42, 43, 44))}, seed=1)
    for _ in range(8):
        env.step(1)
    table = env.view("seat_0").table
    assert table.board == (40, 41, 42, 43, 44)
    assert table.turn != CHANCE
    assert env.view("seat_1").hand == 400
