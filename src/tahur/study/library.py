"""The library: a folder of solved spots, which are files that `tahur postflop solve -o` writes.

A file's name is the spot's name in addresses, made of lower-case letters, digits and hyphens; nothing else is ever
looked up, so no address can lead out of the folder. The names that people see are in `names.json`. A deleted file
moves to `deleted/` and can be restored until the library is opened again.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import Final

from tahur.core.errors import SettingError, TahurError, UnknownName
from tahur.core.limits import parse_json, read_file
from tahur.solvers.postflop.estimate import SpotEstimate, estimate
from tahur.solvers.postflop.file import SolutionFacts, load_facts
from tahur.study.shelf import SHELF, ShelfSpot

SUFFIX: Final = ".tahur"
MOST_SPOTS: Final = 500
MOST_UPLOAD: Final = 256 << 20  # bytes of an imported file
MOST_NAME: Final = 80  # characters of a name that people see
_NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LONGEST: Final = 60  # characters of a name in addresses
_FIRST_BYTES: Final = b"PK\x03\x04"  # of every archive
_Stamp = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class SavedSpot:
    """A file of the library; `facts` are None if it cannot be read, and `problem` says why."""

    name: str
    title: str
    path: Path
    size: int
    saved: float
    facts: SolutionFacts | None
    problem: str = ""


class Library:
    """The saved spots of one folder, which this process alone changes."""

    def __init__(self, folder: Path, shelf: tuple[ShelfSpot, ...] = SHELF) -> None:
        self.folder, self.shelf = folder, shelf
        self._deleted = folder / "deleted"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for path in (*self._deleted.glob(f"*{SUFFIX}"), *folder.glob(".upload-*")):
            path.unlink(missing_ok=True)

    # ---- reading -------------------------------------------------------------------------------------

    def spots(self) -> tuple[SavedSpot, ...]:
        """All saved spots, the newest first; their solutions are not loaded."""
        titles = self._titles()
        saved = [self._saved(path, titles) for path in self._files()]
        return tuple(sorted(saved, key=lambda spot: (-spot.saved, spot.name)))

    def saved(self, name: str) -> SavedSpot | None:
        """The saved spot with this name in addresses; None if there is none."""
        path = self.path(name)
        return self._saved(path, self._titles()) if path.is_file() else None

    def path(self, name: str) -> Path:
        """Where the spot's file is or would be; a name that cannot be one of a spot raises an error."""
        if len(name) > _LONGEST or not _NAME.fullmatch(name):
            raise UnknownName(f"no spot '{name[:40]}'; names of spots are lower-case letters, digits and hyphens")
        return self.folder / f"{name}{SUFFIX}"

    # ---- changing ------------------------------------------------------------------------------------

    def unfinished(self, token: str) -> Path:
        """A path in the folder for a file that is being received."""
        return self.folder / f".upload-{re.sub('[^a-z0-9]', '', token)}"

    def add(self, received: Path, title: str) -> str:
        """Move a received file into the library, and return its name. A file that is not a solved spot is refused."""
        if len(self._files()) >= MOST_SPOTS:
            raise SettingError(f"the library has {MOST_SPOTS} spots, the maximum; delete some first")
        try:
            load_facts(received)
        except TahurError as error:
            raise SettingError(f"the file was not imported: {_without_path(error, received)}") from None
        name = self._free_name(title)
        os.replace(received, self.path(name))
        self._set_title(name, title)
        return name

    def rename(self, name: str, title: str) -> None:
        """Change the name that people see; addresses stay valid."""
        self._existing(name)
        self._set_title(name, title)

    def delete(self, name: str) -> None:
        path = self._existing(name)
        self._deleted.mkdir(exist_ok=True, mode=0o700)
        os.replace(path, self._deleted / path.name)

    def restore(self, name: str) -> None:
        """Undo `delete`."""
        path = self.path(name)
        kept = self._deleted / path.name
        if path.is_file() or not kept.is_file():
            raise UnknownName(f"no deleted spot '{name}'; a deleted spot can be restored until the server stops")
        os.replace(kept, path)

    def _existing(self, name: str) -> Path:
        path = self.path(name)
        if not path.is_file():
            raise UnknownName(f"no saved spot '{name}' in the library")
        return path

    # ---- files and titles ----------------------------------------------------------------------------

    def _files(self) -> list[Path]:
        return [path for path in sorted(self.folder.glob(f"*{SUFFIX}")) if _NAME.fullmatch(path.stem)][:MOST_SPOTS]

    def _saved(self, path: Path, titles: dict[str, str]) -> SavedSpot:
        """What is known of a file without loading its solution."""
        known = path.stat()
        facts, problem = _facts_once(path, (known.st_mtime_ns, known.st_size, known.st_ino))
        return SavedSpot(
            name=path.stem,
            title=titles.get(path.stem) or path.stem,
            path=path,
            size=known.st_size,
            saved=known.st_mtime,
            facts=facts,
            problem=problem,
        )

    def _titles(self) -> dict[str, str]:
        """The names that people see; an unreadable file of names is as an empty one."""
        titles = {spot.name: spot.title for spot in self.shelf}
        try:
            known = parse_json(read_file(self.folder / "names.json"))
        except (OSError, ValueError):
            return titles
        pairs = known.items() if isinstance(known, dict) else ()
        return titles | {name: title for name, title in pairs if isinstance(title, str)}

    def _set_title(self, name: str, title: str) -> None:
        """Write the file of names, atomically."""
        present = {path.stem for path in self._files()} | {name}
        titles = {known: text for known, text in self._titles().items() if known in present} | {name: title}
        unfinished = self.folder / "names.json.unfinished"
        unfinished.write_text(json.dumps(titles, indent=2) + "\n", "utf-8")
        os.replace(unfinished, self.folder / "names.json")

    def _free_name(self, title: str) -> str:
        """A name in addresses that is like the title and not taken, by a spot of the shelf or a deleted one either."""
        plain = re.sub("[^a-z0-9]+", "-", title.lower().removesuffix(SUFFIX)).strip("-")[: _LONGEST - 4].strip("-")
        return next(name for name in _numbered(plain or "spot") if not self._is_taken(name))

    def _is_taken(self, name: str) -> bool:
        path = self.path(name)
        return path.exists() or (self._deleted / path.name).exists() or any(name == spot.name for spot in self.shelf)


def check_start(start: bytes) -> None:
    """Refuse a file by its first bytes, before all of it has been received."""
    if start[: len(_FIRST_BYTES)] != _FIRST_BYTES:
        raise SettingError(
            "this is not a file of `tahur postflop solve`; import a file that it wrote with -o, such as spot.tahur"
        )


def size_of(facts: SolutionFacts) -> SpotEstimate:
    """The memory that a solution takes when it is loaded."""
    return estimate(facts.spot, merge_rivers=facts.merged_rivers)


def _numbered(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name}-{number}" for number in count(2))


@lru_cache(maxsize=2 * MOST_SPOTS)
def _facts_once(path: Path, stamp: _Stamp) -> tuple[SolutionFacts | None, str]:
    """The facts of a file, or why it cannot be read."""
    try:
        return load_facts(path), ""
    except TahurError as error:
        return None, _without_path(error, path)


def _without_path(error: TahurError, path: Path) -> str:
    """The sentence about a file without its folder, which is nobody else's business."""
    return str(error).replace(str(path), "it")
