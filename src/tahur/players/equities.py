"""The share of the pot that a hand wins against opponents with given ranges (`opponents.py`).

It is sampled from a stream that depends only on hand and board, or enumerated where that is cheap, so the same question
has the same answer, and answers are cached. Preflop questions that differ only by suits share one. `equity_against`
takes few samples, for the pot-odds player; `estimate` takes more and has a standard error, for personas.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import accumulate
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import COMBOS, cards_of
from tahur.cards.equity import equity
from tahur.cards.equity.kernels.common import POT
from tahur.cards.equity.kernels.samples import sample
from tahur.cards.equity.tables import combos
from tahur.cards.evaluator import evaluate_many
from tahur.cards.ranges import Range
from tahur.cards.rankings import class_of_combos
from tahur.cards.tables import load
from tahur.core.game import Hand
from tahur.core.player import View
from tahur.games.holdem.table import HoldemTable
from tahur.players.bounded.situation import EquityEstimate
from tahur.players.opponents import HONESTY, USUAL, Board, OpponentRange, RangeModel

QUICK_PREFLOP_SAMPLES: Final = 2_000  # cached permanently, so more: an error of 1.1 % of the pot at most
QUICK_BOARD_SAMPLES: Final = 500  # 2.2 % at most
PREFLOP_SAMPLES: Final = 4_000  # 0.8 %
BOARD_SAMPLES: Final = 2_000  # 1.1 %

Held = tuple[NDArray[np.int64], NDArray[np.float64]]  # combos and their weights


def equity_against(hand: Hand, board: Board, opponents: tuple[OpponentRange, ...], *, last: int = 5) -> float:
    """The part of the pot, 0 to 1, that the hand wins on average. `last`: the number of board cards at a showdown.

    Flop Hold'em before the flop is treated as if its board went on to five cards; the difference is small.
    """
    if not board:
        return _quick_before_the_flop(_numbers()[hand], opponents)
    if len(board) == last:
        return _exact_equity(hand, board, opponents)
    return _sample_equity(hand, board, opponents, QUICK_BOARD_SAMPLES)


def estimate_of(view: View, model: RangeModel = USUAL) -> EquityEstimate:
    """The equity of the seat to act against all other live seats."""
    table: HoldemTable = view.table
    assert view.hand is not None
    return estimate(view.hand, table.board, model.opponents(view.game, table), last=table.stakes.showdown_board)


def estimate(hand: Hand, board: Board, opponents: tuple[OpponentRange, ...], *, last: int = 5) -> EquityEstimate:
    """The share of the pot that the hand wins on average. `last`: the number of board cards at a showdown."""
    if len(board) == last and len(opponents) == 1:
        return EquityEstimate(equity_against(hand, board, opponents, last=last))
    if not board:
        return _before_the_flop(_numbers()[hand], opponents)
    return _on_board(hand, tuple(sorted(board)), opponents)


def estimate_against(hand: Hand, board: Board, ranges: tuple[Range, ...]) -> EquityEstimate:
    """The same against explicit ranges."""
    own, samples = Range.of_hand(cards_of(hand)), None if board and len(ranges) == 1 else BOARD_SAMPLES
    answer = equity(own, *ranges, board=board, samples=samples, rng=np.random.default_rng(_seed_for(hand, board)))
    return EquityEstimate(answer.players[0].equity, answer.stderr or 0.0)


# ---- few samples ---------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 17)
def _quick_before_the_flop(number: int, opponents: tuple[OpponentRange, ...]) -> float:
    """By the class of the hand, represented by any of its combos."""
    return _sample_equity(_examples()[number], (), opponents, QUICK_PREFLOP_SAMPLES)


@lru_cache(maxsize=1 << 12)
def _sample_equity(hand: Hand, board: Board, opponents: tuple[OpponentRange, ...], samples: int) -> float:
    """The equity against opponents' ranges, by a fixed number of random deals."""
    held = [range_on(opponent, board) for opponent in opponents]
    combo = np.concatenate([[hand], *(indices for indices, _ in held)])
    weight = np.concatenate([[1.0], *(weights for _, weights in held)])
    start = np.array([0, *accumulate((len(indices) for indices, _ in held), initial=1)])
    counts, squares = np.zeros((len(start) - 1, 3), np.int64), np.zeros(len(start) - 1, np.int64)
    _, dealt = sample(
        samples, combo, weight, start, _bits(board), 0, _seed_for(hand, board) << 20, load(), combos(), counts, squares
    )
    return float(counts[0, 2]) / (dealt * POT) if dealt else 1 / (len(opponents) + 1)


@lru_cache(maxsize=1 << 12)
def _exact_equity(hand: Hand, board: Board, opponents: tuple[OpponentRange, ...]) -> float:
    """Exact against each opponent, ignoring card removal between opponents.

    If each is beaten with probability b and tied with t, the share is the integral of (b1 + t1 x)(b2 + t2 x)... over x
    from 0 to 1: with k ties the pot is split by k + 1.
    """
    ranks = _ranks(board)
    free = combos().mask & combos().mask[hand] == 0
    product = np.ones(1)
    for opponent in opponents:
        indices, weights = range_on(opponent, board)
        weights = weights * free[indices]
        theirs, total = ranks[indices], weights.sum()
        if total:
            beaten, tied = weights @ (theirs < ranks[hand]), weights @ (theirs == ranks[hand])
            product = np.convolve(product, [beaten / total, tied / total])
    return float(product @ (1 / np.arange(1, len(product) + 1)))


# ---- with a standard error -----------------------------------------------------------------------


@lru_cache(maxsize=1 << 16)
def _before_the_flop(number: int, opponents: tuple[OpponentRange, ...]) -> EquityEstimate:
    """By the class of the hand, represented by any of its combos."""
    hand = _examples()[number]
    rng = np.random.default_rng(_seed_for(hand, ()))
    own, ranges = Range.of_hand(cards_of(hand)), [_range(opponent, (), hand) for opponent in opponents]
    answer = equity(own, *ranges, samples=PREFLOP_SAMPLES, rng=rng)
    return EquityEstimate(answer.players[0].equity, answer.stderr or 0.0)


@lru_cache(maxsize=1 << 13)
def _on_board(hand: Hand, board: Board, opponents: tuple[OpponentRange, ...]) -> EquityEstimate:
    return estimate_against(hand, board, tuple(_range(opponent, board, hand) for opponent in opponents))


def _range(opponent: OpponentRange, board: Board, hand: Hand) -> Range:
    """The range of an opponent; all hands, if every hand of it contains a board card or one of ours."""
    opponent_range = _range_on_board(opponent, board)
    free = combos().mask[opponent_range.indices] & combos().mask[hand] == 0
    return opponent_range if free.any() else _range_on_board(OpponentRange(1.0), board)


@lru_cache(maxsize=1 << 10)
def _range_on_board(opponent: OpponentRange, board: Board) -> Range:
    vector = np.zeros(COMBOS)
    indices, weights = range_on(opponent, board)
    vector[indices] = weights
    return Range.from_vector(vector)


# ---- ranges on a board ---------------------------------------------------------------------------


@lru_cache(maxsize=1 << 10)
def range_on(opponent: OpponentRange, board: Board) -> Held:
    """The combos that the opponent may hold on that board, with their weights."""
    indices = _top(opponent.width)
    indices = indices[combos().mask[indices] & _bits(board) == 0]
    weights = np.ones(len(indices))
    if board and opponent.bets:
        ranks = _ranks(board)[indices]
        weights[ranks < np.median(ranks)] = HONESTY**opponent.bets
    return indices, weights


@lru_cache(maxsize=1 << 8)
def _ranks(board: Board) -> NDArray[np.int64]:
    """(1326,) the rank of each combo on the board; 0 if it contains a board card."""
    free = combos().mask & _bits(board) == 0
    hands = combos().cards[free]
    rows = np.hstack([hands, np.tile(board, (len(hands), 1))]).astype(np.uint8)
    ranks = np.zeros(len(free), np.int64)
    ranks[free] = evaluate_many(rows)
    return ranks


@cache
def _top(width: float) -> NDArray[np.int64]:
    return Range(f"{100 * width:.6f}%").indices


@cache
def _numbers() -> tuple[int, ...]:
    """The class of each combo."""
    return tuple(class_of_combos().tolist())


@cache
def _examples() -> dict[int, Hand]:
    """One combo of each class."""
    return {number: hand for hand, number in enumerate(_numbers())}


def _bits(board: Sequence[int]) -> int:
    return sum(1 << card for card in board)


def _seed_for(hand: Hand, board: Board) -> int:
    """A number for this question, different for different cards."""
    key = hand
    for card in board:
        key = key << 6 | card
    return key
