"""The arrays that the kernels read, as named tuples, which Numba supports directly."""

from __future__ import annotations

from typing import NamedTuple

from tahur.core.arrays import Array


class StreetTree(NamedTuple):
    """The betting of one street: one tree for each line that leads to it. Parents are numbered before children.

    For each traverser t (first axis) the opponent's reach at a node is a row; nodes reached by the traverser's own
    moves share their parent's row.
    """

    kind: Array  # (nodes,) int8: the acting seat, or FOLD, SHOWDOWN, DEAL
    first: Array  # (nodes,) int32 where its children begin in `child`
    moves: Array  # (nodes,) int32 number of children
    child: Array  # int32 nodes
    data: Array  # (nodes,) int64 rows of the acting seat's regrets before this node's
    reach: Array  # (2, nodes) int32
    roots: Array  # (lines in,) int32 nodes
    deals: Array  # (lines out,) int32 nodes
    rows: Array  # (2,) int64 number of rows of reach
    data_rows: Array  # (2,) int64 number of rows of regrets of each seat
    # Terminals are grouped by the row of reach that their values are computed from. The groups of traverser t are
    # terminal_start[t] to terminal_start[t + 1]; those with showdowns come first.
    terminal_start: Array  # (3,) int64
    terminal_split: Array  # (2,) int64 where groups with folds only begin
    terminal_row: Array  # (groups,) int32 the row of reach
    terminal_first: Array  # (groups + 1,) int64 where a group begins in the three arrays below
    terminal_node: Array  # int32
    terminal_sweep: Array  # float32: a showdown is worth this times (weight I beat - weight that beats me)
    terminal_total: Array  # float32: plus this times the weight of all hands that the opponent may hold


class Boards(NamedTuple):
    """All boards of one street, each with both seats' hands: flat arrays; `start[seat, board]` is where hands begin.

    A board is padded to `size` hands, a multiple of eight with at least one spare: hand number `hands` is unused, and
    hands that a card blocks are mapped to it. On the river hands are sorted by strength.
    """

    hands: Array  # (2, boards) int64
    size: Array  # (2, boards) int64
    start: Array  # (2, boards) int64
    data: Array  # (2, boards) int64 where the seat's regrets of this board begin
    low_card: Array  # uint8
    high_card: Array  # uint8
    same: Array  # int16 the opponent's index of the same two cards
    below: Array  # int16 how many of the opponent's hands are weaker (river)
    upto: Array  # int16 how many are weaker or equal (river)
    down: Array  # int16 the hand's index on the previous board
    children: Array  # (boards + 1,) int64 the boards with one more card
    images: Array  # (boards + 1,) int64 the cards that this board represents
    up_start: Array  # (2, images) int64
    up: Array  # int16 for each hand of the previous board, its index here after relabeling suits
    lock: Array  # (boards, nodes) int64 offset of a decision's lock in `locked`, -1: none; (0, 0) without any lock
    locked: Array  # float32: for each lock a row of hands, 1 if locked, then a row of frequencies for each move
    first_step: Array  # (1,) int64 number of nodes, with cards, on earlier streets


class MergedBoards(NamedTuple):
    """As `Boards`, for rivers whose hands are merged into groups (merging.py): a *hand* here is a group.

    The two cards of a group are classes of cards, and a hand shares one of the `count` cards of a class with a hand
    that holds another one of it with probability 1 / count, its share.
    """

    hands: Array  # (2, boards) int64 the number of groups
    size: Array  # (2, boards) int64
    start: Array  # (2, boards) int64
    data: Array  # (2, boards) int64
    low_card: Array  # uint8 the class of the group's first card
    high_card: Array  # uint8
    low_share: Array  # float32
    high_share: Array  # float32
    same: Array  # int16 the opponent's index of the group with the same classes
    same_share: Array  # float32 what the shares of the two cards subtract too much for that group
    below: Array  # int16
    upto: Array  # int16
    images: Array  # (boards + 1,) int64
    up_start: Array  # (2, images) int64
    up: Array  # int16 for each hand of the previous board, its group here after relabeling suits
    group: Array  # int16 for each hand of `Boards` of the same street, its group; spare hands have the spare group
    lock: Array  # (0, 0) int64: hands of merged rivers cannot be locked
    locked: Array  # (0,) float32
    first_step: Array  # (1,) int64


AnyBoards = Boards | MergedBoards


class Data(NamedTuple):
    """The solver's accumulators: both seats' regrets and strategy sums, all streets in one array each."""

    regrets: Array  # float32
    sums: Array  # float32


class Packed(NamedTuple):
    """`Data` in half the memory: 16-bit integers, and the size of one step for each node on each board."""

    regrets: Array  # int16
    sums: Array  # uint16
    regret_step: Array  # float32
    sum_step: Array  # float32


CfrData = Data | Packed


class PostflopScratch(NamedTuple):
    """One thread's scratch space, float32 unless noted."""

    turn_reach: Array
    turn_value: Array
    river_reach: Array
    river_value: Array
    held: Array  # (hands * 16) sixteen rows of reach, interleaved
    swept: Array  # (hands * 16)
    total: Array  # (hands * 16)
    by_card: Array  # (52 * 16)
    everything: Array  # (16,)
    swept_rows: Array  # (16 * hands)
    total_rows: Array  # (16 * hands)
    sent: Array  # (hands * lines) the reach of all lines from the turn to the river, interleaved
    raised: Array  # (hands * lines) the values of a card's lines, interleaved
    river_sum: Array  # (hands * lines) their sum over the rivers of a turn
    line_rows: Array  # (lines,) int64
    rows: Array  # (16,) int64
    columns: Array  # (16,) int64
    near_regrets: Array  # (moves * hands + 8) the regrets of one decision, unpacked
    near_sums: Array
    merged_sent: Array  # (groups * lines) the reach of all lines to a merged river, interleaved
    expanded: Array  # the sums of a merged river, for each hand
