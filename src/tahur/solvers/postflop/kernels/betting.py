"""One street on one board: reach goes down the betting, values come up, regrets change.

Decisions may be locked: hands that are do as they were told, whatever it costs them.
"""

from __future__ import annotations

import numpy as np

from tahur.core.kernels import lean_kernel
from tahur.solvers.kernels.lanes import any_positive, greatest, load, splat, store, where_positive
from tahur.solvers.postflop.kernels.storage import learn_at, spread_at
from tahur.solvers.postflop.kernels.updates import average, spread
from tahur.solvers.postflop.tables import Array, Boards, Forest, Learnt, PostflopScratch

UPDATE = 0
BEST = 1
VALUE = 2
FOLD = 2
SHOWDOWN = 3
DEAL = 4


@lean_kernel
def forward(
    forest: Forest,
    boards: Boards,
    board: int,
    me: int,
    mode: int,
    data: Learnt,
    keep: float,
    reach: Array,
    work: PostflopScratch,
) -> None:
    """From the roots' rows of the opponent's reach to all rows; while solving, also adds to the sums."""
    other = 1 - me
    size = boards.size[other, board]
    for node in range(forest.kind.shape[0]):
        if forest.kind[node] == other:
            first, count = forest.first[node], forest.moves[node]
            place = boards.data[other, board] + forest.data[node] * size
            if mode == UPDATE:
                spread_at(forest, boards, board, me, node, first, count, size, place, data, keep, reach, work)
            else:
                spread(forest, me, node, first, count, size, place, data.sums, reach)


@lean_kernel
def backward(
    forest: Forest, boards: Boards, board: int, me: int, mode: int, data: Learnt, positive: float, negative: float,
    value: Array, work: PostflopScratch,
) -> None:  # fmt: skip
    """From the values of ends and deals to those of all nodes; while solving, also changes the regrets."""
    size = boards.size[me, board]
    for node in range(forest.kind.shape[0] - 1, -1, -1):
        if forest.kind[node] >= FOLD:
            continue
        first, count = forest.first[node], forest.moves[node]
        place = boards.data[me, board] + forest.data[node] * size
        if forest.kind[node] != me:
            _add_up(forest, node, first, count, size, value)
        elif mode == BEST:
            _take_best(forest, node, first, count, size, value)
            if boards.lock.shape[0] and boards.lock[board, node] >= 0:
                _obey(forest, boards, node, first, count, size, place, data.sums, boards.lock[board, node], value)
        elif mode == VALUE:
            average(forest, node, first, count, size, place, data.sums, value)
        else:
            learn_at(
                forest, boards, board, node, first, count, size, place, data, positive, negative, value, work
            )  # fmt: skip


@lean_kernel
def _add_up(forest: Forest, node: int, first: int, count: int, size: int, value: Array) -> None:
    for hand in range(0, size, 8):
        total = load(value, forest.child[first] * size + hand)
        for action in range(1, count):
            total = total + load(value, forest.child[first + action] * size + hand)
        store(value, node * size + hand, total)


@lean_kernel
def _take_best(forest: Forest, node: int, first: int, count: int, size: int, value: Array) -> None:
    for hand in range(0, size, 8):
        best = load(value, forest.child[first] * size + hand)
        for action in range(1, count):
            best = greatest(best, load(value, forest.child[first + action] * size + hand))
        store(value, node * size + hand, best)


@lean_kernel
def _obey(
    forest: Forest, boards: Boards, node: int, first: int, count: int, size: int, place: int, sums: Array, lock: int,
    value: Array,
) -> None:  # fmt: skip
    """Locked hands get what they were told to do, not the best."""
    nothing = splat(np.float32(0))
    for hand in range(0, size, 8):
        total, weighted = nothing, nothing
        for action in range(count):
            part = load(sums, place + action * size + hand)
            total = total + part
            weighted = weighted + part * load(value, forest.child[first + action] * size + hand)
        at = node * size + hand
        store(value, at, where_positive(load(boards.locked, lock + hand), weighted / total, load(value, at)))


@lean_kernel
def is_reached(reach: Array, place: int, size: int) -> bool:
    """Whether a row of reach has anything in it."""
    for hand in range(0, size, 8):  # noqa: SIM110  (Numba has no `any`)
        if any_positive(load(reach, place + hand)):
            return True
    return False
