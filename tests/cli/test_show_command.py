"""`tahur show` as somebody at the terminal, or a program, sees it."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from solved_games import solution
from tahur.cli.solve.show import show
from tahur.core.errors import StrategyError, TahurError
from tahur.core.solution import write_solution

app = typer.Typer(pretty_exceptions_enable=False)
app.command("show")(show)


@pytest.fixture
def kuhn(tmp_path: Path) -> str:
    write_solution(tmp_path / "kuhn.tahur", solution("kuhn", 2000))
    return str(tmp_path / "kuhn.tahur")


def run(*arguments: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, list(arguments))
    if isinstance(result.exception, TahurError):
        raise result.exception
    assert result.exit_code == code, result.output
    return result.stdout


def test_without_a_line_it_shows_the_start_and_lists_the_lines(kuhn: str) -> None:
    said = run(kuhn)
    assert "first seat at the start" in said
    for line in ("check", "check,bet", "bet"):
        assert any(row.endswith(line) for row in map(str.rstrip, said.splitlines()))
    assert "--at 'check'" in said


def test_at_a_line_it_shows_what_each_hand_does(kuhn: str) -> None:
    """In Kuhn's equilibria the second seat calls a bet with a queen one time in three, and never with a jack."""
    found = json.loads(run(kuhn, "--at", "bet", "--json"))
    assert found["line"] == ["bet"]
    assert (found["seat"], found["actions"]) == (1, ["fold", "call"])
    calls = {row["hand"]: row["probabilities"]["call"] for row in found["hands"]}
    assert calls == pytest.approx({"J": 0, "Q": 1 / 3, "K": 1}, abs=0.02)
    text = run(kuhn, "--at", "bet")
    assert "second seat after bet" in text
    assert f"{100 * calls['Q']:.1f}" in text


def test_for_machines_it_has_the_facts_and_the_spot(kuhn: str) -> None:
    found = json.loads(run(kuhn, "--json"))
    assert list(found) == [
        "game", "settings", "schedule", "iterations", "exploitability", "nashconv", "value", "unit",
        "line", "seat", "frequency", "actions", "average", "hands", "onward",
    ]  # fmt: skip
    assert found["frequency"] == pytest.approx(1)
    assert [row["hand"] for row in found["hands"]] == ["J", "Q", "K"]


def test_svg_and_html_are_printed_alone(kuhn: str) -> None:
    ElementTree.fromstring(run(kuhn, "--svg", "--at", "check,bet"))
    page = run(kuhn, "--html")
    assert page.startswith("<!doctype html>")
    assert len(list(ElementTree.fromstring(page.removeprefix("<!doctype html>")).iter("section"))) == 4


def test_a_big_tree_makes_a_page_of_the_next_decisions_and_says_what_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tahur.cli.solve.show.MOST_ON_A_PAGE", 20)
    write_solution(tmp_path / "leduc.tahur", solution("leduc"))
    page = run(str(tmp_path / "leduc.tahur"), "--html")
    sections = len(list(ElementTree.fromstring(page.removeprefix("<!doctype html>")).iter("section")))
    assert sections == 3
    assert f"{len(solution('leduc').decisions) - 3:,} lines further down" in page


def test_what_cannot_be_shown_is_told(kuhn: str, tmp_path: Path) -> None:
    with pytest.raises(StrategyError, match="'raise' is not possible at the start; possible: check, bet"):
        run(kuhn, "--at", "raise")
    (tmp_path / "x.txt").write_text("x")
    with pytest.raises(StrategyError, match="is not a strategy file"):
        run(str(tmp_path / "x.txt"))
    run(kuhn, "--svg", "--json", code=2)
