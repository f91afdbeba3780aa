"""A training run as a table: progress, speed, losses and measurements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table


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
    for each in measured:
        band = f"  (healthy: {each['band'][0]:.3g}-{each['band'][1]:.3g})" if each["band"] else ""
        table.add_row(f"at {each['iteration']:,}", f"exploitability {each['exploitability']:.4g} {each['unit']}{band}")
    return table


def _bar(line: Mapping[str, Any], width: int = 24) -> str:
    done: int = round(width * line["iteration"] / line["iterations"])
    return "█" * done + "░" * (width - done)
