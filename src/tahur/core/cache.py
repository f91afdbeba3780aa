"""Where tahur keeps what it can always make again: the kernels' machine code and the evaluator's tables.

What takes longer to make ships with the package, as text beside the modules; `shipped` reads it.

One folder inside the virtual environment, named by a digest of the sources it was made from. Numba itself does
not notice when a kernel in one file changes under a kernel in another; a folder for each state of the sources
does. Where the environment cannot be written, the user's cache folder is used, then the working directory.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import threading
from functools import cache
from importlib.metadata import version
from pathlib import Path

_PACKAGE = Path(__file__).parent.parent
_PREFIX = "made-"
_WARM = "warm-"


@cache
def cache_folder() -> Path:
    """The folder for this state of the sources; those of older states are removed when it is first made."""
    home = _home()
    folder = home / (_PREFIX + _digest())
    if not folder.exists():
        folder.mkdir(exist_ok=True)
        for old in set(home.glob(_PREFIX + "*")) - {folder}:
            shutil.rmtree(old, ignore_errors=True)
    return folder


def kept_folder(name: str) -> Path:
    """A folder beside it for what took minutes to make, such as solved rounds: it outlives a change of the kernels."""
    folder = _home() / name
    folder.mkdir(exist_ok=True)
    return folder


def is_warm(group: str = "card") -> bool:
    """Whether every kernel of a group was compiled before, so that nothing will be compiled now."""
    return (cache_folder() / (_WARM + group)).exists()


def mark_warm(group: str = "card") -> None:
    """Note that every kernel of a group has been compiled; whoever called them all says so."""
    (cache_folder() / (_WARM + group)).touch()


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that a reader sees all of it or none of it, whatever happens meanwhile."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        with unfinished.open("wb") as file:
            file.write(content)
        os.replace(unfinished, path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def append_line(path: Path, line: str) -> None:
    """One more line at the end of a file, in one piece: several processes may add to the same file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.write(file, line.encode("ascii") + b"\n")
    finally:
        os.close(file)


def read_whole(path: Path) -> bytes:
    """A file of the user's that somebody named; `OSError` if it cannot be read."""
    return path.read_bytes()


def shipped(place: str) -> str:
    """A text that came with the package, by its place in it, such as `solvers/street/counts.json`."""
    return (_PACKAGE / place).read_text("utf-8")


def _home() -> Path:
    return next(folder for folder in _homes() if _writable(folder))


def _homes() -> tuple[Path, ...]:
    return Path(sys.prefix) / "share" / "tahur", Path.home() / ".cache" / "tahur", Path.cwd() / ".tahur"


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


def _digest() -> str:
    digest = hashlib.sha256(f"{sys.version} numba {version('numba')}".encode())
    for path in sorted(_PACKAGE.rglob("*.py")):
        if path.name == "tables.py" or "kernels" in (path.stem, path.parent.name):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
