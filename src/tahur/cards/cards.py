"""A card is a number from 0 to 51: four times its rank (deuce 0 ... ace 12) plus its suit (c 0, d 1, h 2, s 3).

`Card` is an `int`, so cards index arrays and are passed to kernels unchanged; it only adds a readable text. A pair of
hole cards is a *combo*, numbered 0 to 1325.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from tahur.core.errors import CardError

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
SUIT_SIGNS: Final = "♣♦♥♠"
DECK_SIZE: Final = 52
COMBOS: Final = 1326

_RANK_OF = {sign: rank for rank, sign in enumerate(RANKS)} | {sign.lower(): rank for rank, sign in enumerate(RANKS)}
_SUIT_OF = (
    {sign: suit for suit, sign in enumerate(SUITS)}
    | {sign.upper(): suit for suit, sign in enumerate(SUITS)}
    | {sign: suit for suit, sign in enumerate(SUIT_SIGNS)}
    | {sign: suit for suit, sign in enumerate("♧♢♡♤")}
)
_BETWEEN_CARDS = " ,\t\ufe0e\ufe0f"  # the last two only select how a suit sign is drawn


class Card(int):
    """One card. `Card("As")`, `Card("10s")`, `Card("A♠")` and `Card(51)` are the same card."""

    __slots__ = ()

    def __new__(cls, card: int | str) -> Card:
        if isinstance(card, str):
            return parse_card(card)
        if not 0 <= card < DECK_SIZE:
            raise CardError(f"no card number {card}; cards are numbered 0 (2c) to 51 (As)")
        return _DECK[card] if _DECK else int.__new__(cls, card)

    @property
    def rank(self) -> int:
        return self >> 2

    @property
    def suit(self) -> int:
        return self & 3

    @property
    def sign(self) -> str:
        """The card with its suit drawn: `A♠`."""
        return RANKS[self.rank] + SUIT_SIGNS[self.suit]

    def __str__(self) -> str:
        return RANKS[self.rank] + SUITS[self.suit]

    def __repr__(self) -> str:
        return f"Card('{self}')"

    def __reduce__(self) -> tuple[type[Card], tuple[int]]:
        return Card, (int(self),)


_DECK: tuple[Card, ...] = ()
_DECK = tuple(Card(number) for number in range(DECK_SIZE))
DECK: Final = _DECK


def parse_card(text: str) -> Card:
    """The single card written in `text`."""
    cards = parse_cards(text)
    if len(cards) != 1:
        raise CardError(f"'{_short(text)}' is {len(cards)} cards; expected one, such as As")
    return cards[0]


def parse_cards(text: str) -> tuple[Card, ...]:
    """The cards written in `text`, in order: `AsKd2c`, `As Kd 2c` and `As,Kd,2c` are equivalent."""
    cards: list[Card] = []
    position = 0
    while (position := _skip_gap(text, position)) < len(text):
        card, after = _read_card(text, position)
        if card in cards:
            raise CardError(f"{card} appears twice in '{_short(text)}', again at position {position + 1}")
        cards.append(card)
        position = after
    return tuple(cards)


def cards_text(cards: Iterable[int]) -> str:
    """The cards as text that `parse_cards` reads: `AsKd2c`."""
    return "".join(str(Card(card)) for card in cards)


def combo_of(cards: Sequence[int]) -> int:
    """The number, 0 to 1325, of two hole cards in either order."""
    low, high = sorted(cards)
    return high * (high - 1) // 2 + low


def cards_of(combo: int) -> tuple[Card, Card]:
    """The two hole cards of a combo, the higher card first."""
    if not 0 <= combo < COMBOS:
        raise CardError(f"no combo number {combo}; combos are numbered 0 (2d2c) to 1325 (AsAh)")
    high = 1
    while high * (high + 1) // 2 <= combo:
        high += 1
    return DECK[high], DECK[combo - high * (high - 1) // 2]


def check_distinct(*groups: tuple[str, Iterable[int]]) -> None:
    """Raise `CardError` if a card occurs twice; each group is a name and its cards."""
    owner: dict[int, str] = {}
    for name, cards in groups:
        for card in cards:
            if card in owner:
                where = f"twice in {name}" if owner[card] == name else f"both in {owner[card]} and in {name}"
                raise CardError(f"{Card(card)} is {where}; a deck has it once")
            owner[card] = name


def _skip_gap(text: str, position: int) -> int:
    while position < len(text) and text[position] in _BETWEEN_CARDS:
        position += 1
    return position


def _read_card(text: str, position: int) -> tuple[Card, int]:
    """The card that starts at a position of the text, and the position after it."""
    ten = text.startswith("10", position)
    rank = _RANK_OF["T"] if ten else _RANK_OF.get(text[position])
    if rank is None:
        raise _bad(text, position, f"'{text[position]}' is not a rank; ranks are {RANKS} (or 10)")
    at_suit = position + (2 if ten else 1)
    if at_suit >= len(text):
        raise _bad(text, position, f"'{text[position:at_suit]}' has no suit; suits are {SUITS} or {SUIT_SIGNS}")
    suit = _SUIT_OF.get(text[at_suit])
    if suit is None:
        raise _bad(text, at_suit, f"'{text[at_suit]}' is not a suit; suits are {SUITS} or {SUIT_SIGNS}")
    return _DECK[4 * rank + suit], at_suit + 1


def _bad(text: str, position: int, what: str) -> CardError:
    return CardError(f"cannot read '{_short(text)}' at position {position + 1}: {what}")


def _short(text: str, most: int = 40) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
