"""Calls every card kernel once on a small example, so that compilation is done before a user waits for an answer."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tahur.cards.equity import equity
from tahur.cards.equity.ask import winner_counts
from tahur.cards.evaluator import evaluate_many
from tahur.cards.suits import canonical_many


def warm_up() -> Iterator[str]:
    """Compile or load the kernels; yields the name of each group before it starts."""
    yield "evaluator"
    evaluate_many(np.arange(14, dtype=np.uint8).reshape(2, 7))
    canonical_many(np.arange(5, dtype=np.uint8).reshape(1, 5), 2)
    yield "exact equity, hand by hand"
    equity("AsAh", "KdKc", board="QsJh2c3d")
    yield "exact equity, board by board"
    equity("22+,A2s+,K2s+", "22+,A2s+,K2s+", board="QsJh2c")
    yield "winners of every run-out"
    winner_counts((0, 5, 50), (20, 30, 40, 51))
    yield "sampled equity"
    equity("AsAh", "KK", "any", samples=1)
