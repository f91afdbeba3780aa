"""One seat learns; players and policies in the others are treated as a referee treats them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from envs.rollouts import nlhe14_v0
from tahur.core.errors import IllegalAction, SettingError
from tahur.core.player import Decision, View
from tahur.core.record import Seen
from tahur.envs import seat as seats
from tahur.envs.seat import SeatEnv, any_legal
from tahur.games.holdem.features import story
from tahur.games.holdem.table import CALL, FOLD
from tahur.players.simple import Caller, RandomPlayer


class Witness:
    """Calls, and keeps what it was shown."""

    def __init__(self) -> None:
        self.begun: list[View] = []
        self.asked: list[View] = []
        self.learnt: list[Seen] = []

    def begin(self, view: View, rng: np.random.Generator) -> None:
        self.begun.append(view)

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        self.asked.append(view)
        return Decision(CALL)

    def learn(self, seen: Seen) -> None:
        self.learnt.append(seen)


class Folder(Caller):
    def act(self, view: View, rng: np.random.Generator) -> Decision:
        return Decision(FOLD if view.table.to_call else CALL)


def finish(env: SeatEnv, index: int = 1) -> tuple[float, dict[str, Any]]:
    """Choose the same index to the end."""
    total, over, info = 0.0, False, {}
    while not over:
        _, reward, over, _, info = env.step(index)
        total += reward
    return total, info


def test_a_player_begins_acts_and_learns_in_its_own_seat() -> None:
    left, right = Witness(), Witness()
    env = SeatEnv("nlhe14", [left, right], seat=1, seats=3, button=1)
    env.reset(seed=1)
    finish(env)
    for witness, at in ((left, 2), (right, 0)):
        assert [view.seat for view in witness.begun] == [at]
        assert {view.seat for view in witness.asked} == {at}
        assert all(view.table.turn == at for view in witness.asked)
        assert [seen.seat for seen in witness.learnt] == [at]
        assert witness.begun[0].hand == witness.asked[0].hand == witness.learnt[0].hands[at]


def test_an_opponent_does_not_learn_hands_that_were_not_shown() -> None:
    witness = Witness()
    env = SeatEnv("nlhe14", [witness], button=0)
    env.reset(seed=1)
    finish(env, index=0)
    (seen,) = witness.learnt
    assert seen.hands[0] is None
    assert seen.payoffs == (-50, 50)


def test_players_may_use_amounts_that_are_on_no_menu() -> None:
    env = SeatEnv("nlhe14", [RandomPlayer()], button=1, seat=0)
    met = set()
    env.reset(seed=1)
    for _ in range(200):
        env.reset()
        met |= {line.chips for line in story(env.view().table)[0] if line.seat == 1 and line.verb == 2}
    assert len(met) > 14
    assert any(chips % 50 for chips in met)


def test_a_player_may_answer_with_numpys_integers_and_not_with_what_is_illegal() -> None:
    class Answers(Witness):
        def act(self, view: View, rng: np.random.Generator) -> Decision:
            return Decision(answer)

    for answer in (np.int64(CALL), FOLD):
        player = Answers()
        env = SeatEnv("nlhe14", [player], button=0)
        env.reset(seed=1)
        if answer == FOLD:
            with pytest.raises(IllegalAction, match="seat 1 cannot play action 0; legal: check"):
                env.step(1)  # a limp; the big blind owes nothing
            continue
        finish(env)
        assert {type(action) for action in player.learnt[0].actions} == {int}


def test_a_policy_is_shown_what_a_learner_in_its_seat_would_be() -> None:
    shown: list[dict[str, Any]] = []

    def policy(seen: dict[str, Any], rng: np.random.Generator) -> int:
        shown.append(seen)
        return 1

    env, agents = SeatEnv("nlhe14", [policy], button=1), nlhe14_v0.env(button=1)
    env.reset(seed=7)
    agents.reset(seed=7)
    assert agents.agent_selection == "seat_1"
    there = agents.observe("seat_1")
    assert np.array_equal(shown[0]["observation"], there["observation"])
    assert np.array_equal(shown[0]["action_mask"], there["action_mask"])


@pytest.mark.parametrize(("game", "index"), [("nlhe14", 0), ("nlhe14", 14), ("limit", 0), ("perudo", 2)])
def test_a_policy_that_plays_something_illegal_is_refused(game: str, index: int) -> None:
    first = {"opener": 0} if game == "perudo" else {"button": 0}
    net = "bid_or_dudo" if game == "perudo" else "check_or_fold"
    env = SeatEnv(game, [lambda seen, rng: index], illegal=net, **first)
    env.reset(seed=1)
    with pytest.raises(IllegalAction, match=rf"cannot choose {index}|{index} is not on the menu"):
        env.step(40 if game == "perudo" else 1)  # after a limp the big blind may not fold


def test_a_policy_may_not_raise_over_the_cap() -> None:
    env = SeatEnv("limit", [lambda seen, rng: 2], button=0, preset="hulh")
    env.reset(seed=1)
    env.step(2)
    with pytest.raises(IllegalAction, match=r"cannot choose 2 \(bet/raise\); legal: 0 \(fold\), 1 \(check/call\)"):
        env.step(2)  # the third raise


def test_swapping_an_opponent_does_not_change_the_cards() -> None:
    hands = []
    for opponent in (any_legal, RandomPlayer(), Caller()):
        env = SeatEnv("nlhe14", [opponent], button=0)
        env.reset(seed=3)
        dealt = []
        for _ in range(20):
            env.reset()
            dealt.append(env.view().hand)
        hands.append(dealt)
    assert hands[0] == hands[1] == hands[2]


def test_hands_that_end_before_the_learner_is_asked_are_counted() -> None:
    env = SeatEnv("nlhe14", [Folder()])
    env.reset(seed=1)
    skipped = []
    for _ in range(100):
        _, info = env.reset()
        assert info["skipped_reward"] == info["skipped"] * 0.5
        skipped.append(info["skipped"])
        assert env.view().table.stakes.button == 0
    assert 50 < sum(skipped) < 150  # the learner has the big blind every second hand


def test_others_that_never_let_the_learner_act_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "MOST_SKIPPED", 50)
    env = SeatEnv("nlhe14", [Folder()], button=1)
    with pytest.raises(SettingError, match="seat 0 did not get to act in 50 episodes"):
        env.reset(seed=1)


def test_the_reward_is_what_the_learner_won_in_big_blinds() -> None:
    env = SeatEnv("nlhe14", [Caller()], stacks=20, button=0)
    env.reset(seed=1)
    won = []
    for _ in range(200):
        env.reset()
        total, _ = finish(env, index=13)
        won.append(total)
        assert total in (-20, 0, 20)
    assert abs(sum(won)) < 4 * 20 * 200**0.5


def test_a_learner_without_dice_is_done_though_the_match_goes_on() -> None:
    env = SeatEnv("perudo", seats=4, dice=1)
    env.reset(seed=1)
    ends = []
    for _ in range(60):
        seen, _ = env.reset()
        over, total = False, 0.0
        while not over:
            seen, reward, over, _, info = env.step(int(seen["action_mask"].argmax()))
            total += reward
        ends.append(total)
        assert not info["action_mask"].any()
    assert set(ends) == {1.0, -1 / 3}


def test_a_match_pays_dice_between_the_learners_turns_too() -> None:
    env = SeatEnv("perudo", seats=3, dice=2, reward="dice", calza=False)
    env.reset(seed=2)
    for _ in range(40):
        seen, info = env.reset()
        assert info["skipped"] == 0
        total, over = 0.0, False
        while not over:
            seen, reward, over, _, info = env.step(any_legal(seen, np.random.default_rng(1)))
            total += reward
        assert total in (0, -1, -2)
