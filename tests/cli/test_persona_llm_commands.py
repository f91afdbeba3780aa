"""`tahur persona`, `tahur llm report`, and `--llm` at the table and in the arena, against a scripted endpoint."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from scripted_endpoint import Handler, Server, serving
from tahur.cli.main import app, main

CANARY = "sk-canary-0123456789abcdef"


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of the test's own, and a key in the environment."""
    for name in ("TAHUR_LLM", "TAHUR_LLM_MODEL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TAHUR_DATA", str(tmp_path))
    monkeypatch.setenv("TAHUR_LLM_KEY", CANARY)
    return tmp_path


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as server:
        yield server


def tahur(*arguments: str, typed: str = "") -> str:
    result = CliRunner().invoke(app, list(arguments), input=typed)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.output


def fails(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    monkeypatch.setattr(sys, "argv", ["tahur", *arguments])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2
    return capsys.readouterr().err


def test_the_list_has_all_twelve() -> None:
    lines = tahur("persona", "list").splitlines()
    assert [line.split()[0] for line in lines[1:13]][:2] == ["gardener", "surgeon"]
    assert len(json.loads(tahur("persona", "list", "--json"))["personas"]) == 12


def test_one_is_shown_in_full() -> None:
    told = json.loads(tahur("persona", "show", "Duelist", "--json"))
    assert (told["name"], told["profile"]) == ("Duelist", "tight_aggressive")
    assert "En garde." in tahur("persona", "show", "duelist")


def test_a_try_out_gives_habits_with_intervals_and_lines() -> None:
    told = json.loads(tahur("persona", "test", "firework", "--hands", "24", "--json"))
    vpip = told["profile"]["rows"][0]
    assert vpip["name"] == "VPIP"
    assert 0 <= vpip["low"] <= vpip["value"] <= vpip["high"] <= 1
    assert told["said"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("persona", "show", "dualist"), "did you mean 'duelist'?"),
        (("persona", "test", "baker", "--chooser", "magic"), "no chooser 'magic'"),
        (("match", "nlhe", "llm:duelist", "caller"), "no endpoint for a model; use --llm URL --model NAME"),
        (("match", "nlhe", "llm:duelist", "caller", "--llm", "ftp://x"), "is not an endpoint"),
        (("match", "nlhe", "llm:duelist", "caller", "--llm", "http://127.0.0.1:9/v1"), "no model; use --model NAME"),
        (("match", "nlhe", "llm:duelist", "caller", "--llm-set", "seconds"), "NAME one of seconds, prompt, log, price"),
        (("match", "nlhe", "llm:duelist", "caller", "--llm-set", "seconds=x"), "expected a number, 0 or more"),
        (("match", "nlhe", "llm:duelist", "caller", "--llm-set", "prompt=x"), "valid: lean or full"),
        (("match", "nlhe", "llm:duelist", "caller", "--llm-set", "price=x"), "price=0.15/0.60"),
        (("llm", "report", "nothing.jsonl"), "nothing.jsonl: No such file"),
    ],
)
def test_bad_input_is_told_in_one_line(
    data: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    said: str,
) -> None:
    told = fails(monkeypatch, capsys, *arguments)
    assert said in told
    assert told.count("\n") == 1


def test_a_model_plays_a_match_and_the_log_is_summed_up(data: Path, server: Server) -> None:
    endpoint = ("--llm", server.url, "--model", "scripted", "--llm-set", "price=1/2", "--llm-set", "day-money=5")
    told = json.loads(
        tahur(
            "match", "nlhe", "llm:barber", "persona:surgeon", "--hands", "6", "--workers", "1", "--json", *endpoint
        ).splitlines()[0]
    )
    assert told["players"] == ["llm:barber", "persona:surgeon"]
    assert len(server.heard) > 3
    report = json.loads(tahur("llm", "report", "--json"))
    assert report["all"]["decisions"] == report["all"]["answered"] == len(server.heard)
    assert report["all"]["money"] == pytest.approx(len(server.heard) * 70e-6)
    assert report["players"][0]["persona"] == "Barber"
    assert "Barber (scripted)" in tahur("llm", "report")
    kept = "".join(path.read_text() for path in data.rglob("*") if path.is_file()) + json.dumps(told)
    assert CANARY not in kept
    assert all(headers["authorization"] == f"Bearer {CANARY}" for headers, _ in server.heard)


def test_a_player_may_name_its_model_and_its_endpoint(data: Path, server: Server) -> None:
    tahur("match", "nlhe", f"llm:barber@other-model@{server.url}", "caller", "--hands", "2", "--workers", "1")
    assert {json.loads(body)["model"] for _, body in server.heard} == {"other-model"}


def played(*arguments: str) -> str:
    """A hand in which you check and call, and then ask why."""
    arguments = ("play", "nlhe", "--seed", "3", "--hands", "1", *arguments)
    turns = tahur(*arguments, typed="c\n" * 30).count("You: ")
    return tahur(*arguments, typed="c\n" * turns + "why\n")


def test_at_the_table_a_model_chooses_for_personas_and_its_talk_is_heard(data: Path, server: Server) -> None:
    server.behaviour = lambda handler, request: handler.says('{"option": 1, "talk": "Sit down, friend."}')
    told = played("--seats", "2", "--vs", "persona:barber", "--llm", server.url, "--model", "m")
    assert "barber says: Sit down, friend." in told
    assert "chose 1 by model" in told
    assert CANARY not in told + "".join(path.read_text() for path in data.rglob("*") if path.is_file())


def test_without_a_model_personas_talk_too_and_can_be_asked_why(data: Path) -> None:
    told = played("--seats", "3", "--vs", "barber")
    assert "says: " in told
    assert "\n      menu 1 " in told
    assert "by softmax" in told


def test_a_log_that_is_none_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"persona": "x"}\n')
    assert "log.jsonl, line 1: not a decision" in fails(monkeypatch, capsys, "llm", "report", str(path))
    path.write_text("")
    assert "contains no decisions" in fails(monkeypatch, capsys, "llm", "report", str(path))


# ---- decisions that no model made ----------------------------------------------------------------

RUNS = {
    "match": ("match", "nlhe", "llm:barber", "caller", "--hands", "4", "--workers", "1"),
    "tournament": ("tournament", "nlhe", "llm:barber", "caller", "--hands", "4", "--workers", "1"),
    "profile": ("profile", "llm:barber", "--hands", "6", "--seats", "2"),
    "persona": ("persona", "test", "barber", "--hands", "6"),
    "play": ("play", "nlhe", "--vs", "persona:barber", "--seats", "2", "--seed", "3", "--hands", "2"),
}


@pytest.mark.parametrize("command", RUNS)
def test_a_run_in_which_no_model_answered_is_an_error(data: Path, command: str) -> None:
    dead = ("--llm", "http://127.0.0.1:9/v1", "--model", "m")
    result = CliRunner().invoke(app, [*RUNS[command], *dead], input="c\n" * 60)
    assert result.exit_code == 1, result.output
    assert "decisions of the language model (100 %) were fallbacks: " in " ".join(result.output.split())
    assert "Warning: " in result.output
    report = CliRunner().invoke(app, ["llm", "report"])
    assert report.exit_code == 1
    if command != "play":
        told = CliRunner().invoke(app, [*RUNS[command], *dead, "--json"])
        assert told.exit_code == 1
        models = json.loads(told.stdout.splitlines()[0])["models"]
        assert models["decisions"] == models["fallbacks"] > 0
        assert models["faults"]["no connection"] == models["fallbacks"]


@pytest.mark.parametrize(("answers", "warned"), [(3, True), (1, False)], ids=["a third", "two thirds"])
def test_the_share_of_fallbacks_is_in_the_result(data: Path, server: Server, answers: int, warned: bool) -> None:
    """An endpoint that answers every third question, or two of three; an answer that cannot be read is asked again."""

    def behaves(handler: Handler, request: dict[str, Any]) -> None:
        asked = sum(len(json.loads(body)["messages"]) == 2 for _, body in server.heard)
        handler.says('{"option": 1}' if (asked % 3 == 0) == warned else "no idea")

    server.behaviour = behaves
    result = CliRunner().invoke(app, [*RUNS["match"], "--llm", server.url, "--model", "m"])
    assert result.exit_code == 0, result.output
    text = " ".join(result.output.split())
    assert "decisions of the language model (" in text
    assert ("Warning: " in text) == warned
    assert ("mostly reflect the fallback" in text) == warned


def test_hands_that_were_played_by_fallback_say_so_when_they_are_read(data: Path) -> None:
    folder = data / "match"
    CliRunner().invoke(app, [*RUNS["match"], "--llm", "http://127.0.0.1:9/v1", "--model", "m", "-o", str(folder)])
    assert json.loads((folder / "summary.json").read_text())["models"]["share"] == 1
    records = folder / "records.jsonl"
    result = CliRunner().invoke(app, ["profile", "--records", str(records)])
    assert result.exit_code == 1
    assert "(100 %) were fallbacks" in " ".join(result.output.split())
