"""The real `tahur` command, in its own process: what it prints where, and with which code it ends."""

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest

from command import answer, fresh, surroundings, tahur
from tahur import __version__
from tahur.cli.main import COMMANDS, main

# ---- the door ----------------------------------------------------------------------------------------------------


def test_alone_it_says_in_three_lines_where_to_start() -> None:
    run = tahur()
    assert run.returncode == 0
    assert len(run.stdout.splitlines()) == 3
    assert "tahur --help" in run.stdout
    assert run.stderr == ""


def test_help_names_every_command() -> None:
    run = tahur("--help")
    assert run.returncode == 0
    for command in COMMANDS:
        assert f" {command.name} " in run.stdout


@pytest.mark.parametrize("arguments", [(), ("--help",), ("--version",)])
def test_what_needs_no_numbers_imports_neither_numpy_nor_numba(arguments: tuple[str, ...]) -> None:
    run = fresh(*arguments, python=("-X", "importtime"))
    imported = {line.rpartition("|")[2].strip() for line in run.stderr.splitlines()}
    assert "tahur.cli.main" in imported
    assert not {name for name in imported if name.partition(".")[0] in ("numpy", "numba", "llvmlite")}


def test_it_tells_its_version() -> None:
    assert fresh("--version").stdout == f"tahur {__version__}\n"


# ---- answers -----------------------------------------------------------------------------------------------------


def test_an_equity_for_machines_has_exactly_these_keys() -> None:
    found = answer("equity", "AsAh", "KdKc")
    assert list(found) == ["method", "boards", "stderr", "players"]
    assert [list(player) for player in found["players"]] == [["hand", "win", "tie", "equity"]] * 2
    assert (found["method"], found["boards"], found["stderr"]) == ("exact", 1_712_304, None)
    assert [player["hand"] for player in found["players"]] == ["AsAh", "KdKc"]
    assert found["players"][0]["equity"] == pytest.approx(0.8125549, abs=5e-8)


def test_board_dead_cards_and_samples_reach_the_question() -> None:
    found = answer("equity", "AsAh", "KdKc", "--board", "2c 3d 7h 9s", "--dead", "Ks")
    assert found["boards"] == 43
    assert found["players"][1]["equity"] == pytest.approx(1 / 43)


def test_a_seed_makes_a_sampled_answer_repeat() -> None:
    def drawn(seed: int) -> Any:
        return answer("equity", "QQ+,AK", "22+", "any", "--samples", "3000", "--seed", str(seed))

    first = drawn(7)
    assert first == drawn(7) != drawn(8)
    assert (first["method"], first["boards"]) == ("sampled", 3000)
    assert 0.001 < first["stderr"] < 0.02


def test_an_equity_for_people_says_how_it_was_found() -> None:
    run = tahur("equity", "AsAh", "KdKc")
    assert run.returncode == 0
    assert "81.26%" in run.stdout
    assert "exact: all 1,712,304 deals" in run.stdout


def test_a_range_for_machines_has_exactly_these_keys() -> None:
    found = answer("range", "KK+,A5s:0.5,AsKd")
    assert list(found) == ["text", "combos", "hands"]
    assert found["text"] == "KK+,A5s:0.5,AsKd"
    assert found["combos"] == 15
    assert found["hands"] == {"AA": 1.0, "A5s": 0.5, "AKo": pytest.approx(1 / 12), "KK": 1.0}


def test_a_range_for_people_shows_the_matrix_and_its_size() -> None:
    lines = tahur("range", "22+,A5s:0.5").stdout.splitlines()
    assert len(lines) >= 16
    assert lines[0].split()[0] == "AA"
    assert "22+,A5s:0.5" in lines
    assert "80 of 1,326 combos, 6.0 %" in lines


def test_a_range_as_svg_is_one_well_formed_picture() -> None:
    run = tahur("range", "22+", "--svg")
    assert ElementTree.fromstring(run.stdout).tag.endswith("svg")


def test_a_hand_for_machines_has_its_name_rank_and_class() -> None:
    found = answer("hand", "AsKs", "QsJsTs2d3c")
    assert {"name", "rank", "class"} <= set(found)
    assert (found["name"], found["rank"], found["class"]) == ("royal flush", 7462, "straight flush")


def test_a_hand_for_people_shows_its_best_five() -> None:
    run = tahur("hand", "Kh Kd 4s Kc 4h 2c 9d")
    assert "full house, kings over fours" in run.stdout
    assert "K♥ K♦ K♣ 4♠ 4♥" in run.stdout
    assert "rank 7,275 of 7,462" in run.stdout


def test_doctor_finds_this_installation_sound() -> None:
    found = answer("doctor")
    assert found["ok"] is True
    assert {"versions", "kernels", "randomness", "self-check", "disk", "memory"} <= {c["name"] for c in found["checks"]}
    assert all(list(check) == ["name", "ok", "text"] and check["ok"] for check in found["checks"])


def test_doctor_for_people_ends_well() -> None:
    run = tahur("doctor")
    assert run.returncode == 0
    assert run.stdout.splitlines()[-1] == "no problems found"
    assert "BAD" not in run.stdout


def test_the_tour_without_a_terminal_shows_all_scenes_and_ends() -> None:
    run = tahur("tour")
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.count("\n$ tahur ") == 5
    for shown in ("royal flush", "1,712,304 deals", "A5s", "sampled: 1,000,000 deals"):
        assert shown in run.stdout
    assert run.stdout.splitlines()[-1].startswith("Next: ")
    assert "guess your equity" not in run.stdout


def test_the_tour_ends_well_even_with_stdin_closed() -> None:
    script = 'exec "$0" -m tahur cards tour <&-'
    run = subprocess.run(
        ["sh", "-c", script, sys.executable], capture_output=True, encoding="utf-8", env=surroundings(), check=False
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.splitlines()[-1].startswith("Next: ")


# ---- bad input ---------------------------------------------------------------------------------------------------

BAD_INPUT = {
    "no hands": (("equity",), "Missing argument"),
    "one hand": (("equity", "AsAh"), "2 to 9 hands"),
    "ten hands": (("equity", *["any"] * 10), "2 to 9 hands"),
    "no hand": (("equity", "zz", "AA"), "'zz'"),
    "an empty hand": (("equity", "", "AA"), "empty range"),
    "one card twice": (("equity", "AsKs", "AsQd"), "As is both in AsKs and in AsQd"),
    "a hand on the board": (("equity", "AsKs", "QdQc", "--board", "As7h2h"), "AsKs cannot be held"),
    "six board cards": (("equity", "AsKs", "QdQc", "--board", "2c3c4c5c6c7c"), "at most 5 cards"),
    "no board": (("equity", "AsKs", "QdQc", "--board", "2x"), "position 2"),
    "a board without cards": (("equity", "AsKs", "QdQc", "--board"), "--board"),
    "impossible ranges": (("equity", "AA", "AA", "AA"), "cannot be dealt"),
    "no samples": (("equity", "AsAh", "KdKc", "--samples", "0"), "0 samples"),
    "samples that are no number": (("equity", "AsAh", "KdKc", "--samples", "many"), "--samples"),
    "half a sample": (("equity", "AsAh", "KdKc", "--samples", "0.5"), "--samples"),
    "a negative seed": (("equity", "AsAh", "KdKc", "--seed", "-1"), "--seed"),
    "an unknown option": (("equity", "AsAh", "KdKc", "--bord", "2c3c4c"), "--bord"),
    "an unknown command": (("ekwity", "AsAh", "KdKc"), "ekwity"),
    "an unknown option of the door": (("--colour",), "--colour"),
    "no range": (("range",), "Missing argument"),
    "a bad range": (("range", "AKs,XX+"), "'XX+' at position 5"),
    "two ranges": (("range", "22+", "33+"), "33+"),
    "lines in a range": (("range", "AA\nzz\n\nqq"), "zz"),
    "a very long range": (("range", "x" * 5_000), "xxx"),
    "no cards": (("hand",), "Missing argument"),
    "four cards": (("hand", "AsKsQsJs"), "4 cards"),
    "a card twice in a hand": (("hand", "AsKs", "QsJsAs"), "As appears twice"),
    "rounds below none": (("tour", "--rounds", "-1"), "--rounds"),
}
WITHOUT_JSON = ("rounds below none", "an unknown option of the door", "a board without cards")


@pytest.mark.parametrize("name", BAD_INPUT)
def test_bad_input_is_one_line_on_stderr_and_code_2(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In this process, which is quicker; those below are the proof that it makes no difference."""
    arguments, complaint = BAD_INPUT[name]
    monkeypatch.setattr("sys.argv", ["tahur", *arguments])
    with pytest.raises(SystemExit) as end:
        main()
    assert_one_line(end.value.code, *capsys.readouterr(), complaint)


@pytest.mark.parametrize("name", [name for name in BAD_INPUT if name not in WITHOUT_JSON])
def test_bad_input_for_machines_is_an_error_on_stdout_and_code_2(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments, complaint = BAD_INPUT[name]
    monkeypatch.setattr("sys.argv", ["tahur", *arguments, "--json"])
    with pytest.raises(SystemExit) as end:
        main()
    assert_one_object(end.value.code, *capsys.readouterr(), complaint)


@pytest.mark.parametrize(
    "name",
    [
        "no range", "an unknown option of the door", "an unknown command", "a bad range", "lines in a range",
        "one card twice", "samples that are no number", "a negative seed",
    ],
)  # fmt: skip
def test_bad_input_ends_the_real_command_in_the_same_way(name: str) -> None:
    arguments, complaint = BAD_INPUT[name]
    run = tahur(*arguments)
    assert_one_line(run.returncode, run.stdout, run.stderr, complaint)


@pytest.mark.parametrize("name", ["no cards", "four cards", "one card twice"])
def test_bad_input_ends_the_real_command_in_the_same_way_for_machines(name: str) -> None:
    arguments, complaint = BAD_INPUT[name]
    run = tahur(*arguments, "--json")
    assert_one_object(run.returncode, run.stdout, run.stderr, complaint)


def assert_one_line(code: object, out: str, err: str, complaint: str) -> None:
    assert (code, out) == (2, "")
    assert err.startswith("tahur: ")
    assert err.count("\n") == 1
    assert complaint in err
    assert len(err) < 400


def assert_one_object(code: object, out: str, err: str, complaint: str) -> None:
    assert (code, err) == (2, "")
    assert list(json.loads(out)) == ["error"]
    assert complaint in json.loads(out)["error"]


@pytest.mark.skipif(os.name == "nt", reason="arguments are text on Windows")
@pytest.mark.parametrize("arguments", [(b"range", b"A\xff"), (b"hand", b"A\xff")])
def test_an_argument_that_is_no_text_is_an_error_like_any_other(arguments: tuple[bytes, ...]) -> None:
    run = fresh(*arguments, b"--json", PYTHONIOENCODING="utf-8:strict")
    assert (run.returncode, run.stderr) == (2, "")
    assert list(json.loads(run.stdout)) == ["error"]


# ---- where it prints ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [("range", "22+"), ("hand", "AsKsQsJsTs"), ("--help",)])
def test_into_a_pipe_go_no_escape_codes(arguments: tuple[str, ...]) -> None:
    run = fresh(*arguments, NO_COLOR="1")
    assert run.returncode == 0
    assert "\x1b" not in run.stdout + run.stderr


def on_a_terminal(*arguments: str, **more: str) -> str:
    """What the command writes to a terminal of 100 columns."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    run = subprocess.Popen(
        [sys.executable, "-m", "tahur", *arguments],
        stdin=theirs,
        stdout=theirs,
        env=surroundings(COLUMNS="100", **more),
    )
    os.close(theirs)
    written = b""
    try:
        while part := os.read(ours, 65_536):
            written += part
    except OSError:  # how Linux says that the other end was closed
        pass
    os.close(ours)
    assert run.wait() == 0
    return written.decode()


def colours(written: str) -> list[str]:
    """The escape codes that set a colour; those for bold, dim and back to normal are none."""
    codes = [part.partition("m")[0] for part in written.split("\x1b[")[1:]]
    return [code for code in codes if any(int(number or 0) >= 30 for number in code.split(";"))]


@pytest.mark.parametrize("arguments", [("range", "22+"), ("equity", "AsAh", "KdKc")])
def test_no_color_takes_the_colours_off_a_terminal(arguments: tuple[str, ...]) -> None:
    """https://no-color.org speaks of colour only: bold and dim may stay."""
    written = on_a_terminal(*arguments, NO_COLOR="1")
    assert written.count("\n") >= 2
    assert colours(written) == []


def test_a_terminal_has_colours_otherwise() -> None:
    assert colours(on_a_terminal("range", "22+"))


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--help",),
        ("range", "22+"),
        ("range", "22+", "--json"),
        ("range", "zz", "--json"),
        ("range", "22+", "--svg"),
    ],
)
def test_a_reader_who_has_gone_is_no_error_worth_a_word(arguments: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    run = subprocess.run(
        [sys.executable, "-m", "tahur", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=writer,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=surroundings(),
        check=False,
    )
    os.close(writer)
    assert run.stderr == ""


@pytest.mark.parametrize("arguments", [("range", "22+,A5s:0.5"), ("hand", "AsKsQsJsTs")])
def test_a_terminal_without_suit_signs_gets_an_answer_and_no_traceback(arguments: tuple[str, ...]) -> None:
    run = fresh(*arguments, PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout
