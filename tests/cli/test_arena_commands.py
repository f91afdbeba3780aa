"""`tahur arena match`, `tournament` and `plan`: what they print, what they keep, and how they are stopped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from command import answer, surroundings, tahur


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_a_match_tells_results_with_intervals_in_the_games_unit() -> None:
    told = answer("match", "leduc", "caller", "random", "--hands", "600", "--duplicate", "--workers", "1")
    assert (told["game"], told["unit"], told["deals"], told["hands"]) == ("leduc", "mante/g", 300, 600)
    first, second = told["results"]
    assert first["name"] == "caller"
    assert first["low"] < first["result"] < first["high"]
    assert first["result"] == pytest.approx(-second["result"])
    (gap,) = told["gaps"]
    assert gap["result"] == pytest.approx(2 * first["result"])


def test_a_person_reads_places_and_what_is_not_sure() -> None:
    run = tahur("match", "kuhn", "random", "random", "--hands", "200", "--duplicate", "--workers", "1")
    assert run.returncode == 0
    assert "kuhn, 2 seats: 200 hands (100 deals, each in 2 seatings), seed 1" in run.stdout
    assert "1-2  random#1" in run.stdout
    assert "do not differ significantly" in run.stdout


@pytest.mark.parametrize("game", ["perudo", "kuhn"])
def test_the_same_command_gives_the_same_bytes(tmp_path: Path, game: str) -> None:
    for name, workers in (("one", "1"), ("two", "2")):
        command = ("match", game, "caller", "random", "--hands", "120", "--duplicate", "-o", str(tmp_path / name))
        assert tahur(*command, "--workers", workers).returncode == 0
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    assert set(contents(tmp_path / "one")) == {"match.json", "blocks.jsonl", "records.jsonl", "summary.json"}
    summary = json.loads((tmp_path / "one" / "summary.json").read_text())
    assert summary["seed"] == 1
    assert set(summary["versions"]) == {"tahur", "numpy", "python"}
    records = (tmp_path / "one" / "records.jsonl").read_text().splitlines()
    assert json.loads(records[0])["game"] == game


def test_luck_taken_out_is_told_as_hands_saved() -> None:
    run = tahur("match", "leduc", "random", "caller", "--hands", "400", "--luck", "full", "--workers", "1")
    assert "luck removed (full): as precise as" in run.stdout


def test_with_strategies_it_says_whose_hands_were_averaged_and_a_resumed_match_ends_the_same(tmp_path: Path) -> None:
    command = ("match", "nlhe", "maniac", "caller", "--stack", "10", "--luck", "strategy", "--workers", "1", "-o")
    whole = tahur(*command, str(tmp_path / "whole"), "--hands", "100")
    assert "luck removed (strategy): as precise as" in whole.stdout
    assert "averaged over the hands and the actions of maniac and caller" in whole.stdout
    assert tahur(*command, str(tmp_path / "resumed"), "--hands", "50").returncode == 0
    assert tahur(*command, str(tmp_path / "resumed"), "--hands", "100", "--resume").returncode == 0
    assert contents(tmp_path / "resumed") == contents(tmp_path / "whole")
    assert json.loads((tmp_path / "whole" / "summary.json").read_text())["known_strategies"] == ["maniac", "caller"]


def test_a_match_goes_on_until_the_interval_is_narrow() -> None:
    told = answer("match", "leduc", "caller", "random", "--until", "ci=150", "--duplicate", "--workers", "1")
    first = told["results"][0]
    assert (first["high"] - first["low"]) / 2 <= 150
    assert told["hands"] < 100_000


def test_a_player_of_ones_own_plays(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from tahur.players.simple import Caller\nclass Mine(Caller):\n    'Calls, as its parent does.'\n"
    )
    told = subprocess.run(
        [sys.executable, "-m", "tahur", "match", "leduc", "mine:Mine", "caller", "--hands", "100", "--json"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=surroundings(PYTHONPATH=os.pathsep.join([str(tmp_path), *sys.path])),
        check=True,
    )
    assert [player["name"] for player in json.loads(told.stdout)["results"]] == ["mine:Mine", "caller"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("match", "leduc", "caller", "randm"), "did you mean 'random'?"),
        (("match", "ledcu", "caller", "random"), "did you mean 'leduc'?"),
        (("match", "leduc", "caller"), "1 players for 2 seats"),
        (("match", "leduc", "odds", "caller"), "odds does not play leduc"),
        (("match", "leduc", "caller", "random", "--unit", "bb/100"), "units: mante/g, antes/hand"),
        (("match", "leduc", "caller", "random", "--until", "5"), "ci=5"),
        (("match", "leduc", "caller", "random", "--luck", "bad"), "one of: none, all-in, chance, full, strategy"),
        (("match", "leduc", "caller", "random", "--luck", "strategy"), "it cannot evaluate ranges of hands"),
        (("match", "nlhe", "caller", "caller", "caller", "--luck", "strategy"), "this one has 3 seats"),
        (("match", "perudo", "caller", "random", "--luck", "full"), "not from whole matches"),
        (("match", "leduc", "caller", "random", "--resume"), "-o FOLDER"),
        (("match", "nlhe", "caller", "random", "--set", "blinds"), "NAME=VALUE"),
        (("tournament", "leduc", "caller"), "at least two players"),
        (("plan", "leduc", "caller", "nobody"), "no player 'nobody'"),
    ],
)
def test_a_mistake_is_told_in_one_line_before_anything_is_played(arguments: tuple[str, ...], said: str) -> None:
    run = tahur(*arguments)
    assert run.returncode == 2
    assert said in run.stderr
    assert run.stderr.count("\n") == 1
    assert run.stdout == ""


def test_ctrl_c_keeps_what_was_played_and_resume_ends_the_same(tmp_path: Path) -> None:
    folder, whole = tmp_path / "stopped", tmp_path / "whole"
    command = ["match", "perudo", "random", "random", "--seed", "3", "--workers", "2", "-o"]
    going = subprocess.Popen(
        [sys.executable, "-m", "tahur", *command, str(folder), "--hands", "100000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=surroundings(),
    )
    blocks, until = folder / "blocks.jsonl", time.monotonic() + 60
    while not (blocks.exists() and b"\n" in blocks.read_bytes()) and time.monotonic() < until:
        time.sleep(0.05)
    going.send_signal(signal.SIGINT)
    out, err = going.communicate(timeout=60)
    assert going.returncode == 130, err
    assert "--resume -o" in err
    assert "random#1" in out
    kept = (folder / "blocks.jsonl").read_text().count("\n")
    assert kept >= 1
    hands = str(50 * (kept + 2))
    assert tahur(*command, str(folder), "--hands", hands, "--resume").returncode == 0
    assert tahur(*command, str(whole), "--hands", hands).returncode == 0
    assert contents(folder) == contents(whole)


def test_a_tournament_has_a_crosstable_places_and_ratings(tmp_path: Path) -> None:
    command = ("tournament", "leduc", "caller", "folder", "random", "--hands", "300", "--duplicate", "--workers", "1")
    run = tahur(*command, "-o", str(tmp_path / "cup"))
    assert run.returncode == 0
    assert "row against column, mante/g ± 95 %" in run.stdout
    assert "Elo" in run.stdout
    told = json.loads((tmp_path / "cup" / "summary.json").read_text())
    assert told["hands"] == 900
    assert [len(row) for row in told["crosstable"]] == [3, 3, 3]
    again = answer(*command, "-o", str(tmp_path / "cup"), "--resume")
    assert again == told


def test_a_tournament_at_one_table_seats_everybody() -> None:
    told = answer(
        "tournament", "perudo", "caller", "random", "random", "--one-table", "--hands", "24", "--workers", "1"
    )
    assert told["one_table"] is True
    assert sum(player["result"] for player in told["results"]) == pytest.approx(100)


def test_a_plan_says_how_many_hands_a_gap_takes() -> None:
    wide = answer("plan", "leduc", "caller", "random", "--gap", "200", "--pilot", "400", "--workers", "1")
    fine = answer("plan", "leduc", "caller", "random", "--gap", "100", "--pilot", "400", "--workers", "1")
    assert fine["hands"] == pytest.approx(4 * wide["hands"], rel=0.02)
    assert wide["fewest"] < wide["hands"] < wide["most"]


def test_a_plan_without_a_gap_that_luck_does_not_explain_asks_for_one() -> None:
    run = tahur("plan", "kuhn", "random", "random", "--pilot", "200", "--workers", "1")
    assert "do not tell random#1 and random#2 apart" in run.stdout
    assert "--gap 5" in run.stdout


def test_big_blinds_are_those_of_the_game_that_is_played() -> None:
    """Also of blinds that are set; what is no whole number of chips is refused, not cut off."""
    deep = answer("match", "nlhe", "caller", "random", "--hands", "2", "--stack", "97.5bb", "--set", "blinds=[5,10]")
    assert deep["settings"]["stacks"] == [975, 975]
    spot = answer("match", "spot", "caller", "random", "--hands", "2", "--set", "pot=5.5bb", "--set", "stack=20bb")
    assert (spot["settings"]["pot"], spot["settings"]["stack"]) == (550, 2000)
    run = tahur("match", "nlhe", "caller", "random", "--hands", "2", "--stack", "97.25bb")
    assert run.returncode == 2
    assert "194.5 chips, and chips are whole numbers, with 2 for a big blind" in run.stderr
