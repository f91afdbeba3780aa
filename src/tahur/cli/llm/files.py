"""What is kept of asking models: a log of decisions, one JSON line each, and what was spent today.

Several processes may write at once: each line goes out in one piece, at the end of the file.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tahur.core.errors import RecordError

if TYPE_CHECKING:
    from tahur.players.bounded.caps import Spent


def llm_folder() -> Path:
    """Where logs and the ledger are: beside the sessions, in the user's data folder or `TAHUR_DATA`."""
    from tahur.cli.play.session import sessions_folder

    return sessions_folder().parent / "llm"


class LogFile:
    """A file that decisions are added to."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def add(self, entry: dict[str, Any]) -> None:
        _append(self._path, json.dumps({"at": time.strftime("%Y-%m-%dT%H:%M:%S"), **entry}))


class SharedLedger:
    """What all commands on this machine spent today: a file for each day, a line for each answer."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @classmethod
    def usual(cls) -> SharedLedger:
        return cls(llm_folder())

    def today(self) -> Spent:
        from tahur.players.bounded.caps import Spent

        try:
            lines = self._file().read_text("ascii", errors="replace").splitlines()
        except FileNotFoundError:
            return Spent()
        parts = [line.split() for line in lines]
        good = [Spent(int(part[0]), float(part[1])) for part in parts if len(part) == 2 and part[0].isdecimal()]
        return sum(good, Spent())

    def add(self, spent: Spent) -> None:
        _append(self._file(), f"{spent.tokens} {spent.money:.8f}")

    def _file(self) -> Path:
        return self._folder / f"spent-{time.strftime('%Y-%m-%d')}.txt"


def read_log(path: Path) -> list[dict[str, Any]]:
    """The decisions in a log; a last line cut short by a crash is left out."""
    try:
        lines = path.read_bytes().decode("utf-8", errors="replace").split("\n")
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror or error}") from None
    found = []
    for number, line in enumerate(lines[:-1], start=1):
        try:
            entry = json.loads(line)
            found.append({key: entry[key] for key in _KEYS})
        except (ValueError, TypeError, KeyError):
            raise RecordError(f"{path.name}, line {number}: not a decision in a log of models") from None
    if not found:
        raise RecordError(f"{path.name}: no decisions in it; a game with llm: players writes some")
    return found


_KEYS = (
    "persona",
    "model",
    "by",
    "tries",
    "faults",
    "seconds",
    "tokens_read",
    "tokens_written",
    "money",
    "option",
    "menu",
)


def _append(path: Path, line: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.write(file, line.encode("ascii") + b"\n")
    finally:
        os.close(file)
