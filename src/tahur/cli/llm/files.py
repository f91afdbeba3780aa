"""The files with the decisions and the costs of language models, and the reader of the log."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tahur.core.errors import RecordError
from tahur.core.limits import MOST_TEXT, TooLarge, parse_json, read_file

if TYPE_CHECKING:
    from tahur.players.bounded.ledger import LogFile, SharedLedger


def llm_folder() -> Path:
    """The folder of logs and ledger: beside the sessions, in the user's data folder or `TAHUR_DATA`."""
    from tahur.cli.play.session import sessions_folder

    return sessions_folder().parent / "llm"


def log_file(path: Path) -> LogFile:
    """The file to which decisions are appended."""
    from tahur.players.bounded.ledger import LogFile

    return LogFile(path, lambda: time.strftime("%Y-%m-%dT%H:%M:%S"))


def shared_ledger(folder: Path | None = None) -> SharedLedger:
    """The ledger of what all commands on this machine spent today."""
    from tahur.players.bounded.ledger import SharedLedger

    return SharedLedger(folder or llm_folder(), lambda: time.strftime("%Y-%m-%d"))


def read_log(path: Path, since: int = 0) -> list[dict[str, Any]]:
    """The decisions in a log, from this byte on; an incomplete last line, left by a crash, is skipped."""
    try:
        lines = read_file(path, MOST_TEXT)[since:].decode("utf-8", errors="replace").split("\n")
    except (OSError, TooLarge) as error:
        raise RecordError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    found = []
    for number, line in enumerate(lines[:-1], start=1):
        try:
            entry = parse_json(line)
            found.append({key: entry[key] for key in _KEYS})
        except (ValueError, TypeError, KeyError):
            raise RecordError(f"{path.name}, line {number}: not a decision of a language model's log") from None
    if not found:
        raise RecordError(f"{path.name}: contains no decisions; a game with llm: players writes some")
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
