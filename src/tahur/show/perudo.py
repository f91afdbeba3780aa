"""Perudo as tables for the terminal: bids with probabilities, actions with values, rounds, costs of mistakes.

Likely bids are green, doubtful ones yellow, unlikely ones red; the figures show the same without colours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rich.table import Table
from rich.text import Text

FACE_NAMES: Final = ("twos", "threes", "fours", "fives", "sixes")


@dataclass(frozen=True, slots=True)
class BidRow:
    """A row of the ladder: a count, (true, exact) of the five faces, and the bid of aces that comes next, if any."""

    count: int
    faces: tuple[tuple[float, float], ...]
    aces: int | None = None  # this many aces beat this row and are beaten by the next
    aces_chances: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Advice:
    """A legal action: the chances that the bid is true and exactly true, its expected result, its solved frequency."""

    action: str
    true: float
    exact: float
    dice: float
    solved: float | None = None
    worth: float | None = None


def ladder_table(rungs: Sequence[BidRow], *, wild: bool) -> Table:
    """The chances (true, exact) for every face and count; aces at their place in the order of bids."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("count", justify="right")
    for name in FACE_NAMES if wild else ("aces", *FACE_NAMES):
        table.add_column(name, justify="right", no_wrap=True)
    if wild:
        table.add_column("then aces", no_wrap=True)
    for rung in rungs:
        cells = [_cell(*chances) for chances in rung.faces]
        aces = Text()
        if rung.aces is not None:
            aces = Text.assemble((f"{rung.aces}  ", "bold"), _cell(*rung.aces_chances))
        table.add_row(Text(str(rung.count), style="bold"), *cells, *([aces] if wild else []))
    return table


def advice_table(rows: Sequence[Advice], *, best: str) -> Table:
    """One row per action; a star marks the best."""
    solved, worth = (any(getattr(row, name) is not None for row in rows) for name in ("solved", "worth"))
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("", width=1)
    table.add_column("action", no_wrap=True)
    for name in ("true", "exact", "dice", *["solved"] * solved, *["worth"] * worth):
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        extra = [_format(row.solved, ".1%")] * solved + [_format(row.worth, "+.3f")] * worth
        table.add_row(
            Text("*" if row.action == best else "", style="bold green"),
            Text(row.action, style="bold"),
            Text(f"{row.true:.1%}", style=colour_of(row.true)),
            f"{row.exact:.1%}",
            Text(f"{row.dice:+.3f}", style="green" if row.dice > 0 else ""),
            *extra,
        )
    return table


def figures_table(figures: dict[str, dict[str, float | int | None]]) -> Table:
    """A column for each name, a row for each figure."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("")
    for name in figures:
        table.add_column(Text(name, style="bold"), justify="right", no_wrap=True)
    for figure in next(iter(figures.values()), {}):
        table.add_row(figure, *(_figure(column[figure]) for column in figures.values()))
    return table


def colour_of(chance: float) -> str:
    """Green from 60 %, yellow from 35 %, red below."""
    return "green" if chance >= 0.6 else "yellow" if chance >= 0.35 else "red"


def _cell(true: float, exact: float) -> Text:
    return Text.assemble((f"{true:4.0%}", colour_of(true)), (f" {exact:3.0%}", "dim"))


def _format(value: float | None, form: str) -> str:
    return "" if value is None else format(value, form)


def _figure(value: float | int | None) -> str:
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.2f}"


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
    for row in rounds:
        name = row["dice"] + (" palifico" if row["palifico"] else "")
        remembers = "all" if row["remembers"] is None else str(row["remembers"])
        table.add_row(name, remembers, f"{row['value']:.4f}", f"{row['nashconv']:.4f}")
    return table


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
        cells = (_mean_cell(*row.kinds[kind]) for kind in kinds)
        total = Text(_mean_cell(*row.total), style="bold")
        table.add_row(Text(row.name, style="bold"), row.seat, f"{row.rounds:,}", total, *cells)
    return table


def _mean_cell(mean: float, half: float) -> str:
    return f"{1000 * mean:.1f} ± {1000 * half:.1f}" if mean > 0 else "·"
