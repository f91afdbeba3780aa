"""`--mode`: every persona at the table plays in it, and its name says so."""

from __future__ import annotations

import pytest
from invoked import answer_of

from tahur.cli.llm.options import in_mode
from tahur.cli.main import app
from tahur.cli.play.command import seat_names, with_models
from tahur.core.errors import SettingError, UnknownName


def test_the_personas_get_the_mode_and_nobody_else_does() -> None:
    players = ["duelist", "persona:barber@by_ev", "llm:baker@model@http://x/v1", "persona:grump.toml", "odds", "caller"]
    assert in_mode(players, "study", "nlhe") == [
        "persona:duelist+study",
        "persona:barber+study@by_ev",
        "llm:baker+study@model@http://x/v1",
        "persona:grump.toml+study",
        "odds",
        "caller",
    ]
    assert in_mode(players, None, "nlhe") == players


def test_who_has_a_mode_of_its_own_keeps_it() -> None:
    assert in_mode(["duelist", "barber+lean"], "study", "nlhe") == ["persona:duelist+study", "barber+lean"]


@pytest.mark.parametrize(("game", "players"), [("perudo", ["duelist"]), ("nlhe", ["odds", "caller"])])
def test_a_mode_for_nobody_is_refused(game: str, players: list[str]) -> None:
    with pytest.raises(SettingError, match="--mode study is for hold'em personas such as"):
        in_mode(players, "study", game)


def test_a_mode_that_there_is_not_is_refused() -> None:
    with pytest.raises(UnknownName, match="no game mode 'turbo'"):
        in_mode(["duelist"], "turbo", "nlhe")


def test_a_model_chooses_in_the_mode_and_the_table_knows_them_by_their_names() -> None:
    kinds = with_models(["persona:duelist+lean", "baker+lean", "persona:my/grump.toml+lean", "odds"])
    assert kinds == ["llm:duelist+lean", "llm:baker+lean", "llm:my/grump.toml+lean", "odds"]
    assert seat_names(kinds) == ("duelist", "baker", "grump", "odds")
    assert seat_names(["persona:my/a+b.toml"]) == ("a+b",)


def test_in_the_arena_the_results_say_who_played_in_which_mode() -> None:
    match = (
        "match",
        "nlhe",
        "duelist",
        "persona:duelist+study",
        "--hands",
        "2",
        "--workers",
        "1",
        "--mode",
        "shuffled",
    )
    assert answer_of(app, *match)["players"] == ["persona:duelist+shuffled", "persona:duelist+study"]
