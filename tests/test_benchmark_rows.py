"""Rows of the benchmark table, combined from several processes."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest
from benchmarks.measure import Figure, Row, combined

ROOT = Path(__file__).parent.parent


def row(theirs: float, ours: float, least: float | None = 2.0) -> Row:
    return Row("hands", "peer", Figure(theirs, "hands/s"), Figure(ours, "hands/s"), least)


def test_a_combined_row_has_the_best_figures_and_the_median_ratio() -> None:
    both = combined([row(100, 300), row(110, 275), row(50, 100)])
    assert (both.theirs, both.ours) == (Figure(110, "hands/s"), Figure(300, "hands/s"))
    assert both.median == pytest.approx(2.5)
    assert both.spread == pytest.approx((3.0 - 2.0) / 2.5)
    assert both.verdict == "met"


def test_a_target_that_only_some_processes_meet_is_marked() -> None:
    met, missed = combined([row(100, 300), row(100, 150)]), combined([row(200, 300), row(75, 155)])
    assert met.verdict == "met, within the spread"
    assert missed.verdict == "MISSED by 25 %, within the spread"


def test_a_row_without_a_peer_has_a_spread_of_times() -> None:
    both = combined([Row("solve", "", ours=Figure(seconds, "s")) for seconds in (1.0, 2.0)])
    assert both.ours == Figure(1.0, "s")
    assert both.median is None
    assert both.spread == pytest.approx(0.5 / 0.75)


def test_one_wrong_answer_makes_the_row_wrong() -> None:
    assert combined([row(1, 3), Row("hands", "peer", trouble="WRONG: the answers differ", wrong=True)]).wrong


def test_a_row_is_read_back_as_it_was_written() -> None:
    assert Row.from_json(json.loads(json.dumps(asdict(row(1, 3))))) == row(1, 3)


def test_the_command_measures_in_new_processes() -> None:
    command = [sys.executable, "-m", "benchmarks", "--only", "evaluator tables", "--processes", "2", "--json"]
    done = subprocess.run(command, cwd=ROOT, check=True, text=True, capture_output=True)
    [measured] = json.loads(done.stdout)["rows"]
    assert len(measured["speeds"]) == 2
    assert measured["spread"] >= 0
