"""Poker's ranking by its definition, slowly: describes and compares every five of the cards.

The reference implementation of the evaluator: written from the rules and sharing nothing with the tables, it is what
tests and `tahur info doctor` compare the fast one with. Not for use anywhere else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

Description = tuple[int, tuple[int, ...]]


def describe(cards: Sequence[int]) -> Description:
    """The best five's category (0 high card ... 8 straight flush) and deciding ranks; compares as poker hands do."""
    return max(_describe_five(five) for five in combinations(cards, 5))


def _describe_five(cards: Sequence[int]) -> Description:
    """The category of five cards (8: straight flush, down to 0: high card), and the ranks that decide between
    equals."""
    counts = Counter(card // 4 for card in cards)
    ranks = tuple(sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True))
    shape = tuple(sorted(counts.values(), reverse=True))
    flush = len({card % 4 for card in cards}) == 1
    top = _straight_top(ranks)
    if top is not None:
        return (8 if flush else 4), (top,)
    if flush:
        return 5, ranks
    by_shape = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1, 1, 1, 1, 1): 0}
    return by_shape[shape], ranks


def _straight_top(ranks: Sequence[int]) -> int | None:
    if len(ranks) < 5:
        return None
    if tuple(ranks) == (12, 3, 2, 1, 0):  # ace to five
        return 3
    return ranks[0] if ranks[0] - ranks[4] == 4 else None
