"""Sums of many nets, one flop after another, in the layout of the exact solver's kernels: NumPy only.

Each net has its own reach of every decision; its strategy there is weighted by its weight and that reach. The kernels
compute both when they walk down a flop, so a net costs little more than its outputs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tahur.core.arrays import Float32s
from tahur.solvers.deep.flop_hands import FlopHands
from tahur.solvers.deep.flop_outputs import KernelNet
from tahur.solvers.limit.engine import UPDATE, aligned, work_for
from tahur.solvers.limit.flow import LANES


@dataclass(frozen=True, slots=True, eq=False)
class SummedNet:
    """One net of the average."""

    weight: float
    nets: tuple[KernelNet, KernelNet]
    before: tuple[Float32s, Float32s]  # (classes * lanes) each role's own reach at the start of the flop


class FlopSums:
    """The average of nets, flop by flop."""

    def __init__(self, hands: FlopHands, nets: list[SummedNet]) -> None:
        self.hands, self.nets = hands, nets
        layout = hands.layout
        self._data = 2 * layout.flop.data_rows * LANES
        size = self._data * int(np.diff(hands.starts).max())
        self._work = work_for(layout)
        self._played, self._spare, self._found = aligned(size), aligned(size), aligned(size)
        self._out = np.zeros(layout.deck.classes * LANES)
        self._places, self._none = np.zeros(hands.flops, np.int64), np.zeros(3)

    def on(self, flop: int) -> Float32s:
        """The flop's part of a book."""
        *_, last = self.along(flop)
        return last

    def along(self, flop: int) -> Iterator[Float32s]:
        """The same after each net: running sums."""
        layout, (begin, end) = self.hands.layout, self.hands.starts[flop : flop + 2]
        size = self._data * int(end - begin)
        shape = (2, layout.flop.data_rows, int(end - begin), LANES)
        rows, sums = self.hands.card_rows(flop, flop + 1), aligned(size)
        for net in self.nets:
            for one, part in zip(net.nets, self._played[:size].reshape(shape), strict=True):
                one.write(rows, part)
            for role in (0, 1):
                half = slice(role * size // 2, (role + 1) * size // 2)
                self._walk(flop, 1 - role, net.before[role], size)
                self._found[half] *= np.float32(net.weight)
                sums[half] += self._found[half]
            yield sums

    def _walk(self, flop: int, role: int, before: Float32s, size: int) -> None:
        """Walk down the flop for the role: computes the other's reach times its choices."""
        from tahur.solvers.limit.kernels.flops import traverse

        layout = self.hands.layout
        self._spare[:size] = self._played[:size]
        traverse(
            layout.deck.flops, layout.flows[role], flop, flop + 1, UPDATE, self._played, self._spare, self._found,
            self._places, self._none, before, self._work, self._out,
        )  # fmt: skip
