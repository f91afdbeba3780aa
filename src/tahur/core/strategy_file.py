"""Strategy files: a `Solution`, and the solver's state for resuming, in one file without pickles.

The file is a zip. `strategy.json` is the header: the format's version and the facts of the solution. Every array is a
`.npy` entry, so `numpy.load` reads it too. Probabilities and solver state are float64, so nothing is lost and a resumed
run continues bit for bit. The state (`memory/*.npy`) is opaque here and read only when resuming; it is in the same file
because a strategy and a state of different ages would be worse than none.
Equal contents give equal bytes. A file is written completely or not at all.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any, Final
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from tahur.core.cache import write_whole
from tahur.core.errors import StrategyError
from tahur.core.solution import Facts, Solution
from tahur.core.zips import Foreign, entry, has_entry, opened, read_json, read_npy, stamp

VERSION: Final = 1
HEADER: Final = "strategy.json"
NOT_OURS: Final = "not a strategy file; `tahur solve` writes them"
_VERSION_KEY: Final = "tahur strategy"
MEMORY: Final = "memory/"
ARRAYS: Final = {"turns": "int8", "ends": "int64", "actions": "int64", "hands_0": "int64", "hands_1": "int64"}

Memory = Mapping[str, NDArray[Any]]


def write_solution(path: Path, solution: Solution, memory: Memory | None = None) -> None:
    """Write the file; replaces an existing strategy file, refuses to overwrite any other file."""
    if path.exists() and not is_strategy_file(path):
        raise StrategyError(f"{path} exists and is not a strategy file; it was not overwritten: name another file")
    header = {_VERSION_KEY: VERSION, **solution.facts.to_json()}
    content = BytesIO()
    with ZipFile(content, "w", ZIP_DEFLATED, compresslevel=1) as file:
        file.writestr(entry(HEADER), json.dumps(header, indent=2) + "\n")
        state = {MEMORY + name: array for name, array in (memory or {}).items()}
        for name, array in (_arrays(solution) | state).items():
            file.writestr(entry(f"{name}.npy"), _packed(array))
    try:
        write_whole(path, content.getvalue())
    except OSError as error:
        raise StrategyError(f"{path} cannot be written: {error.strerror or error}") from None


def read_solution(path: Path) -> Solution:
    """The solution in a file; cached while the file does not change."""
    return _read_solution(path, stamp(path))


def read_memory(path: Path) -> dict[str, NDArray[Any]]:
    """The solver's state by name; empty if the file has none."""

    def unpacked(file: ZipFile) -> dict[str, NDArray[Any]]:
        _header(file)
        names = [name for name in file.namelist() if name.startswith(MEMORY)]
        return {name.removeprefix(MEMORY).removesuffix(".npy"): _unpacked(file, name) for name in names}

    return opened(path, unpacked, NOT_OURS)


def is_strategy_file(path: Path) -> bool:
    """Whether it is a strategy file of any version, valid or not."""
    return has_entry(path, HEADER)


@lru_cache(maxsize=4)
def _read_solution(path: Path, _stamp: tuple[int, ...]) -> Solution:
    def unpacked(file: ZipFile) -> Solution:
        facts = Facts.from_json(_header(file))
        turns, ends, actions, first, second = (_unpacked(file, f"{name}.npy").astype(np.int64) for name in ARRAYS)
        return Solution(
            facts=facts,
            turns=turns,
            ends=ends,
            actions=actions,
            hands=(first, second),
            chances=_unpacked(file, "chances.npy").astype(np.float64),
        )

    return opened(path, unpacked, NOT_OURS)


def _header(file: ZipFile) -> dict[str, Any]:
    if HEADER not in file.namelist():
        if "postflop.json" in file.namelist():
            raise Foreign("a solved spot of hold'em; `tahur postflop show` reads it")
        raise Foreign(NOT_OURS)
    header = read_json(file, HEADER)
    version = header.pop(_VERSION_KEY, None) if isinstance(header, dict) else None
    if version != VERSION:
        raise Foreign(f"a strategy file of version {version!r}; this tahur reads version {VERSION}")
    return dict(header)


def _arrays(solution: Solution) -> dict[str, NDArray[Any]]:
    arrays = solution.turns, solution.ends, solution.actions, *solution.hands
    small = {name: array.astype(kind) for (name, kind), array in zip(ARRAYS.items(), arrays, strict=True)}
    return {**small, "chances": solution.chances}


def _packed(array: NDArray[Any]) -> bytes:
    content = BytesIO()
    npy.write_array(content, np.ascontiguousarray(array), allow_pickle=False)
    return content.getvalue()


def _unpacked(file: ZipFile, name: str) -> NDArray[Any]:
    array = read_npy(file, name)
    if array.ndim != 1:
        raise ValueError(f"{name} has {array.ndim} dimensions")
    return array
