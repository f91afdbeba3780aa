"""Hand evaluation: the rank of one hand, or of an array of hands, of five, six or seven cards.

A *rank* is a number from 1 (7-5-4-3-2) to 7,462 (royal flush); the higher rank wins, equal ranks tie. One hand is
looked up in plain Python, which is as fast as a kernel call; arrays go through the kernels.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tahur.cards import tables
from tahur.cards.cards import Card, cards_text, check_distinct
from tahur.cards.tables import FLUSH_BITS, KEY_BITS, LOW_BITS, SUITS_START
from tahur.core.errors import CardError

BEST_RANK: Final = 7462

CATEGORIES: Final = (
    "high card", "pair", "two pair", "three of a kind", "straight", "flush", "full house", "four of a kind",
    "straight flush",
)  # fmt: skip
RANK_WORDS = ["deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"]
_PLURALS = [word + ("es" if word == "six" else "s") for word in RANK_WORDS]

_LOW_MASK = (1 << LOW_BITS) - 1
_HIGH_MASK = (1 << (KEY_BITS - LOW_BITS)) - 1
_COUNTER_BITS = (0x8 << KEY_BITS, 0x80 << KEY_BITS, 0x800 << KEY_BITS, 0x8000 << KEY_BITS)


class _Evaluator:
    """The tables as lists: from Python, indexing lists is twice as fast as indexing arrays."""

    __slots__ = ("flush", "high", "key", "low", "rank")

    def __init__(self, source: tables.EvaluatorTables) -> None:
        self.key: list[int] = source.key[:52].tolist()
        self.low: list[int] = source.low.tolist()
        self.high: list[int] = source.high.tolist()
        self.rank: list[int] = source.rank.tolist()
        self.flush: list[int] = source.flush.tolist()

    def __call__(self, cards: Sequence[int]) -> int:
        keys = self.key
        key = SUITS_START
        for card in cards:
            key += keys[card]
        if key & FLUSH_BITS:
            return self.flush[_suited_ranks(cards, key)]
        return self.rank[self.high[key >> LOW_BITS & _HIGH_MASK] + self.low[key & _LOW_MASK]]


@cache
def evaluator() -> _Evaluator:
    """The function behind `evaluate`, for loops that call it a million times."""
    return _Evaluator(tables.load())


def evaluate(cards: Sequence[int]) -> int:
    """The rank of the best five of five to seven cards. The caller must ensure that they are distinct."""
    if 5 <= len(cards) <= 7:
        return (_ready[0] if _ready else _make_ready())(cards)
    raise CardError(f"{cards_text(cards) or 'nothing'} is {len(cards)} cards; a hand has 5, 6 or 7")


_ready: list[_Evaluator] = []  # the evaluator once it is created: faster than a cache


def _make_ready() -> _Evaluator:
    _ready.append(evaluator())
    return _ready[0]


def evaluate_many(hands: ArrayLike) -> NDArray[np.uint16]:
    """The rank of each row of an (n, 5), (n, 6) or (n, 7) array of cards. Every row is checked."""
    from tahur.cards.kernels import ranks_of_hands

    array = _as_array(hands)
    rows = np.require(_as_cards(array), requirements=("C", "W"))  # one type of array, one compiled kernel
    ranks = np.empty(len(rows), np.uint16)
    bad = ranks_of_hands(rows, tables.load(), ranks)
    if bad >= 0:
        raise CardError(f"row {bad}, {array[bad].tolist()}, is not a hand: cards must be 0 to 51 and distinct")
    return ranks


@dataclass(frozen=True, slots=True)
class NamedHand:
    """A ranked hand in readable form."""

    name: str
    category: str
    rank: int
    best: tuple[Card, ...]


def name_hand(cards: Iterable[int]) -> NamedHand:
    """The rank, its name, and the five cards that make it."""
    held = tuple(Card(card) for card in cards)
    check_distinct((cards_text(held), held))
    rank = evaluate(held)
    best = next(five for five in combinations(sorted(held, reverse=True), 5) if evaluate(five) == rank)
    return NamedHand(rank_name(rank), category_of(rank), rank, best)


def category_of(rank: int) -> str:
    """The category of a rank, such as `full house`."""
    return CATEGORIES[_value(rank) >> 20]


def rank_name(rank: int) -> str:
    """The rank in words: `full house, kings over fours`."""
    value = _value(rank)
    first, second = value >> 16 & 15, value >> 12 & 15
    match CATEGORIES[value >> 20]:
        case "straight flush" if first == 12:
            return "royal flush"
        case "straight flush" | "straight" | "flush" as category:
            return f"{category}, {RANK_WORDS[first]} high"
        case "four of a kind" | "three of a kind" as category:
            return f"{category}, {_PLURALS[first]}"
        case "full house":
            return f"full house, {_PLURALS[first]} over {_PLURALS[second]}"
        case "two pair":
            return f"two pair, {_PLURALS[first]} and {_PLURALS[second]}"
        case "pair":
            return f"pair of {_PLURALS[first]}"
        case category:
            return f"{category}, {RANK_WORDS[first]}"


def _value(rank: int) -> int:
    if not 1 <= rank <= BEST_RANK:
        raise CardError(f"no hand has rank {rank}; ranks go from 1 (7-5-4-3-2) to {BEST_RANK} (royal flush)")
    return int(tables.values()[rank - 1])


def _suited_ranks(cards: Iterable[int], key: int) -> int:
    """The ranks, as 13 bits, of the cards in the suit that makes the flush."""
    suit = next(suit for suit, bit in enumerate(_COUNTER_BITS) if key & bit)
    ranks = 0
    for card in cards:
        if card & 3 == suit:
            ranks |= 1 << (card >> 2)
    return ranks


def _as_array(hands: ArrayLike) -> NDArray[Any]:
    try:
        return np.asarray(hands)
    except (ValueError, OverflowError) as error:
        raise CardError(f"hands that are not an array: {error}") from None


def _as_cards(hands: NDArray[Any]) -> NDArray[np.uint8]:
    """The cards as bytes; a number that is no card becomes 255."""
    if hands.ndim != 2 or not 5 <= hands.shape[1] <= 7:
        raise CardError(f"hands of shape {hands.shape}; expected (n, 5), (n, 6) or (n, 7) cards")
    if hands.dtype == np.uint8:
        return hands.astype(np.uint8, copy=False)
    if hands.dtype.kind not in "iu":
        raise CardError(f"cards of type {hands.dtype}; expected integers from 0 to 51")
    return np.where((hands >= 0) & (hands < 52), hands, 255).astype(np.uint8)
