"""`tahur eval nlhe`: a local best response to a blueprint."""

from __future__ import annotations

from pathlib import Path

import pytest

from command import answer, tahur
from tiny_blueprint import write_tiny_blueprint


@pytest.fixture(scope="module")
def blueprint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_blueprint(tmp_path_factory.mktemp("nolimit") / "tiny.tahur")


def test_the_bound_has_an_interval_and_both_seats(blueprint: Path) -> None:
    found = answer(
        "eval", "nlhe", f"strategy:{blueprint}", "--bounds", "lbr", "--deals", "12", "--streets", "turn,river"
    )
    (figure,) = found["figures"]
    assert (found["unit"], found["stacks"], found["streets"], found["bets"]) == ("mbb/g", 20, [2, 3], "pot")
    assert (figure["kind"], figure["sample"]) == ("lower bound", 12)
    assert figure["low"] < figure["mean"] < figure["high"]
    assert figure["mean"] == pytest.approx((figure["as_button"] + figure["as_big_blind"]) / 2)


def test_the_same_seed_prints_the_same_figure(blueprint: Path) -> None:
    args = ("eval", "nlhe", str(blueprint), "--deals", "3", "--streets", "river", "--seed", "5")
    first, second = answer(*args), answer(*args)
    assert first["figures"][0]["mean"] == second["figures"][0]["mean"]
    assert answer(*args[:-1], "6")["figures"][0]["mean"] != first["figures"][0]["mean"]


def test_a_log_is_continued_with_the_same_result_as_one_run(blueprint: Path, tmp_path: Path) -> None:
    args = ("eval", "nlhe", str(blueprint), "--streets", "river", "--log", str(tmp_path / "log.jsonl"))
    first, second = answer(*args, "--deals", "4"), answer(*args, "--deals", "11")
    assert first["figures"][0]["sample"] == 4
    whole = answer(*args[:-2], "--deals", "11")
    assert second["figures"][0]["mean"] == whole["figures"][0]["mean"]
    assert len((tmp_path / "log.jsonl").read_text().splitlines()) == 12
    other = tahur(*args, "--deals", "12", "--seed", "2")
    assert other.returncode == 2
    assert "has results with seed 1, not 2; give another file" in other.stderr


@pytest.mark.parametrize("text", ["", "[1, 2]\n", "not json\n", '{"seed": 1}\n'])
def test_a_file_that_is_no_log_is_refused(blueprint: Path, tmp_path: Path, text: str) -> None:
    (tmp_path / "log").write_text(text)
    run = tahur("eval", "nlhe", str(blueprint), "--log", str(tmp_path / "log"), "--deals", "2")
    assert run.returncode == 2
    assert run.stderr.startswith("tahur: ")
    assert (tmp_path / "log").read_text() == text


def test_text_says_what_was_measured(blueprint: Path) -> None:
    run = tahur("eval", "nlhe", str(blueprint), "--deals", "10", "--streets", "river", "--bets", "fourteen")
    assert run.returncode == 0, run.stderr
    shown = " ".join(run.stdout.split())
    for words in ("95 % interval", "10 deals in both seats", "plays on river with the bets 'fourteen'", "lower bound"):
        assert words in shown


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("nlhe", "nobody"), "no strategy 'nobody'; give strategy:FILE"),
        (("nlhe", "strategy:none.tahur"), "no file none.tahur"),
        (("nlhe", "FILE", "--bounds", "river"), "the bound of nlhe is lbr"),
        (("nlhe", "FILE", "--streets", "fourth"), "give all, or some of preflop, flop, turn, river"),
        (("nlhe", "FILE", "--bets", "half"), "no bets 'half'; valid: none, pot, fourteen"),
        (("nlhe", "FILE", "--depth", "200bb"), "this blueprint is for stacks of 20 big blinds"),
        (("nlhe", "FILE", "--against", "caller"), "tahur arena match"),
        (("hulh", "FILE", "--streets", "river"), "--streets is for nlhe"),
    ],
)
def test_what_cannot_be_measured_is_refused_in_one_line(blueprint: Path, args: tuple[str, ...], words: str) -> None:
    run = tahur("eval", *[str(blueprint) if arg == "FILE" else arg for arg in args])
    assert run.returncode == 2
    assert words in run.stderr
    assert run.stderr.count("\n") == 1
