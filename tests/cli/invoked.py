"""A command run in this process: what it prints, or the error that it would say in one line."""

from __future__ import annotations

import json
from typing import Any

import typer
from typer.testing import CliRunner

from tahur.core.errors import TahurError


def run_of(app: typer.Typer, *arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments))
    if isinstance(result.exception, TahurError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout


def answer_of(app: typer.Typer, *arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run_of(app, *arguments, "--json"))
    return found
