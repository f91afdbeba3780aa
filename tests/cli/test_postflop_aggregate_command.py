"""`tahur postflop aggregate`: one spot on many flops, in a process of its own, whatever happens to it."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from command import answer, surroundings, tahur
from tahur.cli.main import app

SMALL = (
    "postflop", "aggregate", "--oop", "AA:0.5,87s", "--ip", "QQ,65s", "--pot", "20", "--stack", "40",
    "--sizes", "-", "--flop", "50% / -", "--target", "1%",
)  # fmt: skip
TWO = (*SMALL, "--flops", "QsJs9s,7d7c2h", "--workers", "1")
SIX = (*SMALL, "--flops", "QsJs9s,7d7c2h,Td9d6h,AsKd2c,8c5d4d,JhJdJc")


def inside(*arguments: str) -> tuple[str, str]:
    """Both outputs of a command that is run in this process, whose kernels are loaded already."""
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        app(list(arguments), standalone_mode=False)
    return out.getvalue(), err.getvalue()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("studies") / "two"
    out, err = inside(*TWO, "-o", str(path), "--keep")
    assert "2 flops; about" in err
    assert f"Next: tahur postflop aggregate show {path}" in out.replace("\n", "")
    return path


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_folder_has_every_flop_a_summary_and_what_was_to_be_kept(folder: Path) -> None:
    assert set(contents(folder)) == {
        "study.json", "flops.jsonl", "summary.json", "flops.csv", "spots/QsJs9s.tahur", "spots/7d7c2h.tahur",
    }  # fmt: skip
    lines = [json.loads(line) for line in (folder / "flops.jsonl").read_text().splitlines()]
    assert [line["flop"] for line in lines] == ["QsJs9s", "7d7c2h"]
    assert all(line["exploitability_pct"] <= 1 for line in lines)


def test_show_tells_machines_what_the_summary_says(folder: Path) -> None:
    told = json.loads(inside("postflop", "aggregate", "show", str(folder), "--json")[0])
    assert told == json.loads((folder / "summary.json").read_text())
    assert set(told) == {"spot", "unit", "target_pct", "flops", "done", "overall", "by", "groups", "rows"}
    assert (told["flops"], told["done"]) == (2, 2)
    assert told["overall"]["ev"]["oop"] + told["overall"]["ev"]["ip"] == pytest.approx(20, abs=1e-3)
    assert list(told["overall"]["first"]) == list(told["overall"]["after_check"]) == ["check", "bet10"]
    assert sum(told["overall"]["first"].values()) == pytest.approx(1)
    assert [group["name"] for group in told["groups"]] == ["monotone", "paired"]
    assert sum(row["share"] for row in told["rows"]) == pytest.approx(1)


def test_show_groups_by_what_is_asked_and_writes_csv(folder: Path) -> None:
    out, _ = inside("postflop", "aggregate", "show", str(folder), "--by", "high-card")
    names = [line.split()[0] for line in out.splitlines()[1:6]]
    assert names == ["all", "Q-high", "QsJs9s", "7-high", "7d7c2h"]
    rows = list(csv.DictReader(io.StringIO(inside("postflop", "aggregate", "show", str(folder), "--csv")[0])))
    assert [row["flop"] for row in rows] == ["QsJs9s", "7d7c2h"]


@pytest.mark.slow
def test_a_solution_that_was_kept_can_be_shown(folder: Path) -> None:
    told = answer("postflop", "show", str(folder / "spots" / "QsJs9s.tahur"))
    first = json.loads((folder / "flops.jsonl").read_text().splitlines()[0])
    assert [action["frequency"] for action in told["actions"]] == pytest.approx(first["first"], abs=0.01)


def refused(*arguments: str) -> str:
    run = tahur(*arguments)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.count("\n") == 1
    return run.stderr


@pytest.mark.slow
def test_a_folder_that_holds_a_study_is_not_written_over(folder: Path) -> None:
    assert "already holds a study; --resume continues it" in refused(*TWO, "--keep", "-o", str(folder))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (SIX, "an aggregate needs a folder for its results: -o FOLDER"),
        ((*SMALL, "--flops", "damp", "-o", "x"), "cannot read flops 'damp'; write a list"),
        ((*SMALL, "--sizes", "huge", "-o", "x"), "no sizes 'huge'; presets are simple"),
        (("postflop", "aggregate", "show", "nowhere"), "nowhere holds no study"),
        (("postflop", "aggregate", "show", "nowhere", "--by", "colour"), "cannot group flops by 'colour'"),
    ],
)
def test_a_mistake_is_told_in_one_line(arguments: tuple[str, ...], what: str) -> None:
    assert what in refused(*arguments)


@pytest.mark.slow
def test_another_study_does_not_go_on_with_this_one(folder: Path) -> None:
    said = refused(*TWO, "--stack", "50", "--keep", "--resume", "-o", str(folder))
    assert "holds another study: spot" in said


@pytest.mark.slow
def test_an_estimate_solves_nothing(tmp_path: Path) -> None:
    told = answer(*SMALL, "--flops", "49", "--estimate", "-o", str(tmp_path / "none"))
    assert len(told["flops"]) == 49
    assert sum(flop["count"] for flop in told["flops"]) == 22_100
    assert told["cpu_seconds"] > 0
    assert not (tmp_path / "none").exists()


# ---- interrupted and resumed ------------------------------------------------------------------------


def started(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tahur", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=surroundings(),
        start_new_session=True,
    )


def wait_for_lines(folder: Path, count: int) -> None:
    lines, until = folder / "flops.jsonl", time.monotonic() + 240
    while not (lines.exists() and lines.read_bytes().count(b"\n") >= count) and time.monotonic() < until:
        time.sleep(0.01)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    path = tmp_path_factory.mktemp("studies") / "six"
    assert tahur(*SIX, "--workers", "1", "--keep", "-o", str(path)).returncode == 0
    return contents(path)


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", "2"])
def test_killed_and_gone_on_with_it_ends_in_the_same_bytes(
    workers: str, whole: dict[str, bytes], tmp_path: Path
) -> None:
    command = (*SIX, "--workers", workers, "--keep", "-o", str(tmp_path / "six"))
    run = started(*command)
    wait_for_lines(tmp_path / "six", 2)
    os.killpg(run.pid, signal.SIGKILL)
    run.communicate()
    done = (tmp_path / "six" / "flops.jsonl").read_bytes().count(b"\n")
    assert 2 <= done < 6
    with (tmp_path / "six" / "flops.jsonl").open("ab") as file:
        file.write(b'{"flop": "8c5d')  # as if it had been killed while writing
    told: dict[str, Any] = answer("postflop", "aggregate", "show", str(tmp_path / "six"))
    assert (told["flops"], told["done"]) == (6, done)
    assert tahur(*command, "--resume").returncode == 0
    assert contents(tmp_path / "six") == whole


@pytest.mark.slow
def test_ctrl_c_keeps_what_was_solved_and_says_how_to_go_on(whole: dict[str, bytes], tmp_path: Path) -> None:
    command = (*SIX, "--workers", "2", "--keep", "-o", str(tmp_path / "six"))
    run = started(*command)
    wait_for_lines(tmp_path / "six", 2)
    os.killpg(run.pid, signal.SIGINT)
    out, err = run.communicate(timeout=120)
    assert run.returncode == 130, err
    assert "stopped; resume with: --resume -o" in err
    assert "of 6 flops" in out
    assert tahur(*command, "--resume").returncode == 0
    assert contents(tmp_path / "six") == whole
