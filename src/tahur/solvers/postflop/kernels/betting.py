"""One street on one board: reach is propagated down the betting, values up, and regrets are updated.

Decisions may be locked: locked hands play their lock, whatever it costs them.
"""

from __future__ import annotations

import numpy as np

from tahur.core.arrays import Array
from tahur.core.kernels import lean_kernel
from tahur.solvers.kernels.lanes import any_positive, greatest, load, splat, store, where_positive
from tahur.solvers.postflop.kernels.storage import learn_at, spread_at
from tahur.solvers.postflop.kernels.updates import average, spread
from tahur.solvers.postflop.tables import AnyBoards, CfrData, PostflopScratch, StreetTree

UPDATE = 0
BEST = 1
VALUE = 2
FOLD = 2
SHOWDOWN = 3
DEAL = 4


@lean_kernel
def forward(
    tree: StreetTree,
    boards: AnyBoards,
    board: int,
    me: int,
    mode: int,
    data: CfrData,
    keep: float,
    reach: Array,
    work: PostflopScratch,
) -> None:
    """Propagate the opponent's reach from the roots to all rows; while solving, also update the strategy sums."""
    other = 1 - me
    size = boards.size[other, board]
    for node in range(tree.kind.shape[0]):
        if tree.kind[node] == other:
            first, count = tree.first[node], tree.moves[node]
            offset = boards.data[other, board] + tree.data[node] * size
            if mode == UPDATE:
                spread_at(tree, boards, board, me, node, first, count, size, offset, data, keep, reach, work)
            else:
                spread(tree, me, node, first, count, size, offset, data.sums, reach)


@lean_kernel
def backward(
    tree: StreetTree, boards: AnyBoards, board: int, me: int, mode: int, data: CfrData, positive: float,
    negative: float, value: Array, work: PostflopScratch,
) -> None:  # fmt: skip
    """Propagate values from terminals and deals to all nodes; while solving, also update the regrets."""
    size = boards.size[me, board]
    for node in range(tree.kind.shape[0] - 1, -1, -1):
        if tree.kind[node] >= FOLD:
            continue
        first, count = tree.first[node], tree.moves[node]
        offset = boards.data[me, board] + tree.data[node] * size
        if tree.kind[node] != me:
            _add_up(tree, node, first, count, size, value)
        elif mode == BEST:
            _take_best(tree, node, first, count, size, value)
            if boards.lock.shape[0] and boards.lock[board, node] >= 0:
                _apply_lock(tree, boards, node, first, count, size, offset, data.sums, boards.lock[board, node], value)
        elif mode == VALUE:
            average(tree, node, first, count, size, offset, data.sums, value)
        else:
            learn_at(
                tree, boards, board, node, first, count, size, offset, data, positive, negative, value, work
            )  # fmt: skip


@lean_kernel
def _add_up(tree: StreetTree, node: int, first: int, count: int, size: int, value: Array) -> None:
    for hand in range(0, size, 8):
        total = load(value, tree.child[first] * size + hand)
        for action in range(1, count):
            total = total + load(value, tree.child[first + action] * size + hand)
        store(value, node * size + hand, total)


@lean_kernel
def _take_best(tree: StreetTree, node: int, first: int, count: int, size: int, value: Array) -> None:
    for hand in range(0, size, 8):
        best = load(value, tree.child[first] * size + hand)
        for action in range(1, count):
            best = greatest(best, load(value, tree.child[first + action] * size + hand))
        store(value, node * size + hand, best)


@lean_kernel
def _apply_lock(
    tree: StreetTree, boards: AnyBoards, node: int, first: int, count: int, size: int, offset: int, sums: Array,
    lock: int, value: Array,
) -> None:  # fmt: skip
    """Give locked hands the value of their lock instead of the best move's."""
    nothing = splat(np.float32(0))
    for hand in range(0, size, 8):
        total, weighted = nothing, nothing
        for action in range(count):
            part = load(sums, offset + action * size + hand)
            total = total + part
            weighted = weighted + part * load(value, tree.child[first + action] * size + hand)
        at = node * size + hand
        store(value, at, where_positive(load(boards.locked, lock + hand), weighted / total, load(value, at)))


@lean_kernel
def is_reached(reach: Array, offset: int, size: int) -> bool:
    """Whether a row of reach has any positive number."""
    for hand in range(0, size, 8):  # noqa: SIM110  (Numba has no `any`)
        if any_positive(load(reach, offset + hand)):
            return True
    return False
