"""Sets of winners over all run-outs: against going through the boards one by one, and against the equities."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb

import numpy as np
import pytest

from tahur.cards.cards import cards_of, cards_text, combo_of
from tahur.cards.equity import equity
from tahur.cards.equity.ask import winner_counts
from tahur.cards.evaluator import evaluate


def _dealt(seed: int, hands: int, board: int, dead: int) -> tuple[list[int], list[int], list[int]]:
    cards = np.random.default_rng(seed).permutation(52).tolist()
    held = [combo_of((cards.pop(), cards.pop())) for _ in range(hands)]
    return held, [cards.pop() for _ in range(board)], [cards.pop() for _ in range(dead)]


def _one_by_one(held: list[int], board: list[int], dead: list[int], showdown_board: int) -> dict[int, int]:
    holes = [tuple(map(int, cards_of(hand))) for hand in held]
    left = sorted(set(range(52)) - set(board) - set(dead) - {card for hole in holes for card in hole})
    counts: Counter[int] = Counter()
    for more in combinations(left, showdown_board - len(board)):
        ranks = [evaluate((*hole, *board, *more)) for hole in holes]
        counts[sum(1 << place for place, rank in enumerate(ranks) if rank == max(ranks))] += 1
    return dict(counts)


@pytest.mark.parametrize(
    ("hands", "board", "dead", "showdown_board"),
    [(2, 3, 0, 5), (2, 4, 6, 5), (3, 3, 4, 5), (5, 3, 2, 5), (6, 4, 0, 5), (9, 4, 0, 5), (2, 5, 0, 5), (2, 1, 0, 3)],
)
def test_sets_of_winners_are_counted_as_by_going_through_the_boards(
    hands: int, board: int, dead: int, showdown_board: int
) -> None:
    for seed in range(8):
        held, lying, gone = _dealt(seed, hands, board, dead)
        counts = winner_counts(held, lying, sum(1 << card for card in gone), showdown_board)
        assert dict(counts) == _one_by_one(held, lying, gone, showdown_board), seed


@pytest.mark.parametrize("hands", [2, 3, 4])
def test_before_the_flop_the_sets_of_winners_agree_with_the_equities(hands: int) -> None:
    for seed in range(4):
        held, _, gone = _dealt(seed, hands, 0, 4)
        counts = winner_counts(held, (), sum(1 << card for card in gone))
        answer = equity(*(cards_text(cards_of(hand)) for hand in held), dead=gone)
        runouts = comb(52 - 2 * hands - len(gone), 5)
        assert sum(times for _, times in counts) == runouts
        for player, share in enumerate(answer.players):
            assert sum(n for winners, n in counts if winners == 1 << player) == round(share.win * runouts)
            assert sum(n / winners.bit_count() for winners, n in counts if winners >> player & 1) == pytest.approx(
                share.equity * runouts, abs=1e-3
            )
