"""What folds and showdowns pay: for each own hand, sums over the opponent's hands that share no card with it.

Eight lines are summed side by side. `total` is all that the opponent may hold: everything, less what holds either of
my cards, plus the very same hand, taken away twice. `swept` is what I beat less what beats me: hands are sorted by
strength, so a sum that grows from the weakest on has been over the weaker ones when my hand comes. The long sums are in
float64: in float32 they cost the fourth decimal.
"""

from __future__ import annotations

import numpy as np

from tahur.core.kernels import kernel
from tahur.solvers.postflop.kernels.betting import is_reached
from tahur.solvers.postflop.kernels.lanes import load, narrow, splat, store, transpose, widen
from tahur.solvers.postflop.tables import Array, Boards, Forest, Work


@kernel
def settle(forest: Forest, boards: Boards, board: int, me: int, reach: Array, value: Array, work: Work) -> None:
    """The values of all folds and showdowns of a street."""
    split = forest.end_split[me]
    _settle_some(forest, boards, board, me, forest.end_start[me], split, True, reach, value, work)
    _settle_some(forest, boards, board, me, split, forest.end_start[me + 1], False, reach, value, work)


@kernel
def _settle_some(
    forest: Forest, boards: Boards, board: int, me: int, begin: int, end: int, sweeps: bool, reach: Array,
    value: Array, work: Work,
) -> None:  # fmt: skip
    size = boards.size[1 - me, board]
    filled = 0
    for place in range(begin, end):
        row = forest.end_row[place] * size
        if is_reached(reach, row, size):
            work.rows[filled] = row
            work.columns[filled] = place
            filled += 1
            if filled == 8:
                _settle_eight(forest, boards, board, me, sweeps, 8, reach, value, work)
                filled = 0
        else:
            _pay_nothing(forest, place, boards.size[me, board], value)
    if filled:
        for spare in range(filled, 8):
            work.rows[spare] = work.rows[0]
        _settle_eight(forest, boards, board, me, sweeps, filled, reach, value, work)


@kernel
def _settle_eight(
    forest: Forest, boards: Boards, board: int, me: int, sweeps: bool, filled: int, reach: Array, value: Array,
    work: Work,
) -> None:  # fmt: skip
    other = 1 - me
    size = boards.size[me, board]
    for hand in range(0, boards.size[other, board], 8):
        transpose(reach, work.rows, hand, work.held, hand * 8, 8)
    add_up(boards, board, other, me, work)
    for lane in range(8):
        work.rows[lane] = lane * 8  # from here on, eight hands of eight lines each
    if sweeps:
        sweep(boards, board, me, work)
        for hand in range(0, size, 8):
            transpose(work.swept, work.rows, hand * 8, work.swept_rows, hand, size)
    for hand in range(0, size, 8):
        transpose(work.total, work.rows, hand * 8, work.total_rows, hand, size)
    for lane in range(filled):
        _pay(forest, work.columns[lane], lane * size, size, sweeps, value, work)


@kernel
def add_up(boards: Boards, board: int, other: int, me: int, work: Work) -> None:
    """`total` of every own hand; `by_card_all` and, negated, `by_card` hold what there is of each card."""
    nothing = splat(np.float32(0))
    by_card = work.by_card_all
    for card in range(52):
        store(by_card, card * 8, nothing)
    everything = widen(nothing)
    start = boards.start[other, board]
    for hand in range(boards.hands[other, board]):
        held = load(work.held, hand * 8)
        low, high = 8 * np.int64(boards.low_card[start + hand]), 8 * np.int64(boards.high_card[start + hand])
        everything = everything + widen(held)
        store(by_card, low, load(by_card, low) + held)
        store(by_card, high, load(by_card, high) + held)
    start, whole = boards.start[me, board], narrow(everything)
    for hand in range(boards.hands[me, board]):
        low, high = 8 * np.int64(boards.low_card[start + hand]), 8 * np.int64(boards.high_card[start + hand])
        same = 8 * np.int64(boards.same[start + hand])
        store(work.total, hand * 8, whole - load(by_card, low) - load(by_card, high) + load(work.held, same))
    for hand in range(boards.hands[me, board], boards.size[me, board]):
        store(work.total, hand * 8, nothing)
    store(work.swept_rows, 0, whole)


@kernel
def sweep(boards: Boards, board: int, me: int, work: Work) -> None:
    """`swept` of every own hand: weaker plus not stronger, less all; each of the opponent's hands is met twice."""
    nothing = splat(np.float32(0))
    by_card = work.by_card
    for card in range(52):
        store(by_card, card * 8, nothing - load(work.by_card_all, card * 8))
    met = widen(nothing - load(work.swept_rows, 0))
    start, theirs = boards.start[me, board], boards.start[1 - me, board]
    weaker, upto = theirs, theirs
    for hand in range(boards.hands[me, board]):
        while weaker < theirs + boards.below[start + hand]:
            held = load(work.held, (weaker - theirs) * 8)
            low, high = 8 * np.int64(boards.low_card[weaker]), 8 * np.int64(boards.high_card[weaker])
            met = met + widen(held)
            store(by_card, low, load(by_card, low) + held)
            store(by_card, high, load(by_card, high) + held)
            weaker += 1
        while upto < theirs + boards.upto[start + hand]:
            held = load(work.held, (upto - theirs) * 8)
            low, high = 8 * np.int64(boards.low_card[upto]), 8 * np.int64(boards.high_card[upto])
            met = met + widen(held)
            store(by_card, low, load(by_card, low) + held)
            store(by_card, high, load(by_card, high) + held)
            upto += 1
        low, high = 8 * np.int64(boards.low_card[start + hand]), 8 * np.int64(boards.high_card[start + hand])
        store(work.swept, hand * 8, narrow(met) - load(by_card, low) - load(by_card, high))
    for hand in range(boards.hands[me, board], boards.size[me, board]):
        store(work.swept, hand * 8, nothing)


@kernel
def _pay(forest: Forest, place: int, row: int, size: int, sweeps: bool, value: Array, work: Work) -> None:
    for end in range(forest.end_first[place], forest.end_first[place + 1]):
        target = forest.end_node[end] * size
        swept, total = splat(forest.end_sweep[end]), splat(forest.end_total[end])
        if sweeps:
            for hand in range(0, size, 8):
                part = load(work.swept_rows, row + hand) * swept
                store(value, target + hand, part + load(work.total_rows, row + hand) * total)
        else:
            for hand in range(0, size, 8):
                store(value, target + hand, load(work.total_rows, row + hand) * total)


@kernel
def _pay_nothing(forest: Forest, place: int, size: int, value: Array) -> None:
    nothing = splat(np.float32(0))
    for end in range(forest.end_first[place], forest.end_first[place + 1]):
        for hand in range(0, size, 8):
            store(value, forest.end_node[end] * size + hand, nothing)
