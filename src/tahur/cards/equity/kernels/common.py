"""Shared by the equity kernels: the pot, sets of cards as 52 bits, and suit permutations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tahur.cards.equity.tables import Combos
from tahur.cards.tables import EvaluatorTables
from tahur.core.arrays import Float64s, Int64s
from tahur.core.kernels import bit_count, kernel

POT = 2520
SHARES = np.array([0] + [POT // winners for winners in range(1, 10)])
SUIT_BITS = 0x1111111111111  # one suit's bits of a 52-bit set of cards


@kernel
def board_key(board: int, tables: EvaluatorTables) -> int:
    """The sum of the keys of a 52-bit set of cards."""
    key = 0
    while board:
        lowest = board & -board
        board ^= lowest
        key += tables.key[bit_count(lowest - 1)]
    return key


@kernel
def suits_of(board: int) -> Int64s:
    """(4,) the board's ranks in each suit, as bits of 13."""
    suited = np.zeros(4, np.int64)
    for card in range(52):
        suited[card & 3] |= (board >> card & 1) << (card >> 2)
    return suited


@kernel
def add_duel(won: int, lost: int, boards: int, counts: Int64s) -> None:
    """Add the results of a matchup of two to both players' wins, ties and shares."""
    tied = boards - won - lost
    counts[0, 0] += won
    counts[1, 0] += lost
    for player in range(2):
        counts[player, 1] += tied
    counts[0, 2] += POT * won + POT // 2 * tied
    counts[1, 2] += POT * lost + POT // 2 * tied


@kernel
def relabeled(cards: int, suits: Int64s) -> int:
    """A 52-bit set of cards with its suits permuted."""
    moved = 0
    for suit in range(4):
        moved |= (cards >> suit & SUIT_BITS) << suits[suit]
    return moved


@kernel
def symmetries(combo: Int64s, weight: Float64s, start: Int64s, board: int, dead: int, combos: Combos) -> int:
    """The relabelings, as 24 bits, that preserve board, dead cards and every player's weights."""
    kept = (1 << 24) - 1
    for label in range(1, 24):
        suits = combos.suits[label]
        if relabeled(board, suits) != board or relabeled(dead, suits) != dead:
            kept ^= 1 << label
    dense = np.zeros(1326)
    for player in range(start.shape[0] - 1):
        hands = range(start[player], start[player + 1])
        for at in hands:
            dense[combo[at]] = weight[at]
        for label in range(1, 24):
            if kept >> label & 1:
                for at in hands:
                    if dense[combos.image[label, combo[at]]] != weight[at]:
                        kept ^= 1 << label
                        break
        for at in hands:
            dense[combo[at]] = 0.0
    return kept


@kernel
def stabilizer(combo: int, group: int, image: NDArray[np.int64]) -> int:
    """The relabelings of `group` that fix the combo; 0 if one of them maps it to a lesser combo."""
    kept = 0
    for label in range(24):
        if group >> label & 1:
            moved = image[label, combo]
            if moved < combo:
                return 0
            if moved == combo:
                kept |= 1 << label
    return kept
