"""Where a room's cards and dice come from, and how they are committed to before the deal.

The whole deck is shuffled, or all dice are rolled, by the operating system's secure randomness. Each value is sealed
with a salt of its own; the hash of all seals is told before the first card. Later each player is given the salts of
the cards they were entitled to see, and of no others: a hand that was folded stays folded.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from tahur.cards.cards import DECK_SIZE, combo_of
from tahur.core.errors import RecordError
from tahur.core.game import Action, Game, Hand
from tahur.games.holdem.rules import NO_HAND
from tahur.games.perudo.cups import EMPTY, hand_of


class Randomness(Protocol):
    """What a room draws from."""

    def deck(self) -> tuple[int, ...]: ...

    def dice(self, count: int) -> tuple[int, ...]: ...

    def key(self) -> str: ...


class SecureRandomness:
    """The operating system's: what real play is dealt from."""

    def deck(self) -> tuple[int, ...]:
        cards = list(range(DECK_SIZE))
        secrets.SystemRandom().shuffle(cards)
        return tuple(cards)

    def dice(self, count: int) -> tuple[int, ...]:
        return tuple(1 + secrets.randbelow(6) for _ in range(count))

    def key(self) -> str:
        return secrets.token_hex(32)


class DeckDealer:
    """Deals a settled deck from the top: two cards in a row to each seat with chips, then the board."""

    __slots__ = ("_board", "_deck")

    def __init__(self, deck: Sequence[int]) -> None:
        if sorted(deck) != list(range(DECK_SIZE)):
            raise RecordError("a deck is every card once")
        self._deck = tuple(deck)
        self._board: Iterator[int] = iter(())

    def deal(self, game: Game[Any]) -> tuple[Hand, ...]:
        top = iter(self._deck)
        stacks = game.start().stakes.stacks
        hands = tuple(combo_of((next(top), next(top))) if stack else NO_HAND for stack in stacks)
        self._board = top
        return hands

    def chance(self, game: Game[Any], table: Any, hands: Sequence[Hand]) -> Action:
        return next(self._board)


class CupsDealer:
    """Deals settled dice: to each seat as many as its cup holds."""

    __slots__ = ("_dice",)

    def __init__(self, dice: Sequence[int]) -> None:
        self._dice = tuple(dice)

    def deal(self, game: Game[Any]) -> tuple[Hand, ...]:
        top = iter(self._dice)
        return tuple(hand_of([next(top) for _ in range(cup)]) if cup else EMPTY for cup in game.start().cups)

    def chance(self, game: Game[Any], table: Any, hands: Sequence[Hand]) -> Action:
        raise RecordError("perudo: chance has only the deal")


# ---- commitments ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Seal:
    """One value of a deck with its salt; the digest is what everybody may know from the start."""

    hand: int
    place: int
    value: str
    salt: str

    @property
    def digest(self) -> str:
        return hashlib.sha256(f"{self.hand}:{self.place}:{self.value}:{self.salt}".encode()).hexdigest()


def seals(hand: int, texts: Sequence[str], key: str) -> tuple[Seal, ...]:
    """Every value sealed. Salts come from the key one by one, so that one salt tells nothing of another."""
    return tuple(Seal(hand, place, text, _salt(key, place)) for place, text in enumerate(texts))


def commitment(digests: Sequence[str]) -> str:
    """One hash of all digests, in their order."""
    return hashlib.sha256("".join(digests).encode()).hexdigest()


def _salt(key: str, place: int) -> str:
    return hmac.digest(bytes.fromhex(key), str(place).encode(), "sha256").hex()[:32]
