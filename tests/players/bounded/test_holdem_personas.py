"""Personas for hold'em: the twelve, files of one's own, and which character a name is at which game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tahur.arena.match import run
from tahur.core.errors import PlayerError, UnknownName
from tahur.games.registry import make
from tahur.players.bounded.personas import OCCASIONS, Persona, house, persona_named, read_persona
from tahur.players.bounded.talk import tells_cards
from tahur.players.personas import PersonaPlayer
from tahur.players.perudo.player import PerudoMind
from tahur.players.registry import make_player

Write = Callable[[str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def wrote(text: str) -> Path:
        path = tmp_path / "grumpy.toml"
        path.write_text(text, "utf-8")
        return path

    return wrote


def test_the_house_has_twelve_no_two_alike() -> None:
    assert len(house()) == 12
    for trait in ("name", "looseness", "aggression", "about", "voice"):
        assert len({getattr(each, trait) for each in house()}) == 12
    assert {each.profile.name for each in house()} == {
        "tight_passive", "tight_aggressive", "default", "loose_passive", "loose_aggressive",
    }  # fmt: skip


def test_each_has_a_voice_of_its_own_for_every_occasion() -> None:
    said: dict[str, str] = {}
    for persona in house():
        for occasion in OCCASIONS:
            lines = persona.lines_for(occasion)
            assert len(lines) >= 2
            for line in lines:
                assert said.setdefault(line, persona.name) == persona.name
                assert not tells_cards(line)


def test_a_file_needs_no_more_than_a_figure(write: Write) -> None:
    assert read_persona(write("looseness = 0.9")) == Persona("grumpy", looseness=0.9, voice="plain and friendly")


def test_a_file_may_be_like_one_of_the_house(write: Write) -> None:
    text = 'name = "Grump"\nlike = "duelist"\naggression = 0.2\npreset = "loose_passive"\n[lines]\nfold = ["Bah."]'
    grump, duelist = read_persona(write(text)), persona_named("Duelist")
    assert (grump.name, grump.aggression, grump.looseness) == ("Grump", 0.2, duelist.looseness)
    assert grump.lines_for("fold") == ("Bah.",)
    assert grump.lines_for("raise") == duelist.lines_for("raise")
    assert (grump.profile.name, grump.profile.looseness) == ("loose_passive", duelist.looseness)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("loosness = 0.5", "a persona has no 'loosness'; did you mean 'looseness'?"),
        ("zzz = 0.5", "a persona has no 'zzz'; valid: name, like, looseness"),
        ("looseness = 1.5", "looseness is 1.5; expected a number from 0 to 1"),
        ("looseness = true", "looseness is True; expected a number from 0 to 1"),
        ('looseness = "high"', "looseness is 'high'; expected a number from 0 to 1"),
        ('like = "shark"\nlooseness = 0.1', "like 'shark'; valid: gardener, "),
        ("like = 3", "like 3; valid: gardener"),
        ('preset = "wild"', "no profile 'wild'; profiles: default"),
        ('name = "a\\u202Eb"', "a name is one line of at most 24 visible characters"),
        ("name = 7", "a persona named 7"),
        ("lines = 3", "lines is not a table; [lines] has lists for fold, check"),
        ('[lines]\nwin = ["Ha."]', "no lines for 'win'; [lines] has lists for fold"),
        ('[lines]\nfold = "Ha."', "expected a list of at most 40 lines"),
        ('[lines]\nfold = ["I had aces."]', "cannot say 'I had aces.' (fold)"),
        ('[lines]\nfold = ["' + "very " * 30 + 'long"]', "a line has at most 90 characters"),
        ('about = "a\\nb"', "about must be one line of at most 160 characters"),
        ("looseness = ", "not a TOML file"),
    ],
)
def test_what_is_wrong_with_a_file_is_told_in_a_sentence(write: Write, text: str, said: str) -> None:
    with pytest.raises(PlayerError) as refused:
        read_persona(write(text))
    assert said in str(refused.value)
    assert "grumpy" in str(refused.value)


def test_a_name_is_a_persona_at_holdem_and_a_mind_at_perudo() -> None:
    for name in ("persona:duelist", "duelist", "persona:Duelist", "persona:duelist@by_ev"):
        player = make_player(name, make("nlhe"))
        assert isinstance(player, PersonaPlayer)
        assert player.persona is persona_named("duelist")
        assert isinstance(player.at(make("perudo")), PerudoMind)


def test_who_chooses_is_said_behind_the_name() -> None:
    choosers = [
        type(make_player(f"persona:barber{at}").chooser).__name__  # type: ignore[attr-defined]
        for at in ("", "@softmax", "@by_ev", "@scripted:1,2")
    ]
    assert choosers == ["Softmax", "Softmax", "ByEv", "Scripted"]
    with pytest.raises(UnknownName, match="no chooser 'magic'; choosers: softmax, by_ev"):
        make_player("persona:barber@magic")


@pytest.mark.parametrize(
    ("text", "holdem"),
    [("looseness = 0.3", True), ('like = "duelist"', True), ("bluff = 0.3", False), ('like = "turtle"', False)],
)
def test_a_file_is_for_the_game_that_its_keys_belong_to(write: Write, text: str, holdem: bool) -> None:
    player = make_player(f"persona:{write(text)}")
    assert isinstance(player, PersonaPlayer if holdem else PerudoMind)


def test_a_persona_sits_at_holdem_tables_of_all_kinds_and_plays_perudo_too() -> None:
    rng = np.random.default_rng(1)
    for name, settings in (("nlhe", {"stacks": [3, 40, 0, 200]}), ("limit", {"seats": 3}), ("perudo", {}), ("fhp", {})):
        game: Any = make(name, settings)
        players = [make_player(f"persona:{house()[int(rng.integers(12))].name}") for _ in range(game.seats)]
        assert sum(1 for _ in run(game, players, seed=2, deals=4)) >= 1


@pytest.mark.parametrize("game", ["leduc", "kuhn", "liars-dice"])
def test_at_games_without_characters_a_persona_is_refused(game: str) -> None:
    with pytest.raises(PlayerError, match="persona:duelist does not play"):
        make_player("persona:duelist", make(game))


def test_a_model_is_needed_for_a_player_that_asks_one() -> None:
    with pytest.raises(PlayerError, match="no model is configured; use --llm URL --model NAME, or --llm local"):
        make_player("llm:duelist")
    with pytest.raises(PlayerError, match="llm: no persona"):
        make_player("llm:")
    with pytest.raises(UnknownName, match="no persona 'dualist' for hold'em; did you mean 'duelist'"):
        make_player("llm:dualist")
