"""A session in the real terminal command: nothing is lost by leaving, by a bad line, by Ctrl-C or by a torn file."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from command import Run, tahur
from tahur.cli.play.session import Session
from tahur.core.errors import RecordError


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path


def tahur_play(data: Path, *arguments: str, typed: str = "") -> Run:
    return tahur("play", *arguments, typed=typed, TAHUR_DATA=str(data), NO_COLOR="1", COLUMNS="160")


def sessions(data: Path) -> list[Path]:
    return sorted((data / "sessions").glob("*.jsonl"))


def test_hands_played_are_kept_and_resume_goes_on_with_stacks_and_tally(data: Path) -> None:
    first = tahur_play(data, "nlhe", "--seats", "3", "--seed", "7", "--hands", "2", typed="c\n" * 60)
    assert first.returncode == 0, first.stderr
    assert "2 hands" in first.stdout
    [path] = sessions(data)
    before = Session.load(path)
    assert len(before.records) == 2
    second = tahur_play(data, "nlhe", "--resume", "--hands", "1", typed="c\n" * 60)
    assert "Resuming after 2 hands" in second.stdout
    after = Session.load(path)
    assert sessions(data) == [path]
    assert after.records[:2] == before.records
    carried = [
        stack + won for stack, won in zip(before.records[1].settings["stacks"], before.records[1].payoffs, strict=True)
    ]
    assert after.records[2].settings["stacks"] == carried


def test_a_seeded_session_deals_the_same_hands_again_and_resuming_changes_nothing(data: Path, tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    tahur_play(whole, "leduc", "--vs", "random", "--seed", "5", "--hands", "4", typed="1\n" * 40)
    tahur_play(parts, "leduc", "--vs", "random", "--seed", "5", "--hands", "2", typed="1\n" * 40)
    tahur_play(parts, "leduc", "--resume", "--hands", "2", typed="1\n" * 40)
    [one], [two] = sessions(whole), sessions(parts)
    assert Session.load(one).records == Session.load(two).records


def test_leaving_with_q_keeps_the_tally_and_voids_only_the_unfinished_hand(data: Path) -> None:
    done = tahur_play(data, "kuhn", "--seed", "1", typed="1\n1\nq\n")
    assert done.returncode == 0
    assert "unfinished hand is void" in done.stdout
    [path] = sessions(data)
    tally = Session.load(path).tally()
    assert f"{tally:+g} chips" in done.stdout


def test_a_bad_line_is_answered_and_asked_again(data: Path) -> None:
    done = tahur_play(data, "kuhn", "--seed", "1", "--hands", "1", typed="nonsense\n?\n1\n1\n1\n")
    assert "'nonsense' is not a choice here" in done.stdout
    assert "1 hand," in done.stdout


def test_one_chip_is_written_in_the_singular(data: Path) -> None:
    done = tahur_play(data, "leduc", "--seed", "3", "--hands", "2", typed="1\n" * 10)
    assert "You win 1 chip;" in done.stdout, done.stdout


def test_a_game_for_two_may_be_asked_for_with_two_seats(data: Path) -> None:
    done = tahur_play(data, "fhp", "--seats", "2", "--seed", "3", "--hands", "1", typed="f\n" * 9)
    assert done.returncode == 0, done.stderr


def test_perudo_can_be_played_to_a_call(data: Path) -> None:
    done = tahur_play(data, "perudo", "--seats", "3", "--seed", "3", "--hands", "1", typed="2 3\nd\n")
    assert done.returncode == 0
    assert "a die" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("nhle",), "did you mean 'nlhe'"),
        (("nlhe", "--vs", "calller"), "did you mean 'caller'"),
        (("nlhe", "--stack", "lots"), "write chips such as 200, or big blinds such as 5.5bb"),
        (("leduc", "--stack", "100bb"), "leduc has no stacks"),
        (("leduc", "--seats", "5"), "leduc"),
        (("perudo", "--resume"), "no session of perudo to resume"),
        ((), "which game?"),
    ],
)
def test_a_wrong_question_is_one_line_and_exit_code_2(data: Path, arguments: tuple[str, ...], complaint: str) -> None:
    done = tahur_play(data, *arguments)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_ctrl_c_leaves_the_table_with_what_was_played(data: Path) -> None:
    environment = os.environ | {"TAHUR_DATA": str(data), "NO_COLOR": "1", "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "tahur", "play", "kuhn", "--seed", "1"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as game:
        assert game.stdin is not None
        game.stdin.write("1\n1\n1\n")
        game.stdin.flush()
        deadline = time.monotonic() + 60
        while not sessions(data) and time.monotonic() < deadline:
            time.sleep(0.05)
        game.send_signal(signal.SIGINT)
        out, _ = game.communicate(timeout=60)
    assert "You leave the table" in out
    assert Session.load(sessions(data)[0]).records


def test_a_line_torn_by_a_crash_loses_that_hand_alone_and_the_session_goes_on(data: Path) -> None:
    tahur_play(data, "kuhn", "--seed", "1", "--hands", "3", typed="1\n" * 20)
    [path] = sessions(data)
    whole = path.read_text()
    path.write_text(whole[:-25])
    assert len(Session.load(path).records) == 2
    tahur_play(data, "kuhn", "--resume", "--hands", "1", typed="1\n" * 20)
    assert Session.load(path).records == Session.load(_write(path, whole)).records


def test_a_file_broken_in_the_middle_is_refused_with_its_line(data: Path) -> None:
    tahur_play(data, "kuhn", "--seed", "1", "--hands", "3", typed="1\n" * 20)
    [path] = sessions(data)
    lines = path.read_text().splitlines()
    _write(path, "\n".join([lines[0], "{broken", *lines[2:]]) + "\n")
    with pytest.raises(RecordError, match="line 2"):
        Session.load(path)
    _write(path, json.dumps({"not": "a session"}) + "\n")
    with pytest.raises(RecordError, match="not a session"):
        Session.load(path)


def _write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


@pytest.mark.parametrize("game", ["nlhe", "perudo", "leduc"])
def test_a_bot_that_raises_is_played_for_and_its_errors_are_in_a_file(data: Path, game: str) -> None:
    for more in ([], ["--resume"]):
        done = _broken(data, "play", game, "--vs", "broken_bots:BrokenBot", "--seats", "2", "--hands", "2", *more)
        assert done.returncode == 0, done.stderr
        assert "BrokenBot failed to decide; action taken for it: " in done.stdout
        assert "Traceback" not in done.stdout + done.stderr
    [path] = sessions(data)
    assert len(Session.load(path).records) == 4
    log = path.with_suffix(".log").read_text("utf-8")
    assert "KeyError: 'no decision'" in log
    assert log.count("ValueError: no lesson") == 6  # four hands, the first two once more when the session went on


def test_a_match_stops_at_a_bot_that_raises_and_says_whose_error_it_is(data: Path) -> None:
    done = _broken(data, "match", "kuhn", "broken_bots:BrokenBot", "random", "--hands", "20")
    assert done.returncode == 1
    assert "RuntimeError: no plan" in done.stderr
    assert "BrokenBot in seat 1 began the hand" in done.stderr


def _broken(data: Path, *arguments: str) -> Run:
    """The command with tests' own bots on Python's path."""
    path = str(Path(__file__).parents[2])
    return subprocess.run(
        [sys.executable, "-m", "tahur", *arguments],
        input={"perudo": "1 2\nd\n", "leduc": "1\n"}.get(arguments[1], "c\n") * 60,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path, "TAHUR_DATA": str(data), "NO_COLOR": "1", "COLUMNS": "200"},
        check=False,
    )


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (("nlhe", "--vs", "caller,random"), ("You", "caller", "random")),
        (("nlhe", "--vs", "caller,random", "--seats", "5"), ("You", "caller", "random 1", "random 2", "random 3")),
        (("limit", "--vs", "caller"), ("You", "caller")),
        (("leduc", "--vs", "caller"), ("You", "caller")),
        (("leduc",), ("You", "caller")),
        (("perudo", "--vs", "timeout,timeout"), ("You", "timeout 1", "timeout 2")),
        (("perudo", "--vs", "timeout", "--seats", "4"), ("You", "timeout 1", "timeout 2", "timeout 3")),
    ],
    ids=lambda value: " ".join(value),
)
def test_those_named_sit_down_and_nobody_else_and_the_whole_path_is_told(
    data: Path, arguments: tuple[str, ...], names: tuple[str, ...]
) -> None:
    typed = {"leduc": "1\n", "perudo": "d\n1 2\n"}.get(arguments[0], "c\n")
    done = tahur_play(data, *arguments, "--seed", "3", "--hands", "1", typed=typed * 99)
    assert done.returncode == 0, done.stderr
    [path] = sessions(data)
    assert Session.load(path).header.names == names
    assert f"Saved in {path}" in done.stdout


@pytest.mark.parametrize(
    "arguments", [("nlhe", "--vs", "caller,random", "--seats", "2"), ("leduc", "--vs", "caller,random")]
)
def test_more_names_than_seats_are_refused(data: Path, arguments: tuple[str, ...]) -> None:
    done = tahur_play(data, *arguments)
    assert done.returncode == 2
    assert "2 opponents named for a table of 2 seats; you have one, so name at most 1" in done.stderr
