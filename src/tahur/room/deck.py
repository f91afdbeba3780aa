"""A room's cards and dice: drawn securely, committed to before the deal, and mixed by the players' seeds.

The whole deck is shuffled, or all dice are rolled, by the operating system's secure randomness. Each value is sealed
with its own salt; the commitment, a hash of a header (`room/sealing.py`) and of all digests, is published before the
first card. Then the deck is shuffled again by seeds of the players that were unknown when it was sealed. After the hand
each player gets the salts of the cards they were entitled to see, and no others: folded hands stay secret.

A *place* is a position in the sealed deck, a *draw* a position in the mixed deck as it is dealt; both count from 0.
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
from tahur.games.perudo.table import EMPTY, hand_of


class Randomness(Protocol):
    """The source of a room's random values."""

    def deck(self) -> tuple[int, ...]: ...

    def dice(self, count: int) -> tuple[int, ...]: ...

    def key(self) -> str: ...


class SecureRandomness:
    """The operating system's secure source, used for real play."""

    def deck(self) -> tuple[int, ...]:
        cards = list(range(DECK_SIZE))
        secrets.SystemRandom().shuffle(cards)
        return tuple(cards)

    def dice(self, count: int) -> tuple[int, ...]:
        return tuple(1 + secrets.randbelow(6) for _ in range(count))

    def key(self) -> str:
        return secrets.token_hex(32)


class DeckDealer:
    """Deals a fixed deck from the top: two consecutive cards to each seat with chips, then the board."""

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
    """Deals fixed dice: to each seat as many as its cup holds."""

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
    """One value of a deck with its salt; the digest is public from the start."""

    hand: int
    place: int
    value: str
    salt: str

    @property
    def digest(self) -> str:
        return sha256(f"{self.hand}:{self.place}:{self.value}:{self.salt}")


def seals(hand: int, texts: Sequence[str], key: str) -> tuple[Seal, ...]:
    """Seal every value. Salts are derived from the key separately, so that one salt reveals nothing about another."""
    return tuple(Seal(hand, place, text, _salt(key, place)) for place, text in enumerate(texts))


def commitment(digests: Sequence[str], header: str = "") -> str:
    """The hash of the header and all digests, one per line. Older deals have no header; their digests are one line."""
    return sha256("\n".join((header, *digests)) if header else "".join(digests))


def sha256(text: str) -> str:
    """SHA-256 of the text in UTF-8, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


# ---- seeds ---------------------------------------------------------------------------------------

Seeds = Sequence[str | None]  # by seat; None: no seed


def mix_of(seeds: Seeds) -> str | None:
    """The hash of all seeds with their seats; None without seeds."""
    lines = [f"{seat}:{seed}" for seat, seed in enumerate(seeds) if seed is not None]
    return sha256("\n".join(lines)) if lines else None


def places_of(seeds: Seeds, count: int) -> tuple[int, ...]:
    """For each draw, its place in the sealed deck: places sorted by a hash of the mix and the place."""
    mix = mix_of(seeds)
    if mix is None:
        return tuple(range(count))
    return tuple(sorted(range(count), key=lambda place: sha256(f"{mix}:{place}")))


def shuffled(sealed: Sequence[int], seeds: Seeds) -> tuple[int, ...]:
    """The sealed cards in dealing order."""
    return tuple(sealed[place] for place in places_of(seeds, len(sealed)))


def unshuffled(dealt: Sequence[int], seeds: Seeds) -> tuple[int, ...]:
    """The dealt cards in sealed order."""
    at = dict(zip(places_of(seeds, len(dealt)), dealt, strict=True))
    return tuple(at[place] for place in range(len(dealt)))


def turned(dice: Sequence[int], seeds: Seeds, *, back: bool = False) -> tuple[int, ...]:
    """Add a number from 0 to 5, a hash of the mix and the place, to each die; `back` inverts it."""
    mix = mix_of(seeds)
    if mix is None:
        return tuple(dice)
    turns = (int(sha256(f"{mix}:{place}"), 16) % 6 for place in range(len(dice)))
    return tuple((die - 1 + (-turn if back else turn)) % 6 + 1 for die, turn in zip(dice, turns, strict=True))


def _salt(key: str, place: int) -> str:
    return hmac.digest(bytes.fromhex(key), str(place).encode(), "sha256").hex()[:32]
