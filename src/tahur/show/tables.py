"""Tables of single commands for a terminal: flops of one spot, a training run, a persona's menu."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rich.table import Table
from rich.text import Text

from tahur.core.chips import CHIPS


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
        shares = [_percent(share) for share in (row.equity, *row.realized, *row.first, *row.after_check)]
        table.add_row(row.name, f"{100 * row.share:.2f}", *evs, *shares, style=row.style)
    return table


def _heads(seat: str, moves: Sequence[str]) -> list[str]:
    return [f"{seat} {move}" if place == 0 else move for place, move in enumerate(moves)]


def _percent(share: float) -> str:
    return "" if math.isnan(share) else f"{100 * share:.1f}"


# ---- training ------------------------------------------------------------------------------------
# A training run as a table: progress, speed, losses and measurements.


def training_table(line: Mapping[str, Any], measured: Sequence[Mapping[str, Any]]) -> Table:
    """`line` is an iteration of the log, `measured` the iterations with exploitability."""
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="dim")
    table.add_column()
    table.add_row("iteration", f"{line['iteration']:,} of {line['iterations']:,}  {_bar(line)}")
    table.add_row("loss", " and ".join(f"{loss:.4g}" for loss in line["losses"]))
    table.add_row("samples", " and ".join(f"{samples:,}" for samples in line["samples"]))
    if any(line["fill"]):
        table.add_row("memory", " and ".join(f"{fill:.0%}" for fill in line["fill"]))
    traversing, fitting = line["seconds"]
    table.add_row(
        "time", f"{traversing:.2f} s traversing ({line['traversals_per_second']:,.0f}/s), {fitting:.2f} s fitting"
    )
    table.add_row("nets saved", f"{line['nets']:,}")
    for entry in measured:
        band = f"  (healthy: {entry['band'][0]:.3g}-{entry['band'][1]:.3g})" if entry["band"] else ""
        table.add_row(
            f"at {entry['iteration']:,}", f"exploitability {entry['exploitability']:.4g} {entry['unit']}{band}"
        )
    return table


def _bar(line: Mapping[str, Any], width: int = 24) -> str:
    done: int = round(width * line["iteration"] / line["iterations"])
    return "█" * done + "░" * (width - done)


# ---- menus ---------------------------------------------------------------------------------------
# A menu of options for a terminal: one line per option, with number, chips, rating and text.


_STYLES: Final = {"+EV": "green", "neutral": "", "marginal": "yellow", "-EV": "red"}


@dataclass(frozen=True, slots=True)
class MenuRow:
    """One option; `to` is the total it raises to, empty if it is not a raise."""

    number: int
    action: str
    to: str
    label: str
    worth: float
    style: str
    text: str


def menu_table(rows: Sequence[MenuRow], unit: str = CHIPS) -> Table:
    """A table of the options; `unit` is that of their values."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    worth, digits = ("chip EV", 1) if unit == CHIPS else (f"EV, {unit}", 2)
    for name, justify in (("", "right"), ("action", "left"), ("to", "right"), ("label", "left"), (worth, "right")):
        table.add_column(name, justify=justify, no_wrap=True)  # type: ignore[arg-type]
    table.add_column("style", no_wrap=True)
    table.add_column("text")
    for row in rows:
        label = Text(row.label, _STYLES.get(row.label, ""))
        table.add_row(str(row.number), row.action, row.to, label, f"{row.worth:+.{digits}f}", row.style, Text(row.text))
    return table
