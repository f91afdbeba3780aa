"""What every command prints through."""

from __future__ import annotations

from collections.abc import Generator

import pytest
from rich.console import Console

from tahur.cli import output


def steps() -> Generator[float, None, str]:
    yield 0.2
    yield 0.8
    return "done"


def test_progress_writes_nothing_where_there_is_no_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(output, "PATIENCE", -1.0)
    assert output.watch(steps(), "counting") == "done"
    assert capsys.readouterr() == ("", "")


def test_progress_is_seen_on_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(output, "PATIENCE", -1.0)
    monkeypatch.setattr(output, "_is_watched", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(output, "console", lambda errors: Console(stderr=errors, force_terminal=True))
    assert output.watch(steps(), "counting") == "done"
    assert "counting" in capsys.readouterr().err
