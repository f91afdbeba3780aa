"""An equity as a table for the terminal: a row and a bar for each player, then the method."""

from __future__ import annotations

from rich.console import Group
from rich.table import Table
from rich.text import Text

from tahur.cards.equity import Equity, Method

BAR = 30
LONGEST_NAME = 28


def equity_table(answer: Equity) -> Group:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("")
    for title in ("win", "tie", "equity"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    best = max(player.equity for player in answer.players)
    for player in answer.players:
        ahead = player.equity == best
        table.add_row(
            Text(_short(player.hand), style="bold"),
            f"{player.win:.2%}",
            f"{player.tie:.2%}",
            Text(f"{player.equity:.2%}", style="bold green" if ahead else "bold"),
            _bar(player.equity, "green" if ahead else "yellow"),
        )
    return Group(table, Text(how_found(answer), style="dim"))


def how_found(answer: Equity) -> str:
    """`exact: all 1,712,304 deals`, or the samples and their error."""
    match answer.method:
        case Method.EXACT:
            return f"exact: all {answer.boards:,} deals"
        case Method.SAMPLED:
            return f"sampled: {answer.boards:,} deals, standard error {answer.stderr or 0:.3%}"


def _bar(share: float, style: str) -> Text:
    eighths = round(share * BAR * 8)
    part = " ▏▎▍▌▋▊▉"[eighths % 8].strip()
    return Text("█" * (eighths // 8) + part, style=style)


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"
