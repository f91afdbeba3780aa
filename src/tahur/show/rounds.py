"""A table of action probabilities for each hand, without rare columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table

RARE = 0.005  # a column in which no hand reaches this probability is left out


def chances_table(rows: Mapping[str, Mapping[str, float]]) -> Table:
    """A row for each hand, a column for each action that some hand takes."""
    actions = next(iter(rows.values()))
    kept = [action for action in actions if max(chances[action] for chances in rows.values()) >= RARE]
    table = Table(box=None, pad_edge=False)
    table.add_column("hand")
    for action in kept:
        table.add_column(action, justify="right")
    for hand, chances in rows.items():
        table.add_row(hand, *(_percent(chances[action]) for action in kept))
    return table


def _percent(chance: float) -> str:
    return f"{100 * chance:.0f}" if chance >= RARE else "·"


def values_table(values: Mapping[tuple[int, int], tuple[float, float]]) -> Table:
    """Chances to win by the dice of both seats, in percent; two numbers where the bounds differ."""
    most = max(mine for mine, _ in values)
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    for yours in range(1, most + 1):
        table.add_column(f"v {yours}", justify="right")
    for mine in range(1, most + 1):
        cells = (_bounds(*values[mine, yours]) for yours in range(1, most + 1))
        table.add_row(str(mine), *cells)
    return table


def _bounds(lower: float, upper: float) -> str:
    low, high = f"{100 * lower:.2f}", f"{100 * upper:.2f}"
    return low if low == high else f"{low}-{high}"


def known_table(rounds: Sequence[Mapping[str, Any]]) -> Table:
    """A table of solved rounds: bids remembered, values and NashConv."""
    table = Table(box=None, pad_edge=False)
    table.add_column("round")
    for heading in ("bids remembered", "opener", "NashConv"):
        table.add_column(heading, justify="right")
    for each in rounds:
        name = each["dice"] + (" palifico" if each["palifico"] else "")
        remembers = "all" if each["remembers"] is None else str(each["remembers"])
        table.add_row(name, remembers, f"{each['value']:.4f}", f"{each['nashconv']:.4f}")
    return table
