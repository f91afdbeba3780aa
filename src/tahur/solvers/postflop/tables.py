"""What the kernels read: named tuples of arrays, since Numba takes those as they are."""

from __future__ import annotations

from typing import NamedTuple

from tahur.core.arrays import Array


class StreetTree(NamedTuple):
    """The betting of one street: a tree for each line that leads to it. Nodes are numbered parents first.

    For each traverser t (first axis) the opponent's reach at a node is a row; nodes that the traverser's own moves lead
    to share their parent's row.
    """

    kind: Array  # (nodes,) int8: the deciding seat, or FOLD, SHOWDOWN, DEAL
    first: Array  # (nodes,) int32 where in `child` its children begin
    moves: Array  # (nodes,) int32 how many there are
    child: Array  # int32 nodes
    data: Array  # (nodes,) int64 rows of the deciding seat's regrets before this node's
    reach: Array  # (2, nodes) int32
    roots: Array  # (lines in,) int32 nodes
    deals: Array  # (lines out,) int32 nodes
    rows: Array  # (2,) int64 how many rows of reach
    data_rows: Array  # (2,) int64 how many rows of regrets each seat has
    # Ends: for traverser t those of row end_row[k] for k in end_start[t]..end_start[t + 1], showdowns first.
    end_start: Array  # (3,) int64
    end_split: Array  # (2,) int64 where rows of folds alone begin
    end_row: Array  # int32
    end_first: Array  # int64, one longer: the ends of a row
    end_node: Array  # int32
    end_sweep: Array  # float32: a showdown is worth this times (beaten less beating)
    end_total: Array  # float32: plus this times all that the opponent may hold


class Boards(NamedTuple):
    """All boards of one street, each with both seats' hands: flat arrays, `start[seat, board]` is where hands begin.

    A board has room for `size` hands, a multiple of eight with at least one to spare: hand number `hands` is none,
    and is where those that a card has blocked are sent. On the river hands are sorted by strength.
    """

    hands: Array  # (2, boards) int64
    size: Array  # (2, boards) int64
    start: Array  # (2, boards) int64
    data: Array  # (2, boards) int64 where the seat's regrets of this board begin
    low_card: Array  # uint8
    high_card: Array  # uint8
    same: Array  # int16 the opponent's number of the same two cards
    below: Array  # int16 how many of the opponent's hands are weaker (river)
    upto: Array  # int16 how many are weaker or equal (river)
    down: Array  # int16 the hand's number on the board before
    children: Array  # (boards + 1,) int64 the boards that one more card makes
    images: Array  # (boards + 1,) int64 the cards that this board stands for
    up_start: Array  # (2, images) int64
    up: Array  # int16 for each hand of the board before, its number here once suits are exchanged
    lock: Array  # (boards, nodes) int64 where in `locked` a decision's lock begins, -1: free; (0, 0) without any lock
    locked: Array  # float32: for each lock a row of hands, 1 if locked, then for each move a row of how often
    first_step: Array  # (1,) int64 how many nodes, cards dealt, the streets before have


class Data(NamedTuple):
    """What is learnt: both seats' regrets and sums of strategies, all streets in one array each."""

    regrets: Array  # float32
    sums: Array  # float32


class Packed(NamedTuple):
    """`Data` in half the room: steps of 16 bits, and how big a step is for each node on each board."""

    regrets: Array  # int16
    sums: Array  # uint16
    regret_step: Array  # float32
    sum_step: Array  # float32


Learnt = Data | Packed


class PostflopScratch(NamedTuple):
    """One worker's scratch space, float32 unless said."""

    turn_reach: Array
    turn_value: Array
    river_reach: Array
    river_value: Array
    held: Array  # (hands * 16) sixteen rows of reach, side by side
    swept: Array  # (hands * 16)
    total: Array  # (hands * 16)
    by_card: Array  # (52 * 16)
    by_card_all: Array  # (52 * 16)
    swept_rows: Array  # (16 * hands)
    total_rows: Array  # (16 * hands)
    rows: Array  # (16,) int64
    columns: Array  # (16,) int64
    near_regrets: Array  # (moves * hands + 8) those of one decision, unpacked
    near_sums: Array
