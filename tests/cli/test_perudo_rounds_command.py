"""`tahur solve perudo --dice`, `tahur show`, `tahur perudo values`: rounds and matches at the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from invoked import answer_of, run_of

from tahur.cli.main import app
from tahur.cli.perudo import values as perudo_values
from tahur.cli.perudo.rounds import round_from_text, usual_target
from tahur.core.errors import SettingError, SolverError, StrategyError, TahurError
from tahur.core.player import View
from tahur.games.perudo.game import perudo
from tahur.games.perudo.solved import read_round
from tahur.players.perudo.equilibrium import recalled_file
from tahur.players.registry import make_player

SMALL = ("solve", "perudo", "--dice", "1v1")


@pytest.fixture(autouse=True)
def _somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*arguments: str) -> str:
    return run_of(app, *arguments)


def answer(*arguments: str) -> dict[str, Any]:
    return answer_of(app, *arguments)


def test_a_round_is_solved_kept_and_gone_on_with() -> None:
    found = answer(*SMALL, "--rules", "classic", "--iterations", "100")
    assert found["value_from"] <= -1 / 18 <= found["value_to"]
    assert found["unit"] == "dice of lead"
    assert found["file"] == "perudo-1v1.tahur"
    more = answer(*SMALL, "--rules", "classic", "--resume", "--iterations", "200")
    assert more["iterations"] == 200
    assert more["nashconv"] < found["nashconv"]
    whole = answer(*SMALL, "--rules", "classic", "--iterations", "200", "-o", "whole.tahur")
    assert whole["value"] == more["value"]


def test_the_rules_decide_palifico_and_calza_unless_somebody_says_otherwise() -> None:
    assert answer(*SMALL, "--iterations", "1")["settings"]["palifico_round"]
    assert not answer(*SMALL, "--no-palifico", "--iterations", "1")["settings"]["palifico_round"]
    forced = answer(*SMALL, "--rules", "classic", "--palifico", "--iterations", "1")["settings"]
    assert forced["palifico_round"]
    without = answer(*SMALL, "--no-calza", "--iterations", "300")
    assert without["value"] == pytest.approx(2 / 3, abs=5e-3)


def test_a_solved_round_is_shown_and_played() -> None:
    run(*SMALL, "--rules", "classic", "--iterations", "50", "-o", "one.tahur")
    shown = answer("show", "one.tahur", "--at", "1 six")
    assert shown["seat"] == 1
    assert shown["hands"]["2"]["dudo"] > 0.9
    assert "1 two" in run("show", "one.tahur")
    game = perudo(cups=(1, 1), rules="classic")
    player = make_player("strategy:one.tahur", game)
    assert player.act(View(game, game.start(), 0, 6), np.random.default_rng(1)).action in game.start().actions()
    assert read_round(Path("one.tahur")).misfit(perudo(cups=(1, 1))) is not None


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (("solve", "perudo", "--dice", "2x1"), SettingError, "--dice 2v1"),
        (("solve", "perudo", "--dice", "2v2", "--rules", "classic"), SolverError, "takes 3.9 GiB of memory"),
        (("solve", "perudo", "--dice", "5v5"), SolverError, "too large for any machine"),
        ((*SMALL, "--schedule", "dcfr"), SolverError, "cannot be solved with dcfr"),
        ((*SMALL, "--resume"), StrategyError, "to resume from"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_sentence(
    arguments: tuple[str, ...], error: type[TahurError], words: str
) -> None:
    with pytest.raises(error, match=words):
        run(*arguments)


@pytest.mark.parametrize(
    ("dice", "rules", "target"), [("2v1", "classic", 1e-6), ("2v1", "faroleo", 1e-6), ("2v2", "classic", 1e-3)]
)
def test_few_dice_are_solved_to_a_millionth(dice: str, rules: str, target: float) -> None:
    game = round_from_text(dice, rules, None, None)
    assert usual_target(game) == target


def test_rounds_are_prepared_once_and_again_if_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perudo_values, "_folder", lambda: tmp_path)
    monkeypatch.setattr(perudo_values, "ON_NEED", 0)  # as if one die each were too much to solve whole
    asked = "perudo", "prepare", "--dice", "1", "--rules", "classic", "--iterations", "2"
    (name,) = answer(*asked)["solved"]
    kept = read_round(recalled_file(tmp_path, name))
    assert kept.facts.unit == "matches won"
    assert 0 < kept.facts.value < 1
    again = answer(*asked)
    assert again["solved"] == []
    (told,) = again["rounds"]
    assert (told["dice"], told["palifico"], told["remembers"]) == ("1v1", False, kept.recall and kept.recall.bids)
    assert told["nashconv"] == kept.facts.nashconv
    assert "1v1" in run(*asked)
    assert answer(*asked, "--again")["solved"] == [name]


def test_without_calza_rounds_with_more_dice_than_are_left_are_not_needed() -> None:
    few, many = perudo(cups=(2, 1), rules="classic"), perudo(cups=(2, 3), rules="classic")
    assert perudo_values._can_follow(few, perudo(cups=(1, 3, 2), rules="classic"))
    assert not perudo_values._can_follow(many, perudo(cups=(2, 2), rules="classic"))
    assert perudo_values._can_follow(perudo(cups=(2, 3)), perudo(cups=(2, 2)))


def test_match_values_are_told_for_machines_and_for_people() -> None:
    asked = "perudo", "values", "--dice", "1", "--rules", "classic", "--iterations", "100"
    (found,) = answer(*asked)["opener_wins"]
    assert found["lower"] <= (1 - 1 / 18) / 2 <= found["upper"]
    assert "47." in run(*asked)
