"""A profile as a table for the terminal: each habit with its value, its 95 % interval and its counts."""

from __future__ import annotations

from typing import assert_never

from rich.console import Group
from rich.table import Table
from rich.text import Text

from tahur.core.habits import FigureKind, HabitFigure, Profile

NOTHING = "-"


def profile_table(profile: Profile) -> Group:
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
