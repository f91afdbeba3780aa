"""Training configs: the keys of the design, presets, and mistakes that are found out before a night is lost."""

from __future__ import annotations

import pytest

from tahur.core.errors import SettingError, UnknownName
from tahur.solvers.deep.config import GAME_TYPES, PRESETS, Config, config_from, config_from_yaml, preset

DESIGN = """
game_type: limit_holdem
game:
  stack_depth: 50
  num_streets: 4
  max_raises_early: 3
  max_raises_late: 4

deals:
  count: 50000
  seed: 42

training:
  iterations: 500
  traversals_per_iter: 1000
  output_dir: "./lhe_sdcfr"

network:
  hidden_dim: 128
  num_actions: 3

sgd:
  steps: 4000
  batch_size: 4096
  learning_rate: 0.001

memory:
  advantage_cap: 5000000

checkpoint:
  interval: 100
"""


def test_every_key_of_the_design_is_read() -> None:
    config = config_from_yaml(DESIGN, "design")
    assert config.game.stack_depth == 50
    assert config.deals.count == 50_000
    assert config.training.traversals_per_iter == 1000
    assert config.training.output_dir == "./lhe_sdcfr"
    assert config.sgd.learning_rate == 0.001
    assert config.memory.advantage_cap == 5_000_000
    assert config.checkpoint.interval == 100
    assert config.make_game().name == "hulh"


def test_deals_are_fresh_unless_a_pool_is_asked_for() -> None:
    assert Config("kuhn").deals.count == 0


def test_a_config_survives_json() -> None:
    for name in PRESETS:
        config = preset(name)
        assert config_from(config.to_json(), "json") == config


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_makes_its_game(name: str) -> None:
    game = preset(name).make_game()
    expected = {"fhp": "fhp-3-4", "fhp-quick": "fhp-3-4", "hulh-quick": "hulh"}.get(name, name)
    assert game.name == expected


def test_other_caps_are_another_game() -> None:
    rules = {"num_streets": 2, "raise_caps": [2, 2]}
    game = config_from({"game_type": "limit_holdem", "game": rules}, "caps").make_game()
    assert game.name == "limit"
    assert game.settings["caps"] == [2, 2]
    assert game.settings["showdown_board"] == 3


def test_a_config_without_a_game_is_refused_with_the_list() -> None:
    with pytest.raises(SettingError, match="kuhn, leduc, limit_holdem") as refusal:
        config_from_yaml("training: {iterations: 3}", "mine.yaml")
    assert all(name in str(refusal.value) for name in GAME_TYPES)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("game_type: leduk", "valid: kuhn, leduc"),
        ("game_type: leduc\nsdg: {steps: 3}", "no key 'sdg'; did you mean 'sgd'"),
        ("game_type: leduc\nsgd: {stepz: 3}", "no key 'sgd.stepz'; did you mean 'sgd.steps'"),
        ("game_type: leduc\nsgd: {steps: many}", "sgd.steps is 'many'; a whole number"),
        ("game_type: leduc\nsgd: {steps: 0}", "sgd.steps is 0"),
        ("game_type: leduc\nsgd: 3", "sgd is 3; keys and values"),
        ("game_type: leduc\nnetwork: {num_actions: 8}", "it must be 3"),
        ("game_type: leduc\ntraining: {mode: fast}", "Flop Hold'em"),
        ("game_type: limit_holdem\ntraining: {mode: fast}", "num_streets 2"),
        ("game_type: limit_holdem\ngame: {raise_caps: [3, 3]}", "2 caps; num_streets is 4"),
        ("game_type: limit_holdem\ngame: {max_raises_late: 5}", "4 at most"),
        ("game_type: [", "is not valid YAML"),
        ("3", "keys and values"),
    ],
)
def test_mistakes_are_named(text: str, words: str) -> None:
    with pytest.raises(SettingError) as refusal:
        config_from_yaml(text, "mine.yaml")
    assert words in str(refusal.value)


def test_an_unknown_preset_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match="did you mean 'fhp-quick'"):
        preset("fhp-quik")
