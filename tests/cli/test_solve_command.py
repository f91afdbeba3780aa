"""`tahur solve` as somebody at the terminal, or a program, sees it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import typer
from invoked import answer_of, run_of
from typer.testing import CliRunner

from tahur.cli.solve.command import USUAL, solve, unit_of
from tahur.cli.solve.options import SCHEDULES, SolveRequest
from tahur.cli.solve.running import ENDLESS, SolveGoal
from tahur.core.errors import SolverError, StrategyError, UnknownName
from tahur.core.solution import read_memory, read_solution
from tahur.games.registry import make
from tahur.solvers import schedule
from tahur.solvers.cfr import SAMPLED

app = typer.Typer(pretty_exceptions_enable=False)
app.command("solve")(solve)

KEYS = ["game", "settings", "schedule", "iterations", "exploitability", "nashconv", "value", "unit", "seconds", "file"]


@pytest.fixture(autouse=True)
def _somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*arguments: str) -> str:
    return run_of(app, *arguments)


def answer(*arguments: str) -> dict[str, Any]:
    return answer_of(app, *arguments)


def test_for_machines_it_has_exactly_these_keys() -> None:
    found = answer("kuhn")
    assert list(found) == KEYS
    assert (found["game"], found["settings"], found["unit"]) == ("kuhn", {"seats": 2}, "antes")
    assert found["file"] == "kuhn.tahur"
    assert found["value"] == pytest.approx(-1 / 18, abs=1e-8)
    assert found["nashconv"] == 2 * found["exploitability"] <= 2 * USUAL["kuhn"].target


def test_what_it_says_is_what_the_file_says() -> None:
    found = answer("leduc", "--iterations", "130", "-o", "here.tahur", "--schedule", "cfr+")
    facts = read_solution(Path("here.tahur")).facts
    assert {key: found[key] for key in KEYS[:8]} == {key: getattr(facts, key) for key in KEYS[:8]}
    assert (facts.iterations, facts.schedule) == (130, "cfr+")


def test_a_person_is_told_the_figures_with_units_and_what_to_do_next() -> None:
    said = run("kuhn")
    assert re.search(r"exploitability +\S+ antes per deal +\(BR1 \+ BR2\) / 2", said)
    assert re.search(r"NashConv +\S+ antes per deal +BR1 \+ BR2", said)
    assert "value           -0.0555556 antes per deal to the first seat" in said
    assert "tahur show kuhn.tahur" in said
    assert "tahur solve kuhn --resume -o kuhn.tahur" in said
    assert "strategy:kuhn.tahur" in said


@pytest.mark.parametrize("name", ["dcfr", "pcfr+", "hs-dcfr", "external", "chance"])
def test_resumed_equals_uninterrupted_to_the_last_bit(name: str) -> None:
    run("leduc", "--schedule", name, "--iterations", "260", "-o", "straight.tahur")
    run("leduc", "--schedule", name, "--iterations", "260", "-o", "parts.tahur", "--seconds", "0")
    begun = read_solution(Path("parts.tahur")).facts.iterations
    assert begun < 260
    assert read_solution(Path("parts.tahur")).facts.planned == (260 if name == "hs-dcfr" else 0)
    run("leduc", "--resume", "--iterations", "137", "-o", "parts.tahur")
    assert read_solution(Path("parts.tahur")).facts.iterations == 137
    run("leduc", "--resume", "--iterations", "260", "-o", "parts.tahur")
    assert Path("parts.tahur").read_bytes() == Path("straight.tahur").read_bytes()


def test_a_target_ends_the_run_where_it_would_end_uninterrupted() -> None:
    straight = answer("leduc", "--target", "2e-3", "-o", "straight.tahur")
    assert straight["exploitability"] <= 2e-3
    assert straight["iterations"] % 100 == 0
    run("leduc", "--iterations", "51", "-o", "parts.tahur")
    assert answer("leduc", "--resume", "--target", "2e-3", "-o", "parts.tahur")["iterations"] == straight["iterations"]
    assert Path("parts.tahur").read_bytes() == Path("straight.tahur").read_bytes()


def test_a_target_that_is_met_between_two_measurements_ends_a_resumed_run_no_earlier() -> None:
    before, after = (answer("leduc", "--iterations", str(count), "-o", "x.tahur") for count in (151, 152))
    assert after["exploitability"] < before["exploitability"]
    target = str((before["exploitability"] + after["exploitability"]) / 2)
    run("leduc", "--iterations", "151", "-o", "x.tahur")
    straight, resumed = (
        answer("leduc", "--target", target, "-o", "straight.tahur"),
        answer("leduc", "--target", target, "-o", "x.tahur", "--resume"),
    )
    assert straight["iterations"] == resumed["iterations"] >= 200


def test_what_has_reached_its_goal_is_left_as_it_is() -> None:
    run("leduc", "--iterations", "60")
    before = Path("leduc.tahur").read_bytes()
    assert answer("leduc", "--resume", "--iterations", "40")["iterations"] == 60
    assert answer("leduc", "--resume", "--target", "1")["iterations"] == 60
    assert Path("leduc.tahur").read_bytes() == before


def test_short_of_its_target_it_says_so() -> None:
    assert "short of the target, 1e-12 antes" in run("leduc", "--target", "1e-12", "--iterations", "20")


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        (("kuhn", "--set", "seats=3"), SolverError, "3 seats; solvers support exactly 2"),
        (
            ("limit", "--memory", "0.05"),
            SolverError,
            r"allow more memory or use a smaller game \(--memory 0.05 GiB now\)",
        ),
        (("ledcu",), UnknownName, "did you mean 'leduc'"),
        (("leduc", "--schedule", "dcrf"), UnknownName, "did you mean 'dcfr'"),
        (("leduc", "--resume"), StrategyError, "no file leduc.tahur to resume from"),
        (("leduc", "-o", "nowhere/x.tahur"), StrategyError, "no folder nowhere for x.tahur"),
        (("leduc", "-o", "diary.txt"), StrategyError, "diary.txt exists and is not a strategy file"),
        (("leduc", "-o", "kuhn.tahur", "--resume"), SolverError, "solved for kuhn; the game to solve is leduc"),
        (
            ("kuhn", "--resume", "--schedule", "cfr"),
            SolverError,
            "started with --schedule pdcfr.; it cannot be resumed with cfr",
        ),
    ],
)
def test_what_cannot_be_done_is_one_clear_sentence(arguments: tuple[str, ...], error: type, said: str) -> None:
    Path("diary.txt").write_text("dear diary")
    run("kuhn", "--iterations", "10")
    before = Path("kuhn.tahur").read_bytes()
    with pytest.raises(error, match=said):
        run(*arguments)
    assert Path("kuhn.tahur").read_bytes() == before
    assert Path("diary.txt").read_text() == "dear diary"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("leduc", "--buckets", "9"), "--buckets is for hulh, acpc and nlhe; leduc is solved card by card"),
        (("leduc", "--dice", "2v1"), "--dice is for perudo; leduc has none"),
        (
            ("leduc", "--threads", "2"),
            "--threads is for fhp, fhp-3-4, nlhe and perudo --dice; leduc is solved by one thread",
        ),
        (("perudo", "--no-calza"), "--calza is for perudo --dice; perudo has no such rounds"),
        (("fhp", "--palifico"), "--palifico is for perudo --dice; fhp has no such rounds"),
        (("fhp", "--memory", "2"), "--memory is for perudo --dice and games whose tree fits in memory; fhp always"),
        (("hulh", "--target", "1"), "--target is for fhp, .*; hulh is trained on buckets; use --seconds"),
        (("perudo", "--dice", "1v1", "--set", "x=1"), "--set is for fhp, .*; perudo with --dice takes --rules instead"),
    ],
)
def test_an_option_that_a_game_does_not_take_names_the_games_that_take_it(
    arguments: tuple[str, ...], said: str
) -> None:
    with pytest.raises(typer.BadParameter, match=said):
        CliRunner().invoke(app, list(arguments), standalone_mode=False, catch_exceptions=False)
    assert not list(Path().iterdir())


def test_limits_that_are_given_replace_the_usual_ones() -> None:
    usual = SolveGoal(10, 1e-3, 60.0)
    given = dict.fromkeys([field.name for field in fields(SolveRequest)])
    assert SolveRequest(**given).goal(usual) == usual
    assert SolveRequest(**given | {"iterations": 50}).goal(usual) == SolveGoal(50)
    assert SolveRequest(**given | {"target": "0.5"}).goal(usual) == SolveGoal(ENDLESS, 0.5)


def test_perudo_with_few_dice_is_solved_in_dice_of_lead() -> None:
    found = answer("perudo", "--set", "cups=[1,1]", "--schedule", "pdcfr+", "--target", "1e-6")
    assert found["unit"] == "dice of lead"
    assert found["settings"]["cups"] == [1, 1]
    assert found["exploitability"] <= 1e-6


@pytest.mark.parametrize(
    ("name", "unit"), [("kuhn", "antes"), ("leduc", "antes"), ("liars-dice", "points"), ("hulh", "chips")]
)
def test_units_are_those_of_one_payoff(name: str, unit: str) -> None:
    assert unit_of(make(name), zero_sum=True) == unit


def test_the_schedules_in_the_help_are_those_that_there_are() -> None:
    assert ", ".join((*schedule.SCHEDULES, *SAMPLED)) == SCHEDULES
    for usual in USUAL.values():
        schedule.schedule_named(usual.schedule)


def test_numbers_that_overflow_leave_the_last_good_state_in_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    from tahur.solvers.cfr import CfrSolver

    with monkeypatch.context() as broken:
        broken.setattr(CfrSolver, "is_finite", lambda solver: solver.iteration < 50)
        with pytest.raises(SolverError, match=r"overflowed by iteration .* the state is that of .*, which is saved$"):
            run("kuhn", "--schedule", "cfr", "--iterations", "1000")
    kept = read_solution(Path("kuhn.tahur")).facts.iterations
    assert 1 <= kept < 50
    straight = answer("kuhn", "--schedule", "cfr", "--iterations", str(kept), "-o", "straight.tahur")
    assert straight["iterations"] == kept
    assert Path("straight.tahur").read_bytes() == Path("kuhn.tahur").read_bytes()


@pytest.mark.slow
def test_a_long_run_is_kept_on_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """If it dies in the middle, what was kept last is whole and can be resumed."""
    from tahur.solvers import solver

    def dies(*arguments: Any, **options: Any) -> Any:
        for progress in original(*arguments, **options):
            yield progress
            if progress.iteration >= 300:
                raise MemoryError

    original = solver.run
    with monkeypatch.context() as broken:
        broken.setattr("tahur.cli.solve.command.CHECKPOINT_SECONDS", -1.0)
        broken.setattr("tahur.cli.solve.running.CHECKPOINT_RATIO", 0.0)  # saved at every step
        broken.setattr(solver, "run", dies)
        assert isinstance(CliRunner().invoke(app, ["leduc", "--iterations", "900"]).exception, MemoryError)
    assert 200 <= read_solution(Path("leduc.tahur")).facts.iterations <= 300
    run("leduc", "--resume", "--iterations", "400")
    run("leduc", "--iterations", "400", "-o", "straight.tahur")
    assert Path("leduc.tahur").read_bytes() == Path("straight.tahur").read_bytes()


def test_ctrl_c_keeps_a_whole_result_and_the_live_line_tells_how_far_it_is() -> None:
    """Interrupted when the first live line has come; then resumed, and the same as never interrupted."""
    arguments = [sys.executable, "-m", "tahur", "solve", "leduc", "--target", "0", "--json", "-o", "x.tahur"]
    quiet = {name: value for name, value in os.environ.items() if name != "FORCE_COLOR"}
    solving = subprocess.Popen(
        arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=quiet, start_new_session=True
    )
    assert solving.stderr is not None
    line = solving.stderr.readline()
    solving.send_signal(signal.SIGINT)
    printed, said = solving.communicate(timeout=120)
    assert re.match(
        r"leduc by dcfr: iteration [\d,]+, exploitability \S+ antes, target 0; [\d,]+/s; Ctrl-C stops", line
    )
    found = json.loads(printed)
    assert solving.returncode == 130
    assert f"stopped after {found['iterations']:,} iterations; the result so far is saved in x.tahur" in said
    facts = read_solution(Path("x.tahur")).facts
    assert (facts.iterations, facts.exploitability) == (found["iterations"], found["exploitability"])
    more = str(facts.iterations + 20)
    run("leduc", "--resume", "-o", "x.tahur", "--iterations", more)
    run("leduc", "-o", "straight.tahur", "--iterations", more)
    assert Path("x.tahur").read_bytes() == Path("straight.tahur").read_bytes()


@pytest.mark.parametrize("name", ["external", "chance"])
def test_samples_come_near_and_follow_the_seed(name: str) -> None:
    one, same, other = (
        answer("kuhn", "--schedule", name, "--iterations", "20000", "--seed", seed, "-o", f"{seed}{at}.tahur")
        for at, seed in enumerate(("3", "3", "4"))
    )
    assert one["exploitability"] < 0.02
    assert one["exploitability"] == same["exploitability"] != other["exploitability"]
    assert Path("30.tahur").read_bytes() == Path("31.tahur").read_bytes()


def test_the_file_has_the_solvers_memory() -> None:
    run("kuhn", "--iterations", "10", "--schedule", "pcfr+")
    assert {name: len(each) for name, each in read_memory(Path("kuhn.tahur")).items()} == {
        "regrets": 24,
        "averages": 24,
        "forecasts": 24,
    }
