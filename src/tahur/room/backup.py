"""The SQLite file of the rooms: private permissions, online backup, checks, restore."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from tahur.room.store import StoreError

PRIVATE: Final = 0o600


def private_file(path: Path) -> Path:
    """Create the database file if needed, and make it accessible to its owner only; SQLite's other files inherit that.

    It contains every card and the hash of every token.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.touch(mode=PRIVATE)
        for file in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))):
            if file.exists():
                file.chmod(PRIVATE)
    except OSError as error:
        raise StoreError(f"{path} cannot be created: {error.strerror or error}") from None
    return path


def backup(source: Path, target: Path) -> int:
    """Copy a SQLite database to a new file, even while it is in use; returns the number of entries copied."""
    if target.exists():
        raise StoreError(f"{target} already exists; choose another file")
    private_file(target)
    try:
        with (
            closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as here,
            closing(sqlite3.connect(target)) as there,
        ):
            here.backup(there)
        return check_database(target)
    except (sqlite3.Error, StoreError) as error:
        target.unlink(missing_ok=True)
        raise StoreError(f"{source} could not be copied: {error}") from None


def restore(source: Path, target: Path) -> int:
    """Replace a database that no server uses by a backup; the old one is renamed to `.before-restore`."""
    count = check_database(source)
    waiting = target.with_name(target.name + ".restoring")
    waiting.unlink(missing_ok=True)
    backup(source, waiting)
    if target.exists():
        os.replace(target, target.with_name(target.name + ".before-restore"))
    for end in ("-wal", "-shm"):
        target.with_name(target.name + end).unlink(missing_ok=True)
    os.replace(waiting, target)
    return count


def check_database(path: Path) -> int:
    """The number of entries in a SQLite database of rooms; raises `StoreError` if it is damaged or something else."""
    if not path.is_file():
        raise StoreError(f"no file {path}")
    try:
        with closing(_read_only(path)) as connection:
            verdict = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            if verdict != "ok":
                raise StoreError(f"{path} is damaged: {verdict}")
            return int(connection.execute("SELECT count(*) FROM room_log").fetchone()[0])
    except sqlite3.Error as error:
        raise StoreError(f"{path} is not a database of rooms: {error}") from None


def _read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
