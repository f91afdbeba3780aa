"""`tahur postflop`: solve and show, in a process of their own."""

from __future__ import annotations

import io
import json
import re
import signal
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from command import answer, surroundings, tahur
from tahur.cli.main import app
from tahur.solvers.postflop.sizes import PRESETS
from tahur.solvers.postflop.solve import PostflopSolution, PostflopSolver

RIVER = (
    "--board", "Td9d6hQc2s", "--oop", "AA:0.5,KTs,J8s,54s", "--ip", "TT,98s,A5s:0.75,KJs",
    "--pot", "20", "--stack", "40", "--sizes", "50%,a / a",
)  # fmt: skip
TURN = (
    "--board", "Td9d6hQc", "--oop", "66+,AJs+", "--ip", "22+,ATs+",
    "--pot", "1000", "--stack", "4000", "--sizes", "50%,a / 60%,a",
)  # fmt: skip
KEYS = {
    "exploitability_pct", "uniform_exploitability_pct", "iterations", "seconds", "cpu_seconds", "memory_mb", "ev",
    "equity", "root", "unit",
}  # fmt: skip


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("spots") / "river.tahur"
    run = tahur("postflop", "solve", *RIVER, "--target", "0.1%", "-o", str(path))
    assert run.returncode == 0, run.stderr
    return path


# ---- solve -----------------------------------------------------------------------------------------


def test_solve_tells_machines_what_the_docs_say() -> None:
    told = answer("postflop", "solve", *RIVER, "--target", "0.2%")
    assert set(told) == KEYS
    assert 0 <= told["exploitability_pct"] <= 0.2 < told["uniform_exploitability_pct"]
    assert told["iterations"] > 0
    assert told["memory_mb"] > 0
    assert told["ev"]["oop"] + told["ev"]["ip"] == pytest.approx(20, abs=1e-3)
    assert told["equity"]["oop"] + told["equity"]["ip"] == pytest.approx(1)
    assert told["root"]["actions"] == ["check", "bet10", "all-in40"]
    assert sum(told["root"]["frequencies"]) == pytest.approx(1)


@pytest.mark.slow
def test_threads_change_nothing_but_the_time() -> None:
    turn = ("--board", "Td9d6hQc", *RIVER[2:])
    one, two = (answer("postflop", "solve", *turn, "--threads", threads) for threads in ("1", "2"))
    for key in ("exploitability_pct", "ev", "root", "iterations"):
        assert one[key] == two[key]


def test_estimate_solves_nothing() -> None:
    told = answer("postflop", "solve", *RIVER, "--estimate")
    assert set(told) == {"decisions", "nodes", "memory_mb", "hint", "seconds", "target_pct", "iterations"}
    assert (told["decisions"], told["nodes"]) == (8, [21])
    assert told["hint"]
    assert 0 < told["seconds"] < 5
    assert told["iterations"] > 0


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (("--board", "Td9d"), "the board 'Td9d' has 2 cards; a spot has 3, 4 or 5"),
        (("--sizes", "50"), "'50' is not a bet size"),
        (("--sizes", "standrd"), "no sizes 'standrd'; did you mean 'standard'?"),
        (("--oop", "XX"), "cannot read 'XX'"),
        (("--oop", "TdTs", "--ip", "9d9s"), "the range out of position has no hand that is possible on this board"),
        (("--target", "little"), "--target little: write percent of the pot"),
        (("--thresholds", "add"), "--thresholds add: write it as add=1.5"),
        (("--rake", "5"), "--rake 5: write it as 5%"),
        (("--spot", "nowhere.toml"), "no spot can be read from nowhere.toml"),
        (
            ("--lock", "check: bet11=1"),
            "no move 'bet11' for the lock 'check: bet11=1.0'; valid: check, bet10, all-in40",
        ),
        (("-o", "nowhere/spot.tahur"), "no folder nowhere for spot.tahur"),
        (("--resumable",), "--resumable needs a file for the state: -o FILE"),
    ],
)
def test_what_cannot_be_solved_is_refused_in_one_line(change: tuple[str, ...], what: str) -> None:
    run = tahur("postflop", "solve", *RIVER, *change)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.count("\n") == 1
    assert what in run.stderr


def test_sizes_lists_every_preset_with_what_it_means() -> None:
    out = io.StringIO()
    with redirect_stdout(out):
        app(["postflop", "sizes"], standalone_mode=False)
    for name, preset in PRESETS.items():
        assert name in out.getvalue()
        assert preset.about in out.getvalue()


def test_machines_are_refused_in_json() -> None:
    run = tahur("postflop", "solve", *RIVER, "--sizes", "50", "--json")
    assert run.returncode == 2
    assert "'50' is not a bet size" in json.loads(run.stdout)["error"]


@pytest.mark.slow
def test_a_spot_in_a_file_is_the_spot_said_and_options_override_it(tmp_path: Path) -> None:
    path = tmp_path / "spot.toml"
    path.write_text("".join(f'{n[2:]} = "{v}"\n' for n, v in zip(RIVER[:6:2], RIVER[1:6:2], strict=True))
                    + 'pot = 20\nstack = 40\nsizes = "50%,a / a"\n')  # fmt: skip
    said = answer("postflop", "solve", *RIVER)
    assert answer("postflop", "solve", "--spot", str(path))["ev"] == said["ev"]
    assert answer("postflop", "solve", "--spot", str(path), "--sizes", "-")["root"]["actions"] == ["check"]


def interrupted(path: Path, *options: str, after: float) -> tuple[dict[str, Any], str]:
    """What a solve that gets Ctrl-C so many seconds after it began prints; the target cannot be reached."""
    command = [sys.executable, "-m", "tahur", "postflop", "solve", *options, "--target", "0.00000001%", "--json"]
    run = subprocess.Popen(
        [*command, "-o", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=surroundings()
    )
    assert run.stderr is not None
    assert "will be about" in run.stderr.readline()  # now the solver is at work
    with pytest.raises(subprocess.TimeoutExpired):
        run.wait(after)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=60)
    assert run.returncode == 130
    found: dict[str, Any] = json.loads(out)
    return found, err


def test_ctrl_c_keeps_what_was_found(tmp_path: Path) -> None:
    path = tmp_path / "spot.tahur"
    found, err = interrupted(path, *RIVER, after=0.3)
    assert err.splitlines()[0].startswith("stopping ...")
    assert "stopped; the result so far is above" in err
    assert set(found) == KEYS
    assert found["iterations"] > 0
    assert answer("postflop", "show", str(path))["ranges"]["oop"]["ev"] == pytest.approx(found["ev"]["oop"], abs=0.1)


def test_a_stopped_spot_is_resumed_to_the_result_of_an_uninterrupted_run(tmp_path: Path) -> None:
    path = tmp_path / "spot.tahur"
    first, second = (
        json.loads(tahur("postflop", "solve", *options, "--json").stdout)
        for options in (
            (*RIVER, "--seconds", "0", "-o", str(path)),
            ("--resume", str(path), "--target", "0.1%", "-o", str(tmp_path / "other")),
        )
    )
    whole = answer("postflop", "solve", *RIVER, "--target", "0.1%")
    assert first["iterations"] < second["iterations"]
    assert second["resumed_exploitability_pct"] == first["exploitability_pct"] > 0.3
    same = ("iterations", "exploitability_pct", "ev", "root")
    assert [second[key] for key in same] == [whole[key] for key in same]
    assert PostflopSolution.load(path).iterations == first["iterations"]  # -o wrote to the other file


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (("--pot", "3", "--board", "Td9d6h"), "omit --pot, --board"),
        (("--lock", "check: check=1", "--half"), "omit --lock, --half"),
        (("--merge-rivers", "--quick"), "omit --quick, --merge-rivers"),
        ((), "solve the spot with --resumable"),
    ],
)
def test_resuming_takes_no_spot_and_needs_a_state(options: tuple[str, ...], what: str, solved: Path) -> None:
    run = tahur("postflop", "solve", "--resume", str(solved), *options)
    assert (run.returncode, run.stdout) == (2, "")
    assert what in run.stderr


def killed_at(path: Path, after: float, threads: int) -> None:
    found, _ = interrupted(path, *TURN, "--threads", str(threads), after=after)
    assert sum(found["ev"].values()) == pytest.approx(1000, abs=0.01)
    saved = PostflopSolution.load(path)
    assert saved.iterations == found["iterations"]
    assert saved.exploitability == found["exploitability_pct"]
    assert saved.ev == tuple(found["ev"].values())
    assert saved.engine.exploitability() == pytest.approx(found["exploitability_pct"], abs=0.2)
    whole = PostflopSolver(saved.spot)
    whole.engine.iterate(saved.iterations)
    if not saved.unfinished:  # as it may be on a machine so busy that an iteration takes half a second
        assert whole.solution().ev == pytest.approx(saved.ev, abs=1e-3)


@pytest.mark.parametrize("after", [0.03, 0.12, 0.21])
def test_ctrl_c_at_any_moment_saves_values_that_add_up_to_the_pot(tmp_path: Path, after: float) -> None:
    """With more threads than cores some are always at work when the first one is done."""
    killed_at(tmp_path / "spot.tahur", after, threads=6)


@pytest.mark.slow
@pytest.mark.parametrize("moment", range(30))
def test_ctrl_c_with_two_threads_saves_values_that_add_up_to_the_pot(tmp_path: Path, moment: int) -> None:
    killed_at(tmp_path / "spot.tahur", 0.05 + 0.013 * moment, threads=2)


# ---- chips and big blinds ----------------------------------------------------------------------------

HANDS = (*RIVER[:6], "--target", "0.2%")


def test_a_size_that_whole_chips_change_is_said_with_what_would_be_right() -> None:
    asked = ("postflop", "solve", *HANDS, "--sizes", "33%,a / a")
    run = tahur(*asked, "--pot", "5", "--stack", "20")
    assert run.returncode == 0
    assert "the size 33% in a pot of 5 is 2 chips instead of 1.65: 40% of the pot instead of 33%" in run.stderr
    assert "--pot 25 --stack 100" in run.stderr
    assert "--pot 5bb --stack 20bb" in run.stderr
    for pot, stack in (("25", "100"), ("5bb", "20bb")):
        assert tahur(*asked, "--pot", pot, "--stack", stack).stderr == ""
    assert "warning" in tahur(*asked, "--pot", "5", "--stack", "20", "--estimate").stderr


def test_big_blinds_are_solved_as_so_many_chips_and_shown_in_big_blinds(tmp_path: Path) -> None:
    path = tmp_path / "blinds.tahur"
    sizes = ("--sizes", "33%,2bb,a / a")
    blinds = answer_of("postflop", "solve", *HANDS, *sizes, "--pot", "5.5bb", "--stack", "40bb", "-o", str(path))
    chips = answer("postflop", "solve", *HANDS, "--sizes", "33%,200c,a / a", "--pot", "550", "--stack", "4000")
    assert (blinds["unit"], chips["unit"]) == ("bb", "chips")
    assert blinds["iterations"] == chips["iterations"]
    assert [100 * each for each in blinds["ev"].values()] == pytest.approx(list(chips["ev"].values()))
    assert blinds["root"]["actions"] == ["check", "bet1.82bb", "bet2bb", "all-in40bb"]
    shown = answer("postflop", "show", str(path), "--line", "check,bet2bb")
    assert (shown["unit"], shown["pot"], shown["to_call"]) == ("bb", 7.5, 2)
    assert sum(each["ev"] for each in shown["ranges"].values()) == pytest.approx(7.5, abs=1e-3)
    text = tahur("postflop", "show", str(path), "--line", "check,bet2bb").stdout
    assert "pot 7.5 bb, 2 to call; 40 and 38 behind" in text
    drilled = tahur("drill", str(path), "--seed", "1", typed="c\nc\nq\n").stdout
    assert "pot 5.5bb, 40bb behind" in drilled
    told = tahur("match", f"spot:{path}", "caller", "random", "--hands", "4").stderr
    assert "at the table a big blind is 100 chips" in told


def test_a_file_in_big_blinds_is_read_and_units_are_not_mixed(tmp_path: Path) -> None:
    path = tmp_path / "spot.toml"
    lines = (f'{name[2:]} = "{value}"' for name, value in zip(RIVER[:6:2], RIVER[1:6:2], strict=True))
    path.write_text("\n".join([*lines, 'pot = "5.5bb"', 'stack = "40bb"', 'sizes = "2bb"', 'rake_cap = "0.5bb"']))
    run = tahur("postflop", "solve", "--spot", str(path), "--target", "1%")
    assert "bet2bb" in run.stdout
    mixed = tahur("postflop", "solve", "--spot", str(path), "--pot", "550")
    assert mixed.returncode == 2
    assert "a pot of 550 chips and a stack of 40bb; write both in one unit" in mixed.stderr


# ---- lock ------------------------------------------------------------------------------------------


def test_a_saved_spot_is_solved_again_around_a_lock(solved: Path, tmp_path: Path) -> None:
    free, path = answer("postflop", "show", str(solved)), tmp_path / "locked.tahur"
    run = tahur(
        "postflop", "lock", str(solved), "check,bet10: fold=100%", "--target", "0.1%", "-o", str(path), "--json"
    )
    told = json.loads(run.stdout)
    assert set(told) == KEYS | {"locks"}
    assert told["locks"] == ["check,bet10: fold=1.0"]
    assert told["exploitability_pct"] <= 0.1
    assert told["ev"]["ip"] > free["ranges"]["ip"]["ev"] + 0.1
    shown = answer("postflop", "show", str(path), "--line", "check,bet10")
    assert [action["frequency"] for action in shown["actions"]] == pytest.approx([1, 0, 0])
    assert all(hand["locked"] for hand in shown["hands"])


@pytest.mark.slow
def answer_of(*arguments: str) -> Any:
    """The JSON of a command that also says something on stderr."""
    run = tahur(*arguments, "--json")
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_a_lock_at_the_solved_frequency_changes_no_value_and_a_flat_one_does(tmp_path: Path) -> None:
    path = tmp_path / "turn.tahur"
    free = answer_of("postflop", "solve", *TURN, "--target", "0.1%", "-o", str(path))
    line = ("--line", "check,bet500")
    fold = answer("postflop", "show", str(path), *line)["actions"][0]["frequency"]
    held = answer_of("postflop", "lock", str(path), f"check,bet500: fold={fold}", "--target", "0.1%")
    assert held["ev"] == pytest.approx(free["ev"], abs=1000 * 0.2 / 100)
    before, wanted, now = held["shifts"][held["locks"][0]]["fold"]
    assert before == pytest.approx(wanted, abs=1e-6)
    assert now == pytest.approx(wanted, abs=0.02)
    flat = answer_of("postflop", "lock", str(path), f"flat: check,bet500: fold={fold}", "--target", "0.1%")
    assert flat["ev"]["ip"] > free["ev"]["ip"] + 20
    assert "shifts" not in flat


def test_a_frequency_lock_from_the_start_solves_without_it_first() -> None:
    run = tahur("postflop", "solve", *RIVER, "--lock", "check,bet10: fold=30%")
    assert run.returncode == 0
    assert "first solved without it" in run.stderr
    assert re.search(
        r"fold \d+\.\d% -> 30\.0% of the hands that reached it; \d+\.\d% of those that reach it now", run.stdout
    )


def test_locks_are_kept_and_said_and_added_to(solved: Path, tmp_path: Path) -> None:
    path, again = tmp_path / "locked.tahur", tmp_path / "again.tahur"
    assert tahur("postflop", "solve", *RIVER, "--lock", ": check=1", "-o", str(path)).returncode == 0
    run = tahur("postflop", "lock", str(path), "flat: check: bet10=50% @TT", "-o", str(again))
    assert run.stdout.count("\nlocked           ") == 2
    assert ": check=1.0" in run.stdout
    assert "flat: check: bet10=0.5 @TT" in run.stdout
    assert "check 100.0%" in run.stdout
    assert answer("postflop", "lock", str(again), "check: all-in=1 @98s")["locks"][:2] == [
        ": check=1.0", "flat: check: bet10=0.5 @TT",
    ]  # fmt: skip


@pytest.mark.slow
def test_half_precision_solves_the_same(solved: Path) -> None:
    run = tahur("postflop", "solve", *RIVER, "--target", "0.2%", "--half", "--json")  # it may say that it compiles
    told = json.loads(run.stdout)
    assert told["exploitability_pct"] <= 0.2
    assert told["ev"]["oop"] == pytest.approx(answer("postflop", "show", str(solved))["ranges"]["oop"]["ev"], abs=0.1)


FLOP = (
    "--board", "Ks7h2d", "--oop", "QQ,QJs,87s", "--ip", "AA,KJs,T9s", "--pot", "20", "--stack", "60",
    "--sizes", "33%,75% / 60%",
)  # fmt: skip


def test_a_quick_answer_is_that_of_a_coarse_tree_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "quick.tahur"
    run = tahur("postflop", "solve", *FLOP, "--quick", "--target", "3%", "-o", str(path), "--resumable")
    assert run.returncode == 0, run.stderr
    assert "one bet of 75% and no raises on the turn and the river; out of position does not bet first" in run.stderr
    assert "after a check    check" in run.stdout
    assert "in the coarse tree" in run.stdout
    told = json.loads(tahur("postflop", "solve", "--resume", str(path), "--target", "3%", "--json").stdout)
    assert told["exploitability_pct"] <= 3
    assert told["root"]["actions"] == ["check"]
    turn = answer("postflop", "show", str(path), "--line", "check,check", "--turn", "3c")
    assert [action["move"] for action in turn["actions"]] == ["check", "bet15"]


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (("--quick", "--lock", "check: check=1"), "--quick cannot be combined with --lock"),
        (("--merge-rivers", "--lock", ": check=1"), "cannot be combined with merged rivers"),
        (("--quick", "--board", "Ks7h2d3c"), "a quick answer is for flops, and the board Ks7h2d3c has 4 cards"),
        (("--merge-rivers", "--board", "Ks7h2d3c"), "rivers are merged in spots from the flop on"),
    ],
)
def test_what_cannot_be_quick_or_merged_is_refused_in_one_line(options: tuple[str, ...], what: str) -> None:
    run = tahur("postflop", "solve", *FLOP, *options)
    assert (run.returncode, run.stdout) == (2, "")
    assert what in run.stderr.replace("\n", " ")


# ---- show ------------------------------------------------------------------------------------------


def test_show_tells_machines_everything_at_a_decision(solved: Path) -> None:
    told = answer("postflop", "show", str(solved), "--line", "check,bet10")
    assert (told["board"], told["line"], told["seat"]) == ("Td9d6hQc2s", ["check", "bet10"], "oop")
    assert (told["pot"], told["to_call"]) == (30, 10)
    assert [action["move"] for action in told["actions"]] == ["fold", "call", "all-in40"]
    assert [action["then"] for action in told["actions"]] == ["it is over", "it is over", "in position decides"]
    assert sum(action["frequency"] for action in told["actions"]) == pytest.approx(1)
    assert told["actions"][0]["ev"] == pytest.approx(0, abs=1e-3)
    assert told["ranges"]["oop"]["ev"] + told["ranges"]["ip"]["ev"] == pytest.approx(30, abs=1e-2)
    for hand in told["hands"]:
        assert sum(hand["strategy"].values()) == pytest.approx(1)
        assert set(hand) == {"hand", "reach", "weight", "ev", "equity", "strategy", "move_ev", "locked"}
    assert sum(hand["weight"] for hand in told["opponent"]) == pytest.approx(1)


def test_a_hand_can_be_asked_for(solved: Path) -> None:
    told = answer("postflop", "show", str(solved), "--hand", "KsTs")
    assert [hand["hand"] for hand in told["hands"]] == ["KsTs"]
    run = tahur("postflop", "show", str(solved), "--hand", "AA")
    lines = [line.split() for line in run.stdout.splitlines() if line[:1] == "A" and line[:3] != "AA "]
    assert sorted(line[0] for line in lines if len(line[0]) == 4) == ["AdAc", "AhAc", "AhAd", "AsAc", "AsAd", "AsAh"]


def test_a_person_reads_matrix_ranges_moves_and_where_to_go_next(solved: Path) -> None:
    run = tahur("postflop", "show", str(solved))
    assert (run.returncode, run.stderr) == (0, "")
    assert "Td9d6hQc2s  first: out of position decides; pot 20" in run.stdout
    assert run.stdout.count("EQR") == 2
    assert "all-in40" in run.stdout
    assert f"Next: tahur postflop show {solved} --line" in run.stdout.replace("\n", "")


def test_the_picture_is_one_svg(solved: Path) -> None:
    root = ElementTree.fromstring(tahur("postflop", "show", str(solved), "--svg").stdout)
    assert root.tag.endswith("svg")
    assert len(root.findall("{*}g")) == 169


@pytest.mark.slow
def test_the_page_has_the_matrix_and_every_hand(solved: Path) -> None:
    page = tahur("postflop", "show", str(solved), "--html", "--line", "check").stdout
    assert page.startswith("<!doctype html>")
    assert page.count("data-hand=") == 169
    assert "exploitability" in page


@pytest.mark.slow
def test_where_to_go_next_leads_on_from_here_with_the_cards_that_came(tmp_path: Path) -> None:
    path = tmp_path / "turn.tahur"
    assert tahur("postflop", "solve", "--board", "Td9d6hQc", *RIVER[2:], "-o", str(path)).returncode == 0
    said = tahur("postflop", "show", str(path), "--line", "check,check", "--river", "2c").stdout.replace("\n", "")
    assert "--line check,check," in said
    assert said.endswith("--river 2c")


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (("--line", "bet11"), "no move 'bet11' after the empty line; valid: check, bet10, all-in40"),
        (("--river", "2c"), "river 2c: the spot's board is already Td9d6hQc2s"),
        (("--hand", "QQ"), "out of position never has QQ; omit --hand"),
        pytest.param(
            ("--hand", "KsJs"),
            "out of position never has KsJs; in position has it; omit --hand",
            marks=pytest.mark.slow,
        ),
        pytest.param(("--hand", "TdTs"), "no seat can hold TdTs: the board is Td9d6hQc2s", marks=pytest.mark.slow),
        pytest.param(
            ("--line", "check,check"), "the line 'check,check' ends in a terminal (a showdown)", marks=pytest.mark.slow
        ),
        (("--json", "--svg"), "give at most one of --json, --svg and --html"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_one_line(options: tuple[str, ...], what: str, solved: Path) -> None:
    run = tahur("postflop", "show", str(solved), *options)
    assert run.returncode == 2
    assert what in (run.stderr or run.stdout)
    assert (run.stderr + run.stdout).count("\n") == 1


@pytest.mark.slow
def test_files_of_other_kinds_are_refused_with_who_reads_them(solved: Path, tmp_path: Path) -> None:
    assert "`tahur postflop show` reads it" in tahur("show", str(solved)).stderr
    small = tmp_path / "kuhn.tahur"
    assert tahur("solve", "kuhn", "--iterations", "10", "-o", str(small)).returncode == 0
    assert "`tahur show` reads it" in tahur("postflop", "show", str(small)).stderr
    assert "choose another with -o FILE" in tahur("postflop", "solve", *RIVER, "-o", str(small)).stderr
