"""A table of probabilities, a row for each kind of hand and a colour for each action, for a terminal or as SVG.

Actions have the same order and letter in every picture, so that nothing depends on colour alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from rich.table import Table
from rich.text import Text

LEAST_SHOWN: Final = 0.005  # smaller probabilities are not shown; files have all of them
IMPOSSIBLE: Final = "--"
BAR: Final = 24  # characters
COLOURS: Final = {
    "fold": "#4c78a8",
    "check": "#54a24b",
    "call": "#54a24b",
    "bet_s": "#f2b134",
    "bet_m": "#e4793a",
    "bet_l": "#b04a9c",
    "raise": "#b04a9c",
}
LETTERS: Final = {"fold": "f", "check": "x", "call": "c", "bet_s": "s", "bet_m": "m", "bet_l": "l", "raise": "r"}


@dataclass(frozen=True, slots=True)
class Rows:
    """The strategy on one table: for each hand its probabilities, and how often the hand is held.

    A hand that cannot be held has None instead of probabilities: `--` in a terminal, left out of a picture.
    """

    title: str
    actions: Sequence[str]
    hands: Mapping[str, Sequence[float] | None]
    weights: Mapping[str, float]


def rows_table(rows: Rows) -> Table:
    """For a terminal."""
    table = Table(title=rows.title, title_justify="left", box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("", no_wrap=True)
    table.add_column("held", justify="right", no_wrap=True)
    for action in rows.actions:
        table.add_column(action, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for hand, shares in rows.hands.items():
        if shares is None:
            table.add_row(Text(hand, style="dim"), *[IMPOSSIBLE] * (1 + len(rows.actions)), "")
        else:
            numbers = (f"{share:.0%}" if share >= LEAST_SHOWN else "" for share in shares)
            table.add_row(Text(hand, style="bold"), f"{rows.weights[hand]:.1%}", *numbers, _bar(rows.actions, shares))
    return table


def rows_svg(pictures: Sequence[Rows]) -> str:
    """The tables as SVG, one below the other: a bar for each hand, a piece with a letter for each action."""
    line, left, width, top = 20, 110, 420, 34
    parts: list[str] = []
    y = 0
    for rows in pictures:
        parts.append(f'<text x="4" y="{y + 20}" font-weight="bold">{escape(rows.title)}</text>')
        y += top
        for hand, shares in rows.hands.items():
            if shares is None:
                continue
            parts.append(f'<text x="4" y="{y + 14}">{escape(hand)}</text>')
            parts += _pieces(rows.actions, shares, left, y, width)
            y += line
        legend = "   ".join(f"{LETTERS[action]} {action}" for action in rows.actions)
        parts.append(f'<text x="{left}" y="{y + 14}" fill="#666">{escape(legend)}</text>')
        y += line + 8
    style = 'font-family="ui-monospace, Menlo, Consolas, monospace" font-size="12"'
    size = f'viewBox="0 0 {left + width + 10} {y}" width="{left + width + 10}" height="{y}"'
    background = '<rect width="100%" height="100%" fill="white"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>{background}{"".join(parts)}</svg>'


def _pieces(actions: Sequence[str], shares: Sequence[float], left: int, y: int, width: int) -> list[str]:
    """A bar of `width` as SVG rectangles, one for each action, as wide as its share."""
    pieces, at = [], float(left)
    for action, share in zip(actions, shares, strict=True):
        wide = share * width
        if share >= LEAST_SHOWN:
            label = f"{action} {share:.0%}"
            pieces.append(
                f'<rect x="{at:.1f}" y="{y + 1}" width="{wide:.1f}" height="17" fill="{COLOURS[action]}">'
                f"<title>{label}</title></rect>"
            )
            if wide > 12:
                pieces.append(f'<text x="{at + 3:.1f}" y="{y + 14}" fill="white">{LETTERS[action]}</text>')
        at += wide
    return pieces


def _bar(actions: Sequence[str], shares: Sequence[float]) -> Text:
    """A bar with pieces as long as their probabilities, with boundaries rounded so that its length is constant."""
    bar, done, drawn = Text(), 0.0, 0
    for action, share in zip(actions, shares, strict=True):
        done += share
        upto = round(done * BAR)
        bar.append(LETTERS[action] * (upto - drawn), style=f"{COLOURS[action]} reverse")
        drawn = upto
    return bar
