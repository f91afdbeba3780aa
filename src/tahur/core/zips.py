"""Zip files of ours: one sentence for whatever is wrong, written whole or not at all, equal contents as equal bytes."""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from tahur.core.errors import StrategyError, TahurError

Found = TypeVar("Found")


class Foreign(StrategyError):
    """Sound perhaps, but not a file for this tahur."""


def opened(path: Path, read: Callable[[ZipFile], Found], otherwise: str) -> Found:
    """What `read` finds in a zip file; whatever is wrong is one sentence, `otherwise` if it is no zip at all."""
    try:
        with ZipFile(path) as file:
            return read(file)
    except Foreign as error:
        raise StrategyError(f"{path} is {error}") from None
    except BadZipFile as error:
        what = "spoilt" if "CRC" in str(error) else otherwise
        raise StrategyError(f"{path} is {what} ({error})") from None
    except OSError as error:
        raise StrategyError(f"{path} cannot be read: {error.strerror or error}") from None
    except (TahurError, KeyError, ValueError, TypeError, EOFError, zlib.error, RuntimeError) as error:
        raise StrategyError(f"{path} is spoilt: {error}") from None


@contextmanager
def written(path: Path) -> Iterator[ZipFile]:
    """A file to write to bit by bit; it takes its name once it is whole, and nothing is left if it never is."""
    unfinished = path.with_name(f"{path.name}.unfinished")  # one name: what a crash left is written over
    try:
        with ZipFile(unfinished, "w", ZIP_DEFLATED, compresslevel=1) as file:
            yield file
        os.replace(unfinished, path)
    except OSError as error:
        raise StrategyError(f"{path} cannot be written: {error.strerror or error}") from None
    finally:
        unfinished.unlink(missing_ok=True)


def entry(name: str, *, packed: bool = True) -> ZipInfo:
    """Without the hour, which would make equal files differ."""
    one = ZipInfo(name)
    one.compress_type = ZIP_DEFLATED if packed else ZIP_STORED
    return one


def has_entry(path: Path, name: str) -> bool:
    """Whether it is a zip with such an entry, sound or not."""
    try:
        with ZipFile(path) as file:
            return name in file.namelist()
    except (OSError, BadZipFile):
        return False


def stamp(path: Path) -> tuple[int, ...]:
    """What changes when a file does."""
    try:
        known = path.stat()
    except OSError as error:
        raise StrategyError(f"{path} cannot be read: {error.strerror or error}") from None
    return known.st_mtime_ns, known.st_size, known.st_ino
