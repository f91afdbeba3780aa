"""Win counts, bucket against bucket: each river board is ranked and sorted once, and swept for its ten flops.

A hand's bucket depends on the flop alone, the winner on all five cards in any order. So one sorted list of the hands
serves all ten ways in which three of the five cards can have been the flop. A sweep goes up the list and counts the
hands of each bucket beaten so far, in total and by each card they hold, so that card removal is exact.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tahur.cards.equity.kernels.sweep import rank_live, sort_by_rank
from tahur.cards.equity.tables import Combos
from tahur.cards.tables import EvaluatorTables
from tahur.core.arrays import Bytes, Int64s
from tahur.core.kernels import kernel

BUCKETS = 9
FLOPS = 10  # of a board
WORDS = 3  # the counts of nine buckets are packed into three words of three bit fields
FIELDS = 3
FIELD_BITS = 21  # a board has 583,740 pairs of hands, so that no count overflows its bit field
FIELD_MASK = (1 << FIELD_BITS) - 1
NO_TEXTURE = 255  # of a flop that is not counted
WORD_OF = np.arange(BUCKETS) // FIELDS
ONE_OF = 1 << np.arange(BUCKETS) % FIELDS * FIELD_BITS
ALL = 52  # the row of counts after those of the 52 cards: all hands


class BoardScratch(NamedTuple):
    """Scratch space for one board, allocated once; a *column* is one of the flops, a word holds three of its
    buckets."""

    lists: Int64s  # (3, 1326) the possible combos, their ranks, and space to sort
    everybody: NDArray[np.float64]  # (2, 1326) ones
    flops: Int64s  # (10,) the flops to count
    buckets: Bytes  # (1326, 10) by index in the list and column
    below: Int64s  # (53, 30) hands beaten so far, by card and in all
    beaten: Int64s  # (30,) those of them that one hand can meet
    won: Int64s  # (10, 9, 3) by column, bucket and word


@kernel
def make_scratch() -> BoardScratch:
    return BoardScratch(
        lists=np.zeros((3, 1326), np.int64),
        everybody=np.ones((2, 1326)),
        flops=np.zeros(FLOPS, np.int64),
        buckets=np.zeros((1326, FLOPS), np.uint8),
        below=np.zeros((ALL + 1, FLOPS * WORDS), np.int64),
        beaten=np.zeros(FLOPS * WORDS, np.int64),
        won=np.zeros((FLOPS, BUCKETS, WORDS), np.int64),
    )


@kernel
def count_wins(
    boards: Bytes,
    orbits: Int64s,
    textures: Bytes,
    buckets: Bytes,
    tables: EvaluatorTables,
    combos: Combos,
    wins: Int64s,
) -> None:
    """boards: (n, 5), ascending; orbits: (n,); textures: (22100,); buckets: (22100, 1326); adds to wins: (5, 9, 9).

    wins[texture, i, j]: deals, with turn and river, in which the first hand is in bucket i and beats one in bucket j.
    """
    scratch = make_scratch()
    for at in range(boards.shape[0]):
        columns = _flops_asked_for(boards[at], textures, scratch)
        if columns == 0:
            continue
        live = _sort_hands(boards[at], columns, buckets, tables, combos, scratch)
        _sweep(live, columns, combos, scratch)
        for column in range(columns):
            texture = textures[scratch.flops[column]]
            for i in range(BUCKETS):
                for j in range(BUCKETS):
                    field = scratch.won[column, i, j // FIELDS] >> j % FIELDS * FIELD_BITS & FIELD_MASK
                    wins[texture, i, j] += orbits[at] * field


@kernel
def count_pairs(flops: Int64s, textures: Bytes, buckets: Bytes, combos: Combos, pairs: Int64s) -> None:
    """flops: (n,) flop indices; adds to pairs: (5, 9, 9), how many pairs of hands share no card, by bucket."""
    held = np.zeros((ALL + 1, BUCKETS), np.int64)
    for flop in flops:
        held[:] = 0
        for combo in range(1326):
            bucket = buckets[flop, combo]
            if bucket < BUCKETS:
                held[combos.cards[combo, 0], bucket] += 1
                held[combos.cards[combo, 1], bucket] += 1
                held[ALL, bucket] += 1
        for combo in range(1326):
            mine = buckets[flop, combo]
            if mine < BUCKETS:
                pairs[textures[flop], mine, mine] += 1  # the hand itself was subtracted twice
                for other in range(BUCKETS):
                    clash = held[combos.cards[combo, 0], other] + held[combos.cards[combo, 1], other]
                    pairs[textures[flop], mine, other] += held[ALL, other] - clash


@kernel
def _flops_asked_for(board: Bytes, textures: Bytes, scratch: BoardScratch) -> int:
    """Store the flops of the board that have a texture in the scratch space; returns their number."""
    columns = 0
    for pick in range(FLOPS):
        flop = _flop_of(board, pick)
        if textures[flop] != NO_TEXTURE:
            scratch.flops[columns] = flop
            columns += 1
    return columns


@kernel
def _sort_hands(
    board: Bytes, columns: int, buckets: Bytes, tables: EvaluatorTables, combos: Combos, scratch: BoardScratch
) -> int:
    """The hands that the board leaves, weakest first, with their buckets on each flop; returns their number."""
    dealt = 0
    for card in board:
        dealt |= 1 << card
    live = rank_live(dealt, 0, scratch.everybody, tables, combos, scratch.lists)
    sort_by_rank(scratch.lists, live)
    for column in range(columns):
        row = buckets[scratch.flops[column]]
        for place in range(live):
            scratch.buckets[place, column] = row[scratch.lists[0, place]]
    return live


@kernel
def _sweep(live: int, columns: int, combos: Combos, scratch: BoardScratch) -> None:
    """Count in scratch.won, from zero, the pairs in which a hand of one bucket beats one of another."""
    scratch.below[:, :] = 0
    scratch.won[:, :, :] = 0
    rank = scratch.lists[1]
    at = 0
    while at < live:
        end = at
        while end < live and rank[end] == rank[at]:
            _count_beaten(end, columns, combos, scratch)
            end += 1
        for place in range(at, end):
            _put_below(place, columns, combos, scratch)
        at = end


@kernel
def _count_beaten(place: int, columns: int, combos: Combos, scratch: BoardScratch) -> None:
    """No bit field borrows from the next: a hand's two cards subtract different hands, as it is not below itself."""
    combo = scratch.lists[0, place]
    first, second, everything = (
        scratch.below[combos.cards[combo, 0]],
        scratch.below[combos.cards[combo, 1]],
        scratch.below[ALL],
    )
    beaten, won = scratch.beaten, scratch.won
    for word in range(columns * WORDS):
        beaten[word] = everything[word] - first[word] - second[word]
    for column in range(columns):
        mine = scratch.buckets[place, column]
        for word in range(WORDS):
            won[column, mine, word] += beaten[column * WORDS + word]


@kernel
def _put_below(place: int, columns: int, combos: Combos, scratch: BoardScratch) -> None:
    combo = scratch.lists[0, place]
    first, second, everything = (
        scratch.below[combos.cards[combo, 0]],
        scratch.below[combos.cards[combo, 1]],
        scratch.below[ALL],
    )
    for column in range(columns):
        bucket = scratch.buckets[place, column]
        word, one = column * WORDS + WORD_OF[bucket], ONE_OF[bucket]
        first[word] += one
        second[word] += one
        everything[word] += one


@kernel
def _flop_of(board: Bytes, pick: int) -> int:
    """The index of the flop that leaves out one of the ten pairs of cards."""
    out = 0
    while pick >= 4 - out:
        pick -= 4 - out
        out += 1
    other = out + 1 + pick
    number, place = 0, 1
    for at in range(5):
        if at != out and at != other:
            card = int(board[at])
            if place == 1:
                number += card
            elif place == 2:
                number += card * (card - 1) // 2
            else:
                number += card * (card - 1) * (card - 2) // 6
            place += 1
    return number
