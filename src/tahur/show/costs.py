"""A table of the costs of mistakes: a row for each player and seat, a column for each kind that occurred."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.table import Table
from rich.text import Text

Pair = tuple[float, float]  # a mean and the half-width of its interval


@dataclass(frozen=True, slots=True)
class CostRow:
    """One player in one seat."""

    name: str
    seat: str
    rounds: int
    total: Pair
    kinds: dict[str, Pair]


def cost_table(rows: Sequence[CostRow]) -> Table:
    """The table, in thousandths; kinds that did not occur are left out."""
    kinds = [kind for kind in (rows[0].kinds if rows else ()) if any(row.kinds[kind][0] > 0 for row in rows)]
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("player", no_wrap=True)
    table.add_column("seat", no_wrap=True)
    for name in ("rounds", "lost", *kinds):
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        cells = (_cell(*row.kinds[kind]) for kind in kinds)
        total = Text(_cell(*row.total), style="bold")
        table.add_row(Text(row.name, style="bold"), row.seat, f"{row.rounds:,}", total, *cells)
    return table


def _cell(mean: float, half: float) -> str:
    return f"{1000 * mean:.1f} ± {1000 * half:.1f}" if mean > 0 else "·"
