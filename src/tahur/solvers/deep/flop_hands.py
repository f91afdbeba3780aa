"""All hands on all flops, up to suit isomorphism, for the fast mode: input rows, and how often each is dealt."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.core.arrays import Int64s
from tahur.games.encoders.holdem import combo_cards
from tahur.solvers.deep.flop_outputs import OutputLayout
from tahur.solvers.deep.flops import FlopTree
from tahur.solvers.limit.engine import LimitLayout

BLOCK: Final = 64  # flops whose rows are computed together


class FlopHands:
    """The classes of hands, flop by flop, the weakest first, as in the layout."""

    def __init__(self, layout: LimitLayout, where: FlopTree, encoder: Any) -> None:
        self.layout = layout
        self.outputs = OutputLayout(where, layout.flop, 0), OutputLayout(where, layout.flop, 1)
        self._encoder = encoder

    @property
    def starts(self) -> Int64s:
        """(flops + 1,) where the hands of each flop begin."""
        return self.layout.deck.flops.start

    @property
    def flops(self) -> int:
        return len(self.layout.deck.boards)

    @cached_property
    def rows(self) -> NDArray[np.float16]:
        """(hands, card features) in half precision, which is accurate enough."""
        found = np.empty((int(self.starts[-1]), self._encoder.card_width), np.float16)
        for first in range(0, self.flops, BLOCK):
            begin, end = self.starts[first], self.starts[min(first + BLOCK, self.flops)]
            found[begin:end] = self.card_rows(first, min(first + BLOCK, self.flops))
        return found

    def card_rows(self, first: int, after: int) -> NDArray[np.float32]:
        """(hands, card features) of the flops from `first` to the one before `after`."""
        deck, sizes = self.layout.deck, np.diff(self.starts)
        holes = combo_cards()[deck.combos[self.starts[first] : self.starts[after]]]
        boards = np.repeat(deck.boards[first:after], sizes[first:after], axis=0).astype(np.uint8)
        rows: NDArray[np.float32] = self._encoder.rows(holes, boards)
        return rows

    @cached_property
    def deals(self) -> NDArray[np.float64]:
        """(hands,) the number of deals that each class represents."""
        deck = self.layout.deck
        return np.repeat(deck.flops.weight, np.diff(self.starts)) * deck.flops.many
