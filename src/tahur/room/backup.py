"""The SQLite file of the rooms: private to its owner, copied while it is in use, checked and put back."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from tahur.room.store import StoreError

PRIVATE: Final = 0o600


def private_file(path: Path) -> Path:
    """Make the database file, or one that is there, readable and writable by its owner alone; SQLite's others follow.

    Every card and every token's hash is in it.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.touch(mode=PRIVATE)
        for file in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))):
            if file.exists():
                file.chmod(PRIVATE)
    except OSError as error:
        raise StoreError(f"{path} cannot be made: {error.strerror or error}") from None
    return path


def backup(source: Path, target: Path) -> int:
    """Copy a SQLite database, while it is in use or not, to a file of its own; the number of entries copied."""
    if target.exists():
        raise StoreError(f"{target} exists already; name another file")
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
    """Put a backup in the place of a database that no server uses, which is kept beside it as `.before-restore`."""
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
    """How many entries a SQLite database of rooms holds; `StoreError` if it is damaged or is something else."""
    if not path.is_file():
        raise StoreError(f"there is no file {path}")
    try:
        with closing(_read_only(path)) as connection:
            verdict = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            if verdict != "ok":
                raise StoreError(f"{path} is damaged: {verdict}")
            return int(connection.execute("SELECT count(*) FROM room_log").fetchone()[0])
    except sqlite3.Error as error:
        raise StoreError(f"{path} is no database of rooms: {error}") from None


def _read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
