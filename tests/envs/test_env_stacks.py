"""How deep the stacks are: fixed, anything of a range, or a weighted mix of depths."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from typing import Any

import numpy as np
import pytest

from envs.rollouts import limit_v0, nlhe14_v0
from tahur.core.errors import SettingError
from tahur.envs.holdem import Fixed, Mix, Uniform, stacks_of

DRAWS = 4000


def drawn(env: Any, hands: int, seed: int = 1) -> list[tuple[int, ...]]:
    env.reset(seed=seed)
    out = []
    for _ in range(hands):
        out.append(env.view("seat_0").game.stakes.stacks)
        env.reset()
    return out


def test_a_fixed_depth_is_the_same_in_every_hand() -> None:
    assert set(drawn(nlhe14_v0.env(stacks=37.5), 20)) == {(3750, 3750)}
    assert set(drawn(limit_v0.env(preset="fhp", stacks=24), 20)) == {(48, 48)}


def test_every_depth_of_a_range_is_equally_likely() -> None:
    met = Counter(stacks[0] for stacks in drawn(limit_v0.env(stacks=(2, 6)), DRAWS))
    assert set(met) == set(range(4, 13))  # chips; the big blind is 2
    expected = DRAWS / 9
    assert all(abs(count - expected) < 4 * sqrt(expected) for count in met.values())


def test_depths_of_a_mix_come_as_often_as_they_weigh() -> None:
    met = Counter(stacks[0] for stacks in drawn(nlhe14_v0.env(stacks={20: 1, 100: 3, 50: 0}), DRAWS))
    assert set(met) == {2000, 10000}
    assert abs(met[2000] - DRAWS / 4) < 4 * sqrt(DRAWS * 3 / 16)


def test_seats_have_one_depth_or_each_its_own() -> None:
    same = drawn(nlhe14_v0.env(seats=4, stacks=(10, 100)), 50)
    own = drawn(nlhe14_v0.env(seats=4, stacks=(10, 100), same_depth=False), 50)
    assert all(len(set(stacks)) == 1 for stacks in same)
    assert sum(len(set(stacks)) == 4 for stacks in own) > 45


def test_one_seed_draws_one_row_of_stacks() -> None:
    def draw(seed: int) -> list[tuple[int, ...]]:
        return drawn(nlhe14_v0.env(stacks=(10, 100), same_depth=False), 20, seed)

    assert draw(1) == draw(1)
    assert draw(1) != draw(2)


@pytest.mark.parametrize(
    ("setting", "stacks"),
    [
        (100, Fixed(10000)),
        (0.1, Fixed(10)),
        ((20, 100), Uniform(2000, 10000)),
        ([20, 20], Uniform(2000, 2000)),
        ({20: 1, 100.5: 0.5}, Mix((2000, 10050), (1.0, 0.5))),
    ],
)
def test_a_setting_is_read_as_it_is_written(setting: Any, stacks: object) -> None:
    assert stacks_of(setting, 100) == stacks


@pytest.mark.parametrize("stacks", [Fixed(7), Uniform(7, 7), Mix((7, 9), (1.0, 0.0))])
def test_one_depth_is_one_depth_however_it_is_said(stacks: Any) -> None:
    rng = np.random.default_rng(1)
    assert {stacks.draw(rng) for _ in range(100)} == {7}


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        (0, "greater than 0"),
        (-3, "greater than 0"),
        (float("nan"), "greater than 0"),
        (True, "greater than 0"),
        (1.255, "125.5 chips"),
        ((100, 20), "the smaller depth must come first"),
        ((20, 50, 100), "a mix such as"),
        ("100", "a mix such as"),
        (None, "a mix such as"),
        ({}, "not all 0"),
        ({20: 0}, "not all 0"),
        ({20: -1, 30: 2}, "none negative"),
        ({20: "often"}, "a weight of 'often'"),
        ({20: float("nan")}, "not all 0"),
        (1, "more than blind plus ante"),
    ],
)
def test_a_depth_that_makes_no_sense_is_refused(setting: Any, words: str) -> None:
    with pytest.raises(SettingError, match=words):
        nlhe14_v0.env(stacks=setting)
