"""The evaluator's tables: built once from the rules of poker, in well under a second, and cached.

Without a flush only the ranks matter, so a hand is a count 0..4 for each of thirteen ranks. The counts of the six low
ranks and of the seven high ranks are two numbers in base five. They add up card by card: the key of a hand is the sum
of its cards' keys. `low` and `high` map the two numbers to a column and a row start, and `rank[row + column]` is the
result; rows are packed so tightly that 73,775 entries serve five, six and seven cards alike. The same sum counts suits,
four bits each, starting at three: bit 3 is set by a flush.

A *rank* is 1 (seven-five-four-three-deuce) to 7,462 (royal flush): higher is better, equal ranks tie.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tahur.core.archive import EVALUATOR, Archive, archive_bytes, kind_of
from tahur.core.arrays import Int64s
from tahur.core.cache import cache_folder, write_whole

LOW_RANKS: Final = 6  # deuce to seven; the other seven ranks are the high part
LOW_BITS: Final = 15  # the low number stays below 2**15 even for seven cards of one rank
KEY_BITS: Final = 32  # the suit counters start here
SUITS_START: Final = 0x3333 << KEY_BITS
FLUSH_BITS: Final = 0x8888 << KEY_BITS
NOT_A_CARD: Final = 1 << 60

HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH = range(9)


class EvaluatorTables(NamedTuple):
    """The arrays that an evaluation reads; a named tuple because kernels accept one."""

    key: NDArray[np.int64]  # (256,) of a card; NOT_A_CARD from 52 up
    low: NDArray[np.uint16]  # low number -> column
    high: NDArray[np.uint32]  # high number -> start of row
    rank: NDArray[np.uint16]  # row + column -> rank, ignoring flushes
    flush: NDArray[np.uint16]  # 13-bit set of suited ranks -> rank, 0 below five cards


@cache
def load() -> EvaluatorTables:
    """The tables, from the cache folder, or built and stored there."""
    path = cache_folder() / "evaluator.tahur"
    if kind_of(path) != EVALUATOR.name:
        write_whole(path, archive_bytes(EVALUATOR, {}, build()._asdict().items(), compress=False))
    file = Archive(path, EVALUATOR)
    return EvaluatorTables(*(file.array(name) for name in EvaluatorTables._fields))


@cache
def values() -> Int64s:
    """(7462,) the value behind each rank, weakest first: category, then up to five ranks, four bits each."""
    five = _value_of_counts(_counts(5, 13))
    flushes = _flush_values()
    return np.unique(np.concatenate([five, flushes[_bits(5)]]))


def build() -> EvaluatorTables:
    """Build the tables."""
    low_counts, high_counts = _counts_up_to(7, LOW_RANKS), _counts_up_to(7, 13 - LOW_RANKS)
    first = np.searchsorted(low_counts.sum(1), np.arange(9))  # the first column with that many low cards
    high_cards = high_counts.sum(1)
    left, right = (
        first[np.maximum(5 - high_cards, 0)],
        first[8 - high_cards],
    )  # a row's columns: 5 to 7 cards in total
    row = np.repeat(np.arange(len(high_counts)), right - left)
    start = np.cumsum(right - left) - (right - left)
    column = np.arange(len(row)) - (start - left)[row]
    counts = np.hstack([low_counts[column], high_counts[row]])

    spare = np.zeros(len(low_counts), np.uint16)  # five cards of one rank index this instead of reading outside
    low = np.zeros(1 << LOW_BITS, np.uint16)
    low[_base_five(low_counts)] = np.arange(len(low_counts))
    high = np.zeros(7 * 5 ** (12 - LOW_RANKS) + 1, np.uint32)
    high[_base_five(high_counts)] = start - left + len(spare)
    rank = np.concatenate([spare, _dense(_value_of_counts(counts)), spare]).astype(np.uint16)
    flush = np.where(_popcount(_all_sets()) >= 5, _dense(_flush_values()), 0).astype(np.uint16)
    return EvaluatorTables(key=_card_keys(), low=low, high=high, rank=rank, flush=flush)


def _card_keys() -> Int64s:
    keys = np.full(256, NOT_A_CARD, np.int64)
    for card in range(52):
        rank, suit = divmod(card, 4)
        part = 5**rank if rank < LOW_RANKS else 5 ** (rank - LOW_RANKS) << LOW_BITS
        keys[card] = part + (1 << (KEY_BITS + 4 * suit))
    return keys


def _counts(cards: int, ranks: int) -> Int64s:
    """Every way to distribute `cards` cards over the ranks, at most four each: (ways, ranks)."""
    ways = np.zeros((1, 0), np.int64)
    for done in range(1, ranks + 1):
        ways = np.vstack([np.hstack([ways, np.full((len(ways), 1), count)]) for count in range(5)])
        total = ways.sum(1)
        ways = ways[(total <= cards) & (total + 4 * (ranks - done) >= cards)]
    return ways


def _counts_up_to(most: int, ranks: int) -> Int64s:
    return np.vstack([_counts(cards, ranks) for cards in range(most + 1)])


def _base_five(counts: Int64s) -> Int64s:
    return counts @ 5 ** np.arange(counts.shape[1])


def _dense(value: Int64s) -> Int64s:
    return np.searchsorted(values(), value) + 1


def _value_of_counts(counts: Int64s) -> Int64s:
    """The value of the best five cards, ignoring flushes, of each row of thirteen counts."""
    one, two, three, four = ((counts >= least) @ (1 << np.arange(13)) for least in (1, 2, 3, 4))
    straight = _straight_top()[one]
    quad, trip, pair = _top(four), _top(three), _top(two)
    second = _top(two & ~_bit(pair))
    return np.select(
        [four > 0, (three > 0) & (_popcount(two) > 1), straight >= 0, three > 0, _popcount(two) > 1, two > 0],
        [
            _value(QUADS, (quad,), one & ~_bit(quad), 1),
            _value(FULL_HOUSE, (trip, _top(two & ~_bit(trip))), one, 0),
            _value(STRAIGHT, (straight,), one, 0),
            _value(TRIPS, (trip,), one & ~_bit(trip), 2),
            _value(TWO_PAIR, (pair, second), one & ~_bit(pair) & ~_bit(second), 1),
            _value(PAIR, (pair,), one & ~_bit(pair), 3),
        ],
        _value(HIGH_CARD, (), one, 5),
    )


def _flush_values() -> Int64s:
    """(8192,) the value of a flush in each set of ranks; meaningless for fewer than five cards."""
    sets = _all_sets()
    straight = _straight_top()
    return np.where(straight >= 0, _value(STRAIGHT_FLUSH, (straight,), sets, 0), _value(FLUSH, (), sets, 5))


def _value(category: int, leading: tuple[Int64s, ...], rest: Int64s, kickers: int) -> Int64s:
    """Category, leading ranks and the highest kickers out of `rest`, as nibbles of one number."""
    nibbles = list(leading)
    for _ in range(kickers):
        nibbles.append(_top(rest))
        rest = rest & ~_bit(nibbles[-1])
    value = np.full(rest.shape, category, np.int64)
    for index in range(5):
        value = value << 4 | (np.maximum(nibbles[index], 0) if index < len(nibbles) else 0)
    return value


def _straight_top() -> Int64s:
    """(8192,) the top rank of the best straight in each set of ranks, -1 if there is none."""
    sets = _all_sets()
    wheel = sets << 1 | sets >> 12  # the ace below the deuce too
    run = wheel & wheel >> 1 & wheel >> 2 & wheel >> 3 & wheel >> 4
    return np.where(run > 0, _top(run) + 3, -1)


def _all_sets() -> Int64s:
    return np.arange(1 << 13)


def _bits(count: int) -> NDArray[np.bool_]:
    return np.asarray(_popcount(_all_sets()) == count)


def _popcount(sets: Int64s) -> Int64s:
    return np.asarray((sets[:, None] >> np.arange(14) & 1).sum(1))


def _bit(rank: Int64s) -> Int64s:
    return np.where(rank >= 0, 1 << np.maximum(rank, 0), 0)


def _top(sets: Int64s) -> Int64s:
    """The highest rank in each set, -1 in an empty one."""
    return np.where(sets > 0, np.frexp(sets.astype(np.float64))[1] - 1, -1)
