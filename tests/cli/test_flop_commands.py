"""`tahur solve fhp` and `tahur eval` as somebody at the terminal, or a program, sees them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from tahur.cli.limit import solve as flop_solve
from tahur.cli.limit.evaluate import evaluate
from tahur.cli.limit.solve import millis
from tahur.cli.solve.command import solve
from tahur.cli.solve.show import show
from tahur.core.errors import SolverError, TahurError

app = typer.Typer(pretty_exceptions_enable=False)
app.command("solve")(solve)
app.command("eval")(evaluate)
app.command("show")(show)


@pytest.fixture(autouse=True)
def _somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def said(*arguments: str) -> str:
    """What was wrong, in words."""
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code != 0
    return f"{result.output} {result.exception}"


def answer(*arguments: str) -> dict[str, Any]:
    result = CliRunner().invoke(app, [*arguments, "--json"])
    if isinstance(result.exception, TahurError):
        raise result.exception
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_a_target_is_thousandths_of_a_big_blind() -> None:
    assert [millis(text) for text in ("1mbb", "0.5", "2 mbb/g", "1e-2mbb")] == [1.0, 0.5, 2.0, 0.01]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("solve", "fhp", "--target", "1bb"), "such as 1mbb"),
        (("solve", "fhp", "--resume"), "no file fhp.tahur.memory to resume from"),
        (("solve", "fhp", "-o", "nowhere/fhp.tahur"), "no folder nowhere"),
        (("solve", "kuhn", "--threads", "2"), "--threads is for fhp, fhp-3-4, nlhe and perudo --dice"),
        (("solve", "kuhn", "--target", "1mbb"), "a number in the game's own unit"),
        (("eval", "leduc", "uniform"), "cannot measure 'leduc'; supported games: limit, hulh, acpc, fhp, fhp-3-4"),
        (("eval", "fhp"), "name a policy"),
        (("eval", "fhp", "nobody"), "no player 'nobody'"),
        (("eval", "fhp", "nothing.tahur"), "nothing.tahur cannot be read"),
    ],
)
def test_bad_input_is_one_sentence(arguments: tuple[str, ...], why: str) -> None:
    assert why in " ".join(said(*arguments).split())


def test_a_file_of_somebody_else_is_not_written_over() -> None:
    Path("mine.txt").write_text("mine")
    assert "mine.txt exists and is not a Flop Hold'em strategy" in said("solve", "fhp", "-o", "mine.txt")
    assert Path("mine.txt").read_text() == "mine"


@pytest.mark.slow
def test_too_little_memory_is_said_before_anything_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flop_solve, "free_memory", lambda: 1 << 30)
    with pytest.raises(SolverError, match=r"fhp takes 1\.8 GB of memory; 1\.1 GB are available"):
        answer("solve", "fhp")


@pytest.mark.slow
def test_a_run_that_goes_on_writes_what_one_that_never_stopped_writes() -> None:
    """It takes 4 GB of disk for a moment, and 1.8 GB of memory."""
    whole = answer("solve", "fhp", "--iterations", "3", "-o", "whole.tahur", "--threads", "1")
    Path("whole.tahur.memory").unlink()
    answer("solve", "fhp", "--iterations", "2", "--threads", "2")
    parts = answer("solve", "fhp", "--iterations", "3", "--threads", "1", "--resume")
    Path("fhp.tahur.memory").unlink()
    assert Path("whole.tahur").read_bytes() == Path("fhp.tahur").read_bytes()
    assert parts["exploitability"] == whole["exploitability"]
    judged = answer("eval", "fhp", "fhp.tahur")
    assert (judged["kind"], judged["unit"], judged["game"]) == ("exact", "mbb/g", "fhp")
    assert judged["nashconv"] == 2 * judged["exploitability"]
    assert judged["exploitability"] == pytest.approx(parts["exploitability"], rel=0.01)  # bytes are not the floats
    first = answer("show", "fhp.tahur", "--at", "")
    assert len(first["hands"]) == 169
    assert first["line"] == []
    sheet = answer("show", "fhp.tahur")
    assert len(sheet["flops"]["rows"]) == 24
