"""Dealing cards: reach goes from a street to the next and values come back, for every non-isomorphic card.

The value of a fold or a showdown is, for each own hand, a sum over the opponent's hands that share no card with it.
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
from tahur.solvers.kernels.lanes import (
    load,
    load16,
    narrow,
    splat,
    splat16,
    store,
    store16,
    take_number,
    transpose,
    widen,
)
from tahur.solvers.postflop.kernels.betting import backward, forward, is_reached
from tahur.solvers.postflop.tables import Boards, CfrData, PostflopScratch, StreetTree


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


@lean_kernel
def open_root(
    tree: StreetTree, boards: Boards, me: int, mode: int, data: CfrData, weights: Array, reach: Array, value: Array,
    work: PostflopScratch,
) -> None:  # fmt: skip
    """The first street downwards. weights: (3,) factors for positive regrets, negative regrets and sums."""
    root = _only(boards)
    forward(tree, boards, root, me, mode, data, weights[2], reach, work)
    terminal_values(tree, boards, root, me, reach, value, work)
    _clear_deals(tree, boards.size[me, root], value)


@lean_kernel
def close_root(
    tree: StreetTree, boards: Boards, me: int, mode: int, data: CfrData, weights: Array, chance: float, dealt: Array,
    cards: int, value: Array, work: PostflopScratch,
) -> None:  # fmt: skip
    """The first street upwards. dealt: (cards, lines, hands) the value of each card's subtree."""
    size, lines, share = boards.size[me, 0], tree.deals.shape[0], splat(np.float32(chance))
    for offset in range(cards * lines):
        here = tree.deals[offset % lines] * size
        for hand in range(0, size, 8):
            store(value, here + hand, load(value, here + hand) + share * load(dealt, offset * size + hand))
    backward(tree, boards, _only(boards), me, mode, data, weights[0], weights[1], value, work)


@lean_kernel
def _only(boards: Boards) -> int:
    """The one board of the first street: 0, but not a constant, for which Numba would compile everything again."""
    return boards.hands.shape[1] - 1


@lean_kernel
def play_river_root(
    tree: StreetTree, boards: Boards, mode: int, data: CfrData, weights: Array, priors: Array, reach: Array,
    value: Array, work: PostflopScratch,
) -> None:  # fmt: skip
    """Whole iterations of a spot on the river. weights: (iterations, 3); priors: (2, hands)."""
    root = _only(boards)
    for iteration in range(weights.shape[0]):
        for me in range(2):
            for hand in range(boards.size[1 - me, root]):
                reach[hand] = priors[1 - me, hand]
            forward(tree, boards, root, me, mode, data, weights[iteration, 2], reach, work)
            terminal_values(tree, boards, root, me, reach, value, work)
            backward(tree, boards, root, me, mode, data, weights[iteration, 0], weights[iteration, 1], value, work)


@lean_kernel
def play_turns(
    turn: StreetTree, river: StreetTree, turns: Boards, rivers: Boards, above: StreetTree, first: Boards, me: int,
    mode: int, data: CfrData, weights: Array, chance: float, above_reach: Array, order: Array, taken: Array,
    dealt: Array, work: PostflopScratch,
) -> None:  # fmt: skip
    """Turn cards in order, each with all its rivers, until all have been taken by some thread."""
    number = take_number(taken)
    while number < order.shape[0]:
        board = order[number]
        _send_down(above, first.size[1 - me, 0], turns, board, turn, me, above_reach, work.turn_reach)
        play_turn(turn, river, turns, rivers, board, me, mode, data, weights, chance, work)
        _hand_over(turn, turns, board, me, work.turn_value, first.size[me, 0], dealt)
        number = take_number(taken)


@lean_kernel
def play_turn(
    turn: StreetTree, river: StreetTree, turns: Boards, rivers: Boards, board: int, me: int, mode: int, data: CfrData,
    weights: Array, chance: float, work: PostflopScratch,
) -> None:  # fmt: skip
    """One turn card and all its rivers. chance: the probability of each river card."""
    size = turns.size[me, board]
    forward(turn, turns, board, me, mode, data, weights[2], work.turn_reach, work)
    terminal_values(turn, turns, board, me, work.turn_reach, work.turn_value, work)
    _clear_deals(turn, size, work.turn_value)
    for card in range(turns.children[board], turns.children[board + 1]):
        _send_down(turn, turns.size[1 - me, board], rivers, card, river, me, work.turn_reach, work.river_reach)
        play_river(river, rivers, card, me, mode, data, weights, work)
        _bring_up_river(turn, size, rivers, card, river, me, chance, work)
    backward(turn, turns, board, me, mode, data, weights[0], weights[1], work.turn_value, work)


@lean_kernel
def play_rivers(
    river: StreetTree, rivers: Boards, above: StreetTree, first: Boards, me: int, mode: int, data: CfrData,
    weights: Array, above_reach: Array, order: Array, taken: Array, dealt: Array, work: PostflopScratch,
) -> None:  # fmt: skip
    """River cards of a tree that starts on the turn, until all have been taken by some thread."""
    number = take_number(taken)
    while number < order.shape[0]:
        board = order[number]
        _send_down(above, first.size[1 - me, 0], rivers, board, river, me, above_reach, work.river_reach)
        play_river(river, rivers, board, me, mode, data, weights, work)
        _hand_over(river, rivers, board, me, work.river_value, first.size[me, 0], dealt)
        number = take_number(taken)


@lean_kernel
def play_river(
    river: StreetTree,
    rivers: Boards,
    card: int,
    me: int,
    mode: int,
    data: CfrData,
    weights: Array,
    work: PostflopScratch,
) -> None:
    """One river whose reach is set; its values stay in the scratch space."""
    forward(river, rivers, card, me, mode, data, weights[2], work.river_reach, work)
    terminal_values(river, rivers, card, me, work.river_reach, work.river_value, work)
    backward(river, rivers, card, me, mode, data, weights[0], weights[1], work.river_value, work)


@lean_kernel
def _send_down(
    above: StreetTree,
    above_size: int,
    boards: Boards,
    board: int,
    below: StreetTree,
    me: int,
    source: Array,
    target: Array,
) -> None:
    """Each line's reach, for the hands that the new card leaves possible, in the new board's order."""
    other = 1 - me
    size, start = boards.size[other, board], boards.start[other, board]
    for line in range(above.deals.shape[0]):
        here = above.reach[me, above.deals[line]] * above_size
        there = below.reach[me, below.roots[line]] * size
        for hand in range(size):
            target[there + hand] = source[here + boards.down[start + hand]]


@lean_kernel
def _bring_up_river(
    turn: StreetTree,
    size: int,
    rivers: Boards,
    card: int,
    river: StreetTree,
    me: int,
    chance: float,
    work: PostflopScratch,
) -> None:
    below_size = rivers.size[me, card]
    share = np.float32(chance)
    for image in range(rivers.images[card], rivers.images[card + 1]):
        up = rivers.up_start[me, image]
        for line in range(turn.deals.shape[0]):
            here, there = turn.deals[line] * size, river.roots[line] * below_size
            for hand in range(size):
                work.turn_value[here + hand] += share * work.river_value[there + rivers.up[up + hand]]


@lean_kernel
def _clear_deals(tree: StreetTree, size: int, value: Array) -> None:
    nothing = splat(np.float32(0))
    for line in range(tree.deals.shape[0]):
        for hand in range(0, size, 8):
            store(value, tree.deals[line] * size + hand, nothing)


@lean_kernel
def _hand_over(
    tree: StreetTree, boards: Boards, card: int, me: int, value: Array, above_size: int, dealt: Array
) -> None:
    """The values of the roots, summed over all cards that this one represents, in the hand order of the previous board.

    This is done here, where threads work in parallel, so that only whole rows remain to be added.
    """
    lines, size = tree.roots.shape[0], boards.size[me, card]
    for line in range(lines):
        here, there = tree.roots[line] * size, (card * lines + line) * above_size
        for hand in range(0, above_size, 8):
            store(dealt, there + hand, splat(np.float32(0)))
        for image in range(boards.images[card], boards.images[card + 1]):
            up = boards.up_start[me, image]
            for hand in range(above_size):
                dealt[there + hand] += value[here + boards.up[up + hand]]
