"""The cache folder for everything that can be rebuilt: compiled kernels and the evaluator's tables.

Data that takes longer to compute is shipped with the package as text beside the modules; `shipped` reads it.

The cache is one folder inside the virtual environment, named by a digest of the sources it was built from. Numba itself
does not notice when a kernel in one file changes that a kernel in another file calls; a new folder for each state of
the sources avoids that. If the environment is read-only, the user's cache folder is used, then the working directory.

A wheel may bring compiled kernels (`shipped_kernels`), in a folder named by the same digest.
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
    """The folder for the current sources; folders of older sources are removed when it is created."""
    home = _home()
    folder = home / (_PREFIX + kernel_digest())
    if not folder.exists():
        folder.mkdir(exist_ok=True)
        for old in set(home.glob(_PREFIX + "*")) - {folder}:
            shutil.rmtree(old, ignore_errors=True)
    return folder


def kept_folder(name: str) -> Path:
    """A folder beside it for results that took minutes, such as solved rounds; it survives changes of the kernels."""
    folder = _home() / name
    folder.mkdir(exist_ok=True)
    return folder


@cache
def shipped_kernels() -> Path | None:
    """The folder of kernels that came with the package, compiled from the current sources; only a wheel has one."""
    folder = _PACKAGE / "compiled" / kernel_digest()
    return folder if folder.is_dir() else None


@cache
def kernel_digest() -> str:
    """A digest of what machine code depends on besides the processor: platform, Python, Numba, kernels."""
    platform = getattr(sys.implementation, "_multiarch", sys.platform)  # such as x86_64-linux-gnu
    digest = hashlib.sha256(f"{platform} {sys.implementation.cache_tag} numba {version('numba')}".encode())
    for path in sorted(_PACKAGE.rglob("*.py")):
        if path.name == "tables.py" or "kernels" in (path.stem, path.parent.name):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def is_warm(group: str = "card") -> bool:
    """Whether every kernel of a group has been compiled before, so that nothing will be compiled now."""
    folders = filter(None, (cache_folder(), shipped_kernels()))
    return any((folder / (_WARM + group)).exists() for folder in folders)


def mark_warm(group: str = "card", folder: Path | None = None) -> None:
    """Record that every kernel of a group has been compiled; the caller has called each of them."""
    ((folder or cache_folder()) / (_WARM + group)).touch()


def write_whole(path: Path, content: bytes) -> None:
    """Write a file atomically: a reader sees all of it or none of it, even after a crash."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        with unfinished.open("wb") as file:
            file.write(content)
        os.replace(unfinished, path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def append_line(path: Path, line: str) -> None:
    """Append one line to a file in a single write: several processes may append to the same file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.write(file, line.encode("ascii") + b"\n")
    finally:
        os.close(file)


def read_whole(path: Path) -> bytes:
    """The content of a file that the user named; `OSError` if it cannot be read."""
    return path.read_bytes()


def shipped(name: str) -> str:
    """A text that is shipped with the package, by its path within it, such as `solvers/street/counts.json`."""
    return (_PACKAGE / name).read_text("utf-8")


def shipped_files(folder: str, suffix: str) -> tuple[Path, ...]:
    """The files in a folder of the package whose names end in `suffix`, sorted; none if there is no such folder."""
    return tuple(sorted((_PACKAGE / folder).glob(f"*{suffix}")))


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
