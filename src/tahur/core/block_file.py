"""Files of named byte blocks with a JSON header: written piece by piece, read block by block.

For tables too big to hold in memory twice: a writer passes one block after another, and a reader loads only those that
are needed. A file is written completely or not at all. It is a zip, so its checksums detect corruption; `header.json`
says what it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile, ZipFile

from tahur.core.errors import StrategyError
from tahur.core.zips import Foreign, check_expansion, entry, opened, read_json, written

HEADER: Final = "header.json"
_KIND: Final = "tahur file"

Block = bytes | memoryview


def write_blocks(
    path: Path, kind: str, header: Mapping[str, Any], blocks: Iterable[tuple[str, Block]], *, compress: bool = True
) -> None:
    """Write the file; replaces an existing file of that kind, refuses to overwrite any other."""
    if path.exists() and kind_of(path) != kind:
        raise StrategyError(f"{path} exists and is not a {kind}; it was not overwritten: name another file")
    with written(path) as file:
        file.writestr(entry(HEADER, packed=compress), json.dumps({_KIND: kind, **header}, indent=2) + "\n")
        for name, block in blocks:
            with file.open(entry(name, packed=compress), "w", force_zip64=True) as stream:
                stream.write(block)


def kind_of(path: Path) -> str | None:
    """The kind of a block file; None for any other file."""
    try:
        with ZipFile(path) as file:
            check_expansion(file, path.stat().st_size)
            return str(read_json(file, HEADER).get(_KIND))
    except (OSError, BadZipFile, KeyError, ValueError, AttributeError):
        return None


@dataclass(frozen=True, eq=False)
class BlockFile:
    """A block file to read from. It stays open while this object lives, so replacing the file does no harm."""

    path: Path
    kind: str

    def __post_init__(self) -> None:
        if self.header.get(_KIND) != self.kind:
            raise StrategyError(f"{self.path} is not a {self.kind}")

    @cached_property
    def header(self) -> dict[str, Any]:
        def read(file: ZipFile) -> dict[str, Any]:
            if HEADER not in file.namelist():
                raise Foreign(f"not a {self.kind}")
            return dict(read_json(file, HEADER))

        return opened(self.path, read, f"not a {self.kind}")

    def block(self, name: str, size: int) -> bytes:
        """One block, which must have `size` bytes."""
        try:
            length = self._file.getinfo(name).file_size
            content = self._file.read(name) if length == size else b""
        except (OSError, BadZipFile, KeyError, EOFError, ValueError) as error:
            raise StrategyError(f"{self.path} is corrupted: {error}") from None
        if length != size:
            raise StrategyError(f"{self.path} is corrupted: {name} has {length:,} bytes, not {size:,}")
        return content

    @cached_property
    def _file(self) -> ZipFile:
        return ZipFile(self.path)
