"""A hand in words, for prompts: what it has made, what it draws to, and how many other hands it beats.

Models misread their own cards, so the prompt describes them in poker terms: an overpair, top pair, a gutshot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import COMBOS, cards_of
from tahur.cards.evaluator import CATEGORIES, category_of, evaluate, evaluate_many, rank_name
from tahur.players.bounded.position import strength_of
from tahur.players.bounded.situation import Situation

RANK_WORDS: Final = (
    "deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace",
)  # fmt: skip
_STRAIGHT: Final = CATEGORIES.index("straight")


@dataclass(frozen=True, slots=True)
class HandReading:
    """`percentile`: the share, 0 to 1, of all hands that others could hold here that this one beats or ties."""

    made: str
    draws: tuple[str, ...]
    percentile: float

    @property
    def text(self) -> str:
        """`top pair, pair of queens; flush draw; beats 84 % of hands`."""
        return "; ".join((self.made, *self.draws, f"beats {self.percentile:.0%} of hands"))


def reading_of(situation: Situation) -> HandReading:
    """The reading of the seat to act's hand."""
    hole, board = situation.hole, situation.board
    if not board:
        return HandReading(_starting_words(hole), (), 1 - strength_of(hole))
    return HandReading(made_words(hole, board), draw_words(hole, board), percentile_of(hole, board))


def made_words(hole: Sequence[int], board: Sequence[int]) -> str:
    """`top pair, pair of queens`; notes when the whole hand is on the board."""
    rank = evaluate((*hole, *board))
    name, category = rank_name(rank), category_of(rank)
    if len(board) == 5 and evaluate(board) == rank:
        return f"{name}, all of it on the board"
    if category == "pair":
        return f"{_kind_of_pair(hole, board)}, {name}"
    return name


def draw_words(hole: Sequence[int], board: Sequence[int]) -> tuple[str, ...]:
    """Draws to a flush or a straight, and overcards, while cards are to come."""
    if len(board) == 5:
        return ()
    category = CATEGORIES.index(category_of(evaluate((*hole, *board))))
    lines = []
    if category <= _STRAIGHT and _draws_to_flush(hole, board):
        lines.append("flush draw")
    if category < _STRAIGHT and (ways := _straight_ways(hole, board)):
        lines.append("gutshot straight draw" if ways == 1 else "open-ended straight draw")
    over = sum(card >> 2 > max(card >> 2 for card in board) for card in hole)
    if category == 0 and over:
        lines.append("two overcards" if over == 2 else "one overcard")
    return tuple(lines)


def percentile_of(hole: Sequence[int], board: Sequence[int]) -> float:
    """The share of all hands possible on the board that this one currently beats or ties."""
    ranks = _ranks(tuple(sorted(board)))
    cards = _combo_cards()
    free = (ranks > 0) & ~np.isin(cards, hole).any(axis=1)
    return float(np.mean(ranks[free] <= evaluate((*hole, *board))))


def _starting_words(hole: Sequence[int]) -> str:
    low, high = sorted(card >> 2 for card in hole)
    if low == high:
        return f"pocket {RANK_WORDS[high]}{'es' if RANK_WORDS[high] == 'six' else 's'}"
    suited = "suited" if hole[0] & 3 == hole[1] & 3 else "offsuit"
    return f"{RANK_WORDS[high]}-{RANK_WORDS[low]} {suited}"


def _kind_of_pair(hole: Sequence[int], board: Sequence[int]) -> str:
    """The pair of a hand in words: overpair, top pair, middle pair, bottom pair, or on the board."""
    mine, theirs = [card >> 2 for card in hole], sorted({card >> 2 for card in board}, reverse=True)
    if mine[0] == mine[1]:
        return "overpair" if mine[0] > theirs[0] else "pocket pair"
    paired = [rank for rank in mine if rank in theirs]
    if not paired:
        return "a pair on the board"
    index = theirs.index(paired[0])
    return "top pair" if index == 0 else "bottom pair" if index == len(theirs) - 1 else "middle pair"


def _draws_to_flush(hole: Sequence[int], board: Sequence[int]) -> bool:
    suits = [card & 3 for card in (*hole, *board)]
    return any(suits.count(suit) == 4 for suit in {card & 3 for card in hole})


def _straight_ways(hole: Sequence[int], board: Sequence[int]) -> int:
    """The number of ranks that would make a straight using a hole card."""
    own, common = _rank_bits((*hole, *board)), _rank_bits(board)
    return sum(
        _has_straight(own | bit) and not _has_straight(common | bit)
        for bit in (_rank_bits((4 * rank,)) for rank in range(13))
        if not own & bit
    )


def _rank_bits(cards: Sequence[int]) -> int:
    """One bit per rank, with the ace also below the deuce."""
    bits = 0
    for card in cards:
        bits |= 2 << (card >> 2)
    return bits | bits >> 13 & 1


def _has_straight(bits: int) -> bool:
    return any(bits >> low & 31 == 31 for low in range(10))


@lru_cache(maxsize=1 << 8)
def _ranks(board: tuple[int, ...]) -> NDArray[np.int64]:
    """(1326,) the rank of each combo on the board; 0 if it contains a board card."""
    cards = _combo_cards()
    free = ~np.isin(cards, board).any(axis=1)
    ranks = np.zeros(COMBOS, np.int64)
    ranks[free] = evaluate_many(np.hstack([cards[free], np.tile(board, (int(free.sum()), 1))]).astype(np.uint8))
    return ranks


@lru_cache(maxsize=1)
def _combo_cards() -> NDArray[np.int64]:
    return np.array([cards_of(combo) for combo in range(COMBOS)], np.int64)
