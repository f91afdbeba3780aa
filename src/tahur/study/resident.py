"""Loaded solutions, kept in memory up to a limit; the least recently used are dropped first."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from tahur.core.errors import SettingError
from tahur.solvers.postflop.file import load, load_facts
from tahur.solvers.postflop.solve import PostflopSolution
from tahur.study.library import SavedSpot, size_of

_Key = tuple[Path, float, int]


@dataclass(slots=True)
class Residents:
    """Solutions in memory; `most` is their total size in bytes. Safe to use from several threads."""

    most: int
    _held: OrderedDict[_Key, tuple[PostflopSolution, int]] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)  # for `_held`
    _loading: Lock = field(default_factory=Lock)  # one solution is loaded at a time

    def solution(self, saved: SavedSpot) -> PostflopSolution:
        """The solution of a saved spot, loaded if it is not in memory."""
        known = self.resident(saved)
        if known is not None:
            return known
        with self._loading:
            return self.resident(saved) or self._loaded(_key(saved))

    def resident(self, saved: SavedSpot) -> PostflopSolution | None:
        """The solution of a saved spot if it is in memory."""
        key = _key(saved)
        with self._lock:
            if key not in self._held:
                return None
            self._held.move_to_end(key)
            return self._held[key][0]

    def _loaded(self, key: _Key) -> PostflopSolution:
        """Load a file, after making room for it."""
        size = size_of(load_facts(key[0])).bytes
        if size > self.most:
            raise SettingError(
                f"this solution needs {size / 1e6:,.0f} MB of memory and Study may use {self.most / 1e6:,.0f} MB here; "
                "read it with `tahur postflop show` in a terminal"
            )
        with self._lock:
            while self._held and size + sum(held for _, held in self._held.values()) > self.most:
                self._held.popitem(last=False)
        solution = load(key[0])
        with self._lock:
            self._held[key] = solution, size
        return solution


def _key(saved: SavedSpot) -> _Key:
    return saved.path, saved.saved, saved.size
