"""A session: the players at the table and every finished hand, in one crash-safe file.

The file is JSON lines: a header, then a record per hand, each written and flushed before the next is dealt. `--resume`
reads it back and restores the tally, the stacks or dice, and the opponents.
"""

from __future__ import annotations

import json
import os
import re
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tahur.core.errors import RecordError
from tahur.core.game import Game, Settings
from tahur.core.limits import MOST_TEXT, TooLarge, parse_json, read_file
from tahur.core.record import Record
from tahur.games.registry import make

SUFFIX = ".jsonl"


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a session file: what is needed to resume."""

    game: str
    settings: Settings
    names: tuple[str, ...]
    you: int
    seed: int | None
    kinds: tuple[str, ...] = ()  # the player for each name, as given on the command line; older sessions use the name

    def kind_of(self, seat: int) -> str:
        """The registry name of the player of a seat (display names may be numbered)."""
        return self.kinds[seat] if self.kinds else re.sub(r" \d+$", "", self.names[seat])


class Session:
    """The hands of one session. `game` is the next deal, None when the match is over."""

    def __init__(self, path: Path, header: Header, records: list[Record], size: int = 0) -> None:
        """A session whose file has these finished hands; `size` is the length of their lines in bytes."""
        self._size = size  # bytes of complete lines in the file
        self.path = path
        self.header = header
        self.records = records
        self.game: Game[Any] | None = make(header.game, header.settings)
        if records:
            last = records[-1]
            self.game = make(last.game, last.settings).next(last)

    @classmethod
    def begin(cls, folder: Path, header: Header) -> Session:
        """A new file for a new session; nothing is written until the first hand is over."""
        folder.mkdir(parents=True, exist_ok=True)
        stamp = time.strftime("%Y%m%d-%H%M%S")
        path = next(
            path
            for number in range(1000)
            if not (path := folder / f"{header.game}-{stamp}{f'-{number}' if number else ''}{SUFFIX}").exists()
        )
        return cls(path, header, [])

    @classmethod
    def load(cls, path: Path) -> Session:
        """Read a session back; an incomplete last line, left by a crash, is skipped."""
        try:
            content = read_file(path, MOST_TEXT)
        except (OSError, TooLarge) as error:
            raise RecordError(f"{path.name} cannot be read: {getattr(error, 'strerror', None) or error}") from None
        whole = content[: content.rfind(b"\n") + 1]
        lines = whole.decode("utf-8", errors="replace").splitlines()
        try:
            value = parse_json(lines[0])["session"]
            header = Header(
                game=value["game"],
                settings=value["settings"],
                names=tuple(value["names"]),
                you=value["you"],
                seed=value["seed"],
            )
            header = replace(header, kinds=tuple(value.get("kinds", ())))
        except (ValueError, KeyError, TypeError, IndexError):
            raise RecordError(f"{path.name} is not a session of tahur play") from None
        records = []
        for number, line in enumerate(lines[1:], start=2):
            try:
                records.append(Record.from_json(line))
            except RecordError:
                raise RecordError(f"{path.name} cannot be read at line {number}") from None
        return cls(path, header, records, len(whole))

    def add(self, record: Record) -> None:
        """Add a finished hand: first on disk, then in memory."""
        lines = record.to_json() + "\n"
        if not self._size:
            lines = json.dumps({"session": _header_json(self.header)}, ensure_ascii=False) + "\n" + lines
        with self.path.open("ab") as file:
            file.truncate(self._size)  # an incomplete last line, left by a crash
            file.write(lines.encode())
            file.flush()
            os.fsync(file.fileno())
            self._size = file.tell()
        self.records.append(record)
        self.game = make(record.game, record.settings).next(record)

    @property
    def log(self) -> Path:
        """The log of bots' errors; the file exists only if there were errors."""
        return self.path.with_suffix(".log")

    def tally(self) -> float:
        """The user's total result in the game's unit."""
        return sum(record.payoffs[self.header.you] for record in self.records)


def sessions_folder() -> Path:
    """The folder of session files: the user's data folder, or `TAHUR_DATA`."""
    home = os.environ.get("TAHUR_DATA")
    if home:
        return Path(home) / "sessions"
    data = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(data) / "tahur" / "sessions"


def latest(folder: Path, game: str) -> Path | None:
    """The newest session of that game, if there is one."""
    sessions = sorted(folder.glob(f"{game}-*{SUFFIX}"), key=lambda path: path.stat().st_mtime)
    return sessions[-1] if sessions else None


def _header_json(header: Header) -> dict[str, object]:
    """The header of a session's file."""
    return {
        "game": header.game,
        "settings": dict(header.settings),
        "names": header.names,
        "you": header.you,
        "seed": header.seed,
        "kinds": header.kinds,
    }
