"""A guessing game: estimate your equity, given a hand, a flop and an opponent's range."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.rule import Rule

from tahur.cards.cards import Card, cards_text
from tahur.cards.equity import equity
from tahur.show.cards import card_text

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
