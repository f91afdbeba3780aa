"""The six, the names that stand for them, strangers, and personalities of one's own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tahur.core.errors import PlayerError
from tahur.games.registry import make
from tahur.players.personas import mind_from_text
from tahur.players.perudo.personalities import (
    BLUFFER,
    FIGURES,
    NAMES,
    SHARK,
    SIX,
    TRAPPER,
    Personality,
    boring,
    known_names,
    personality_of,
)
from tahur.players.perudo.player import PerudoMind
from tahur.players.registry import make_player

TABLE = """
Shark .55 .80 .25 .75 .70 .80 .20 .60
Turtle .85 .30 .08 .15 .20 .40 .10 .40
Chaos .65 .60 .45 .50 .60 .30 .90 .30
Calculator .70 .40 .15 .40 .50 .60 .00 .70
Bluffer .88 .50 .55 .60 .65 .50 .40 .50
Trapper .72 .45 .30 .55 .50 .70 .25 .95
"""


def test_the_six_have_the_figures_of_the_table() -> None:
    told = [line.split() for line in TABLE.strip().splitlines()]
    assert [(each.name, *(getattr(each, figure) for figure in FIGURES)) for each in SIX] == [
        (name, *map(float, figures)) for name, *figures in told
    ]


def test_there_are_twenty_five_names_and_each_is_somebody() -> None:
    names = [name for each in NAMES.values() for name in each]
    assert len(names) == len(set(names)) == 25
    assert all(personality_of(name) is each for each, theirs in NAMES.items() for name in theirs)
    assert set(known_names()) == {each.name.lower() for each in SIX} | set(names)


@pytest.mark.parametrize("name", ["El Tahúr", "el tahur", "EL  TAHÚR", "trapper", "Trapper"])
def test_a_name_is_known_without_its_accents_and_capitals(name: str) -> None:
    assert personality_of(name) is TRAPPER


def test_a_stranger_has_the_same_personality_in_every_process() -> None:
    strangers = [f"stranger {number}" for number in range(60)]
    here = [personality_of(name).name for name in strangers]
    code = (
        "from tahur.players.perudo.personalities import personality_of as p\n"
        f"print(*(p(name).name for name in {strangers!r}))"
    )
    there = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert here == there
    assert set(here) == {each.name for each in SIX}


def test_who_is_far_ahead_neither_bluffs_nor_doubts_and_is_otherwise_itself() -> None:
    ahead = boring(BLUFFER)
    assert (ahead.bluff, ahead.dudo) == (0.05, 0.90)
    assert ahead.aggression == BLUFFER.aggression


@pytest.mark.parametrize("value", [-0.1, 1.1, "much", True, float("nan")])
def test_a_figure_is_a_number_from_nothing_to_one(value: object) -> None:
    with pytest.raises(PlayerError, match=r"dudo is .*; expected a number from 0 to 1"):
        Personality("x", dudo=value)  # type: ignore[arg-type]


def test_one_s_own_is_read_from_a_file_and_starts_from_whom_it_is_like(tmp_path: Path) -> None:
    file = tmp_path / "nervous.toml"
    file.write_text('name = "Nervous"\nlike = "shark"\ndudo = 0.4\n', "utf-8")
    mind = mind_from_text(str(file))
    assert mind.personality.name == "Nervous"
    assert mind.personality.dudo == 0.4
    assert mind.personality.calza == SHARK.calza
    file.write_text("bluff = 1\n", "utf-8")
    assert mind_from_text(str(file)).personality == Personality("nervous", bluff=1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("dudo = 2\n", "dudo is 2"),
        ("doubt = 0.5\n", "no figure 'doubt'; valid: name, like, dudo, calza"),
        ('like = "sharkk"\n', "like 'sharkk'; valid: shark, turtle"),
        ("name = 3\n", "the name is 3"),
        ("dudo = \n", "not a TOML file"),
    ],
)
def test_a_file_that_makes_no_personality_is_refused_in_a_sentence(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(PlayerError) as refused:
        mind_from_text(str(file))
    assert said in str(refused.value)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(PlayerError, match="No such file"):
        make_player(f"persona:{tmp_path / 'nobody.toml'}")


def test_a_mind_is_made_by_its_name_with_the_kind_or_without() -> None:
    for name in ("persona:shark", "shark", "persona:El Bandido", "El Bandido"):
        made = make_player(name, make("perudo"))
        assert isinstance(made, PerudoMind)
        assert made.personality is SHARK
    assert isinstance(make_player("persona:somebody new"), PerudoMind)


def test_at_other_games_a_mind_says_where_to_look() -> None:
    for name in ("persona:shark", "shark"):
        with pytest.raises(PlayerError, match=r"is a mind for Perudo .* nlhe; those for hold'em: tahur persona list"):
            make_player(name, make("nlhe"))


def test_a_persona_needs_a_name() -> None:
    with pytest.raises(PlayerError, match="no name; write"):
        make_player("persona:")
