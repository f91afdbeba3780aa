"""Call every kernel of the traversal once, at the smallest game."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tahur.games.kuhn import Kuhn
from tahur.solvers.deep.game import training_game
from tahur.solvers.deep.traversal import traversed


def warm_up() -> Iterator[str]:
    """Compile or load the kernels, yielding the name of each group before it starts."""
    from tahur.solvers.deep.kernels import add_ones, average_policies, bend

    yield "traversals"
    rng = np.random.default_rng(0)
    game = training_game(Kuhn())
    traversed(game, (None, None), 0, game.deal(rng, 4), rng)
    rows, bias = np.zeros((1, 2), np.float32), np.zeros(2, np.float32)
    add_ones(rows, bias, rows, np.zeros((1, 1), np.int64), 1)
    bend(rows, bias, rows)
    whole, policies = np.zeros(1, np.int64), np.zeros((1, 1, 1, 3), np.float32)
    legal, start = np.ones((1, 3), np.bool_), np.ones((1, 1), np.float32)
    average_policies(policies, legal, False, start, whole, whole, np.zeros((1, 1, 1), np.float32), np.zeros((1, 1, 3)))
