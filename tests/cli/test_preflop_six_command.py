"""`tahur preflop chart --format 6max`, `preflop ranges` and `preflop solve`."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Generator
from pathlib import Path

import pytest
from invoked import answer_of, run_of

from command import answer, tahur
from solvers.coarse_buckets import coarse
from tahur.cards.buckets import BucketNumbers, Buckets
from tahur.cards.ranges import Range
from tahur.cli.main import app
from tahur.cli.nolimit import multiway_solve
from tahur.core.errors import SolverError
from tiny_multiway import write_tiny_strategy


def _refusal(*arguments: str) -> str:
    """What a command prints that fails because of its arguments."""
    done = tahur(*arguments)
    assert done.returncode == 2
    return done.stderr


def test_a_chart_of_six_seats_has_what_each_hand_does() -> None:
    chart = answer("preflop", "chart", "--format", "6max", "--position", "BTN")
    assert (chart["seats"], chart["depth"], chart["position"], chart["line"]) == (6, 100, "btn", "")
    assert len(chart["hands"]) == 169
    for hand in chart["hands"].values():
        assert sum(hand["probabilities"].values()) == pytest.approx(1)
    aces = chart["hands"]["AA"]
    assert aces["values"]["fold"] == pytest.approx(0, abs=0.01)
    assert aces["values"]["raise"] > 5
    assert sum(chart["frequencies"].values()) == pytest.approx(1)


def test_a_range_of_a_chart_is_the_range_of_its_name() -> None:
    text = tahur(
        "preflop", "chart", "--format", "6max", "--vs", "btn-open,sb-3bet", "--position", "btn", "--range", "call"
    )
    assert Range(text.stdout.strip()) == Range("btn-call-v-sb-3bet")


def test_a_chart_is_text_or_a_picture() -> None:
    shown = tahur("preflop", "chart", "--format", "6max", "--vs", "utg-open", "--position", "bb").stdout
    assert shown.startswith("BB, 6 seats, 100 bb, after utg-open")
    assert "raise to 11 bb" in shown
    picture = tahur("preflop", "chart", "--format", "6max", "--depth", "40bb", "--svg").stdout
    assert sum("data-hand" in element.attrib for element in ElementTree.fromstring(picture).iter()) == 169


def test_a_depth_without_a_strategy_gets_the_nearest_and_says_so() -> None:
    done = tahur("preflop", "chart", "--format", "6max", "--depth", "80bb", "--range", "raise")
    assert Range(done.stdout.strip()) == Range("utg-open")
    assert "no chart for 80 bb" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--format", "9max"), "hu, 6max"),
        (("--format", "6max", "--position", "mp2"), "no position 'mp2'"),
        (("--format", "6max", "--at", "raise"), "--at is for two seats"),
        (("--position", "btn"), "--position is for --format 6max"),
        (("--format", "6max", "--vs", "btn-limp"), "valid for btn: fold, open"),
        (("--format", "6max", "--range", "call"), "no action 'call' here"),
    ],
)
def test_a_wrong_question_is_refused_in_words(arguments: tuple[str, ...], message: str) -> None:
    assert message in _refusal("preflop", "chart", *arguments)


def test_all_names_are_listed_and_one_is_printed() -> None:
    names = {entry["name"]: entry["share"] for entry in answer("preflop", "ranges")}
    assert {"btn-open", "bb-call-v-btn", "sb-3bet-v-btn", "utg-4bet-v-bb"} <= set(names)
    assert names["btn-open"] == pytest.approx(Range("btn-open").combos / 1326, abs=0.005)
    assert "hu:40bb:bb-call-v-btn" in tahur("preflop", "ranges", "--format", "hu", "--depth", "40bb").stdout
    one = answer("preflop", "ranges", "sb-3bet-v-btn")
    assert Range(one["range"]) == Range("sb-3bet-v-btn")
    assert "near: btn-open" in _refusal("preflop", "ranges", "btn-opne")
    assert "--format 6max --depth 40bb" in _refusal("preflop", "ranges", "--depth", "70bb")


def test_names_are_ranges_of_a_postflop_solve() -> None:
    done = answer(
        *("postflop", "solve", "--ip", "btn-open", "--oop", "bb-call-v-btn", "--board", "Ks7h2d9c4s"),
        *("--pot", "5.5bb", "--stack", "97.5bb", "--sizes", "100% / a", "--target", "20"),
    )  # fmt: skip
    assert done


def _coarse(sizes: BucketNumbers) -> Generator[float, None, Buckets]:
    """One bucket on each street, at once."""
    assert (sizes.flop, sizes.turn, sizes.river) == (1, 1, 1)
    yield 1.0
    return coarse()


def test_a_strategy_is_trained_saved_resumed_and_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(multiway_solve, "_made", _coarse)
    path = str(tmp_path / "two.tahur")
    options = ("--seats", "2", "--depth", "10bb", "--rake", "5%:0.5bb", "--buckets", "1,1,1")
    first = run_of(app, "preflop", "solve", *options, "--deals", "1000", "-o", path)
    assert "2 seats, 10 bb: 1,000 deals, saved in" in first
    again = answer_of(app, "preflop", "solve", *options, "--deals", "2000", "-o", path, "--resume")
    assert again["deals"] == 2000
    assert answer_of(app, "preflop", "chart", path)["rake"] == {"share": 0.05, "cap": 0.5}
    with pytest.raises(SolverError, match="was started with other"):
        run_of(app, "preflop", "solve", "--seats", "3", "-o", path, "--resume")


@pytest.mark.parametrize("rake", ["5", "five%", "5%:x", "5%:3"])
def test_a_rake_is_a_percentage_and_a_cap(rake: str) -> None:
    assert "write it as 5%, or 5%:0.6bb" in _refusal("preflop", "solve", "--rake", rake)


def test_a_file_of_three_seats_is_shown(tmp_path: Path) -> None:
    path = str(write_tiny_strategy(tmp_path / "three.tahur"))
    shown = tahur("preflop", "chart", path, "--vs", "btn-open").stdout
    assert shown.startswith("SB, 3 seats, 20 bb, after btn-open")
    assert "rarely reached" in shown
    assert "is a preflop strategy" in _refusal("show", path)
