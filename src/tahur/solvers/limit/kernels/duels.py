"""One weighted range against every hand at once: the weight each hand may meet, and what it beats minus what beats
it."""

from __future__ import annotations

import numpy as np

from tahur.cards.buckets.kernels import HANDS, ranks_on, sort_by_rank
from tahur.cards.equity.tables import Combos
from tahur.cards.tables import EvaluatorTables
from tahur.core.arrays import Float64s, Int64s
from tahur.core.kernels import kernel


@kernel
def sorted_hands(board: Int64s, combos: Combos, tables: EvaluatorTables, ranks: Int64s, held: Int64s) -> int:
    """The number of hands that a final board leaves; both lists (1326,) are sorted weakest first."""
    count = ranks_on(board, combos, tables, ranks, held)
    sort_by_rank(count, ranks, held, np.empty(HANDS, np.int64), np.empty(HANDS, np.int64))
    return count


@kernel
def meetings(weights: Float64s, combos: Combos, out: Float64s) -> None:
    """weights, out: (n, 1326); out: the weight of all hands that share no card with each hand."""
    by_card = np.empty(52)
    for row in range(len(weights)):
        by_card[:] = 0.0
        total = 0.0
        for hand in range(HANDS):
            weight = weights[row, hand]
            total += weight
            by_card[combos.cards[hand, 0]] += weight
            by_card[combos.cards[hand, 1]] += weight
        for hand in range(HANDS):
            apart = total - by_card[combos.cards[hand, 0]] - by_card[combos.cards[hand, 1]]
            out[row, hand] = apart + weights[row, hand]


@kernel
def duels(count: int, ranks: Int64s, held: Int64s, weights: Float64s, combos: Combos, out: Float64s) -> None:
    """weights, out: (n, 1326); out: the weight that each hand beats minus the weight that beats it, without shared
    cards."""
    by_card = np.empty(52)
    for row in range(len(weights)):
        out[row] = 0.0
        for down in range(2):
            by_card[:] = 0.0
            total, first = 0.0, 0
            while first < count:
                after = first
                while after < count and ranks[_at(after, count, down)] == ranks[_at(first, count, down)]:
                    after += 1
                for at in range(first, after):
                    hand = held[_at(at, count, down)]
                    part = total - by_card[combos.cards[hand, 0]] - by_card[combos.cards[hand, 1]]
                    out[row, hand] += part if down == 0 else -part
                for at in range(first, after):
                    hand = held[_at(at, count, down)]
                    total += weights[row, hand]
                    by_card[combos.cards[hand, 0]] += weights[row, hand]
                    by_card[combos.cards[hand, 1]] += weights[row, hand]
                first = after


@kernel
def _at(place: int, count: int, down: int) -> int:
    return count - 1 - place if down else place
