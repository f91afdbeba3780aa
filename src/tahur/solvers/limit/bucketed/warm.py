"""Call every kernel of the bucketed solver once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tahur.cards.buckets.buckets import BINS, Buckets, assigned
from tahur.cards.buckets.kernels import flop_histograms, river_strengths, turn_histograms
from tahur.cards.cards import COMBOS
from tahur.cards.equity.tables import combos
from tahur.cards.flops import start_classes
from tahur.cards.tables import load
from tahur.games.holdem.bucket_table import game_named
from tahur.games.holdem.limit_betting import betting_of
from tahur.solvers.limit.bounds import Ranks, against, open_to
from tahur.solvers.limit.bucketed.trainer import Trainer


def warm_up() -> Iterator[str]:
    """Compile or load the kernels, yielding the name of each group before it starts."""
    yield "card buckets"
    board = np.array([[0, 5, 10, 20, 33]], np.int64)
    river_strengths(board, combos(), load(), np.empty((1, COMBOS), np.float32))
    turns, flops = np.zeros((1, COMBOS, BINS), np.uint8), np.zeros((1, COMBOS, BINS), np.uint16)
    turn_histograms(board[:, :4], combos(), load(), turns)
    flop_histograms(board[:, :3], np.zeros((1, 52), np.int64), np.zeros((1, 52), np.int64), turns, combos(), flops)
    for histograms in (turns, flops):
        assigned(histograms[0], np.ones((BINS, 2), np.float32))
    yield "bounds"
    Ranks.on((0, 5, 10, 20, 33)).duel(against(open_to((0, 5, 10, 20, 33))))
    yield "limit hold'em on card buckets"
    start = start_classes().member.astype(np.uint16)
    one = np.zeros((1755, COMBOS), np.uint16)
    four = np.zeros((16432, COMBOS), np.uint16)
    trainer = Trainer(betting_of(game_named("hulh")), Buckets(start, one, four, np.ones(1, np.float32)), 1)
    list(trainer.run(1, boards=1))
