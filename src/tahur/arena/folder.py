"""A match stored in a folder, block by block, so that nothing played is lost and equal matches give equal bytes.

`match.json` describes what is played, and the versions. `blocks.jsonl` has one line per block, in order: its sums, and
the length of `records.jsonl` after it. After an interruption, a reopened folder is truncated to its last complete
block. `summary.json` is the result of the finished match. Other work that is done piece by piece is stored the same
way, with other names in its `Files`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tahur.core.cache import write_whole
from tahur.core.errors import ResultsError
from tahur.core.limits import MOST_TEXT, parse_json, read_file
from tahur.core.lock import lock
from tahur.core.record import Record

BLOCKS: Final = "blocks.jsonl"
RECORDS: Final = "records.jsonl"
SUMMARY: Final = "summary.json"
LONGEST: Final = 100  # characters of a value in an error message


@dataclass(frozen=True, slots=True)
class Files:
    """The name of a kind of work, and the files with its description and with a line for each block."""

    what: str
    identity: str
    blocks: str


MATCH: Final = Files("match", "match.json", BLOCKS)


class RunFolder:
    """One match, or other work, on disk; newly created, or resumed."""

    def __init__(self, path: Path, identity: Mapping[str, Any], *, resume: bool, files: Files = MATCH) -> None:
        """Open or create the folder of a run; `identity` must be that of the run to resume."""
        self.path = path
        self._files = files
        self._check(identity, resume=resume)
        path.mkdir(parents=True, exist_ok=True)
        self._lock = lock(path)
        if not (path / files.identity).exists():
            write_whole(path / files.identity, _pretty(identity))
        self.blocks = self._read_blocks()
        self.keep(len(self.blocks))  # drops what was written after the last complete block

    def add(self, block: Mapping[str, Any], records: Iterable[Record]) -> None:
        """Append a block; it counts once its line is complete."""
        with (self.path / RECORDS).open("ab") as file:
            file.write(b"".join(record.to_json().encode() + b"\n" for record in records))
            length = file.tell()
        self.add_line({**block, "records": length})

    def add_line(self, block: Mapping[str, Any]) -> None:
        """Append a block without records."""
        with (self.path / self._files.blocks).open("ab") as file:
            file.write(json.dumps(block).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def keep(self, count: int) -> None:
        """Keep the first `count` blocks and drop the others."""
        path = self.path / self._files.blocks
        lines = read_file(path, MOST_TEXT).splitlines(keepends=True)[:count] if path.exists() else []
        self.blocks = self.blocks[:count]
        self._truncate(self._files.blocks, sum(map(len, lines)))
        self._truncate(RECORDS, self.blocks[-1].get("records", 0) if self.blocks else 0)

    def finish(self, summary: Mapping[str, Any]) -> None:
        write_summary(self.path, summary)

    def _check(self, identity: Mapping[str, Any], *, resume: bool) -> None:
        """Raise `ResultsError` instead of mixing two matches or overwriting one."""
        path, what = self.path / self._files.identity, self._files.what
        if not path.exists():
            if self.path.exists() and (not self.path.is_dir() or any(self.path.iterdir())):
                raise ResultsError(f"{self.path} exists and holds no {what}; name a new folder")
            return
        if not resume:
            raise ResultsError(f"{self.path} already holds a {what}; --resume continues it, or name another folder")
        held = _object(read_file(path, MOST_TEXT), path)
        differing = [name for name in {**held, **identity} if held.get(name) != identity.get(name)]
        if differing:
            changes = "; ".join(
                f"{name} {_short(held.get(name))}, now {_short(identity.get(name))}" for name in differing
            )
            raise ResultsError(f"{self.path} holds another {what}: {changes}")

    def _read_blocks(self) -> tuple[dict[str, Any], ...]:
        return _whole_lines(self.path / self._files.blocks)

    def _truncate(self, name: str, length: int) -> None:
        if (self.path / name).exists():
            os.truncate(self.path / name, length)


def write_summary(path: Path, summary: Mapping[str, Any]) -> None:
    """Write the final summary of a match or a tournament beside its results."""
    write_whole(path / SUMMARY, _pretty(summary))


def read_blocks(path: Path, files: Files) -> tuple[dict[str, Any], tuple[dict[str, Any], ...]]:
    """The description in a folder, and its blocks so far, without changing anything."""
    if not (path / files.identity).exists():
        raise ResultsError(f"{path} holds no {files.what}: there is no {files.identity} in it")
    return _object(read_file(path / files.identity), path / files.identity), _whole_lines(path / files.blocks)


def _whole_lines(path: Path) -> tuple[dict[str, Any], ...]:
    """The complete lines of a file; an unfinished last line is ignored."""
    lines = read_file(path, MOST_TEXT).splitlines(keepends=True) if path.exists() else []
    if lines and not lines[-1].endswith(b"\n"):
        del lines[-1]
    return tuple(_object(line, path) for line in lines)


def _object(text: bytes, path: Path) -> dict[str, Any]:
    try:
        value = parse_json(text)
    except ValueError as error:
        raise ResultsError(f"{path} is corrupted: {text[:60]!r} is not JSON ({error})") from None
    if not isinstance(value, dict):
        raise ResultsError(f"{path} is corrupted: {text[:60]!r} is not a JSON object")
    return value


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _pretty(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, indent=2).encode() + b"\n"
