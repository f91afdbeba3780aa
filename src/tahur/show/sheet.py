"""A strategy for limit hold'em on one sheet: matrices of decisions, and the play on flops of every kind.

The sheet is drawn for a terminal here, and in sheet_page.py as SVG and HTML. A bar has letters and figures besides its
colours; the figures of a bar are whole percents that sum to 100.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tahur.cards.cards import Card, cards_text
from tahur.show.actions import Action, Picture, letters_of, matrix_text

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

BAR: Final = 12  # letters of a bar in the terminal
_FLOP: Final = 10  # characters for a flop
_TOTAL_BAR: Final = 24
ROUNDED: Final = "actions of all hands weighted by reach, percent"


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """One decision: the strategy of each hand, the overall frequency of each action, and the reach of the node."""

    picture: Picture
    totals: tuple[float, ...]
    frequency: float


@dataclass(frozen=True, slots=True)
class Column:
    """A decision that occurs on every flop: the seat, and when."""

    seat: str
    name: str
    actions: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """The frequency of each action, and the reach of the decision on this flop."""

    shares: tuple[float, ...]
    frequency: float


@dataclass(frozen=True, slots=True)
class FlopRow:
    """A flop of a kind, the number of flops it represents, and a bar for each column."""

    kind: str
    cards: tuple[Card, ...]
    count: int
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class FlopPanel:
    """Flops after a line of play."""

    line: str
    columns: tuple[Column, ...]
    rows: tuple[FlopRow, ...]

    @property
    def means(self) -> tuple[Bar, ...]:
        """The means over all flops that these represent, weighted by reach."""
        return tuple(_mean([(row.bars[place], row.count) for row in self.rows]) for place in range(len(self.columns)))


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """The data of a sheet."""

    title: str
    note: str
    panels: tuple[Panel, ...]
    flops: FlopPanel | None = None


def _mean(bars: Sequence[tuple[Bar, int]]) -> Bar:
    weights = np.array([bar.frequency * count for bar, count in bars])
    shares = np.array([bar.shares for bar, _ in bars])
    total = float(weights.sum())
    mean = weights @ shares / total if total else shares.mean(axis=0)
    return Bar(tuple(mean.tolist()), total)


def kinds_of(rows: Sequence[FlopRow]) -> Iterator[tuple[str, list[FlopRow]]]:
    """Adjacent rows of one kind, grouped."""
    for kind, members in groupby(rows, key=lambda row: row.kind):
        yield kind, list(members)


def percents_of(shares: Sequence[float]) -> list[int]:
    """The shares as whole percents that sum to 100."""
    return letters_of(np.array(shares), 100)


def shares_text(actions: Sequence[Action], shares: Sequence[float]) -> str:
    """`fold 12, call 70, raise 18`"""
    return ", ".join(f"{action.name} {part}" for action, part in zip(actions, percents_of(shares), strict=True))


# ---- terminal ----------------------------------------------------------------------------------------


def sheet_text(sheet: Sheet) -> RenderableType:
    """The whole sheet in 80 columns."""
    from rich.console import Group
    from rich.text import Text

    parts: list[Any] = [Text(sheet.title, "bold"), Text(sheet.note, "dim")]
    for panel in sheet.panels:
        parts += [Text(), Text(panel.picture.title, "bold"), matrix_text(panel.picture), _totals(panel)]
    if sheet.flops is not None:
        parts += [Text(), *_flops_text(sheet.flops)]
    return Group(*parts)


def _totals(panel: Panel) -> Text:
    """The last line of a panel: how often each action is taken over all hands."""

    from rich.text import Text

    text = Text(" total ", no_wrap=True).append_text(bar_text(panel.picture.actions, panel.totals, _TOTAL_BAR))
    for action, share in zip(panel.picture.actions, panel.totals, strict=True):
        text.append(f"  {action.name} {100 * share:.1f} %")
    return text


def bar_text(actions: Sequence[Action], shares: Sequence[float], letters: int = BAR) -> Text:
    from rich.text import Text

    text = Text()
    for action, count in zip(actions, letters_of(np.array(shares), letters), strict=True):
        text.append(action.letter * count, action.style)
    return text


def _flops_text(flops: FlopPanel) -> Iterator[Text]:
    """The flops of a sheet as lines: heading, columns, one line for each flop by kind, and the means."""
    from rich.text import Text

    yield Text(f"Flops after {flops.line}", "bold")
    seats, names = Text(" " * _FLOP, no_wrap=True), Text(" " * _FLOP, "dim", no_wrap=True)
    for column in flops.columns:
        heads = " ".join(action.name for action in _labelled_actions(column))
        seats.append(f"{column.seat:<{BAR + 3 + len(heads)}}", "bold")
        names.append(f"{column.name:<{BAR}} {heads}  ")
    yield seats
    yield names
    for kind, rows in kinds_of(flops.rows):
        many = sum(row.count for row in rows) / 221  # of 22,100, in percent
        yield Text(f"{kind}, {many:.1f} % of flops", "dim")
        for row in rows:
            yield _line(Text.assemble(" ", _cards(row.cards), " "), row.bars, flops.columns)
    yield _line(Text(" mean".ljust(_FLOP), "bold"), flops.means, flops.columns)
    yield Text(f"{ROUNDED}: {', '.join(_legend(flops))}", "dim")


def _line(start: Text, bars: Sequence[Bar], columns: Sequence[Column]) -> Text:
    """One line of flops: its start, then for each column a bar and the percentages of its actions."""
    from rich.text import Text

    line = Text(no_wrap=True).append_text(start)
    for bar, column in zip(bars, columns, strict=True):
        line.append_text(bar_text(column.actions, bar.shares))
        parts = percents_of(bar.shares)
        figures = " ".join(
            f"{parts[column.actions.index(action)]:>{len(action.name)}}" for action in _labelled_actions(column)
        )
        line.append(f" {figures}  ", "" if bar.frequency else "dim")
    return line


def _labelled_actions(column: Column) -> tuple[Action, ...]:
    """The labels of a bar; with two actions, only the second."""
    return column.actions[1:] if len(column.actions) == 2 else column.actions


def _legend(flops: FlopPanel) -> list[str]:
    actions = dict.fromkeys(action for column in flops.columns for action in column.actions)
    return [f"{action.letter} {action.name}" for action in actions]


def _cards(cards: Sequence[Card]) -> Text:
    from tahur.show.cards import card_text

    return card_text(cards)


# ---- JSON ----------------------------------------------------------------------------------------------


def sheet_json(sheet: Sheet) -> dict[str, Any]:
    """The figures of the sheet as JSON, unrounded."""
    return {
        "title": sheet.title,
        "note": sheet.note,
        "decisions": [_panel_json(panel) for panel in sheet.panels],
        "flops": _flops_json(sheet.flops) if sheet.flops is not None else None,
    }


def _panel_json(panel: Panel) -> dict[str, Any]:
    """A decision before the flop: total frequencies, and the reach and frequencies of each hand class."""
    from tahur.cards.rankings import class_names

    picture = panel.picture
    names = [action.name for action in picture.actions]
    return {
        "title": picture.title,
        "frequency": panel.frequency,
        "totals": dict(zip(names, panel.totals, strict=True)),
        "hands": {
            hand: {"reach": float(picture.weights[place]), **dict(zip(names, shares, strict=True))}
            for place, (hand, shares) in enumerate(zip(class_names(), picture.shares.T.tolist(), strict=True))
        },
    }


def _flops_json(flops: FlopPanel) -> dict[str, Any]:
    """The flops of a sheet: for each flop the frequencies of every column's decision."""

    def bars(row: Sequence[Bar]) -> list[dict[str, Any]]:
        """The probabilities of a row of bars, by decision and action."""
        return [
            {
                "decision": f"{column.seat}, {column.name}",
                "frequency": bar.frequency,
                **{action.name: share for action, share in zip(column.actions, bar.shares, strict=True)},
            }
            for column, bar in zip(flops.columns, row, strict=True)
        ]

    return {
        "line": flops.line,
        "rows": [
            {"flop": cards_text(row.cards), "kind": row.kind, "stands_for": row.count, "bars": bars(row.bars)}
            for row in flops.rows
        ],
        "mean": bars(flops.means),
    }
