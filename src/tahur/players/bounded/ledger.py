"""Files about the use of models: a log of decisions, one JSON line each, and what was spent today.

Several processes may write at once: each line is appended in a single write. The date and time are passed in.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tahur.core.cache import append_line, read_whole
from tahur.players.bounded.caps import Spent


class LogFile:
    """A file to which decisions are appended; `at` returns the time as text."""

    def __init__(self, path: Path, at: Callable[[], str]) -> None:
        self._path, self._at = path, at

    def add(self, entry: dict[str, Any]) -> None:
        append_line(self._path, json.dumps({"at": self._at(), **entry}))


class SharedLedger:
    """What all programs on this machine spent today: one file per day, one line per answer."""

    def __init__(self, folder: Path, day: Callable[[], str]) -> None:
        self._folder, self._day = folder, day

    def today(self) -> Spent:
        try:
            lines = read_whole(self._file()).decode("ascii", errors="replace").splitlines()
        except FileNotFoundError:
            return Spent()
        parts = [line.split() for line in lines]
        good = [Spent(int(part[0]), float(part[1])) for part in parts if len(part) == 2 and part[0].isdecimal()]
        return sum(good, Spent())

    def add(self, spent: Spent) -> None:
        append_line(self._file(), f"{spent.tokens} {spent.money:.8f}")

    def _file(self) -> Path:
        return self._folder / f"spent-{self._day()}.txt"
