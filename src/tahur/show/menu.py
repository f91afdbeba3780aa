"""A menu of options for a terminal: one line per option, with number, chips, rating and text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich.table import Table
from rich.text import Text

from tahur.core.chips import CHIPS

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
