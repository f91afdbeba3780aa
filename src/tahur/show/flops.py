"""Many flops of one spot for a terminal: EVs and first actions of each seat, group by group."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rich.table import Table


@dataclass(frozen=True, slots=True)
class FlopLine:
    """A flop, or the mean of several. Pairs are (out of position, in position)."""

    name: str
    share: float
    ev: tuple[float, float]
    equity: float  # out of position
    realized: tuple[float, float]
    first: tuple[float, ...]
    after_check: tuple[float, ...]
    style: str = ""


def flops_table(rows: Sequence[FlopLine], first: Sequence[str], after_check: Sequence[str]) -> Table:
    """One line per row; shares, equities and frequencies in percent, EVs in chips."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("", no_wrap=True)
    for name in ("deals %", "EV oop", "ip", "equity %", "EQR % oop", "ip", *_heads("oop", first),
                 *_heads("ip", after_check)):  # fmt: skip
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        evs = [f"{ev:.2f}" for ev in row.ev]
        shares = [_percent(each) for each in (row.equity, *row.realized, *row.first, *row.after_check)]
        table.add_row(row.name, f"{100 * row.share:.2f}", *evs, *shares, style=row.style)
    return table


def _heads(seat: str, moves: Sequence[str]) -> list[str]:
    return [f"{seat} {move}" if place == 0 else move for place, move in enumerate(moves)]


def _percent(share: float) -> str:
    return "" if math.isnan(share) else f"{100 * share:.1f}"
