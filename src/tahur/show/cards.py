"""Cards and equities for the terminal; cards in four colours: spades white, hearts red, diamonds blue, clubs green."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Group
from rich.table import Table
from rich.text import Text

from tahur.cards.cards import Card
from tahur.cards.equity import Equity, Method

_STYLES = ("bold green", "bold bright_blue", "bold red", "bold")


def card_text(cards: Iterable[Card]) -> Text:
    """`A♠ K♦`, each card in the colour of its suit."""
    text = Text()
    for card in cards:
        text.append(" " if text else "").append(card.sign, _STYLES[card.suit])
    return text


BAR = 30
LONGEST_NAME = 28


def equity_table(answer: Equity) -> Group:
    """A table of each player's wins, ties and equity, and a line on how they were computed."""
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
