"""Fold and showdown values: for each own hand, sums over the opponent's hands that share no card with it.

Sixteen rows of reach are summed together: a single one would be limited by latency. `total` is the weight of all hands
that the opponent may hold: everything, minus hands with either of my cards, plus the identical hand, which was
subtracted twice. `swept` is the weight I beat minus the weight that beats me: hands are sorted by strength, so a
running sum from the weakest up contains exactly the weaker hands when it reaches mine. The long sums are in float64: in
float32 they would be wrong in the fourth decimal.
"""

from __future__ import annotations

import numpy as np

from tahur.core.arrays import Array
from tahur.core.kernels import lean_kernel
from tahur.solvers.kernels.lanes import load, load16, narrow, splat, splat16, store, store16, transpose, widen
from tahur.solvers.postflop.kernels.betting import is_reached
from tahur.solvers.postflop.tables import Boards, PostflopScratch, StreetTree


@lean_kernel
def terminal_values(
    tree: StreetTree, boards: Boards, board: int, me: int, reach: Array, value: Array, work: PostflopScratch
) -> None:
    """The values of all folds and showdowns of a street."""
    # No constants are passed on here or below: Numba would compile the kernel again for each of them.
    bounds = tree.end_start[me], tree.end_split[me], tree.end_start[me + 1]
    for part in range(2):
        _rows_of_kind(tree, boards, board, me, bounds[part], bounds[part + 1], part == 0, reach, value, work)


@lean_kernel
def _rows_of_kind(
    tree: StreetTree, boards: Boards, board: int, me: int, begin: int, terminal: int, sweeps: bool, reach: Array,
    value: Array, work: PostflopScratch,
) -> None:  # fmt: skip
    size = boards.size[1 - me, board]
    filled = 0
    for entry in range(begin, terminal):
        row = tree.end_row[entry] * size
        if is_reached(reach, row, size):
            work.rows[filled] = row
            work.columns[filled] = entry
            filled += 1
            if filled == 16:
                _sixteen_rows(tree, boards, board, me, sweeps, filled, reach, value, work)
                filled = 0
        else:
            _pay_nothing(tree, entry, boards.size[me, board], value)
    if filled:
        for spare in range(filled, 16):
            work.rows[spare] = work.rows[0]
        _sixteen_rows(tree, boards, board, me, sweeps, filled, reach, value, work)


@lean_kernel
def _sixteen_rows(
    tree: StreetTree, boards: Boards, board: int, me: int, sweeps: bool, filled: int, reach: Array, value: Array,
    work: PostflopScratch,
) -> None:  # fmt: skip
    other = 1 - me
    size = boards.size[me, board]
    for half in range(0, 16, 8):
        for hand in range(0, boards.size[other, board], 8):
            transpose(reach, work.rows, half, hand, work.held, hand * 16 + half, 16)
    add_up(boards, board, other, me, work)
    if sweeps:
        sweep(boards, board, me, work)
        _apart(work.swept, size, work.swept_rows, work.rows)
    _apart(work.total, size, work.total_rows, work.rows)
    for lane in range(filled):
        _pay(tree, work.columns[lane], lane * size, size, sweeps, value, work)


@lean_kernel
def _apart(together: Array, size: int, rows: Array, starts: Array) -> None:
    """De-interleave sixteen rows."""
    for hand in range(8):
        starts[hand] = hand * 16
    for half in range(0, 16, 8):
        for hand in range(0, size, 8):
            transpose(together, starts, 0, hand * 16 + half, rows, half * size + hand, size)


@lean_kernel
def add_up(boards: Boards, board: int, other: int, me: int, work: PostflopScratch) -> None:
    """`total` of every own hand; `by_card_all` and, negated, `by_card` hold the weight of each card."""
    nothing = splat16(np.float32(0))
    by_card = work.by_card_all
    for card in range(52):
        store16(by_card, card * 16, nothing)
    everything = widen(nothing)
    start = boards.start[other, board]
    for hand in range(boards.hands[other, board]):
        held = load16(work.held, hand * 16)
        low, high = 16 * np.int64(boards.low_card[start + hand]), 16 * np.int64(boards.high_card[start + hand])
        everything = everything + widen(held)
        store16(by_card, low, load16(by_card, low) + held)
        store16(by_card, high, load16(by_card, high) + held)
    start, whole = boards.start[me, board], narrow(everything)
    for hand in range(boards.hands[me, board]):
        low, high = 16 * np.int64(boards.low_card[start + hand]), 16 * np.int64(boards.high_card[start + hand])
        same = 16 * np.int64(boards.same[start + hand])
        store16(work.total, hand * 16, whole - load16(by_card, low) - load16(by_card, high) + load16(work.held, same))
    for hand in range(boards.hands[me, board], boards.size[me, board]):
        store16(work.total, hand * 16, nothing)
    store16(work.swept_rows, 0, whole)


@lean_kernel
def sweep(boards: Boards, board: int, me: int, work: PostflopScratch) -> None:
    """`swept` of every own hand: weaker plus not stronger, minus all; each opposing hand is visited twice."""
    nothing = splat16(np.float32(0))
    by_card = work.by_card
    for card in range(52):
        store16(by_card, card * 16, nothing - load16(work.by_card_all, card * 16))
    met = widen(nothing - load16(work.swept_rows, 0))
    start, theirs = boards.start[me, board], boards.start[1 - me, board]
    weaker, upto = theirs, theirs
    for hand in range(boards.hands[me, board]):
        while weaker < theirs + boards.below[start + hand]:
            held = load16(work.held, (weaker - theirs) * 16)
            low, high = 16 * np.int64(boards.low_card[weaker]), 16 * np.int64(boards.high_card[weaker])
            met = met + widen(held)
            store16(by_card, low, load16(by_card, low) + held)
            store16(by_card, high, load16(by_card, high) + held)
            weaker += 1
        while upto < theirs + boards.upto[start + hand]:
            held = load16(work.held, (upto - theirs) * 16)
            low, high = 16 * np.int64(boards.low_card[upto]), 16 * np.int64(boards.high_card[upto])
            met = met + widen(held)
            store16(by_card, low, load16(by_card, low) + held)
            store16(by_card, high, load16(by_card, high) + held)
            upto += 1
        low, high = 16 * np.int64(boards.low_card[start + hand]), 16 * np.int64(boards.high_card[start + hand])
        store16(work.swept, hand * 16, narrow(met) - load16(by_card, low) - load16(by_card, high))
    for hand in range(boards.hands[me, board], boards.size[me, board]):
        store16(work.swept, hand * 16, nothing)


@lean_kernel
def _pay(tree: StreetTree, entry: int, row: int, size: int, sweeps: bool, value: Array, work: PostflopScratch) -> None:
    for terminal in range(tree.end_first[entry], tree.end_first[entry + 1]):
        target = tree.end_node[terminal] * size
        swept, total = splat(tree.end_sweep[terminal]), splat(tree.end_total[terminal])
        if sweeps:
            for hand in range(0, size, 8):
                part = load(work.swept_rows, row + hand) * swept
                store(value, target + hand, part + load(work.total_rows, row + hand) * total)
        else:
            for hand in range(0, size, 8):
                store(value, target + hand, load(work.total_rows, row + hand) * total)


@lean_kernel
def _pay_nothing(tree: StreetTree, entry: int, size: int, value: Array) -> None:
    nothing = splat(np.float32(0))
    for terminal in range(tree.end_first[entry], tree.end_first[entry + 1]):
        for hand in range(0, size, 8):
            store(value, tree.end_node[terminal] * size + hand, nothing)
