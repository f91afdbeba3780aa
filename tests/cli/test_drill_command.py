"""`tahur postflop drill`, and spots at `tahur arena match` and `tahur play`: in this process, with known input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tahur.cli.main import app
from tahur.cli.postflop.drill import keys_of, read_choice
from tahur.core.errors import IllegalAction, TahurError
from tahur.solvers.postflop.solve import solve
from tahur.solvers.postflop.spot import spot
from tahur.solvers.postflop.tree import Deed, Move

FACING = (Move(Deed.FOLD), Move(Deed.CALL), Move(Deed.RAISE, 340), Move(Deed.RAISE, 560), Move(Deed.ALL_IN, 900))
FIRST = (Move(Deed.CHECK), Move(Deed.BET, 100), Move(Deed.ALL_IN, 900))


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("spots") / "river.tahur"
    asked = spot(
        board="Td9d6hQc2s", oop="AA:0.5,KTs,J8s,54s", ip="TT,98s,A5s:0.75,KJs", pot=20, stack=40, sizes="50%,a / a"
    )
    solve(asked, target=0.2).save(path)
    return path


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TAHUR_DATA", str(tmp_path))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "200")


def tahur(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(app, arguments, input=typed)


# ---- drill -------------------------------------------------------------------------------------------


def test_a_drill_asks_grades_and_adds_up(file: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    run = tahur("drill", str(file), "--hands", "3", "--seed", "1", "--json-log", str(log), typed="c\n" * 20)
    assert run.exit_code == 0, run.output
    answers = [json.loads(line) for line in log.read_text().splitlines()]
    assert f"{len(answers)} decisions" in run.output
    assert "hand 3" in run.output
    assert "hand 4" not in run.output
    for each in answers:
        assert each["why"] in run.output
        assert each["lost"] == pytest.approx(each["lost_pct"] / 100 * each["pot"])
        assert max(each["evs"], key=each["evs"].get) == each["best"]
        assert sum(each["solution"].values()) == pytest.approx(1)


def test_the_same_seed_asks_the_same_and_the_log_is_added_to(file: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    for _ in range(2):
        tahur("drill", str(file), "--hands", "2", "--seed", "4", "--json-log", str(log), typed="c\n" * 20)
    lines = log.read_text().splitlines()
    assert lines[: len(lines) // 2] == lines[len(lines) // 2 :] != []


def test_leaving_shows_the_score_so_far(file: Path) -> None:
    run = tahur("drill", str(file), "--seed", "1", "--seat", "oop", typed="nonsense\na\nq\n")
    assert run.exit_code == 0
    assert "'nonsense' is not a choice here" in run.output
    assert "1 decision:" in run.output


def test_for_machines_the_score_is_one_object(file: Path) -> None:
    run = tahur("drill", str(file), "--hands", "2", "--seed", "1", "--json", typed="a\n" * 10)
    told = json.loads(run.stdout.splitlines()[-1])
    assert told["decisions"] >= 2
    assert sum(told["shares"].values()) == pytest.approx(1)
    assert len(told["worst"]) <= 3


def test_a_line_is_where_the_drill_begins(file: Path) -> None:
    run = tahur(
        "drill", str(file), "--line", "check,bet10", "--seat", "oop", "--hands", "2", "--seed", "1", typed="f\nf\n"
    )
    assert run.output.count("you check; they bet 10") >= 2
    assert run.output.count("you fold") == 2


@pytest.mark.parametrize("wrong", [("--seat", "button"), ("--line", "bet77"), ("--json-log", "/nowhere/at/all.jsonl")])
def test_what_cannot_be_is_refused(file: Path, wrong: tuple[str, str]) -> None:
    run = tahur("drill", str(file), *wrong)
    assert run.exit_code == 2 or isinstance(run.exception, TahurError)


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("f", 0),
        ("c", 1),
        ("call", 1),
        ("1", 2),
        ("2", 3),
        ("a", 4),
        ("340", 2),
        ("raise560", 3),
        ("r 560", 3),
        ("900", 4),
    ],
)
def test_a_choice_is_its_key_its_name_or_its_amount(line: str, number: int) -> None:
    assert read_choice(FACING, line) == number


def test_a_bare_bet_is_the_only_one_and_two_raises_are_not_one() -> None:
    assert read_choice(FIRST, "bet") == 1
    assert keys_of(FIRST) == {"c": 0, "1": 1, "a": 2}
    for wrong in ("raise", "f3", "77", "", "0"):
        with pytest.raises(IllegalAction, match="is not a choice here"):
            read_choice(FACING, wrong)


# ---- spots at other doors ----------------------------------------------------------------------------


def test_a_match_in_a_spot_is_told_in_chips(file: Path) -> None:
    options = ("--hands", "60", "--duplicate", "--seed", "1", "--workers", "1", "--json")
    told = json.loads(tahur("match", f"spot:{file}", f"strategy:{file}", "caller", *options).stdout.splitlines()[-1])
    assert told["game"] == "spot"
    assert told["unit"] == "chips/hand"
    assert told["hands"] == 60


def test_you_play_a_spot_from_both_seats_and_go_on_later(file: Path) -> None:
    run = tahur("play", f"spot:{file}", "--vs", f"strategy:{file}", "--seed", "1", "--hands", "2", typed="c\n" * 9)
    assert "you are out of position" in run.output
    assert "you are in position" in run.output
    assert "half of the pot of 20 counted as yours" in run.output
    again = tahur("play", "spot", "--resume", "--hands", "1", typed="c\n" * 9)
    assert "Resuming after 2 hands" in again.output


def test_a_solved_spot_is_not_for_any_other_table(file: Path) -> None:
    run = tahur("match", "nlhe", f"strategy:{file}", "caller", "--hands", "2")
    assert isinstance(run.exception, TahurError)
    assert "it plays at spot:FILE" in str(run.exception)


@pytest.mark.slow
def test_truth_tells_what_the_buckets_lose_on_a_flop() -> None:
    told = json.loads(tahur("street", "truth", "--flops", "Kd9h4c", "--json").stdout.splitlines()[-1])
    [flop] = told["flops"]
    assert flop["texture"] == "low_dry"
    assert 0 < flop["exact_solution_exploitability"] < 0.001 < flop["loss"] < flop["exploitability"] < 0.1
    assert told["textures"]["low_dry"]["loss"] == flop["loss"]


@pytest.mark.parametrize("flops", ["0", "101", ",", "Kd9h", "KdKdKd", "x"])
def test_truth_refuses_what_is_no_flop(flops: str) -> None:
    run = tahur("street", "truth", "--flops", flops)
    assert run.exit_code == 2 or isinstance(run.exception, TahurError)
