"""A menu of options for a terminal: a line each, with its number, its chips, how good it looks and its words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich.table import Table
from rich.text import Text

_STYLES: Final = {"+EV": "green", "neutral": "", "marginal": "yellow", "-EV": "red"}


@dataclass(frozen=True, slots=True)
class Row:
    """One option; `chips` is what it raises to, None for what is no raise."""

    number: int
    action: str
    chips: int | None
    label: str
    worth: float
    style: str
    text: str


def menu_table(rows: Sequence[Row]) -> Table:
    """The options as they are offered."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for name, justify in (("", "right"), ("action", "left"), ("to", "right"), ("label", "left"), ("chip EV", "right")):
        table.add_column(name, justify=justify, no_wrap=True)  # type: ignore[arg-type]
    table.add_column("style", no_wrap=True)
    table.add_column("text")
    for row in rows:
        chips = "" if row.chips is None else str(row.chips)
        label = Text(row.label, _STYLES.get(row.label, ""))
        table.add_row(str(row.number), row.action, chips, label, f"{row.worth:+.1f}", row.style, Text(row.text))
    return table
