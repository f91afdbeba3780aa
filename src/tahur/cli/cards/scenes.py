"""The scenes of the tour: each has a sentence, a command to type, and its output."""

from __future__ import annotations

from rich.console import Console
from rich.rule import Rule

from tahur.cards.cards import parse_cards
from tahur.cards.equity import equity
from tahur.cards.evaluator import name_hand
from tahur.cards.ranges import Range
from tahur.show.cards import card_text, equity_table
from tahur.show.matrix import matrix_text

OPENING_RANGE = "22+,A2s+,K9s+,QTs+,JTs,T9s:0.5,98s:0.5,ATo+,KJo+"


def show_scenes(out: Console) -> None:
    """Print all scenes."""
    _hand(out)
    _matchup(out)
    _range(out)
    _flop(out)
    _many(out)


def _hand(out: Console) -> None:
    _title(out, "Every hand has a name and a rank from 1 to 7,462", "tahur cards hand AsKs QsJsTs2d3c")
    for text in ("AsKsQsJsTs2d3c", "KhKd4sKc4h2c9d", "Ah2d3c4h5sKdKc"):
        named = name_hand(parse_cards(text))
        out.print(card_text(parse_cards(text)), f"  [bold]{named.name}[/], rank {named.rank:,}")


def _matchup(out: Console) -> None:
    _title(out, "Aces against kings, to the last of 1,712,304 boards", "tahur cards equity AsAh KdKc")
    out.print(equity_table(equity("AsAh", "KdKc")))


def _range(out: Console) -> None:
    _title(out, "Opponents have ranges of hands, not single hands", f'tahur cards range "{OPENING_RANGE}"')
    out.print(matrix_text(Range.parse(OPENING_RANGE).matrix()))


def _flop(out: Console) -> None:
    _title(out, "A big draw against that range", f'tahur cards equity AhKh "{OPENING_RANGE}" --board Qs7h2h')
    out.print(equity_table(equity("AhKh", OPENING_RANGE, board="Qs7h2h")))


def _many(out: Console) -> None:
    _title(out, "Three ranges before the flop: sampled, with its error", "tahur cards equity QQ+,AK 22+ any")
    out.print(equity_table(equity("QQ+,AK", "22+", "any", samples=1_000_000)))


def _title(out: Console, title: str, command: str) -> None:
    out.print()
    out.print(Rule(f"[bold]{title}[/]", align="left", style="dim"))
    out.print(f"[dim]$ {command}[/]")
