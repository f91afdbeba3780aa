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
            name=told["name"],
            result=_or(told["result"], math.nan),
            low=_or(told["low"], -math.inf),
            high=_or(told["high"], math.inf),
            best=told["places"][0],
            worst=told["places"][1],
            rating=None if told.get("elo") is None else tuple(told["elo"]),
        )
        for told in summary["results"]
    ]


def cells_of(summary: dict[str, Any]) -> list[list[Cell | None]]:
    """The rows of the crosstable."""
    return [[None if told is None else _cell(told) for told in row] for row in summary["crosstable"]]


def _cell(told: dict[str, Any]) -> Cell:
    from tahur.show.standings import Cell

    result = _or(told["result"], math.nan)
    return Cell(result, _or(told["high"], math.inf) - result)


def _or(value: float | None, unknown: float) -> float:
    return unknown if value is None else value
