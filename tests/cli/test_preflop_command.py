"""`tahur cards preflop`: charts of solved and shipped strategies, and the push-or-fold equilibrium."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
from invoked import answer_of, run_of
from typer.testing import CliRunner

from command import answer, tahur
from tahur.cards.cards import COMBOS
from tahur.cards.equity import equity
from tahur.cards.ranges import Range
from tahur.cards.rankings import class_names, class_of_combos
from tahur.cli.main import app
from tahur.core import cache
from tahur.core.errors import StrategyError, UnknownName
from tahur.solvers.nolimit.chart import PreflopChart, line_facing
from tahur.solvers.nolimit.shipped import shipped, shipped_depths
from tiny_blueprint import tiny_blueprint, write_tiny_blueprint

NAMES = class_names()


@pytest.fixture(scope="module")
def blueprint(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_tiny_blueprint(tmp_path_factory.mktemp("nolimit") / "tiny.tahur"))


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installation whose package has blueprints for 20 and 40 big blinds."""
    folder = tmp_path / "solvers" / "nolimit" / "blueprints"
    folder.mkdir(parents=True)
    write_tiny_blueprint(folder / "20bb.tahur", 20, "push-fold")
    write_tiny_blueprint(folder / "40bb.tahur", 40, "push-fold")
    (folder / "notes.tahur").write_text("not a depth")
    monkeypatch.setattr(cache, "_PACKAGE", tmp_path)
    return folder


def test_a_chart_has_what_each_hand_does(blueprint: str) -> None:
    found = answer("preflop", "chart", blueprint, "--vs", "open")
    assert (found["at"], found["seat"], found["depth"]) == ("raise", "big blind", 20)
    assert len(found["hands"]) == 169
    for hand in found["hands"].values():
        assert sum(hand["probabilities"].values()) == pytest.approx(1)
    assert found == answer("cards", "preflop", "chart", blueprint, "--at", "raise")
    assert found == answer("show", blueprint, "--at", "raise")


def test_a_chart_is_also_text_and_a_picture(blueprint: str) -> None:
    shown = tahur("preflop", "chart", blueprint).stdout
    assert shown.startswith("button, 20 bb, first to act")
    assert "tahur cards preflop chart" in shown
    picture = tahur("preflop", "chart", blueprint, "--svg").stdout
    assert sum("data-hand" in element.attrib for element in ElementTree.fromstring(picture).iter()) == 169


def test_a_range_is_weighted_with_all_actions_of_its_seat(blueprint: str) -> None:
    """The button's calls of a 3-bet, with the probability that it raised first."""
    opened, called = answer("preflop", "chart", blueprint), answer("preflop", "chart", blueprint, "--vs", "3bet")
    text = tahur("preflop", "chart", blueprint, "--vs", "3bet", "--range", "call").stdout
    weights = Range(text.strip()).hands()
    for name in NAMES:
        raised = opened["hands"][name]["probabilities"]["raise"]
        assert called["hands"][name]["reach"] == pytest.approx(raised, abs=1e-9)
        expected = raised * called["hands"][name]["probabilities"]["call"]
        assert weights.get(name, 0.0) == pytest.approx(expected, abs=0.0051)
    assert answer("preflop", "chart", blueprint, "--vs", "3bet", "--range", "call")["range"] == text.strip()


def test_ranges_of_all_actions_add_up_to_the_reach(blueprint: str) -> None:
    texts = [tahur("preflop", "chart", blueprint, "--range", action).stdout.strip() for action in ("fold", "raise")]
    total = sum(Range(text).vector for text in texts)
    called = Range(tahur("preflop", "chart", blueprint, "--range", "call").stdout.strip())
    assert np.abs(total + called.vector - 1).max() <= 0.0151
    assert tahur("cards", "range", texts[1]).returncode == 0


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--format", "9max"), "there are charts for hu, 6max"),
        (("--format", "6max"), "has its own table; leave --format out"),
        (("--vs", "open", "--at", "raise"), "give one of them"),
        (("--vs", "5bet"), "no decision against '5bet'; valid: limp, open, 3bet, 4bet, all-in"),
        (("--at", "jump"), "no action 'jump' first"),
        (("--depth", "100bb"), "is for 20 bb; leave --depth out"),
        (("--range", "check"), "no action 'check' here; valid: fold, call, raise"),
    ],
)
def test_what_has_no_chart_is_refused_in_one_line(blueprint: str, args: tuple[str, ...], words: str) -> None:
    run = tahur("preflop", "chart", blueprint, *args)
    assert run.returncode == 2
    assert words in run.stderr
    assert run.stderr.count("\n") == 1


def test_an_installation_without_strategies_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_PACKAGE", tmp_path)
    assert shipped_depths() == ()
    with pytest.raises(StrategyError, match="tahur solve nlhe -o FILE"):
        shipped(100)


@pytest.mark.parametrize(("asked", "nearest"), [(20, "20bb"), (27, "20bb"), (29, "40bb"), (5, "20bb"), (500, "40bb")])
def test_the_nearest_depth_is_by_ratio(package: Path, asked: float, nearest: str) -> None:
    assert shipped(asked) == package / f"{nearest}.tahur"
    assert shipped_depths() == (20, 40)


def test_the_nearest_shipped_depth_is_named(package: Path) -> None:
    asked = CliRunner().invoke(app, ["preflop", "chart", "--depth", "30bb", "--json"])
    assert asked.exit_code == 0, asked.output
    assert "there is no chart for 30 bb; this is the nearest, 40 bb" in asked.stderr
    assert answer_of(app, "preflop", "chart", "--depth", "40bb")["depth"] == 40
    assert "--depth 20bb --at" in run_of(app, "preflop", "chart", "--depth", "20bb")


def test_a_decision_that_the_strategy_lacks_is_named() -> None:
    tree = tiny_blueprint(20, "push-fold").tree
    assert line_facing(tree, "all-in") == "all-in"
    with pytest.raises(StrategyError, match="no raise first; its actions: fold, all-in"):
        line_facing(tree, "open")


def test_an_action_that_no_hand_takes_has_no_range() -> None:
    shares = np.array([np.ones(169), np.zeros(169)])
    chart = PreflopChart(np.ones(169), shares, (1.0, 0.0))
    assert chart.range_of(0) == Range("any")
    assert len(chart.range_of(1)) == 0
    from tahur.cli.nolimit.show import ChartPage

    with pytest.raises(UnknownName, match="no hand takes the action 'call'"):
        ChartPage("", ("fold", "call"), chart).range_text("call")


# ---- push or fold ------------------------------------------------------------------------------------------------


def test_push_or_fold_has_both_charts_with_values() -> None:
    found = answer("preflop", "push-fold", "--depth", "10bb")
    small, big = found["charts"]
    assert (small["seat"], big["seat"]) == ("small blind", "big blind")
    assert small["frequencies"]["all-in"] == pytest.approx(0.583, abs=1e-3)
    assert big["frequencies"]["call"] == pytest.approx(0.374, abs=1e-3)
    assert found["exploitability"] < 1e-4
    aces, worst = small["hands"]["AA"], small["hands"]["32o"]
    assert aces["probabilities"]["all-in"] > 0.999 > 0.001 > worst["probabilities"]["all-in"]
    assert aces["values"]["all-in"] > 3 > 0 > worst["values"]["all-in"]
    assert aces["values"]["fold"] == 0
    sizes = np.bincount(class_of_combos(), minlength=169) / COMBOS
    gains = [
        hand["values"]["all-in"] * hand["probabilities"]["all-in"] for hand in map(small["hands"].get, NAMES) if hand
    ]
    assert found["value"] == pytest.approx(float(sizes @ gains) - 0.5)
    pushed = tahur("preflop", "push-fold", "--depth", "10bb", "--range", "all-in").stdout.strip()
    for name in ("AA", "76s", "K3o"):
        won = 10 * (2 * equity(name, pushed).players[0].equity - 1)
        assert big["hands"][name]["values"]["call"] == pytest.approx(won + 1, abs=0.01)


def test_push_or_fold_prints_charts_ranges_and_pictures() -> None:
    shown = tahur("preflop", "push-fold").stdout
    for words in ("small blind, 10 bb, all-in or fold", "big blind, 10 bb, facing all-in", "compared with folding"):
        assert words in shown
    assert max(map(len, shown.splitlines())) <= 80
    called = Range(tahur("preflop", "push-fold", "--range", "call").stdout.strip())
    assert called.combos / COMBOS == pytest.approx(0.374, abs=2e-3)
    picture = tahur("preflop", "push-fold", "--seat", "sb", "--svg").stdout
    assert ElementTree.fromstring(picture).tag.endswith("svg")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--svg",), "add --seat sb or --seat bb"),
        (("--seat", "button"), "give sb, bb or both"),
        (("--range", "fold"), "give all-in, call, or fold with --seat"),
        (("--depth", "1bb"), "give stacks of 2bb to 1000bb"),
        (("--depth", "500bb"), "push or fold needs more than 1, at most 100"),
    ],
)
def test_push_or_fold_refuses_in_one_line(args: tuple[str, ...], words: str) -> None:
    run = tahur("preflop", "push-fold", *args)
    assert run.returncode == 2
    assert words in run.stderr
    assert run.stderr.count("\n") == 1
