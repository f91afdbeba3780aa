"""`tahur perudo cost`, and solved rounds in `tahur perudo advise`."""

from __future__ import annotations

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from tahur.cli.main import app
from tahur.core.errors import SettingError, SolverError, TahurError, UnknownName

ROUND = ("--dice", "1v1", "--rules", "classic")
TABLE = ("perudo", "advise", "--rules", "classic", "--mine", "5", "--others", "1")


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments))
    if isinstance(result.exception, TahurError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout


def answer(*arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(*arguments, "--json"))
    return found


def test_costs_by_kind_add_up_and_stand_beside_what_was_won() -> None:
    told = answer("perudo", "cost", "timeout", "shark", *ROUND, "--rounds", "60")
    assert told["value"] == pytest.approx(-1 / 18, abs=1e-3)
    for seats in told["minds"].values():
        for cost in seats.values():
            assert cost["rounds"] == 60
            assert sum(kind["cost"] for kind in cost["kinds"].values()) == pytest.approx(cost["cost"])
            assert cost["won"] + cost["cost"] == pytest.approx(
                cost["best_response"], abs=4 * (cost["error"] + cost["won_error"])
            )
    assert told["minds"]["timeout"]["answers"]["cost"] > told["minds"]["shark"]["opens"]["cost"]


def test_the_same_seed_costs_the_same_and_the_table_says_so() -> None:
    ask = ("perudo", "cost", "shark", *ROUND, "--rounds", "20")
    assert answer(*ask) == answer(*ask)
    assert "missed dudo" in run(*ask)


@pytest.mark.parametrize(
    ("asked", "wrong", "why"),
    [
        (("nobody",), UnknownName, "nobody"),
        (("shark", "--dice", "two"), SettingError, "write the opener's dice"),
        (("shark", "--dice", "3v3", "--rules", "classic"), SolverError, "too large"),
    ],
)
def test_what_cannot_be_graded_is_refused(asked: tuple[str, ...], wrong: type[TahurError], why: str) -> None:
    with pytest.raises(wrong, match=why):
        run("perudo", "cost", *asked)


def test_advice_is_what_the_solved_round_says_and_not_the_best_of_one_step() -> None:
    """With a five in hand against a bid of one, two fives and one six are true as often; nobody should bid the six."""
    told = answer(*TABLE, "--bid", "1x5")
    assert told["best"] == "2 fives"
    assert "1 five stands" in run(*TABLE, "--bid", "1x5")


def test_advice_at_a_table_of_two_tells_the_solved_frequencies_and_what_they_are_worth() -> None:
    told = {each["action"]: each for each in answer(*TABLE)["actions"]}
    assert sum(each["solved"] for each in told.values()) == pytest.approx(1)
    best = max(each["worth"] for each in told.values())
    taken = [each for each in told.values() if each["solved"] > 0.05]
    assert all(best - each["worth"] < 0.01 for each in taken)  # what is done often is about as good as it gets
    assert told["2 aces"]["worth"] < best - 0.5  # two aces, and one holds a five
    text = run(*TABLE)
    assert "solved" in text
    assert "worth" in text


def test_advice_where_nothing_is_solved_has_no_such_column() -> None:
    three = ("perudo", "advise", "--mine", "5", "--others", "1,1")
    assert all(each["solved"] is None for each in answer(*three)["actions"])
    assert "solved" not in run(*three)
