"""A lock on an output folder or file: one process at a time writes there, and a second one gets the first one's pid.

The operating system releases the lock when the process ends, even after a crash, so nothing needs cleaning up.
"""

from __future__ import annotations

import os
import weakref
from pathlib import Path
from typing import Final

from tahur.core.errors import TahurError

try:
    import fcntl
except ImportError:  # Windows: no lock
    fcntl = None  # type: ignore[assignment]

SUFFIX: Final = ".lock"


class InUse(TahurError, RuntimeError):
    """A folder or file that another process is writing."""


class PathLock:
    """Held as long as this object lives; the lock file is next to a file, or inside a folder."""

    def __init__(self, path: Path) -> None:
        self._file = path / SUFFIX if path.is_dir() else path.with_name(path.name + SUFFIX)
        self._handle = _take_lock(self._file, path)
        self._finalizer = weakref.finalize(self, _release, self._file, self._handle, os.getpid())

    def release(self) -> None:
        self._finalizer()


def lock(path: Path) -> PathLock:
    """The lock of an existing folder, or of a file that may not exist yet; `InUse` if another process holds it."""
    key = os.path.realpath(path)
    held = _held.get(key)
    if held is None:
        held = _held[key] = PathLock(path)
    return held


_held: Final[weakref.WeakValueDictionary[str, PathLock]] = weakref.WeakValueDictionary()


def _take_lock(file: Path, path: Path) -> int:
    """The handle of the locked file; opened again if its last owner removed the file just before."""
    while True:
        handle = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
        if fcntl is None:
            return handle
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            owner = os.read(handle, 20).decode(errors="replace").strip() or "unknown"
            os.close(handle)
            raise InUse(f"{path} is in use by process {owner}; stop it first, or name another path") from None
        if _is_there(file, handle):
            os.truncate(handle, 0)
            os.write(handle, str(os.getpid()).encode())
            return handle
        os.close(handle)


def _is_there(file: Path, handle: int) -> bool:
    try:
        return os.stat(file).st_ino == os.fstat(handle).st_ino
    except FileNotFoundError:
        return False


def _release(file: Path, handle: int, owner: int) -> None:
    if owner == os.getpid():  # a forked process shares the lock and must not remove it
        file.unlink(missing_ok=True)
    os.close(handle)
