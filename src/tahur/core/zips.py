"""Reading and writing tahur's zip files: one-line errors, atomic writes, equal contents as equal bytes."""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import prod
from pathlib import Path
from typing import Any, Final, TypeVar
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from numpy.lib import format as npy
from numpy.typing import NDArray

from tahur.core.errors import StrategyError, TahurError
from tahur.core.limits import parse_json

Content = TypeVar("Content")
MOST_ENTRIES: Final = 30_000
MOST_TIMES: Final = 200  # times the size of the file, unpacked
SMALL: Final = 64 << 20  # bytes that every archive may unpack to
MOST_HEADER: Final = 16 << 20  # bytes of a JSON entry


class Foreign(StrategyError):
    """A file that may be valid, but is of another kind or version."""


def opened(path: Path, read: Callable[[ZipFile], Content], otherwise: str) -> Content:
    """What `read` returns for a zip file; every fault is a one-line `StrategyError`, `otherwise` if it is not a zip."""
    try:
        with ZipFile(path) as file:
            check_expansion(file, path.stat().st_size)
            return read(file)
    except Foreign as error:
        raise StrategyError(f"{path} is {error}") from None
    except BadZipFile as error:
        what = "corrupted" if "CRC" in str(error) else otherwise
        raise StrategyError(f"{path} is {what} ({error})") from None
    except OSError as error:
        raise StrategyError(f"{path} cannot be read: {error.strerror or error}") from None
    except (TahurError, KeyError, ValueError, TypeError, EOFError, zlib.error, RuntimeError, MemoryError) as error:
        raise StrategyError(f"{path} is corrupted: {error}") from None


def check_expansion(file: ZipFile, size: int) -> None:
    """Raise `BadZipFile` for an archive that would unpack to far more bytes or entries than solved files ever have."""
    entries = file.infolist()
    unpacked = sum(entry.file_size for entry in entries)
    if len(entries) > MOST_ENTRIES or unpacked > max(SMALL, MOST_TIMES * size):
        raise BadZipFile(f"{len(entries):,} entries of {unpacked:,} bytes in {size:,}: too many")


def read_json(file: ZipFile, name: str) -> Any:
    """The value of a JSON entry."""
    if file.getinfo(name).file_size > MOST_HEADER:
        raise BadZipFile(f"{name} has {file.getinfo(name).file_size:,} bytes; at most {MOST_HEADER:,} are read")
    return parse_json(file.read(name))


def read_npy(file: ZipFile, name: str) -> NDArray[Any]:
    """The array of an `.npy` entry; its header may not claim more bytes than the entry has."""
    with file.open(name) as stream:
        version = npy.read_magic(stream)
        reader = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, _, kind = reader(stream)
    if kind.hasobject or prod(shape) * kind.itemsize > file.getinfo(name).file_size:
        raise ValueError(f"{name} claims {shape} numbers of type {kind}, more than it has")
    with file.open(name) as stream:
        array: NDArray[Any] = npy.read_array(stream, allow_pickle=False)
    return array


@contextmanager
def written(path: Path) -> Iterator[ZipFile]:
    """A zip file to write to piece by piece; it gets its name once it is complete, and is deleted if it never is."""
    unfinished = path.with_name(f"{path.name}.unfinished")  # one fixed name, so leftovers of a crash are overwritten
    try:
        with ZipFile(unfinished, "w", ZIP_DEFLATED, compresslevel=1) as file:
            yield file
        os.replace(unfinished, path)
    except OSError as error:
        raise StrategyError(f"{path} cannot be written: {error.strerror or error}") from None
    finally:
        unfinished.unlink(missing_ok=True)


def entry(name: str, *, packed: bool = True) -> ZipInfo:
    """A zip entry without a timestamp, which would make equal files differ."""
    info = ZipInfo(name)
    info.compress_type = ZIP_DEFLATED if packed else ZIP_STORED
    return info


def has_entry(path: Path, name: str) -> bool:
    """Whether it is a zip with such an entry, valid or not."""
    try:
        with ZipFile(path) as file:
            return name in file.namelist()
    except (OSError, BadZipFile):
        return False


def stamp(path: Path) -> tuple[int, ...]:
    """Numbers that change when the file does, as a cache key."""
    try:
        known = path.stat()
    except OSError as error:
        raise StrategyError(f"{path} cannot be read: {error.strerror or error}") from None
    return known.st_mtime_ns, known.st_size, known.st_ino
