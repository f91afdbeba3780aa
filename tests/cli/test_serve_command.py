"""`tahur room serve`: how the server is started; what must not be listed on a machine is not among the words."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import typer
from invoked import run_of

from tahur.cli.room import serve as module
from tahur.core.errors import SettingError
from tahur.players.bounded.caps import Caps, Price
from tahur.players.bounded.settings import LlmOptions, settings_words, with_settings

app = typer.Typer(pretty_exceptions_enable=False)
app.command()(module.serve)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The words that the server would be started with."""
    words: list[str] = []
    monkeypatch.setenv("TAHUR_DATA", str(tmp_path))
    monkeypatch.setenv("TAHUR_LLM_KEY", "sk-secret-key")
    monkeypatch.setattr(os, "execv", lambda program, given: words.extend(given))
    monkeypatch.setattr(module, "_run_server", lambda words: 0)
    monkeypatch.setattr("tahur.core.cache.is_warm", lambda group="card": True)
    return words


def test_a_model_goes_to_the_server_by_its_endpoint_and_its_key_by_the_environment_alone(started: list[str]) -> None:
    given = ("--llm", "http://127.0.0.1:9/v1", "--model", "small", "--llm-set", "seconds=5", "--llm-set", "day-money=1")
    run_of(app, *given)
    assert started[started.index("--llm") + 1] == "http://127.0.0.1:9/v1"
    assert started[started.index("--model") + 1] == "small"
    assert {"seconds=5", "day-money=1"} <= set(started)
    assert not any("secret" in word for word in started)


def test_without_a_model_none_is_named(started: list[str]) -> None:
    run_of(app, "--port", "0")
    assert started
    assert not any(word.startswith("--llm") for word in started)


def test_a_model_without_an_endpoint_is_refused(started: list[str]) -> None:
    with pytest.raises(SettingError, match="--llm URL"):
        run_of(app, "--model", "small")


def test_settings_said_in_words_are_read_back_as_they_were() -> None:
    caps = Caps(
        decision_tokens=100, hand_tokens=2_000, day_tokens=30_000, decision_money=0.25, hand_money=None, day_money=12.5
    )
    options = LlmOptions(
        "http://x/v1", "m", seconds=7.5, lean=True, log=Path("a.jsonl"), price=Price(0.15, 0.6), caps=caps
    )
    assert with_settings(LlmOptions("http://x/v1", "m"), settings_words(options)) == options
