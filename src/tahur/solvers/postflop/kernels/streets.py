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
    transpose_to_rows,
    widen,
)
from tahur.solvers.postflop.kernels.betting import backward, forward, is_reached
from tahur.solvers.postflop.kernels.blocking import add_hand, with_same_hand, without_cards
from tahur.solvers.postflop.tables import AnyBoards, Boards, CfrData, PostflopScratch, StreetTree


@lean_kernel
def terminal_values(
    tree: StreetTree,
    boards: AnyBoards,
    board: int,
    me: int,
    reach: Array,
    value: Array,
    work: PostflopScratch,
) -> None:
    """The values of all folds and showdowns of a street."""
    # No constants are passed on here or below: Numba would compile the kernel again for each of them.
    bounds = tree.terminal_start[me], tree.terminal_split[me], tree.terminal_start[me + 1]
    for part in range(2):
        _rows_of_kind(tree, boards, board, me, bounds[part], bounds[part + 1], part == 0, reach, value, work)


@lean_kernel
def _rows_of_kind(
    tree: StreetTree, boards: AnyBoards, board: int, me: int, begin: int, end: int, sweeps: bool, reach: Array,
    value: Array, work: PostflopScratch,
) -> None:  # fmt: skip
    """The groups of terminals from `begin` to `end`, all with showdowns (`sweeps`) or none, sixteen rows at a time."""
    size = boards.size[1 - me, board]
    filled = 0
    for entry in range(begin, end):
        row = tree.terminal_row[entry] * size
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
    tree: StreetTree, boards: AnyBoards, board: int, me: int, sweeps: bool, filled: int, reach: Array, value: Array,
    work: PostflopScratch,
) -> None:  # fmt: skip
    """The terminals of the `filled` rows in `work.rows`."""
    other = 1 - me
    size, totals = boards.size[me, board], _needs_totals(tree, filled, work)
    for half in range(0, 16, 8):
        for hand in range(0, boards.size[other, board], 8):
            transpose(reach, work.rows, half, hand, work.held, hand * 16 + half, 16)
    if sweeps:
        sweep(boards, board, me, work)
    else:
        add_up(boards, board, other, work)
    _finish(boards, board, me, sweeps, totals, work)
    if sweeps:
        _apart(work.swept, size, work.swept_rows, work.rows)
    if totals:
        _apart(work.total, size, work.total_rows, work.rows)
    for lane in range(filled):
        _pay(tree, work.columns[lane], lane * size, size, sweeps, totals, value, work)


@lean_kernel
def _needs_totals(tree: StreetTree, filled: int, work: PostflopScratch) -> bool:
    """Whether a terminal of these rows is a fold, or a showdown with rake."""
    for lane in range(filled):
        entry = work.columns[lane]
        for terminal in range(tree.terminal_first[entry], tree.terminal_first[entry + 1]):
            if tree.terminal_total[terminal] != 0:
                return True
    return False


@lean_kernel
def _apart(together: Array, size: int, rows: Array, starts: Array) -> None:
    """De-interleave sixteen rows."""
    for hand in range(8):
        starts[hand] = hand * 16
    for half in range(0, 16, 8):
        for hand in range(0, size, 8):
            transpose(together, starts, 0, hand * 16 + half, rows, half * size + hand, size)


@lean_kernel
def add_up(boards: AnyBoards, board: int, other: int, work: PostflopScratch) -> None:
    """The opponent's weight on each card, in `by_card`, and the weight of all its hands, in `everything`."""
    _forget_cards(work)
    nothing = splat16(np.float32(0))
    everything = widen(nothing)
    start = boards.start[other, board]
    for hand in range(boards.hands[other, board]):
        everything = everything + widen(add_hand(boards, start, hand, work))
    store16(work.everything, 0, narrow(everything))


@lean_kernel
def sweep(boards: AnyBoards, board: int, me: int, work: PostflopScratch) -> None:
    """As `add_up`; and `swept` of every own hand: the weight of the weaker hands plus that of the hands not stronger.

    Hands with one of my cards are subtracted in both. Own hands are visited twice: when all weaker hands have been
    added, and when all equal ones have been added too.
    """
    _forget_cards(work)
    met = widen(splat16(np.float32(0)))
    start, theirs, hands = boards.start[me, board], boards.start[1 - me, board], boards.hands[me, board]
    added, weaker, upto = 0, 0, 0
    while upto < hands:
        target = np.int64(boards.upto[start + upto])
        if weaker < hands:
            target = min(target, np.int64(boards.below[start + weaker]))
        while added < target:
            met = met + widen(add_hand(boards, theirs, added, work))
            added += 1
        whole = narrow(met)
        while weaker < hands and boards.below[start + weaker] == added:
            store16(work.swept, weaker * 16, without_cards(boards, start + weaker, whole, work))
            weaker += 1
        while upto < hands and boards.upto[start + upto] == added:
            before = load16(work.swept, upto * 16)
            store16(work.swept, upto * 16, before + without_cards(boards, start + upto, whole, work))
            upto += 1
    while added < boards.hands[1 - me, board]:
        met = met + widen(add_hand(boards, theirs, added, work))
        added += 1
    store16(work.everything, 0, narrow(met))


@lean_kernel
def _forget_cards(work: PostflopScratch) -> None:
    for card in range(52):
        store16(work.by_card, card * 16, splat16(np.float32(0)))


@lean_kernel
def _finish(boards: AnyBoards, board: int, me: int, sweeps: bool, totals: bool, work: PostflopScratch) -> None:
    """`total` of every own hand; and `swept`, from which everything is subtracted once."""
    start, nothing = boards.start[me, board], splat16(np.float32(0))
    whole = load16(work.everything, 0)
    for hand in range(boards.hands[me, board]):
        rest = without_cards(boards, start + hand, whole, work)
        if totals:
            store16(work.total, hand * 16, with_same_hand(boards, start + hand, rest, work))
        if sweeps:
            store16(work.swept, hand * 16, load16(work.swept, hand * 16) - rest)
    for hand in range(boards.hands[me, board], boards.size[me, board]):
        store16(work.total, hand * 16, nothing)
        store16(work.swept, hand * 16, nothing)


@lean_kernel
def _pay(
    tree: StreetTree, entry: int, row: int, size: int, sweeps: bool, totals: bool, value: Array, work: PostflopScratch
) -> None:
    """The value of each terminal of a row of reach."""
    for terminal in range(tree.terminal_first[entry], tree.terminal_first[entry + 1]):
        target = tree.terminal_node[terminal] * size
        swept, total = splat(tree.terminal_sweep[terminal]), splat(tree.terminal_total[terminal])
        if sweeps and totals:
            for hand in range(0, size, 8):
                part = load(work.swept_rows, row + hand) * swept
                store(value, target + hand, part + load(work.total_rows, row + hand) * total)
        elif sweeps:
            for hand in range(0, size, 8):
                store(value, target + hand, load(work.swept_rows, row + hand) * swept)
        else:
            for hand in range(0, size, 8):
                store(value, target + hand, load(work.total_rows, row + hand) * total)


@lean_kernel
def _pay_nothing(tree: StreetTree, entry: int, size: int, value: Array) -> None:
    nothing = splat(np.float32(0))
    for terminal in range(tree.terminal_first[entry], tree.terminal_first[entry + 1]):
        for hand in range(0, size, 8):
            store(value, tree.terminal_node[terminal] * size + hand, nothing)


@lean_kernel
def open_root(
    tree: StreetTree, boards: Boards, me: int, mode: int, data: CfrData, weights: Array, reach: Array, value: Array,
    sent: Array, work: PostflopScratch,
) -> None:  # fmt: skip
    """The first street downwards. weights: (3,) factors for positive regrets, negative regrets and sums."""
    root = _only(boards)
    forward(tree, boards, root, me, mode, data, weights[2], reach, work)
    terminal_values(tree, boards, root, me, reach, value, work)
    collect_lines(tree, boards.size[1 - me, root], me, reach, sent, work)


@lean_kernel
def close_root(
    tree: StreetTree, boards: Boards, me: int, mode: int, data: CfrData, weights: Array, dealt: Array, cards: int,
    value: Array, work: PostflopScratch,
) -> None:  # fmt: skip
    """The first street upwards. dealt: (cards, hands, lines) the value of each card's subtree; all are added to the
    first."""
    size = boards.size[me, 0]
    block = size * lines_padded(tree)
    for offset in range(block, cards * block, 8):
        place = offset % block
        store(dealt, place, load(dealt, place) + load(dealt, offset))
    spread_lines(tree, size, dealt, value, work)
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
    turn: StreetTree, river: StreetTree, turns: Boards, rivers: Boards, first: Boards, me: int, mode: int,
    data: CfrData, weights: Array, chances: Array, sent: Array, order: Array, taken: Array, dealt: Array,
    work: PostflopScratch,
) -> None:  # fmt: skip
    """Turn cards in order, each with all its rivers, until all have been taken by some thread."""
    number = take_number(taken)
    while number < order.shape[0]:
        board = order[number]
        send_down(turn, turns, board, me, sent, work.turn_reach, work)
        play_turn(turn, river, turns, rivers, board, me, mode, data, weights, chances[1], work)
        hand_over(turn, turns, board, me, chances[0], work.turn_value, first.size[me, 0], dealt, work)
        number = take_number(taken)


@lean_kernel
def play_turn(
    turn: StreetTree, river: StreetTree, turns: Boards, rivers: Boards, board: int, me: int, mode: int, data: CfrData,
    weights: Array, chance: float, work: PostflopScratch,
) -> None:  # fmt: skip
    """One turn card and all its rivers. chance: the probability of each river card."""
    size, start = turns.size[me, board], 0 * board
    forward(turn, turns, board, me, mode, data, weights[2], work.turn_reach, work)
    terminal_values(turn, turns, board, me, work.turn_reach, work.turn_value, work)
    collect_lines(turn, turns.size[1 - me, board], me, work.turn_reach, work.sent, work)
    clear(work.river_sum, start, size * lines_padded(turn))
    for card in range(turns.children[board], turns.children[board + 1]):
        send_down(river, rivers, card, me, work.sent, work.river_reach, work)
        play_river(river, rivers, card, me, mode, data, weights, work)
        bring_up(river, rivers, card, me, chance, work.river_value, size, work.river_sum, start, work)
    spread_lines(turn, size, work.river_sum, work.turn_value, work)
    backward(turn, turns, board, me, mode, data, weights[0], weights[1], work.turn_value, work)


@lean_kernel
def play_rivers(
    river: StreetTree, rivers: Boards, first: Boards, me: int, mode: int, data: CfrData, weights: Array,
    chances: Array, sent: Array, order: Array, taken: Array, dealt: Array, work: PostflopScratch,
) -> None:  # fmt: skip
    """River cards of a tree that starts on the turn, until all have been taken by some thread."""
    number = take_number(taken)
    while number < order.shape[0]:
        board = order[number]
        send_down(river, rivers, board, me, sent, work.river_reach, work)
        play_river(river, rivers, board, me, mode, data, weights, work)
        hand_over(river, rivers, board, me, chances[0], work.river_value, first.size[me, 0], dealt, work)
        number = take_number(taken)


@lean_kernel
def play_river(
    river: StreetTree,
    rivers: AnyBoards,
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
def lines_padded(tree: StreetTree) -> int:
    """The number of lines to the next street, rounded up to whole vectors."""
    return (tree.deals.shape[0] + 7) // 8 * 8


@lean_kernel
def collect_lines(tree: StreetTree, size: int, me: int, reach: Array, sent: Array, work: PostflopScratch) -> None:
    """sent: (hands, lines) the opponent's reach where cards are dealt."""
    lines, width = tree.deals.shape[0], lines_padded(tree)
    for line in range(width):
        work.line_rows[line] = tree.reach[me, tree.deals[line % lines]] * size
    interleave(reach, size, width, sent, work)


@lean_kernel
def send_down(
    tree: StreetTree, boards: Boards, board: int, me: int, sent: Array, reach: Array, work: PostflopScratch
) -> None:
    """Each line's reach, for the hands that the new card leaves possible, in the new board's order."""
    other = 1 - me
    size, start, lines = boards.size[other, board], boards.start[other, board], tree.roots.shape[0]
    width = (lines + 7) // 8 * 8
    for line in range(width):
        row = tree.reach[me, tree.roots[line]] if line < lines else tree.rows[me]  # the row after the last is unused
        work.line_rows[line] = row * size
    for hand in range(0, size, 8):
        for lane in range(8):
            work.rows[lane] = np.int64(boards.down[start + hand + lane]) * width
        for line in range(0, width, 8):
            transpose_to_rows(sent, work.rows, line, reach, work.line_rows, line, hand)


@lean_kernel
def bring_up(
    tree: StreetTree, boards: AnyBoards, card: int, me: int, chance: float, value: Array, above_size: int, total: Array,
    place: int, work: PostflopScratch,
) -> None:  # fmt: skip
    """Add the values of the roots, for all cards that this one represents, to `total`: (hands, lines) of the previous
    board, from `place` on."""
    size, lines, share = boards.size[me, card], tree.roots.shape[0], splat(np.float32(chance))
    width = (lines + 7) // 8 * 8
    for line in range(width):
        work.line_rows[line] = tree.roots[line % lines] * size
    interleave(value, size, width, work.raised, work)
    for image in range(boards.images[card], boards.images[card + 1]):
        up = boards.up_start[me, image]
        for hand in range(above_size):
            source, target = np.int64(boards.up[up + hand]) * width, place + hand * width
            for line in range(0, width, 8):
                store(total, target + line, load(total, target + line) + share * load(work.raised, source + line))


@lean_kernel
def hand_over(
    tree: StreetTree, boards: Boards, card: int, me: int, chance: float, value: Array, above_size: int, dealt: Array,
    work: PostflopScratch,
) -> None:  # fmt: skip
    """`bring_up` to the card's own block, so that threads share none and blocks are added in a fixed order."""
    block = above_size * ((tree.roots.shape[0] + 7) // 8 * 8)
    clear(dealt, card * block, block)
    bring_up(tree, boards, card, me, chance, value, above_size, dealt, card * block, work)


@lean_kernel
def spread_lines(tree: StreetTree, size: int, total: Array, value: Array, work: PostflopScratch) -> None:
    """The values of the nodes where cards are dealt. total: (hands, lines)."""
    lines, width = tree.deals.shape[0], lines_padded(tree)
    for line in range(width):
        node = tree.deals[line] if line < lines else tree.kind.shape[0]  # the row after the last node is unused
        work.line_rows[line] = node * size
    for hand in range(0, size, 8):
        for lane in range(8):
            work.rows[lane] = (hand + lane) * width
        for line in range(0, width, 8):
            transpose_to_rows(total, work.rows, line, value, work.line_rows, line, hand)


@lean_kernel
def interleave(rows: Array, size: int, width: int, target: Array, work: PostflopScratch) -> None:
    """target: (hands, width) from the rows that begin at `work.line_rows`."""
    for line in range(0, width, 8):
        for hand in range(0, size, 8):
            transpose(rows, work.line_rows, line, hand, target, hand * width + line, width)


@lean_kernel
def clear(numbers: Array, start: int, count: int) -> None:
    for place in range(start, start + count, 8):
        store(numbers, place, splat(np.float32(0)))
