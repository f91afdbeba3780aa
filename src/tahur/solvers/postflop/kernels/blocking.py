"""Hands that share a card: the opponent's weight on each card, and what my own two cards take from a weight.

Each function is one kernel for hands and for the groups of hands of a merged river; Numba chooses by the type of
`boards`. A group holds each card of its two classes of cards equally often, so a share of the weight on a class is
subtracted, and the group of the same two classes is counted exactly.
"""

# mypy: disable-error-code="untyped-decorator"
from __future__ import annotations

from typing import Any

import numpy as np
from numba.extending import overload

from tahur.core.kernels import inline_kernel
from tahur.solvers.kernels.lanes import load16, splat16, store16
from tahur.solvers.postflop.tables import MergedBoards, PostflopScratch

_INLINED = {"_nrt": False, "error_model": "numpy", "forceinline": True}


def add_hand(boards: Any, start: int, hand: int, work: PostflopScratch) -> Any:
    """Add one of the opponent's hands to the weight of its cards; returns its weight. Callable from kernels only."""
    raise AssertionError("only callable from kernels, where Numba chooses the implementation")


@inline_kernel
def without_cards(boards: Any, place: int, whole: Any, work: PostflopScratch) -> Any:
    """A weight minus that of the hands with one of my cards."""
    low, high = 16 * np.int64(boards.low_card[place]), 16 * np.int64(boards.high_card[place])
    return whole - load16(work.by_card, low) - load16(work.by_card, high)


def with_same_hand(boards: Any, place: int, rest: Any, work: PostflopScratch) -> Any:
    """A weight plus that of the hand with both of my cards, subtracted twice before. Callable from kernels only."""
    raise AssertionError("only callable from kernels, where Numba chooses the implementation")


@overload(add_hand, strict=False, jit_options=_INLINED)  # the annotations differ
def _add_hand_(boards: Any, start: Any, hand: Any, work: Any) -> Any:
    return _add_group if boards.instance_class is MergedBoards else _add_hand


@overload(with_same_hand, strict=False, jit_options=_INLINED)
def _with_same_hand_(boards: Any, place: Any, rest: Any, work: Any) -> Any:
    return _with_same_group if boards.instance_class is MergedBoards else _with_same_hand


def _add_hand(boards: Any, start: int, hand: int, work: PostflopScratch) -> Any:
    held = load16(work.held, hand * 16)
    low, high = 16 * np.int64(boards.low_card[start + hand]), 16 * np.int64(boards.high_card[start + hand])
    store16(work.by_card, low, load16(work.by_card, low) + held)
    store16(work.by_card, high, load16(work.by_card, high) + held)
    return held


def _with_same_hand(boards: Any, place: int, rest: Any, work: PostflopScratch) -> Any:
    return rest + load16(work.held, 16 * np.int64(boards.same[place]))


def _add_group(boards: Any, start: int, hand: int, work: PostflopScratch) -> Any:
    held = load16(work.held, hand * 16)
    low, high = 16 * np.int64(boards.low_card[start + hand]), 16 * np.int64(boards.high_card[start + hand])
    _add_share(work, low, held, boards.low_share[start + hand])
    _add_share(work, high, held, boards.high_share[start + hand])
    return held


@inline_kernel
def _add_share(work: PostflopScratch, place: Any, held: Any, share: float) -> None:
    store16(work.by_card, place, load16(work.by_card, place) + held * splat16(np.float32(share)))


def _with_same_group(boards: Any, place: int, rest: Any, work: PostflopScratch) -> Any:
    share = splat16(np.float32(boards.same_share[place]))
    return rest + load16(work.held, 16 * np.int64(boards.same[place])) * share
