"""What a seat holds, in words: the made hand, its draws, and how much of what others could hold it beats.

Models misread their own cards; so they are told.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from tahur.cards.cards import DECK_SIZE, Card, cards_text
from tahur.cards.evaluator import evaluate, evaluate_many, rank_name
from tahur.cards.rankings import EQUITY_ORDER, class_names, class_of_combos

RANK_WORDS: Final = (
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "jack",
    "queen",
    "king",
    "ace",
)
_PLURALS: Final = tuple(word + ("es" if word == "six" else "s") for word in RANK_WORDS)
_FULL_BOARD: Final = 5
_STRAIGHTS: Final = tuple(
    sum(1 << rank % 13 for rank in range(low, low + 5)) for low in range(-1, 9)
)  # the wheel first
_SUITS: Final = 4

Cards = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Holding:
    """`made` is the hand as it stands, `draws` what it may become with one card, `beats` the part of hands it beats."""

    cards: str
    made: str
    draws: tuple[str, ...]
    beats: float

    def words(self) -> str:
        """`pair of aces, flush draw; better than 84 % of hands`."""
        return f"{', '.join((self.made, *self.draws))}; better than {self.beats:.0%} of hands"


def holding_of(hole: Cards, board: Cards) -> Holding:
    """The two cards, before the flop or on a board of three to five."""
    if not board:
        return Holding(cards_text(hole), start_words(hole), (), start_percentile(hole))
    made = rank_name(evaluate((*hole, *board)))
    return Holding(cards_text(hole), made, draws_of(hole, board), _beaten(hole, board))


def start_words(hole: Cards) -> str:
    """`pocket nines`, `ace-king suited`."""
    high, low = sorted((card // _SUITS for card in hole), reverse=True)
    if high == low:
        return f"pocket {_PLURALS[high]}"
    suited = "suited" if hole[0] % _SUITS == hole[1] % _SUITS else "offsuit"
    return f"{RANK_WORDS[high]}-{RANK_WORDS[low]} {suited}"


def start_percentile(hole: Cards) -> float:
    """The part of all starting hands that are weaker, those of the same class counting half."""
    high, low = max(hole), min(hole)
    return _percentiles()[_classes()[high * (high - 1) // 2 + low]]


def draws_of(hole: Cards, board: Cards) -> tuple[str, ...]:
    """What one more card may make of it, if a card is to come and a card of its own is needed for it."""
    if len(board) >= _FULL_BOARD:
        return ()
    cards = (*hole, *board)
    found = []
    suit = next((suit for suit in range(_SUITS) if sum(card % _SUITS == suit for card in cards) == 4), None)
    if suit is not None and any(card % _SUITS == suit for card in hole):
        found.append("flush draw")
    outs = len(_straight_outs(cards) - _straight_outs(board))
    if outs and not _has_straight(_ranks(cards)):
        found.append("open-ended straight draw" if outs > 1 else "gutshot straight draw")
    return tuple(found)


def _straight_outs(cards: Cards) -> set[int]:
    """The ranks that would make a straight of these cards."""
    ranks = _ranks(cards)
    return {rank for rank in range(13) if not ranks >> rank & 1 and _has_straight(ranks | 1 << rank)}


def _has_straight(ranks: int) -> bool:
    return any(ranks & straight == straight for straight in _STRAIGHTS)


def _ranks(cards: Cards) -> int:
    ranks = 0
    for card in cards:
        ranks |= 1 << card // _SUITS
    return ranks


def _beaten(hole: Cards, board: Cards) -> float:
    """Of all hands that somebody else may hold here, the part that is behind, ties counting half."""
    left = np.setdiff1d(np.arange(DECK_SIZE), (*hole, *board))
    first, second = np.triu_indices(len(left), 1)
    rows = np.empty((len(first), 2 + len(board)), np.uint8)
    rows[:, 0], rows[:, 1], rows[:, 2:] = left[first], left[second], board
    ranks, own = evaluate_many(rows), evaluate((*hole, *board))
    return float(np.mean(ranks < own) + np.mean(ranks == own) / 2)


@cache
def _percentiles() -> dict[int, float]:
    """By the number of a class."""
    sizes = np.bincount(class_of_combos(), minlength=169)
    numbers = {name: number for number, name in enumerate(class_names())}
    below, found = 1.0, {}
    for name in EQUITY_ORDER.split():
        share = sizes[numbers[name]] / sizes.sum()
        below -= share
        found[numbers[name]] = float(below + share / 2)
    return found


@cache
def _classes() -> tuple[int, ...]:
    return tuple(class_of_combos().tolist())


def card_names(cards: Cards) -> str:
    """`Ah Kd`."""
    return " ".join(str(Card(card)) for card in cards)
