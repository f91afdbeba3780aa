"""The archive format of everything that is solved: a zip of a versioned JSON header and named entries.

`header.json` says what kind of file it is (`tahur file`), the `version` of that kind, and what the kind stores there.
An entry is a flat array (`NAME.npy`, which `numpy.load` reads too) or bytes. Entries are written one after another and
read when they are needed, so that a table larger than memory can be stored. A file is written completely or not at all,
equal contents give equal bytes, and nothing is pickled. What cannot be read is refused in one sentence, an
`ArchiveError`: a file that is damaged, of another kind or version, not one of tahur's, or too large when unpacked.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, wraps
from io import BytesIO
from math import prod
from pathlib import Path
from typing import IO, Any, Final, TypeVar
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from tahur.core.errors import StrategyError, TahurError
from tahur.core.limits import parse_json

MOST_ENTRIES: Final = 30_000
MOST_TIMES: Final = 200  # times the size of the file, unpacked
ALWAYS_READ: Final = 64 << 20  # bytes that every archive may unpack to
MOST_HEADER: Final = 16 << 20  # bytes of the header
PIECE: Final = 1 << 26  # bytes of an array that are written at a time
MOST_COMPRESSED: Final = 1 << 28  # bytes up to which an array of floats is compressed; more would take minutes
HEADER: Final = "header.json"
_KIND: Final = "tahur file"
_VERSION: Final = "version"
_FAULTS: Final = (
    BadZipFile,
    TahurError,
    KeyError,
    ValueError,
    TypeError,
    EOFError,
    zlib.error,
    RuntimeError,
    MemoryError,
)

Content = bytes | memoryview | NDArray[Any] | Iterator[bytes]
Entries = Iterable[tuple[str, Content]]
_Value = TypeVar("_Value")


class ArchiveError(StrategyError):
    """A file that cannot be read or written; the message is one sentence that begins with its path."""


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of file; every version from 1 to `version`, which is written, can be read."""

    name: str
    version: int
    writer: str  # the command that writes such files
    reader: str  # the command that shows or uses one


STRATEGY: Final = FileKind("strategy file", 2, "tahur solve", "tahur show")
SPOT: Final = FileKind("postflop solution", 3, "tahur postflop solve -o FILE", "tahur postflop show")
ROUND: Final = FileKind("solved round of Perudo", 2, "tahur solve perudo --dice 2v1", "tahur show")
FLOPS: Final = FileKind("Flop Hold'em strategy", 2, "tahur solve fhp", "tahur show")
FLOPS_MEMORY: Final = FileKind("memory of a Flop Hold'em solver", 2, "tahur solve fhp", "tahur solve fhp --resume")
BUCKETS: Final = FileKind("limit strategy on card buckets", 2, "tahur solve hulh", "tahur show")
BLUEPRINT: Final = FileKind("no-limit blueprint", 1, "tahur solve nlhe", "tahur show")
PREFLOP: Final = FileKind("preflop strategy", 1, "tahur preflop solve", "tahur preflop chart")
NAMED_RANGES: Final = FileKind("table of preflop ranges", 1, "tools/preflop_charts.py", "tahur preflop ranges")
NETS: Final = FileKind("checkpoint of nets", 2, "tahur train", "tahur show FOLDER")
EVALUATOR: Final = FileKind("table of hand ranks", 1, "tahur info doctor", "tahur info doctor")
KINDS: Final = {
    kind.name: kind
    for kind in (
        STRATEGY, SPOT, ROUND, FLOPS, FLOPS_MEMORY, BUCKETS, BLUEPRINT, PREFLOP, NAMED_RANGES, NETS, EVALUATOR,
    )
}  # fmt: skip
# Files of tahur 0.1.0: the kind was the name of a key with the version, in an entry with a name of its own.
_FORMER_KEYS: Final = {"tahur strategy": STRATEGY, "tahur postflop": SPOT, "tahur round": ROUND, "tahur nets": NETS}
_HEADERS: Final = (HEADER, "strategy.json", "postflop.json", "round.json")


# ---- reading -------------------------------------------------------------------------------------


class Archive:
    """An archive to read from. It stays open while this object lives, so replacing the file does no harm."""

    def __init__(self, path: Path, kind: FileKind) -> None:
        self.path, self.kind = path, kind
        with refusals(path):
            self._file = _open_zip(path, kind)
            self.version, self.header = check_header(_header(self._file), kind)

    def names(self, prefix: str = "") -> tuple[str, ...]:
        """The names of the entries that begin with a prefix, without it and without `.npy`."""
        names = (name for name in self._file.namelist() if name.startswith(prefix))
        return tuple(name.removeprefix(prefix).removesuffix(".npy") for name in names)

    def block(self, name: str, size: int | None = None) -> bytes:
        """The bytes of an entry, which must be `size`."""
        with refusals(self.path):
            length = self._file.getinfo(name).file_size
            if size not in (None, length):
                raise ValueError(f"{name} has {length:,} bytes, not {size:,}")
            return self._file.read(name)

    def stream(self, name: str) -> IO[bytes]:
        """The bytes of an entry, to be read piece by piece."""
        with refusals(self.path):
            return self._file.open(name)

    def array(self, name: str, into: NDArray[Any] | None = None) -> NDArray[Any]:
        """The flat array of an entry; its header may not claim more bytes than the entry has.

        `into`: an array of the same type and size that it is read into, so that no other is allocated.
        """
        with refusals(self.path), self._file.open(name := f"{name}.npy") as stream:
            version = npy.read_magic(stream)
            reader = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
            shape, _, kind = reader(stream)
            if len(shape) != 1:
                raise ValueError(f"{name} has {len(shape)} dimensions")
            if kind.hasobject or prod(shape) * kind.itemsize > self._file.getinfo(name).file_size:
                raise ValueError(f"{name} claims {shape} numbers of type {kind}, more than it has")
            array = np.empty(shape, kind) if into is None else into
            if (array.shape, array.dtype) != (shape, kind):
                raise ValueError(f"{name} has {shape} numbers of type {kind}, not {array.shape} of type {array.dtype}")
            if array.size:
                _read_into(stream, array.data.cast("B"))
            return array

    def arrays(self, prefix: str) -> dict[str, NDArray[Any]]:
        """All arrays whose names begin with a prefix, by the rest of their names."""
        return {name: self.array(prefix + name) for name in self.names(prefix)}


def _read_into(stream: IO[bytes], left: memoryview) -> None:
    """Fill a buffer from a stream, piece by piece."""
    while left:
        content = stream.read(min(len(left), PIECE))
        if not content:
            raise EOFError(f"{len(left):,} bytes are missing")
        left[: len(content)] = content
        left = left[len(content) :]


@contextmanager
def reading(path: Path, kind: FileKind) -> Iterator[Archive]:
    """An archive, closed afterwards; every fault that is found while it is read is an `ArchiveError`."""
    archive = Archive(path, kind)
    with archive._file, refusals(path):
        yield archive


@contextmanager
def refusals(path: Path) -> Iterator[None]:
    """Turn every fault of a file into an `ArchiveError` of one sentence."""
    try:
        yield
    except ArchiveError:
        raise
    except _NotThis as error:
        raise ArchiveError(f"{path} is {error}") from None
    except OSError as error:
        raise ArchiveError(f"{path} cannot be read: {error.strerror or error}") from None
    except _FAULTS as error:
        raise ArchiveError(f"{path} is corrupted: {error}") from None


def kind_of(path: Path) -> str | None:
    """The kind of an archive; None for any other file."""
    try:
        with _open_zip(path, STRATEGY) as file:
            return _kind_and_version(_header(file))[0]
    except (OSError, *_FAULTS):
        return None


def check_header(header: Any, kind: FileKind) -> tuple[int, dict[str, Any]]:
    """The version and the content of a header, which must be of that kind; a file of another kind is refused."""
    name, version = _kind_and_version(header)
    if name is None:
        raise _NotThis(f"not a {kind.name}; `{kind.writer}` writes them")
    if name != kind.name:
        other = KINDS.get(name)
        known = f"; `{other.reader}` reads it" if other else ", which this tahur does not know"
        raise _NotThis(f"a {name}, not a {kind.name}{known}")
    if type(version) is not int or not 1 <= version <= kind.version:
        raise _NotThis(f"a {name} of version {version!r}; this tahur reads versions 1 to {kind.version}")
    return version, {key: value for key, value in header.items() if key not in (_KIND, _VERSION, *_FORMER_KEYS)}


def once_per_file(size: int) -> Callable[[Callable[[Path], _Value]], Callable[[Path], _Value]]:
    """Cache a function that reads a file: the last `size` files are read again only if they change."""

    def decorate(read: Callable[[Path], _Value]) -> Callable[[Path], _Value]:
        """`read` with its results cached by path and by the file's time, size and inode."""

        @lru_cache(maxsize=size)
        def recent(path: Path, stamp: tuple[int, ...]) -> _Value:
            return read(path)

        @wraps(read)
        def cached(path: Path) -> _Value:
            with refusals(path):
                known = path.stat()
            return recent(path, (known.st_mtime_ns, known.st_size, known.st_ino))

        return cached

    return decorate


class _NotThis(StrategyError):
    """A file that may be valid, but is of another kind or version, or is too large; the text follows `FILE is`."""


def _open_zip(path: Path, kind: FileKind) -> ZipFile:
    """Open a zip file that is small enough when unpacked."""
    try:
        file = ZipFile(path)
    except BadZipFile as error:
        with path.open("rb") as start:
            if start.read(2) == b"PK":
                raise ValueError(f"it is truncated or damaged ({error})") from None
        raise _NotThis(f"not a {kind.name}; `{kind.writer}` writes them") from None
    _check_expansion(file, path.stat().st_size)
    return file


def _check_expansion(file: ZipFile, size: int) -> None:
    """Reject an archive with too many entries, or far too large when unpacked; `size`: bytes of the file."""
    entries = file.infolist()
    unpacked = sum(entry.file_size for entry in entries)
    if len(entries) > MOST_ENTRIES or unpacked > max(ALWAYS_READ, MOST_TIMES * size):
        raise _NotThis(f"too large to be read: {len(entries):,} entries of {unpacked:,} bytes in {size:,}")
    if any(entry.compress_type not in (ZIP_STORED, ZIP_DEFLATED) for entry in entries):
        raise BadZipFile("an unknown compression")


def _header(file: ZipFile) -> Any:
    names = set(file.namelist())
    name = next((name for name in _HEADERS if name in names), None)
    if name is None:
        return None
    if file.getinfo(name).file_size > MOST_HEADER:
        raise _NotThis(f"too large to be read: {name} has {file.getinfo(name).file_size:,} bytes")
    return parse_json(file.read(name))


def _kind_and_version(header: Any) -> tuple[str | None, Any]:
    """The kind and the version of a header, also of tahur 0.1.0; None if it is not one of tahur's."""
    if not isinstance(header, dict):
        return None, None
    for key, kind in _FORMER_KEYS.items():
        if key in header:
            return kind.name, header[key]
    name = header.get(_KIND)
    return (name, header.get(_VERSION, 1)) if isinstance(name, str) else (None, None)


# ---- writing -------------------------------------------------------------------------------------


def write_archive(
    path: Path, kind: FileKind, header: Mapping[str, Any], entries: Entries, *, compress: bool = True
) -> None:
    """Write the file atomically; replaces a file of that kind, and refuses to overwrite any other."""
    if path.exists() and kind_of(path) != kind.name:
        raise ArchiveError(f"{path} exists and is not a {kind.name}; it was not overwritten: name another file")
    unfinished = path.with_name(f"{path.name}.unfinished")  # one fixed name, so leftovers of a crash are overwritten
    try:
        with ZipFile(unfinished, "w", ZIP_DEFLATED, compresslevel=1) as file:
            _write(file, header_text(kind, header), entries, compress)
        os.replace(unfinished, path)
    except OSError as error:
        raise ArchiveError(f"{path} cannot be written: {error.strerror or error}") from None
    finally:
        unfinished.unlink(missing_ok=True)


def archive_bytes(kind: FileKind, header: Mapping[str, Any], entries: Entries, *, compress: bool = True) -> bytes:
    """The bytes that `write_archive` would write."""
    content = BytesIO()
    with ZipFile(content, "w", ZIP_DEFLATED, compresslevel=1) as file:
        _write(file, header_text(kind, header), entries, compress)
    return content.getvalue()


def header_text(kind: FileKind, header: Mapping[str, Any]) -> str:
    """A header as JSON text, with its kind and version."""
    return json.dumps({_KIND: kind.name, _VERSION: kind.version, **header}, indent=2) + "\n"


def _write(file: ZipFile, header: str, entries: Entries, compress: bool) -> None:
    """Write the header and the entries; large arrays of floats are not compressed."""
    file.writestr(_entry(HEADER, compress), header)
    for name, content in entries:
        if isinstance(content, np.ndarray):
            small = content.nbytes <= MOST_COMPRESSED or content.dtype.kind == "u"
            entry, content = _entry(f"{name}.npy", compress and small), _pieces(content)
        else:
            entry = _entry(name, compress)
        with file.open(entry, "w", force_zip64=True) as stream:
            for piece in (content,) if isinstance(content, bytes | memoryview) else content:
                stream.write(piece)


def _entry(name: str, compress: bool) -> ZipInfo:
    """A zip entry without a timestamp, which would make equal files differ."""
    info = ZipInfo(name)
    info.compress_type = ZIP_DEFLATED if compress else ZIP_STORED
    return info


def _pieces(array: NDArray[Any]) -> Iterator[bytes]:
    """An array as the bytes of a `.npy` file, piece by piece."""
    start = BytesIO()
    npy.write_array_header_1_0(start, npy.header_data_from_array_1_0(array))
    yield start.getvalue()
    step = max(1, PIECE // array.itemsize)
    for first in range(0, len(array), step):
        yield np.ascontiguousarray(array[first : first + step]).tobytes()
