"""What a net's card tower says of thousands of dealt hands, without the rows that it was taught with.

Most of a row is zeros and a few ones for the cards: their columns are added up instead of multiplied. The last layer is
left out, because `Towers.folded` has done it for every decision in advance.
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

    def read(self, ones: NDArray[np.int64], told: Float32s, out: Float32s) -> None:
        """ones: (n, cards), told: (streets, n, features), as encoders part them; out: (streets x n, width)."""
        from tahur.solvers.deep.kernels import add_ones, bend

        streets, count, features = told.shape
        first = self.net.times(told.reshape(-1, features), self.net.parts["cards.0.weight"][:, -features:])
        for street in range(streets):
            here = first[street * count : (street + 1) * count]
            add_ones(here, self.biases[0], self.columns, ones, GROUPS[0] + BOARDS[street])
        bend(self.net.times(first, self.net.parts["cards.1.weight"]), self.biases[1], out)


def reader_of(net: Towers) -> Reader:
    """Arrays of its own: those of a file cannot be written to, and kernels would be compiled for them once more."""
    first, second = (np.array(net.parts[f"cards.{layer}.bias"]) for layer in (0, 1))
    return Reader(net, np.array(net.parts["cards.0.weight"].T, order="C"), (first, second))
