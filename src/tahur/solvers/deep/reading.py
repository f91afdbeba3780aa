"""The card tower of a net for thousands of dealt hands, without building its input rows.

Most of a row is zeros and a few ones for the cards: their columns are added instead of multiplied. The last layer is
left out, because `Towers.folded` has already applied it for every decision.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tahur.core.arrays import Float32s
from tahur.core.towers import Towers
from tahur.games.encoders.holdem import BOARDS, GROUPS


@dataclass(frozen=True, slots=True, eq=False)
class Reader:
    """One net's card tower."""

    net: Towers
    columns: Float32s  # (inputs, width): of the first layer
    biases: tuple[Float32s, Float32s]  # of the first two

    def read(self, ones: NDArray[np.int64], rest: Float32s, out: Float32s) -> None:
        """ones: (n, cards), rest: (streets, n, features), as encoders split them; out: (streets x n, width)."""
        from tahur.solvers.deep.kernels import add_ones, bend

        streets, count, features = rest.shape
        first = self.net.times(rest.reshape(-1, features), self.net.parts["cards.0.weight"][:, -features:])
        for street in range(streets):
            here = first[street * count : (street + 1) * count]
            add_ones(here, self.biases[0], self.columns, ones, GROUPS[0] + BOARDS[street])
        bend(self.net.times(first, self.net.parts["cards.1.weight"]), self.biases[1], out)


def reader_of(net: Towers) -> Reader:
    """A copy of the arrays: those of a file are read-only, and kernels would be compiled again for them."""
    first, second = (np.array(net.parts[f"cards.{layer}.bias"]) for layer in (0, 1))
    return Reader(net, np.array(net.parts["cards.0.weight"].T, order="C"), (first, second))
