"""Preflop ranges by name: `btn-open`, `bb-call-v-btn`, `40bb:sb-3bet-v-btn`, `hu:bb-call-v-btn`.

The table is shipped with the package: ranges of solved preflop strategies, by the number of seats and the stacks. A
name may begin with the table (`hu:` two seats, `6max:` six) and with the stacks (`40bb:`), in either order; without
them it is for six seats and 100 big blinds. `tools/preflop_charts.py` writes the table; `tahur preflop ranges` lists
the names.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from tahur.cards.rankings import class_of_combos
from tahur.core.archive import NAMED_RANGES, reading, write_archive
from tahur.core.arrays import Array, Float64s
from tahur.core.cache import shipped_files
from tahur.core.errors import RangeError

USUAL_TABLE: Final = "6max"
USUAL_DEPTH: Final = 100
TABLES: Final = ("6max", "hu")
NAME_PATTERN: Final = (
    r"(?:(?:6max|hu|[0-9]{1,4}bb):)*+(?:utg|ep|lj|hj|mp|co|btn|bu|sb|bb)-[a-z0-9]++(?:-[a-z0-9]++)*+(?![^\s,;:])"
)
_FOLDER: Final = "cards"
_SUFFIX: Final = "preflop_ranges.tahur"
_CLASSES: Final = 169
_PERCENT: Final = 100
_OTHER_NAMES: Final = {"ep": "utg", "lj": "utg", "mp": "hj", "bu": "btn"}


@dataclass(frozen=True, slots=True, order=True)
class RangeName:
    """A name with its table and stacks."""

    table: str  # 6max or hu
    depth: int  # big blinds
    name: str

    @property
    def text(self) -> str:
        """As short as it can be written."""
        table = "" if self.table == USUAL_TABLE else f"{self.table}:"
        depth = "" if self.depth == USUAL_DEPTH else f"{self.depth}bb:"
        return table + depth + self.name

    @classmethod
    def parse(cls, text: str) -> RangeName:
        """From a text that matches `NAME_PATTERN`, in any case."""
        *prefixes, name = text.lower().split(":")
        table, depth = USUAL_TABLE, USUAL_DEPTH
        for prefix in prefixes:
            if prefix in TABLES:
                table = prefix
            else:
                depth = int(prefix.removesuffix("bb"))
        return cls(table, depth, "-".join(_OTHER_NAMES.get(word, word) for word in name.split("-")))


@dataclass(frozen=True, slots=True, eq=False)
class NamedRange:
    """A range of the table: the weight of each of the 169 classes, and whether its decision is rarely reached."""

    name: RangeName
    weights: Float64s
    is_rare: bool = False


def named_weights(text: str) -> Float64s:
    """(1326,) the weights of a range by name; a `RangeError` names the nearest."""
    asked, table = RangeName.parse(text), _table()
    if (known := table.get(asked)) is None:
        raise RangeError(_refusal(asked, tuple(table)))
    weights: Float64s = known.weights[class_of_combos()]
    return weights


def named_ranges() -> tuple[NamedRange, ...]:
    """All ranges with a name, in the order of the table."""
    return tuple(_table().values())


def write_named_ranges(path: Path, ranges: list[NamedRange]) -> None:
    """Write the table, in steps of 1 %."""
    header = {"names": [[entry.name.table, entry.name.depth, entry.name.name, entry.is_rare] for entry in ranges]}
    weights = np.rint(np.concatenate([entry.weights for entry in ranges]) * _PERCENT).astype(np.uint8)
    write_archive(path, NAMED_RANGES, header, [("weights", weights)])


def read_named_ranges(path: Path) -> list[NamedRange]:
    """The ranges of a file."""
    with reading(path, NAMED_RANGES) as file:
        names: list[list[Any]] = file.header["names"]
        weights: Array = file.array("weights").reshape(len(names), _CLASSES) / _PERCENT
        return [
            NamedRange(RangeName(str(table), int(depth), str(name)), row, bool(is_rare))
            for (table, depth, name, is_rare), row in zip(names, weights, strict=True)
        ]


@cache
def _table() -> dict[RangeName, NamedRange]:
    files = shipped_files(_FOLDER, _SUFFIX)
    return {entry.name: entry for path in files for entry in read_named_ranges(path)}


def _refusal(asked: RangeName, known: tuple[RangeName, ...]) -> str:
    """The error message for an unknown name: the depths there are, or the names most like it."""
    from difflib import get_close_matches

    at_table = [other for other in known if other.table == asked.table]
    if not at_table:
        return f"no range '{asked.text}': this installation has no preflop ranges for {asked.table}"
    depths = sorted({other.depth for other in at_table})
    if asked.depth not in depths:
        return f"no ranges for {asked.depth} bb; {asked.table} has {', '.join(f'{depth}bb' for depth in depths)}"
    names = [other.name for other in at_table if other.depth == asked.depth]
    near = get_close_matches(asked.name, names, n=3) or [name for name in names if name.endswith("-open")]
    valid = ", ".join(RangeName(asked.table, asked.depth, name).text for name in near)
    return f"no preflop range '{asked.text}'; near: {valid}; `tahur preflop ranges` lists all"
