"""The results of deals in a file, one JSON line for each after a header, so that a long measurement can be resumed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tahur.core.errors import ResultsError

Result = tuple[float, float]


class DealLog:
    """The results of deals 0, 1, 2 and so on: those of a file, and those added now."""

    def __init__(self, path: Path | None, results: list[Result]) -> None:
        self._path, self.results = path, results

    @classmethod
    def open(cls, path: Path | None, conditions: dict[str, Any]) -> DealLog:
        """The log in a file, which is created if there is none; without a path, nothing is kept.

        conditions: what results depend on; a file with others is refused.
        """
        if path is None:
            return cls(None, [])
        if not path.exists():
            path.write_text(json.dumps(conditions) + "\n", "utf-8")
            return cls(path, [])
        header, *lines = path.read_text("utf-8").splitlines() or [""]
        found = _parsed(path, header)
        if not isinstance(found, dict):
            raise ResultsError(f"{path} is not a log of `tahur eval nlhe --log`")
        for name, value in conditions.items():
            if found.get(name) != value:
                raise ResultsError(f"{path} has results with {name} {found.get(name)}, not {value}; give another file")
        results = [_result(path, line) for line in lines]
        return cls(path, results)

    def add(self, result: Result) -> None:
        """Append the result of the next deal."""
        self.results.append(result)
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(result) + "\n")


def _result(path: Path, line: str) -> Result:
    """The result in a line."""
    match _parsed(path, line):
        case [int() | float() as first, int() | float() as second]:
            return float(first), float(second)
        case _:
            raise ResultsError(f"{path}: '{line[:40]}' is not the result of a deal")


def _parsed(path: Path, line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        raise ResultsError(f"{path}: '{line[:40]}' is not JSON; remove the line to resume") from None
