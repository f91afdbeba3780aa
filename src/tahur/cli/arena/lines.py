"""The results of a summary as rows of the printed table."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tahur.show.standings import Cell, StandingLine


def lines_of(summary: dict[str, Any]) -> list[StandingLine]:
    """One row for each player. An interval that is null in JSON (nothing known yet) is infinite here."""
    from tahur.show.standings import StandingLine

    return [
        StandingLine(
            name=result["name"],
            result=_or(result["result"], math.nan),
            low=_or(result["low"], -math.inf),
            high=_or(result["high"], math.inf),
            best=result["places"][0],
            worst=result["places"][1],
            rating=None if result.get("elo") is None else tuple(result["elo"]),
        )
        for result in summary["results"]
    ]


def cells_of(summary: dict[str, Any]) -> list[list[Cell | None]]:
    """The rows of the crosstable."""
    return [[None if result is None else _cell(result) for result in row] for row in summary["crosstable"]]


def _cell(gap: dict[str, Any]) -> Cell:
    from tahur.show.standings import Cell

    result = _or(gap["result"], math.nan)
    return Cell(result, _or(gap["high"], math.inf) - result)


def _or(value: float | None, unknown: float) -> float:
    return unknown if value is None else value
