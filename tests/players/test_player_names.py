"""Names of players: what is read, and what is said of what cannot be."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tahur.core.errors import PlayerError, UnknownName
from tahur.games.registry import make
from tahur.players.odds import CALLED, OddsPlayer
from tahur.players.registry import PLAYERS, make_player, player_names
from tahur.players.simple import Caller, Maniac
from tahur.players.solver import SolverPlayer


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package `my_bots` on the path, with good players and bad ones."""
    folder = tmp_path / "my_bots"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "tables.py").write_text(
        """
from tahur.players.simple import Caller

class Good(Caller):
    def plays(self, game):
        return game.name == "kuhn"

class Needy(Caller):
    def __init__(self, level, mood="calm"): ...

class Deaf:
    def begin(self, view, rng): ...
    def act(self, view, rng): ...

class Nothing: ...

good = Good()
"""
    )
    (folder / "broken.py").write_text("import a_module_that_nobody_wrote\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    for name in [name for name in sys.modules if name.split(".")[0] == "my_bots"]:
        del sys.modules[name]


def test_a_name_of_the_list_makes_a_new_player_each_time() -> None:
    for name in PLAYERS:
        assert type(make_player(name)) is type(make_player(name))
    assert isinstance(make_player("caller"), Caller)
    assert isinstance(make_player("maniac"), Maniac)
    assert make_player("caller") is not make_player("caller")


def test_odds_takes_the_part_of_hands_after_the_colon() -> None:
    assert make_player("odds").at(make("nlhe")) == OddsPlayer(CALLED)  # type: ignore[attr-defined]
    assert make_player("odds:40%") == OddsPlayer(0.4)
    assert make_player("odds:12.5%") == OddsPlayer(0.125)
    assert make_player("odds:100%") == OddsPlayer(1.0)


@pytest.mark.parametrize("rest", ["", "40", "0%", "0.5%", "101%", "-3%", "%", "40 %", "4e1%", "x", "40%:2"])
def test_odds_refuses_what_is_no_part_of_all_hands(rest: str) -> None:
    with pytest.raises(PlayerError, match="1% to 100%, such as odds:40%"):
        make_player(f"odds:{rest}")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("calller", "did you mean 'caller'"),
        ("odss:40%", "did you mean 'odds'"),
        ("Folder", "did you mean 'folder'"),
        (
            "zzz",
            "caller, folder, random, maniac, odds, equilibrium, timeout, odds:40%, persona:duelist, llm:duelist, "
            "strategy:FILE, solver:fast, net:FOLDER",
        ),
        ("", "no player ''; players: caller"),
        (":", "no player ':'; players: caller"),
        ("a b:C", "no player 'a b:C'"),
        (".x:Y", "no player '.x:Y'"),
    ],
)
def test_an_unknown_name_is_answered_with_the_nearest_or_the_list(name: str, said: str) -> None:
    with pytest.raises(UnknownName) as refused:
        make_player(name)
    assert said in str(refused.value)


@pytest.mark.usefixtures("bots")
def test_a_class_of_ones_own_is_made() -> None:
    assert type(make_player("my_bots.tables:Good")).__name__ == "Good"


@pytest.mark.usefixtures("bots")
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nobodys_bots:Good", "no module 'nobodys_bots'; it has to be in the current folder"),
        ("my_bots.chairs:Good", "no module 'my_bots.chairs'"),
        ("my_bots.tables:Better", "module 'my_bots.tables' has no class 'Better'"),
        ("my_bots.tables:good", "has no class 'good'"),
        ("my_bots.tables:Deaf", "a player has begin, act and learn; it has no learn"),
        ("my_bots.tables:Nothing", "it has no begin and no act and no learn"),
        ("my_bots.tables:Needy", "cannot be made without arguments: missing a required argument: 'level'"),
    ],
)
def test_a_class_that_cannot_play_is_refused_in_a_sentence(name: str, said: str) -> None:
    with pytest.raises(PlayerError) as refused:
        make_player(name)
    assert said in str(refused.value)
    assert str(refused.value).startswith(name)


@pytest.mark.usefixtures("bots")
def test_a_module_that_itself_lacks_a_module_shows_its_traceback() -> None:
    with pytest.raises(ModuleNotFoundError, match="a_module_that_nobody_wrote"):
        make_player("my_bots.broken:Good")


@pytest.mark.parametrize("game", ["kuhn", "leduc", "liars-dice"])
@pytest.mark.parametrize("name", ["odds", "odds:40%", "timeout"])
def test_odds_is_refused_where_there_are_none(name: str, game: str) -> None:
    message = f"{name} does not play {game}; these players of the list do: caller, folder, random, maniac$"
    with pytest.raises(PlayerError, match=message):
        make_player(name, make(game))


def test_at_perudo_odds_plays_but_not_with_a_range() -> None:
    make_player("odds", make("perudo"))
    message = "these players of the list do: caller, folder, random, maniac, odds, equilibrium, timeout$"
    with pytest.raises(PlayerError, match=message):
        make_player("odds:40%", make("perudo"))


@pytest.mark.parametrize("game", ["nlhe", "limit", "hulh", "acpc", "fhp", "fhp-3-4"])
def test_odds_plays_every_holdem(game: str) -> None:
    make_player("odds", make(game))


@pytest.mark.usefixtures("bots")
def test_a_player_of_ones_own_says_what_it_plays() -> None:
    make_player("my_bots.tables:Good", make("kuhn"))
    with pytest.raises(PlayerError, match="does not play leduc"):
        make_player("my_bots.tables:Good", make("leduc"))


def test_everything_that_is_listed_can_be_made() -> None:
    for name in player_names():
        if name not in ("pkg.mod:Class", "strategy:FILE", "net:FOLDER", "llm:duelist", "solver:fast"):
            make_player(name)


def test_the_solver_is_made_where_a_program_provides_it() -> None:
    with pytest.raises(PlayerError, match="this program provides no solver; the commands and the card room do"):
        make_player("solver")
    made: list[str] = []

    def solver(budget: str) -> Any:
        made.append(budget)

    for name in ("solver", "solver:fast", "solver:deep"):
        assert isinstance(make_player(name, solver=solver), SolverPlayer)
    assert made == ["", "fast", "deep"]
