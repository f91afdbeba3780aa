"""Results of a match or a tournament for a terminal: standings with intervals, the crosstable, and profiles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from rich.console import Group
from rich.table import Table
from rich.text import Text

from tahur.core.habits import FigureKind, HabitFigure, Profile

BAR = 21  # characters; odd, so that zero has its own column


@dataclass(frozen=True, slots=True)
class StandingLine:
    """One player's result with its interval, and the best and worst place compatible with it."""

    name: str
    result: float
    low: float
    high: float
    best: int
    worst: int
    rating: tuple[float, float, float] | None = None  # Elo with its interval


@dataclass(frozen=True, slots=True)
class Cell:
    """A result with the half-width of its interval."""

    result: float
    reach: float


def standings_table(lines: Sequence[StandingLine], unit: str, par: float = 0.0) -> Table:
    """The standings, best result first. An undecided place is a range; `par` is the result of equal players."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("place", justify="right", no_wrap=True)
    table.add_column("player")
    table.add_column(unit, justify="right", no_wrap=True)
    table.add_column("95 % interval", justify="right", no_wrap=True)
    if rated := any(line.rating for line in lines):
        table.add_column("Elo", justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    ordered = sorted(lines, key=lambda line: -line.result if math.isfinite(line.result) else math.inf)
    ends = (end - par for line in lines for end in (line.low, line.high))
    widest = max((abs(end) for end in ends if math.isfinite(end)), default=0.0)
    number = signed if par == 0 else unsigned
    for line in ordered:
        elo = [_elo(line.rating)] if rated else []
        style = "green" if line.low > par else "red" if line.high < par else ""
        result, spread = Text(number(line.result), style=style), f"{number(line.low)} to {number(line.high)}"
        table.add_row(_place(line), line.name, result, spread, *elo, Text(_bar(line, par, widest), style=style))
    return table


def crosstable(names: Sequence[str], cells: Sequence[Sequence[Cell | None]], title: str, par: float = 0.0) -> Table:
    """The crosstable: what the row's player wins from the column's; `par` is the result of equal players."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", title=title)
    table.title_style = "dim"
    table.title_justify = "left"
    table.add_column("")
    for name in names:
        table.add_column(name, justify="right", no_wrap=True)
    for name, row in zip(names, cells, strict=True):
        table.add_row(Text(name, style="bold"), *(_cell(cell, par) for cell in row))
    return table


def signed(value: float) -> str:
    """`+12.3`, `-1,204`, `0.00`: three significant digits, or all before the decimal point."""
    if not math.isfinite(value):
        return "?"
    digits = 2 if abs(value) < 10 else 1 if abs(value) < 100 else 0
    return f"{value:+,.{digits}f}" if abs(value) >= 0.5 * 10**-digits else f"{0:.{digits}f}"


def unsigned(value: float) -> str:
    """`12.3`, `1,204`: like `signed`, without a plus sign."""
    return signed(value).removeprefix("+")


def _place(line: StandingLine) -> str:
    return str(line.best) if line.best == line.worst else f"{line.best}-{line.worst}"


def _elo(rating: tuple[float, float, float] | None) -> str:
    return "" if rating is None else f"{rating[0]:.0f} ± {(rating[2] - rating[1]) / 2:.0f}"


def _cell(cell: Cell | None, par: float) -> Text:
    if cell is None:
        return Text("·", style="dim")
    ahead = cell.result - par
    style = "green" if ahead > cell.reach else "red" if ahead < -cell.reach else "dim"
    return Text(f"{(signed if par == 0 else unsigned)(cell.result)} ± {unsigned(cell.reach)}", style=style)


def _bar(line: StandingLine, par: float, widest: float) -> str:
    """The interval as a line, its centre as a point, and a mark at par."""
    if not (widest and math.isfinite(line.low) and math.isfinite(line.high)):
        return ""
    ends = line.low, line.result, line.high
    low, middle, high = (round(((value - par) / widest + 1) / 2 * (BAR - 1)) for value in ends)
    marks = ["─" if low <= at <= high else " " for at in range(BAR)]
    marks[BAR // 2] = "┼" if low <= BAR // 2 <= high else "│"
    marks[middle] = "●"
    return "".join(marks)


NOTHING = "-"


def profile_table(profile: Profile) -> Group:
    """A table of a player's statistics: value, interval, and how often each was counted."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("", no_wrap=True)
    for title in ("", "95 % interval", "counted"):
        table.add_column(title, justify="right", no_wrap=True)
    for row in profile.rows:
        style = "bold" if row.value is not None else "dim"
        table.add_row(
            Text(row.name, style=style), Text(value_text(row), style=style), interval_text(row), count_text(row)
        )
    deals = f"{profile.deals:,} deal{'' if profile.deals == 1 else 's'}"
    return Group(Text.assemble((profile.player, "bold"), f" at {profile.game}, {deals}"), table)


def explanations(profile: Profile) -> Group:
    """One line per habit: its explanation."""
    return Group(*(Text.assemble((row.name, "bold"), f": {row.explanation}") for row in profile.rows))


def value_text(row: HabitFigure) -> str:
    """`23.4 %`, `1.47 a round`; empty without opportunities."""
    return NOTHING if row.value is None else f"{_figure(row, row.value)} {row.unit}"


def interval_text(row: HabitFigure) -> str:
    """`21.0 to 26.1`, `1.20 or more`; empty if unknown."""
    if row.low is None:
        return NOTHING
    if row.high is None:
        return f"{_figure(row, row.low)} or more"
    return f"{_figure(row, row.low)} to {_figure(row, row.high)}"


def count_text(row: HabitFigure) -> str:
    """`49 of 134` for a rate, `889 / 168` for a ratio that is not a share."""
    if not row.deals:
        return "no opportunity yet"
    return f"{row.hits:,} {'of' if row.kind is FigureKind.RATE else '/'} {row.chances:,}"


def _figure(row: HabitFigure, value: float) -> str:
    match row.kind:
        case FigureKind.RATE:
            return f"{100 * value:.1f}"
        case FigureKind.MEAN | FigureKind.ODDS:
            return f"{value:.2f}"
        case _:
            assert_never(row.kind)
