"""`tahur cards tour`: hands, ranges and equities shown on examples, with a guessing game at the end."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import typer
from rich.console import Console
from rich.markup import escape
from rich.rule import Rule

from tahur.cards.cards import Card, cards_text, parse_cards
from tahur.cards.equity import equity
from tahur.cards.evaluator import name_hand
from tahur.cards.ranges import Range
from tahur.cli.output import console, warm
from tahur.show.cards import card_text, equity_table
from tahur.show.matrix import matrix_text


def tour(
    rounds: Annotated[int, typer.Option(help="Rounds of the guessing game; 0 for none.", min=0, max=1000)] = 5,
    seed: Annotated[int | None, typer.Option(help="Seed of the guessing game.", min=0)] = None,
) -> None:
    """A five-minute tour of hands, ranges and equities, then a guessing game."""

    warm()
    out = console()
    show_scenes(out)
    if rounds and sys.stdin and sys.stdin.isatty():
        play(out, rounds, seed)
    commands = ("tahur cards equity AsKs QQ+ --board Ts7s2d", "tahur cards range 15%", "tahur --help")
    out.print("\nNext: " + ", ".join(f"[bold]{command}[/]" for command in commands))


# ---- scenes: a sentence, a command to type, and its output ---------------------------------------

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


# ---- the guessing game ---------------------------------------------------------------------------

OPPONENTS = (
    ("a tight player who raised", "15%"),
    ("a loose player who called", "40%"),
    ("a player who never looks at their cards", "any"),
    ("a player who three-bet", "QQ+,AK,A5s-A2s"),
    ("a fan of suited cards", "A2s+,K2s+,Q2s+,J7s+,T7s+,96s+,85s+,75s+,64s+,54s"),
)
GOOD, FAIR = 3.0, 8.0  # percentage points


@dataclass(frozen=True, slots=True)
class GuessQuestion:
    """One question of the game, with its answer in percent."""

    hand: tuple[Card, ...]
    flop: tuple[Card, ...]
    who: str
    range_text: str
    truth: float


def play(out: Console, rounds: int, seed: int | None) -> None:
    """Play this many rounds; `q`, Ctrl-D or Ctrl-C ends early. Prints the average error."""
    rng = np.random.default_rng(seed)
    out.print()
    out.print(Rule("[bold]Your turn: guess your equity[/]", align="left", style="dim"))
    out.print("[dim]In percent, such as 55; q quits.[/]")
    misses: list[float] = []
    for number in range(1, rounds + 1):
        spot = deal_spot(rng)
        out.print(f"\n[dim]{number}/{rounds}[/] You hold", card_text(spot.hand), "on", card_text(spot.flop))
        out.print(f"against {spot.who}: [bold]{spot.range_text}[/]")
        guess = _ask(out)
        if guess is None:
            break
        misses.append(abs(guess - spot.truth))
        out.print(f"{spot.truth:.1f} %. {verdict(misses[-1])}")
    if misses:
        out.print(
            f"\nOn average you were off by [bold]{sum(misses) / len(misses):.1f} points[/] in {len(misses)} spots."
        )


def deal_spot(rng: np.random.Generator) -> GuessQuestion:
    """A random hand, flop and opponent, and the exact equity."""
    cards = tuple(Card(int(card)) for card in rng.permutation(52)[:5])
    who, text = OPPONENTS[int(rng.integers(len(OPPONENTS)))]
    hand, flop = tuple(sorted(cards[:2], reverse=True)), cards[2:]
    answer = equity(cards_text(hand), text, board=flop)
    return GuessQuestion(hand=hand, flop=flop, who=who, range_text=text, truth=100 * answer.players[0].equity)


def verdict(miss: float) -> str:
    """A comment on a guess that is off by this many points."""
    if miss <= GOOD:
        return f"[bold green]Off by {miss:.1f}: you have done this before.[/]"
    if miss <= FAIR:
        return f"[yellow]Off by {miss:.1f}: close.[/]"
    return f"[red]Off by {miss:.1f}: an expensive miss.[/]"


def _ask(out: Console) -> float | None:
    """Ask for a percentage until the input is valid; None to quit."""
    while True:
        try:
            text = out.input("your equity, % > ").strip().lower().rstrip("%").replace(",", ".")
        except (EOFError, KeyboardInterrupt):
            out.print()
            return None
        if text in ("q", "quit", "exit"):
            return None
        try:
            guess = float(text)
        except ValueError:
            guess = -1.0
        if 0 <= guess <= 100:
            return guess
        out.print(f"[red]'{escape(text)}' is not a percentage[/]: type a number from 0 to 100, or q to quit")
