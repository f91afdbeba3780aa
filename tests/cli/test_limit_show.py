"""`tahur show` of limit strategies, as somebody at the terminal, or a program, sees it."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest
import typer
from invoked import answer_of, run_of
from typer.testing import CliRunner

from command import tahur
from limit_fakes import FakePolicy, betting
from tahur.cli.limit import policies
from tahur.cli.limit.policies import Subject
from tahur.cli.limit.show import read_log, spots_of
from tahur.cli.solve.show import show
from tahur.core.errors import StrategyError
from tahur.games.holdem.limit_study import LimitStudy

app = typer.Typer(pretty_exceptions_enable=False)
app.command("show")(show)


def fake(rest: str) -> Subject:
    """`fake:fhp/3` is a policy for fhp after three iterations."""
    game, number = rest.split("/")
    tree = betting(game)
    return Subject(
        name=f"fake:{rest}",
        betting=tree,
        policy=FakePolicy(tree, int(number)),
        about=f"made up for {game}",
        iterations=int(number),
    )


@pytest.fixture(autouse=True)
def _fakes(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that a new kind of policy takes is this one line."""
    monkeypatch.setitem(policies.KINDS, "fake", fake)


def run(*arguments: str) -> str:
    return run_of(app, *arguments)


def answer(*arguments: str) -> dict[str, Any]:
    return answer_of(app, *arguments)


def test_everything_is_shown_unless_something_is_asked_for() -> None:
    whole = answer("fake:fhp/1")
    assert [each["title"].split(":")[0] for each in whole["decisions"]] == [
        "Small blind, first in",
        "Big blind, facing a raise",
    ]
    assert len(whole["flops"]["rows"]) == 24
    assert answer("fake:fhp/1", "--preflop")["flops"] is None
    some = answer("fake:hulh/1", "--flops", "3", "--line", "raise-raise-call")
    assert (some["decisions"], len(some["flops"]["rows"])) == ([], 3)
    assert some["flops"]["line"] == "raise to 4, raise to 6, call 2"


def test_the_bars_are_what_the_policy_does_after_the_line() -> None:
    found = answer("fake:hulh/1", "--flops", "1", "--line", "call,check")["flops"]["rows"][0]
    study = LimitStudy(FakePolicy(betting("hulh"), 1), betting("hulh"))
    for bar, after in zip(found["bars"], ("", "check", "bet"), strict=True):
        glance = study.glance(f"call,check,{found['flop']},{after}")
        assert [bar[label.split()[0]] for label in glance.actions] == pytest.approx(list(glance.average))
    assert [bar["decision"] for bar in found["bars"]] == [
        "out of position, first",
        "in position, checked to",
        "in position, facing a bet",
    ]


def test_one_flop_has_four_decisions_of_every_hand() -> None:
    found = answer("fake:fhp/1", "--flop", "Td9d6h")
    assert len(found["decisions"]) == 4
    assert found["decisions"][0]["title"] == "Td9d6h, out of position, first: 100 % of the time"
    checked, bet = (found["decisions"][place]["frequency"] for place in (1, 2))
    assert checked + bet == pytest.approx(found["decisions"][0]["frequency"])


def test_text_svg_and_page_come_from_the_same_sheet() -> None:
    text = run("fake:fhp/1", "--flops", "4", "--preflop")
    assert "made up for fhp" in text
    assert "Small blind, first in: 100 % of all deals" in text
    ElementTree.fromstring(run("fake:fhp/1", "--preflop", "--svg"))
    ElementTree.fromstring(run("fake:fhp/1", "--at", "raise", "--svg"))
    page = run("fake:fhp/1", "--flops", "4", "--html")
    assert page.count('<td class="bar"') == 15
    assert "Big blind after raise to 4" in run("fake:fhp/1", "--at", "raise")
    assert answer("fake:fhp/1", "--at", "raise")["line"] == ["raise to 4"]


def test_a_trace_goes_over_files_with_their_iterations() -> None:
    spots = "first-in AA, raise,raise 72o; facing-raise Kd9d"
    found = answer("--trace", "fake:fhp/1", "fake:fhp/5", "--spots", spots)["trace"]
    assert (found["iterations"], [each["spot"] for each in found["spots"]]) == (
        [1, 5],
        ["first-in AA", "raise,raise 72o", "facing-raise Kd9d"],
    )
    study = LimitStudy(FakePolicy(betting("fhp"), 5), betting("fhp"))
    assert list(found["spots"][1]["chances"][1].values()) == pytest.approx(
        list(study.hand("raise,raise", "72o").values())
    )
    assert answer("--trace", "fake:fhp/5", "fake:fhp/1")["trace"]["iterations"] is None
    ElementTree.fromstring(run("--trace", "fake:fhp/1", "fake:fhp/5", "--svg"))


def test_a_log_is_read_while_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    lines = [
        {"iteration": 1, "losses": [0.5, 0.25], "exploitability": None, "unit": "milli-antes"},
        {"iteration": 2, "loss": 0.2, "exploitability": 90.5},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines) + '{"iteration": 3, "lo')
    log = read_log(path)
    assert (log.unit, [point.losses for point in log.points]) == ("milli-antes", [(0.5, 0.25), (0.2,)])
    assert log.points[1].exploitability == 90.5
    assert "90.5" in run(str(path))
    ElementTree.fromstring(run(str(path), "--svg"))
    path.write_text('{"iteration": 1}\n[]\n{"iteration": 3}\n')
    with pytest.raises(StrategyError, match=r"line 2 of .* is not a line of a training log"):
        read_log(path)


@pytest.mark.parametrize("text", ["AA", "first-in", "first-in AA, K9s", "", " , "])
def test_spots_that_cannot_be_read_are_refused(text: str) -> None:
    with pytest.raises(StrategyError, match="no spots"):
        spots_of(text)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("fake:fhp/1", "--line", "raise"), "no flop comes after 'raise to 4'; lines such as raise,call"),
        (("fake:fhp/1", "--flop", "Td9d"), "such as three cards"),
        (("fake:fhp/1", "--flops", "9999"), "1 to 1,755"),
        (("--trace", "fake:fhp/1", "fake:hulh/1"), "trace one game"),
        (("--trace", "fake:fhp/1", "--spots", "first-in K9"), "no hand 'K9'"),
        (("fake:fhp/1", "fake:fhp/2"), "several with --trace"),
        (("fake:fhp/1", "--at", "raise", "--preflop"), "--at is for one decision"),
        (("--trace", "nothing.tahur"), "no file nothing.tahur"),
        (("nothing.jsonl",), "nothing.jsonl cannot be read"),
    ],
)
def test_bad_input_is_one_sentence(arguments: tuple[str, ...], why: str) -> None:
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code != 0
    said = " ".join(f"{result.output} {result.exception}".replace("│", " ").split())
    assert why in said


def test_a_log_shows_every_measured_iteration_with_its_digits(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    measured = {7: 0.31, 33: 0.0912, 240: 0.0355}  # Leduc, in antes
    rows = [
        {"iteration": n, "losses": [0.5], "exploitability": measured.get(n), "unit": "antes"} for n in range(1, 241)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    shown = tahur("show", str(path)).stdout
    cells = [line.split() for line in shown.splitlines()[2:]]
    numbers = {row[0]: row[2] for row in cells if len(row) == 3}
    assert numbers == {"1": "-", "7": "0.31", "33": "0.0912", "240": "0.0355"}
    assert "236 of 240 iterations are not shown" in shown
