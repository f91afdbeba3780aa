"""Traversals of a tree from the flop on whose rivers are merged into groups of hands.

While solving, a river is played by groups. To measure, its strategies are expanded, and it is played by every hand.
"""

from __future__ import annotations

import numpy as np

from tahur.core.arrays import Array
from tahur.core.kernels import lean_kernel
from tahur.solvers.kernels.lanes import (
    load,
    store,
    take_number,
    transpose_to_rows,
)
from tahur.solvers.postflop.kernels.betting import UPDATE, VALUE, backward, forward
from tahur.solvers.postflop.kernels.streets import (
    bring_up,
    clear,
    collect_lines,
    hand_over,
    lines_padded,
    play_river,
    send_down,
    spread_lines,
    terminal_values,
)
from tahur.solvers.postflop.tables import Boards, CfrData, Data, MergedBoards, PostflopScratch, StreetTree


@lean_kernel
def play_merged_turns(
    turn: StreetTree, river: StreetTree, turns: Boards, rivers: Boards, groups: MergedBoards, first: Boards, me: int,
    mode: int, data: CfrData, weights: Array, chances: Array, sent: Array, order: Array, taken: Array,
    dealt: Array, work: PostflopScratch,
) -> None:  # fmt: skip
    """Turn cards in order, each with all its rivers, until all have been taken by some thread."""
    number = take_number(taken)
    while number < order.shape[0]:
        board = order[number]
        send_down(turn, turns, board, me, sent, work.turn_reach, work)
        _play_turn(turn, river, turns, rivers, groups, board, me, mode, data, weights, chances[1], work)
        hand_over(turn, turns, board, me, chances[0], work.turn_value, first.size[me, 0], dealt, work)
        number = take_number(taken)


@lean_kernel
def _play_turn(
    turn: StreetTree, river: StreetTree, turns: Boards, rivers: Boards, groups: MergedBoards, board: int, me: int,
    mode: int, data: CfrData, weights: Array, chance: float, work: PostflopScratch,
) -> None:  # fmt: skip
    """`play_turn` of streets.py with merged rivers."""
    size, start = turns.size[me, board], 0 * board
    forward(turn, turns, board, me, mode, data, weights[2], work.turn_reach, work)
    terminal_values(turn, turns, board, me, work.turn_reach, work.turn_value, work)
    collect_lines(turn, turns.size[1 - me, board], me, work.turn_reach, work.sent, work)
    clear(work.river_sum, start, size * lines_padded(turn))
    for card in range(turns.children[board], turns.children[board + 1]):
        if mode == UPDATE:
            _send_to_groups(river, groups, card, me, turns.hands[1 - me, board], work)
            play_river(river, groups, card, me, mode, data, weights, work)
            bring_up(river, groups, card, me, chance, work.river_value, size, work.river_sum, start, work)
        else:
            _expand(river, rivers, groups, card, 1 - me, data.sums, work.expanded)
            if mode == VALUE:
                _expand(river, rivers, groups, card, me, data.sums, work.expanded)
            send_down(river, rivers, card, me, work.sent, work.river_reach, work)
            expanded = Data(work.expanded, work.expanded)
            play_river(river, rivers, card, me, mode, expanded, weights, work)
            bring_up(river, rivers, card, me, chance, work.river_value, size, work.river_sum, start, work)
    spread_lines(turn, size, work.river_sum, work.turn_value, work)
    backward(turn, turns, board, me, mode, data, weights[0], weights[1], work.turn_value, work)


@lean_kernel
def _send_to_groups(
    tree: StreetTree, groups: MergedBoards, board: int, me: int, hands: int, work: PostflopScratch
) -> None:
    """Each line's reach, summed over the hands of each group. hands: the opponent's on the previous board."""
    other, lines = 1 - me, tree.roots.shape[0]
    width = (lines + 7) // 8 * 8
    size, count = groups.size[other, board], groups.hands[other, board]
    clear(work.merged_sent, 0 * board, size * width)
    up = groups.up_start[other, groups.images[board]]  # the first image of a board is the board itself
    for hand in range(hands):
        source, target = hand * width, np.int64(groups.up[up + hand]) * width
        for line in range(0, width, 8):
            total = load(work.merged_sent, target + line) + load(work.sent, source + line)
            store(work.merged_sent, target + line, total)
    clear(work.merged_sent, count * width, (size - count) * width)  # hands that the card blocks
    for line in range(width):
        row = tree.reach[me, tree.roots[line]] if line < lines else tree.rows[me]
        work.line_rows[line] = row * size
    for group in range(0, size, 8):
        for lane in range(8):
            work.rows[lane] = (group + lane) * width
        for line in range(0, width, 8):
            transpose_to_rows(work.merged_sent, work.rows, line, work.river_reach, work.line_rows, line, group)


@lean_kernel
def _expand(
    tree: StreetTree, rivers: Boards, groups: MergedBoards, board: int, seat: int, sums: Array, expanded: Array
) -> None:
    """A seat's sums on a board, for each hand; `rivers.data` is where they go."""
    size, merged, start = rivers.size[seat, board], groups.size[seat, board], rivers.start[seat, board]
    for row in range(tree.data_rows[seat]):
        source = groups.data[seat, board] + row * merged
        target = rivers.data[seat, board] + row * size
        for hand in range(size):
            expanded[target + hand] = sums[source + np.int64(groups.group[start + hand])]
