"""The game modes, and that a mode reaches who plays in it: its menus, and the prompt of a model."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from seats import views

from tahur.core.errors import PlayerError, SettingError, UnknownName
from tahur.players.bounded.asking import Asking, ModelChooser
from tahur.players.bounded.caps import Budget, Caps
from tahur.players.bounded.model import ModelRequest, Reply
from tahur.players.bounded.modes import Flags, mode_named, modes, modes_from_yaml
from tahur.players.bounded.personas import persona_named
from tahur.players.bounded.player import BoundedPlayer
from tahur.players.personas import PersonaPlayer
from tahur.players.registry import make_player


class FirstOption:
    """A model that takes the first option and keeps what it was asked."""

    name = "first"

    def __init__(self) -> None:
        self.asked: list[ModelRequest] = []

    def ask(self, question: ModelRequest, seconds: float) -> Reply:
        self.asked.append(question)
        return Reply('{"option": 1, "thought": "", "talk": "Hm.", "plan": ""}')


def asked_in(mode: str, model: FirstOption, log: list[dict[str, Any]] | None = None) -> PersonaPlayer:
    entries = [] if log is None else log
    chooser = ModelChooser(model, Budget(Caps()), Asking(lambda: 0.0, entries.append))
    player = make_player(f"llm:ferryman{mode}", models=lambda text: chooser)
    assert isinstance(player, PersonaPlayer)
    return player


def menus_of(name: str) -> list[str]:
    """The menus of twelve decisions, as the thoughts tell them."""
    player = make_player(name)
    found = (
        re.search(r"\| menu (.*?) \|", player.act(view, np.random.default_rng(5)).thought) for view in views()[:12]
    )
    return [menu[1] for menu in found if menu]


def test_the_lean_mode_makes_the_prompt_of_a_model_lean() -> None:
    full, lean = FirstOption(), FirstOption()
    asked_in("", full).act(views()[0], np.random.default_rng(5))
    asked_in("+lean", lean).act(views()[0], np.random.default_rng(5))
    [long], [short] = full.asked, lean.asked
    assert len(str(short.messages)) < len(str(long.messages)) / 2
    assert short.most_tokens < long.most_tokens
    assert short.schema is not None
    assert list(short.schema["properties"]) == ["option"]


def test_the_study_mode_tells_a_model_numbers_and_no_voices() -> None:
    plain, voiced = FirstOption(), FirstOption()
    for mode, model in (("+study", plain), ("", voiced)):
        player = asked_in(mode, model)
        for view in views()[:6]:
            player.act(view, np.random.default_rng(5))
    told = [[question.messages[1]["content"] for question in model.asked] for model in (plain, voiced)]
    assert all("%" in each.partition("Options:")[2] for each in told[0])
    assert told[0] != told[1]


def test_shuffled_options_come_in_another_order_and_are_the_same_options() -> None:
    usual, shuffled = menus_of("persona:ferryman"), menus_of("persona:ferryman+shuffled")
    assert usual != shuffled
    for one, other in zip(usual, shuffled, strict=True):
        assert sorted(re.sub(r"\d+ (?=[a-z])", "", one).split(", ")) == sorted(
            re.sub(r"\d+ (?=[a-z])", "", other).split(", ")
        )


def test_without_the_range_gate_other_menus_are_written() -> None:
    assert menus_of("persona:gardener") == menus_of("persona:gardener+standard")
    assert menus_of("persona:gardener") != menus_of("persona:gardener+loose_table")


@pytest.mark.parametrize("name", ["duelist+study", "persona:duelist+study", "persona:duelist+Study@by_ev"])
def test_a_name_may_end_in_a_mode(name: str) -> None:
    player = make_player(name)
    assert isinstance(player, PersonaPlayer)
    assert player.persona == persona_named("duelist")
    assert player.flags == mode_named("study").flags
    assert isinstance(player.at(views()[0].game), BoundedPlayer)


def test_a_file_may_be_in_a_mode_and_may_have_the_mark_in_its_name(tmp_path: Path) -> None:
    file = tmp_path / "a+b.toml"
    file.write_text('name = "Grump"\nlike = "duelist"\n')
    for mode, flags in (("", None), ("+lean", mode_named("lean").flags)):
        player = make_player(f"persona:{file}{mode}")
        assert isinstance(player, PersonaPlayer)
        assert (player.persona.name, player.flags) == ("Grump", flags)


def test_an_unknown_mode_is_told_with_those_there_are() -> None:
    with pytest.raises(UnknownName, match="no game mode 'mad'; modes: standard, study, lean"):
        make_player("persona:duelist+mad")


def test_a_mind_for_perudo_has_no_mode(tmp_path: Path) -> None:
    file = tmp_path / "mind.toml"
    file.write_text('name = "Mind"\n')
    with pytest.raises(PlayerError, match="only those have game modes"):
        make_player(f"persona:{file}+study")


def test_the_modes_differ_in_one_switch_or_more() -> None:
    assert mode_named("standard").flags == Flags()
    assert len({mode.flags for mode in modes().values()}) == len(modes())
    assert not any(mode.flags.shuffle_options for name, mode in modes().items() if name != "shuffled")


@pytest.mark.parametrize("text", ["", "a: [", "a: 1", "a: {summary: x}", "- a"])
def test_modes_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(SettingError):
        modes_from_yaml(text, "mine.yaml")


def test_an_unknown_mode_is_refused() -> None:
    with pytest.raises(UnknownName, match="standard"):
        mode_named("turbo")
