"""The `tahur` command in a process of its own, without the second that Python takes to start and import.

One process imports what commands import, once; each command is a fork of it that has its own arguments, surroundings,
input and output, and ends as any process ends. `fresh` starts Python anew instead, for what the start itself decides.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

# What a surrounding terminal or build could have set, and a test must not inherit.
_SURROUNDINGS = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "COLUMNS", "PYTHONUNBUFFERED", "PYTHONIOENCODING", "TERM")
_LIMIT = 300  # seconds
_FORKING = Path(__file__).with_name("forking.py")

Run = subprocess.CompletedProcess[str]


def surroundings(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in _SURROUNDINGS}
    return kept | {"PYTHONUTF8": "1", "TERM": "xterm-256color"} | more


@dataclass(frozen=True, slots=True)
class Usage:
    """What a command used: CPU seconds, and megabytes beyond the imports."""

    seconds: float
    megabytes: float


def tahur(*arguments: str, typed: str = "", **more: str) -> Run:
    """A command from its arguments to its end; `more` is added to its surroundings."""
    return measured(*arguments, typed=typed, **more)[0]


def measured(*arguments: str, typed: str = "", **more: str) -> tuple[Run, Usage]:
    """The same, and what it used."""
    with tempfile.TemporaryDirectory() as folder:
        files = {name: os.path.join(folder, name) for name in ("stdin", "stdout", "stderr")}
        Path(files["stdin"]).write_text(typed, "utf-8")
        asked = {"arguments": arguments, "surroundings": surroundings(**more), "folder": os.getcwd(), "limit": _LIMIT}
        code, usage = _ask(asked | files)
        out, err = (Path(files[name]).read_text("utf-8") for name in ("stdout", "stderr"))
    return Run(["tahur", *arguments], code, out, err), usage


def fresh(*arguments: str | bytes, python: Sequence[str] = (), **more: str) -> Run:
    """The same in a new Python."""
    return subprocess.run(
        [sys.executable, *python, "-m", "tahur", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        env=surroundings(**more),
        timeout=_LIMIT,
        check=False,
    )


def answer(*arguments: str) -> Any:
    """The JSON that a command which succeeds prints, on one line and alone."""
    run = tahur(*arguments, "--json")
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.count("\n") == 1
    return json.loads(run.stdout)


def _ask(asked: dict[str, Any]) -> tuple[int, Usage]:
    forking = _forking()
    assert forking.stdin is not None
    assert forking.stdout is not None
    forking.stdin.write(json.dumps(asked) + "\n")
    forking.stdin.flush()
    code, seconds, megabytes = forking.stdout.readline().split()
    if code == "-9":
        raise subprocess.TimeoutExpired(asked["arguments"], asked["limit"])
    return int(code), Usage(float(seconds), float(megabytes))


@cache
def _forking() -> subprocess.Popen[str]:
    """It ends when this process does, since its input ends then. NumPy may start no threads in it."""
    return subprocess.Popen(
        [sys.executable, str(_FORKING)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        env=surroundings(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", MKL_NUM_THREADS="1"),
    )
