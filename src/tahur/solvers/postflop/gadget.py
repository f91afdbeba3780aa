"""Safe subgame solving: at the root of a subgame the opponent may take, with each hand, the value that it had before.

With a hand that cannot gain, the opponent does not enter, so the solution is not bent towards hands that are not there;
with a hand that could gain, it does, however unlikely its range makes it. That is the gadget of CFR-D (Burch, Johanson
and Bowling 2014, "Solving Imperfect Information Games Using Decomposition"). Here it applies to a share of the
opponent's range, its doubted part; the rest always enters, as in unsafe solving. A share of 1 is CFR-D, 0 is unsafe.
"""

from __future__ import annotations

import numpy as np

from tahur.core.arrays import Array, Float32s, Float64s


class EntryGadget:
    """The opponent's decision before the root, with each of its hands: enter the subgame, or take a given value.

    Regrets of both choices are discounted like those of the subgame. Arrays are (hands,), in the order of the
    layout's hands at the root.
    """

    def __init__(self, seat: int, believed: Float64s, doubted: Float64s, values: Float64s) -> None:
        """believed: weights that always enter; doubted: those that choose; values: what not entering is worth, in the
        units of the engine's root values, -inf to enter always."""
        self.seat = seat
        most = float((believed + doubted).max())
        self._believed, self._doubted, self._values = believed / most, doubted / most, values
        self._regrets = np.zeros((2, len(values)))  # of entering, and of not entering
        self._enters = np.ones(len(values))
        self._sum = np.zeros(len(values))

    @property
    def reach(self) -> Float32s:
        """The weight with which each hand enters in this iteration."""
        return (self._believed + self._doubted * self._enters).astype(np.float32)

    @property
    def average(self) -> Float64s:
        """The weight with which each hand enters on average, at most 1."""
        average: Float64s = self._sum / max(self._sum.max(), 1e-300)
        return average

    def learn(self, inside: Float32s, weights: Array) -> None:
        """Update from the values of entering; weights: discounts of positive and negative regrets and of the sum."""
        positive, negative, kept = weights
        self._sum = self._sum * kept + self.reach
        gain = np.where(np.isfinite(self._values), inside.astype(np.float64) - self._values, 0.0)
        self._regrets *= np.where(self._regrets > 0, positive, negative)
        self._regrets += np.stack([(1 - self._enters) * gain, -self._enters * gain])
        enter, leave = np.maximum(self._regrets, 0)
        total = enter + leave
        mixed = np.where(total > 0, enter / np.where(total > 0, total, 1), 0.5)
        self._enters = np.where(np.isfinite(self._values), mixed, 1.0)
