"""Strategy files: a `Solution`, and the solver's state for resuming, as an archive (`core/archive.py`).

The header holds the facts of the solution. Probabilities and solver state are float64, so nothing is lost and a resumed
run continues bit for bit. The state (`memory/`) is opaque here and read only when resuming; it is in the same file
because a strategy and a state of different ages would be worse than none.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.core.archive import STRATEGY, kind_of, once_per_file, reading, write_archive
from tahur.core.solution import Facts, Solution

MEMORY: Final = "memory/"
ARRAYS: Final = {"turns": "int8", "ends": "int64", "actions": "int64", "hands_0": "int64", "hands_1": "int64"}

Memory = Mapping[str, NDArray[Any]]


def write_solution(path: Path, solution: Solution, memory: Memory | None = None) -> None:
    """Write the file; replaces an existing strategy file, refuses to overwrite any other file."""
    arrays = solution.turns, solution.ends, solution.actions, *solution.hands
    stored = {name: array.astype(kind) for (name, kind), array in zip(ARRAYS.items(), arrays, strict=True)}
    stored |= {"chances": solution.chances, **{MEMORY + name: array for name, array in (memory or {}).items()}}
    write_archive(path, STRATEGY, solution.facts.to_json(), stored.items())


@once_per_file(4)
def read_solution(path: Path) -> Solution:
    """The solution in a file; cached while the file does not change."""
    with reading(path, STRATEGY) as archive:
        facts = Facts.from_json(archive.header)
        turns, ends, actions, first, second = (archive.array(name).astype(np.int64) for name in ARRAYS)
        return Solution(
            facts=facts,
            turns=turns,
            ends=ends,
            actions=actions,
            hands=(first, second),
            chances=archive.array("chances").astype(np.float64),
        )


def read_memory(path: Path) -> dict[str, NDArray[Any]]:
    """The solver's state by name; empty if the file has none."""
    with reading(path, STRATEGY) as archive:
        return archive.arrays(MEMORY)


def is_strategy_file(path: Path) -> bool:
    """Whether it is a strategy file of any version, valid or not."""
    return kind_of(path) == STRATEGY.name
