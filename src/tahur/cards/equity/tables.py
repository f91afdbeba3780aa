"""Small tables for the equity kernels: data about the 1,326 combos, and the ways to complete a board.

A *runout* is identified by its ranks alone until a flush matters, so there are only 6,175 of five cards instead of two
million. `Runouts` lists them with the keys of tables.py and says how to count the boards behind each: a product of
"choose k of the remaining cards of that rank". Sets of one suit, for the flushes, are listed by size.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement, permutations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import COMBOS
from tahur.cards.tables import load

NO_RANK: Final = 13
ONE: Final = 65  # the index of the factor 1, after 13 ranks x 5 counts


class Combos(NamedTuple):
    """What the kernels need to know about each pair of hole cards."""

    cards: NDArray[np.int64]  # (1326, 2) low card, high card
    mask: NDArray[np.int64]  # (1326,) the two cards as bits of 52
    key: NDArray[np.int64]  # (1326,) sum of the two cards' keys
    suited: NDArray[np.int64]  # (1326, 4) ranks held in each suit, as bits of 13
    suits: NDArray[np.int64]  # (24, 4) every relabeling of the suits, the identity first
    image: NDArray[np.int64]  # (24, 1326) the combo that each combo becomes under each relabeling


class Runouts(NamedTuple):
    """Ways to deal 0 to 5 more cards, by rank; and sets of ranks in one suit, by size."""

    start: NDArray[np.int64]  # (7,) runouts of n cards are start[n] to start[n + 1]
    key: NDArray[np.int64]  # sum of the ranks' keys
    factor: NDArray[np.int64]  # (runouts, 5) indices into a table of "choose k of rank r" at 5 r + k
    set_start: NDArray[np.int64]  # (7,) sets of n ranks are set_start[n] to set_start[n + 1]
    set: NDArray[np.int64]  # bits of 13
    set_key: NDArray[np.int64]  # sum of the ranks' keys


@cache
def combos() -> Combos:
    high, low = np.tril_indices(52, -1)
    cards = np.stack([low, high], axis=1).astype(np.int64)
    suits = np.array(list(permutations(range(4))), np.int64)
    moved = cards // 4 * 4 + suits[:, cards % 4]
    top, bottom = moved.max(2), moved.min(2)
    suited = np.zeros((COMBOS, 4), np.int64)
    for column in (0, 1):
        suited[np.arange(COMBOS), cards[:, column] % 4] |= 1 << (cards[:, column] // 4)
    keys = load().key[cards].sum(1)
    return Combos(
        cards=cards, mask=(1 << cards).sum(1), key=keys, suited=suited, suits=suits, image=top * (top - 1) // 2 + bottom
    )


@cache
def runouts() -> Runouts:
    groups = [[way for way in combinations_with_replacement(range(13), n) if _possible(way)] for n in range(6)]
    ways = np.array([(*way, *[NO_RANK] * (5 - len(way))) for group in groups for way in group])
    held = np.arange(1 << 13)[:, None] >> np.arange(13) & 1  # (8192, 13) which ranks are in each set
    sets = np.argsort(held.sum(1), kind="stable")
    sets = sets[held[sets].sum(1) <= 5]
    rank_key = load().key[0:52:4] & 0xFFFFFFFF
    return Runouts(
        start=np.concatenate([[0], np.cumsum([len(group) for group in groups])]),
        key=np.append(rank_key, 0)[ways].sum(1),
        factor=_factors(ways),
        set_start=np.concatenate([[0], np.cumsum(np.bincount(held[sets].sum(1)))]),
        set=sets,
        set_key=held[sets] @ rank_key,
    )


def _possible(way: tuple[int, ...]) -> bool:
    return len(way) < 5 or way[0] != way[4]


def _factors(ways: NDArray[np.int64]) -> NDArray[np.int64]:
    """`Runouts.factor`: by rank, then as often as needed the index of the factor 1, which is the highest of all."""
    counts = (ways[:, :, None] == np.arange(13)).sum(1)
    return np.sort(np.where(counts > 0, 5 * np.arange(13) + counts, ONE), axis=1)[:, :5].copy()
