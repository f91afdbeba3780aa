"""How regrets and sums are kept: as float32, or as 16 bits with one step for all numbers of a decision on a board.

`spread_at` and `learn_at` are one kernel each for either kind; Numba chooses by the type of `data` and compiles what is
used. Numbers of 16 bits are made float32 in scratch space, dealt with there and rounded back. Where only shares count
they are read as they are: a common step changes no share.
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
from tahur.solvers.postflop.tables import Boards, Data, Learnt, Packed, PostflopScratch, StreetTree

Number = float | np.float32
MOST_REGRET = np.float32(32767)
MOST_SUM = np.float32(65535)


def spread_at(
    tree: StreetTree, boards: Boards, board: int, me: int, node: int, first: int, count: int, size: int, place: int,
    data: Learnt, keep: float, reach: Array, work: PostflopScratch,
) -> None:  # fmt: skip
    """The opponent's reach below its decision, which is also added to its sums. For kernels alone."""
    raise AssertionError("kernels call this, and Numba chooses which")


def learn_at(
    tree: StreetTree, boards: Boards, board: int, node: int, first: int, count: int, size: int, place: int,
    data: Learnt, positive: float, negative: float, value: Array, work: PostflopScratch,
) -> None:  # fmt: skip
    """The value of an own decision, and its regrets changed. For kernels alone."""
    raise AssertionError("kernels call this, and Numba chooses which")


@overload(spread_at, strict=False)  # the annotations differ
def _spread_at(
    tree: Any, boards: Any, board: Any, me: Any, node: Any, first: Any, count: Any, size: Any, place: Any, data: Any,
    keep: Any, reach: Any, work: Any,
) -> Any:  # fmt: skip
    return _spread_packed if data.instance_class is Packed else _spread_floats


@overload(learn_at, strict=False)
def _learn_at(
    tree: Any, boards: Any, board: Any, node: Any, first: Any, count: Any, size: Any, place: Any, data: Any,
    positive: Any, negative: Any, value: Any, work: Any,
) -> Any:  # fmt: skip
    return _learn_packed if data.instance_class is Packed else _learn_floats


def _spread_floats(
    tree: StreetTree, boards: Boards, board: int, me: int, node: int, first: int, count: int, size: int, place: int,
    data: Data, keep: float, reach: Array, work: PostflopScratch,
) -> None:  # fmt: skip
    spread_and_remember(tree, me, node, first, count, size, place, data.regrets, data.sums, keep, reach)
    if boards.lock.shape[0] and boards.lock[board, node] >= 0:
        _hold(boards.locked, boards.lock[board, node], count, size, np.float32(1), data.sums, place)


def _learn_floats(
    tree: StreetTree, boards: Boards, board: int, node: int, first: int, count: int, size: int, place: int, data: Data,
    positive: float, negative: float, value: Array, work: PostflopScratch,
) -> None:  # fmt: skip
    learn(tree, node, first, count, size, place, data.regrets, positive, negative, value)
    if boards.lock.shape[0] and boards.lock[board, node] >= 0:
        _hold(boards.locked, boards.lock[board, node], count, size, np.float32(1), data.regrets, place)


def _spread_packed(
    tree: StreetTree, boards: Boards, board: int, me: int, node: int, first: int, count: int, size: int, place: int,
    data: Packed, keep: float, reach: Array, work: PostflopScratch,
) -> None:  # fmt: skip
    step = boards.first_step[0] + board * tree.kind.shape[0] + node
    _unpack(data.regrets, place, count * size, np.float32(1), work.near_regrets)
    _unpack(data.sums, place, count * size, data.sum_step[step], work.near_sums)
    start = 0 * place  # not as a constant, for which Numba would compile everything again
    spread_and_remember(
        tree, me, node, first, count, size, start, work.near_regrets, work.near_sums, keep, reach
    )  # fmt: skip
    most = _most(work.near_sums, count * size)
    if boards.lock.shape[0] and boards.lock[board, node] >= 0:
        most = most if most > 0 else np.float32(1)
        _hold(boards.locked, boards.lock[board, node], count, size, most, work.near_sums, start)
    data.sum_step[step] = _pack(work.near_sums, count * size, most, MOST_SUM, data.sums, place)


def _learn_packed(
    tree: StreetTree, boards: Boards, board: int, node: int, first: int, count: int, size: int, place: int,
    data: Packed, positive: float, negative: float, value: Array, work: PostflopScratch,
) -> None:  # fmt: skip
    step = boards.first_step[0] + board * tree.kind.shape[0] + node
    _unpack(data.regrets, place, count * size, data.regret_step[step], work.near_regrets)
    start = 0 * place
    learn(tree, node, first, count, size, start, work.near_regrets, positive, negative, value)
    most = _most(work.near_regrets, count * size)
    if boards.lock.shape[0] and boards.lock[board, node] >= 0:
        most = most if most > 0 else np.float32(1)
        _hold(boards.locked, boards.lock[board, node], count, size, most, work.near_regrets, start)
    data.regret_step[step] = _pack(work.near_regrets, count * size, most, MOST_REGRET, data.regrets, place)


@lean_kernel
def _hold(locked: Array, lock: int, count: int, size: int, scale: Number, numbers: Array, place: int) -> None:
    """Hands that are locked get what they were told to do, times `scale`, instead of what they learnt."""
    scales = splat(np.float32(scale))
    for action in range(count):
        for hand in range(0, size, 8):
            at = place + action * size + hand
            told = load(locked, lock + (1 + action) * size + hand) * scales
            store(numbers, at, where_positive(load(locked, lock + hand), told, load(numbers, at)))


@lean_kernel
def _unpack(packed: Array, place: int, count: int, step: Number, near: Array) -> None:
    """near: float32, count and eight long."""
    steps = splat(np.float32(step))
    for at in range(0, count, 8):
        store(near, at, load(packed, place + at) * steps)


@lean_kernel
def _most(near: Array, count: int) -> Number:
    """The greatest size of a number; the eight after the last are overwritten."""
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
def _pack(near: Array, count: int, most: Number, levels: Number, packed: Array, place: int) -> Number:
    """Round to whole steps, of which the greatest number has `levels`; the step."""
    if most <= 0:
        most = levels  # whatever the step, all are 0
    shrink = splat(np.float32(levels / most))
    for at in range(0, count, 8):
        store_rounded(packed, place + at, load(near, at) * shrink)
    return np.float32(most / levels)
