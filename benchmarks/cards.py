"""Hand evaluation: a million random hands at once, and one hand at a time, against other evaluators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from benchmarks.measure import Contest, Race, Side
from tahur.cards.cards import DECK, cards_text
from tahur.cards.evaluator import BEST_RANK, evaluate, evaluate_many

HANDS = 1_000_000
BATCH = "7-card hands, 1,000,000 at once, checked"
ONE = "7-card hands, one at a time, public API"

Hand = tuple[int, ...]
Some = Sequence[Any]


@cache
def random_hands() -> NDArray[np.uint8]:
    """(1,000,000, 7): random hands of seven different cards, always the same ones."""
    rows = np.random.default_rng(7).integers(0, 52, (2 * HANDS, 7), dtype=np.uint8)
    different = (np.diff(np.sort(rows, axis=1), axis=1) > 0).all(axis=1)
    return np.ascontiguousarray(rows[different][:HANDS])


@cache
def hands_as_tuples() -> list[Hand]:
    return list(map(tuple, random_hands().tolist()))


def same_order(some: ArrayLike, others: ArrayLike) -> bool:
    """Whether two evaluators rank hands in the same order, with the same ties."""
    mine, yours = (np.unique(np.asarray(ranks), return_inverse=True)[1] for ranks in (some, others))
    return np.array_equal(mine, yours)


def _batch() -> int:
    return len(evaluate_many(random_hands()))


def _in_turn(function: Callable[[Any], object], hands: Some) -> Side:
    def loop() -> int:
        for hand in hands:
            function(hand)
        return len(hands)

    return loop


def _in_turn_spread(function: Callable[..., object], hands: Some) -> Side:
    """As `_in_turn`, for functions that take the cards as separate arguments."""

    def loop() -> int:
        for hand in hands:
            function(*hand)
        return len(hands)

    return loop


def _same_ranks(lowest_best: Sequence[int]) -> bool:
    """Whether the first hands have a peer's ranks, which go from 1, the royal flush, to 7,462."""
    return np.array_equal(BEST_RANK + 1 - np.array(lowest_best), evaluate_many(random_hands()[: len(lowest_best)]))


def _phevaluator_in_c() -> Contest:
    from phevaluator import _pheval

    function, hands = _pheval.evaluate_7cards, hands_as_tuples()
    return Contest(_in_turn_spread(function, hands), _batch, lambda: _same_ranks([function(*hand) for hand in hands]))


def _phevaluator_in_public() -> Contest:
    from phevaluator import evaluate_cards

    hands = hands_as_tuples()[:100_000]
    return Contest(
        _in_turn_spread(evaluate_cards, hands),
        _in_turn(evaluate, hands),
        lambda: all(evaluate(hand) == BEST_RANK + 1 - evaluate_cards(*hand) for hand in hands),
    )


def _eval7() -> Contest:
    import eval7

    deck = [eval7.Card(str(card)) for card in DECK]
    hands = [[deck[card] for card in hand] for hand in hands_as_tuples()[:200_000]]
    return Contest(
        _in_turn(eval7.evaluate, hands),
        _batch,
        lambda: same_order([eval7.evaluate(hand) for hand in hands], evaluate_many(random_hands()[: len(hands)])),
    )


def _treys() -> Contest:
    import treys

    deck, function = [treys.Card.new(str(card)) for card in DECK], treys.Evaluator().evaluate
    hands = [
        ([deck[card] for card in hand[:2]], [deck[card] for card in hand[2:]]) for hand in hands_as_tuples()[:20_000]
    ]
    return Contest(_in_turn_spread(function, hands), _batch, lambda: _same_ranks([function(*hand) for hand in hands]))


def _poker_equity() -> Contest:
    import poker_equity

    hands = [cards_text(hand) for hand in hands_as_tuples()[:200_000]]
    scores = partial(poker_equity.score_batch, "high", hands)  # the lowest is the best
    ranks = evaluate_many(random_hands()[: len(hands)]).astype(int)
    return Contest(lambda: len(scores()), _batch, lambda: same_order(scores(), -ranks))


def _ompeval_in_c() -> Contest:
    """The C++ loop itself: bytes in, ranks out. The public function around it takes text and is far slower."""
    import ctypes

    from pokerfast import equity

    if not equity.available():
        raise ImportError("pokerfast came without its compiled library")
    library, suits = equity._load(), np.array([2, 3, 1, 0], np.uint8)  # ours are c, d, h, s; its are s, h, c, d
    cards = random_hands()
    bytes_in, ranks = (cards & 60 | suits[cards & 3]).tobytes(), (ctypes.c_uint16 * HANDS)()

    def loop() -> int:
        library.pf_evaluate(bytes_in, HANDS, 7, ranks)
        return HANDS

    return Contest(loop, _batch, lambda: bool(loop()) and same_order(ranks, evaluate_many(cards)))


BENCHMARKS = (
    Race(BATCH, "phevaluator, private C entry in a loop", 10, _phevaluator_in_c, "hands"),
    Race(BATCH, "eval7 in a loop", None, _eval7, "hands"),
    Race(BATCH, "treys in a loop", None, _treys, "hands"),
    Race(BATCH, "poker-equity, batch of texts", None, _poker_equity, "hands"),
    Race(BATCH, "OMPEval, private C++ batch, unchecked", None, _ompeval_in_c, "hands"),
    Race(ONE, "phevaluator, public API", 1, _phevaluator_in_public, "hands"),
)
