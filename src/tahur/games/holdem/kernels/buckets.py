"""The bucket of every hand on many flops. `buckets.py` computes the same in plain Python, with reasons."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tahur.core.arrays import Flags, Int64s
from tahur.core.kernels import bit_count, kernel

PREMIUM, NUT, STRONG, GOOD, MEDIUM, DRAW, WEAK_MADE, WEAK_DRAW, AIR = range(9)
NO_HAND = 255
TEN, JACK, QUEEN, KING, ACE = range(8, 13)


@kernel
def fill_buckets(flops: Int64s, scary: Flags, table: NDArray[np.uint8]) -> None:
    """flops: (n, 3); scary: (n,); table: (n, 1326), combos in the order of their numbers."""
    count = np.zeros(13, np.int64)  # how often each rank is on the flop
    suits = np.zeros(4, np.int64)
    for row in range(flops.shape[0]):
        count[:], suits[:] = 0, 0
        flop = 0
        for card in flops[row]:
            count[card >> 2] += 1
            suits[card & 3] += 1
            flop |= 1 << card
        combo = 0
        for high in range(1, 52):
            for low in range(high):
                clash = (flop >> high | flop >> low) & 1
                table[row, combo] = NO_HAND if clash else _bucket(high, low, count, suits, 1 if scary[row] else 0)
                combo += 1


@kernel
def _bucket(high: int, low: int, count: Int64s, suits: Int64s, scare: int) -> int:
    """The strongest of the made hand and the draw."""
    board = 0
    for rank in range(13):
        board |= (1 if count[rank] else 0) << rank
    flush_cards = _longest_suit(high & 3, low & 3, suits)
    outs = _straight_outs(board | 1 << (high >> 2) | 1 << (low >> 2))
    has_draw = flush_cards == 4 or 2 <= outs <= 13
    made = _made(high >> 2, low >> 2, count, board, flush_cards, outs, scare, has_draw)
    return min(made, _drawn(high >> 2, low >> 2, board, flush_cards, outs, has_draw))


@kernel
def _made(
    high: int, low: int, count: Int64s, board: int, flush_cards: int, outs: int, scare: int, has_draw: bool
) -> int:
    """The bucket of a hand by what it has made, before draws count; see `buckets.py`."""
    if flush_cards == 5:
        return PREMIUM if outs > 13 else _flush(high, board)
    if outs > 13:
        return NUT + scare
    top = _top(board)
    if high == low:
        return _pocket(high, count, board, top, scare, has_draw)
    pairs = count[high] + count[low]
    if pairs >= 3:  # a full house, or four of a kind
        return PREMIUM
    if count[high] == 2 or count[low] == 2:
        return STRONG + scare
    if pairs == 2:
        is_top = high == top and low == _top(board ^ 1 << top)
        return (NUT if is_top else STRONG) + scare
    if pairs == 0:
        return AIR
    paired, kicker = (high, low) if count[high] else (low, high)
    if paired == top:
        return STRONG + scare if kicker == ACE else GOOD + scare if kicker >= JACK else MEDIUM
    return _middle(scare, has_draw) if paired == _top(board ^ 1 << top) else WEAK_MADE


@kernel
def _pocket(rank: int, count: Int64s, board: int, top: int, scare: int, has_draw: bool) -> int:
    """The bucket of a pocket pair, by whether it is a set, an overpair or below the board."""
    if count[rank] == 2 or board & (board - 1) == 0 or (count[rank] and bit_count(board) == 2):
        return PREMIUM
    if count[rank]:
        return (PREMIUM if rank == top else NUT) + scare
    if rank > top:
        return STRONG + scare if rank >= QUEEN else GOOD + scare if rank >= TEN else MEDIUM
    return _middle(scare, has_draw) if rank > _top(board ^ 1 << top) else WEAK_MADE


@kernel
def _middle(scare: int, has_draw: bool) -> int:
    if has_draw:
        return DRAW
    return WEAK_MADE if scare else MEDIUM


@kernel
def _flush(high: int, board: int) -> int:
    """The bucket of a flush, by how many cards of the suit above the best hole card are missing from the board."""
    above = 12 - high - bit_count(board >> (high + 1))
    return PREMIUM if above == 0 else NUT if above <= 2 else STRONG


@kernel
def _drawn(high: int, low: int, board: int, flush_cards: int, outs: int, has_draw: bool) -> int:
    """The bucket of a hand that has made nothing, by its draws and its high cards."""
    if flush_cards == 4 and 2 <= outs <= 13:
        return NUT
    if has_draw:
        return DRAW
    over = high >= KING and board >> high == 0  # the higher card is over the board if either is
    return WEAK_DRAW if outs == 1 or flush_cards == 3 or over else AIR


@kernel
def _longest_suit(first: int, second: int, suits: Int64s) -> int:
    """The number of cards of one suit, including a hole card, for the longest such suit."""
    both = 1 if first == second else 0
    return max(suits[first], suits[second]) + 1 + both


@kernel
def _straight_outs(held: int) -> int:
    """The number of ranks that complete a straight; 14 if there already is one."""
    wheel = held << 1 | held >> 12  # the ace below the deuce too
    completing = 0
    for low in range(10):
        missing = 31 << low & ~wheel
        if missing == 0:
            return 14
        if missing & (missing - 1) == 0:
            completing |= missing >> 1 | (missing & 1) << 12
    return bit_count(completing)


@kernel
def _top(bits: int) -> int:
    """The index of the highest bit, -1 if none is set."""
    top = -1
    while bits:
        bits >>= 1
        top += 1
    return top
