"""Storage of regrets and sums: as float32, or as 16-bit integers with one step size per decision and board.

`spread_at` and `learn_at` are one kernel each for both formats; Numba chooses by the type of `data` and compiles only
what is used. 16-bit numbers are converted to float32 in scratch space, updated there and rounded back. Where only
proportions matter they are read without conversion: a common step does not change proportions.
"""

# mypy: disable-error-code="untyped-decorator"
from __future__ import annotations

from typing import Any

import numpy as np
from numba.extending import overload

from tahur.core.arrays import Array
from tahur.core.kernels import lean_kernel
from tahur.solvers.kernels.lanes import greatest, load, splat, store, store_rounded, where_positive
from tahur.solvers.postflop.kernels.updates import learn, spread_and_remember
from tahur.solvers.postflop.tables import AnyBoards, CfrData, Data, Packed, PostflopScratch, StreetTree

Number = float | np.float32
MOST_REGRET = np.float32(32767)
MOST_SUM = np.float32(65535)


def spread_at(
    tree: StreetTree, boards: AnyBoards, board: int, me: int, node: int, first: int, count: int, size: int, offset: int,
    data: CfrData, keep: float, reach: Array, work: PostflopScratch,
) -> None:  # fmt: skip
    """The opponent's reach below its decision, which is also added to its sums. Callable from kernels only."""
    raise AssertionError("only callable from kernels, where Numba chooses the implementation")


def learn_at(
    tree: StreetTree, boards: AnyBoards, board: int, node: int, first: int, count: int, size: int, offset: int,
    data: CfrData, positive: float, negative: float, value: Array, work: PostflopScratch,
) -> None:  # fmt: skip
    """The value of an own decision; updates its regrets. Callable from kernels only."""
    raise AssertionError("only callable from kernels, where Numba chooses the implementation")


@overload(spread_at, strict=False)  # the annotations differ
def _spread_at(
    tree: Any, boards: Any, board: Any, me: Any, node: Any, first: Any, count: Any, size: Any, offset: Any, data: Any,
    keep: Any, reach: Any, work: Any,
) -> Any:  # fmt: skip
    return _spread_packed if data.instance_class is Packed else _spread_floats


@overload(learn_at, strict=False)
def _learn_at(
    tree: Any, boards: Any, board: Any, node: Any, first: Any, count: Any, size: Any, offset: Any, data: Any,
    positive: Any, negative: Any, value: Any, work: Any,
) -> Any:  # fmt: skip
    return _learn_packed if data.instance_class is Packed else _learn_floats


def _spread_floats(
    tree: StreetTree, boards: AnyBoards, board: int, me: int, node: int, first: int, count: int, size: int, offset: int,
    data: Data, keep: float, reach: Array, work: PostflopScratch,
) -> None:  # fmt: skip
    spread_and_remember(tree, me, node, first, count, size, offset, data.regrets, data.sums, keep, reach)
    if boards.lock.shape[0] and boards.lock[board, node] >= 0:
        _overwrite_locked(boards.locked, boards.lock[board, node], count, size, np.float32(1), data.sums, offset)


def _learn_floats(
    tree: StreetTree, boards: AnyBoards, board: int, node: int, first: int, count: int, size: int, offset: int,
    data: Data, positive: float, negative: float, value: Array, work: PostflopScratch,
) -> None:  # fmt: skip
    learn(tree, node, first, count, size, offset, data.regrets, positive, negative, value)
    if boards.lock.shape[0] and boards.lock[board, node] >= 0:
        _overwrite_locked(boards.locked, boards.lock[board, node], count, size, np.float32(1), data.regrets, offset)


def _spread_packed(
    tree: StreetTree, boards: AnyBoards, board: int, me: int, node: int, first: int, count: int, size: int, offset: int,
    data: Packed, keep: float, reach: Array, work: PostflopScratch,
) -> None:  # fmt: skip
    step = boards.first_step[0] + board * tree.kind.shape[0] + node
    _unpack(data.regrets, offset, count * size, np.float32(1), work.near_regrets)
    _unpack(data.sums, offset, count * size, data.sum_step[step], work.near_sums)
    start = 0 * offset  # not a constant, for which Numba would compile everything again
    spread_and_remember(
        tree, me, node, first, count, size, start, work.near_regrets, work.near_sums, keep, reach
    )  # fmt: skip
    most = _most(work.near_sums, count * size)
    if boards.lock.shape[0] and boards.lock[board, node] >= 0:
        most = most if most > 0 else np.float32(1)
        _overwrite_locked(boards.locked, boards.lock[board, node], count, size, most, work.near_sums, start)
    data.sum_step[step] = _pack(work.near_sums, count * size, most, MOST_SUM, data.sums, offset)


def _learn_packed(
    tree: StreetTree, boards: AnyBoards, board: int, node: int, first: int, count: int, size: int, offset: int,
    data: Packed, positive: float, negative: float, value: Array, work: PostflopScratch,
) -> None:  # fmt: skip
    step = boards.first_step[0] + board * tree.kind.shape[0] + node
    _unpack(data.regrets, offset, count * size, data.regret_step[step], work.near_regrets)
    start = 0 * offset
    learn(tree, node, first, count, size, start, work.near_regrets, positive, negative, value)
    most = _most(work.near_regrets, count * size)
    if boards.lock.shape[0] and boards.lock[board, node] >= 0:
        most = most if most > 0 else np.float32(1)
        _overwrite_locked(boards.locked, boards.lock[board, node], count, size, most, work.near_regrets, start)
    data.regret_step[step] = _pack(work.near_regrets, count * size, most, MOST_REGRET, data.regrets, offset)


@lean_kernel
def _overwrite_locked(
    locked: Array, lock: int, count: int, size: int, scale: Number, numbers: Array, offset: int
) -> None:
    """Overwrite the numbers of locked hands with their lock times `scale`."""
    scales = splat(np.float32(scale))
    for action in range(count):
        for hand in range(0, size, 8):
            at = offset + action * size + hand
            fixed = load(locked, lock + (1 + action) * size + hand) * scales
            store(numbers, at, where_positive(load(locked, lock + hand), fixed, load(numbers, at)))


@lean_kernel
def _unpack(packed: Array, offset: int, count: int, step: Number, near: Array) -> None:
    """Read 16-bit numbers as multiples of `step` into `near`: float32, of length count + 8."""
    steps = splat(np.float32(step))
    for at in range(0, count, 8):
        store(near, at, load(packed, offset + at) * steps)


@lean_kernel
def _most(near: Array, count: int) -> Number:
    """The largest absolute value; the eight numbers after the last are overwritten."""
    nothing = splat(np.float32(0))
    top = nothing
    for at in range(0, count, 8):
        number = load(near, at)
        top = greatest(top, greatest(number, nothing - number))
    store(near, count, top)
    most = near[count]
    for at in range(count + 1, count + 8):
        if near[at] > most:
            most = near[at]
    return most


@lean_kernel
def _pack(near: Array, count: int, most: Number, levels: Number, packed: Array, offset: int) -> Number:
    """Round to integers of which the largest is `levels`, and return the step size."""
    if most <= 0:
        most = levels  # any step will do, since all numbers are 0
    shrink = splat(np.float32(levels / most))
    for at in range(0, count, 8):
        store_rounded(packed, offset + at, load(near, at) * shrink)
    return np.float32(most / levels)
