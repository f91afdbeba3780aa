"""The strength of two hole cards before the flop, as a share of all hands: 0.005 is aces, 1 is three-deuce."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from tahur.cards.cards import COMBOS, combo_of
from tahur.cards.rankings import EQUITY_ORDER, class_names, class_of_combos

_SIZES: Final = {"": 6, "s": 4, "o": 12}


def strength_of(hole: Sequence[int]) -> float:
    """The share of all hands that are as good or better, by `rankings.EQUITY_ORDER`."""
    return _strengths()[combo_of(hole)]


@cache
def _strengths() -> tuple[float, ...]:
    upto, total = {}, 0
    for name in EQUITY_ORDER.split():
        total += _SIZES[name[2:]]
        upto[name] = total / COMBOS
    names = class_names()
    return tuple(upto[names[number]] for number in class_of_combos().tolist())
