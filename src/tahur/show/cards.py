"""Cards for the terminal, in four colours: spades white, hearts red, diamonds blue, clubs green."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from tahur.cards.cards import Card

_STYLES = ("bold green", "bold bright_blue", "bold red", "bold")


def card_text(cards: Iterable[Card]) -> Text:
    """`A♠ K♦`, each card in the colour of its suit."""
    text = Text()
    for card in cards:
        text.append(" " if text else "").append(card.sign, _STYLES[card.suit])
    return text
