"""All hands of some flops at once: one role's regrets there when both roles play their nets.

Each flop is walked by the kernels of the exact solver. Flops are processed in fixed chunks, so that sums are the same
to the bit for any number of threads.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

import numpy as np

from tahur.core.arrays import Array, Float32s
from tahur.solvers.deep.flop_hands import FlopHands
from tahur.solvers.deep.flop_outputs import KernelNet
from tahur.solvers.limit.engine import UPDATE, aligned, work_for
from tahur.solvers.limit.flow import LANES
from tahur.solvers.limit.tables import FlopScratch

Nets = tuple[KernelNet, KernelNet]
Take = Callable[[int, Array, Array], None]  # a flop; regrets of the role; the other's reach times its choices

CHUNKS: Final = 20


@dataclass(frozen=True, slots=True, eq=False)
class _SweepScratch:
    """One thread's scratch space."""

    work: FlopScratch
    played: Float32s
    mine: Float32s
    sums: Float32s


class Sweeper:
    """Walks flops of a layout. `floats` converts stored rows to float32, as fast as the caller can."""

    def __init__(self, hands: FlopHands, threads: int, floats: Callable[[Array], Array]) -> None:
        self.hands, self._floats = hands, floats
        layout = hands.layout
        self._data = 2 * layout.flop.data_rows * LANES
        size = self._data * int(np.diff(hands.starts).max())
        self._free = [_SweepScratch(work_for(layout), *(aligned(size) for _ in range(3))) for _ in range(threads)]
        self._places, self._none = np.zeros(hands.flops, np.int64), np.zeros(3)

    def sweep(
        self, pool: ThreadPoolExecutor, nets: Nets, role: int, before: Float32s, flops: Array, take: Take
    ) -> Array:
        """(classes * lanes) the values of the preflop hands; `take` is called for every flop.

        before: the other's reach at the start of the flop.
        """
        chunks = np.array_split(flops, min(CHUNKS, len(flops)))
        out = np.zeros((len(chunks), self.hands.layout.deck.classes * LANES))

        def run(number: int) -> None:
            scratch = self._free.pop()
            for flop in chunks[number]:
                self._walk(nets, role, before, int(flop), scratch, out[number], take)
            self._free.append(scratch)

        list(pool.map(run, range(len(chunks))))
        return np.asarray(out.sum(axis=0))

    def _walk(
        self, nets: Nets, role: int, before: Float32s, flop: int, scratch: _SweepScratch, out: Array, take: Take
    ) -> None:
        from tahur.solvers.limit.kernels.flops import traverse

        layout, (begin, end) = self.hands.layout, self.hands.starts[flop : flop + 2]
        size = self._data * int(end - begin)
        shape = (2, layout.flop.data_rows, int(end - begin), LANES)
        rows = self._floats(self.hands.rows[begin:end])
        for net, part in zip(nets, scratch.played[:size].reshape(shape), strict=True):
            net.write(rows, part)
        scratch.mine[:size] = scratch.played[:size]
        traverse(
            layout.deck.flops, layout.flows[role], flop, flop + 1, UPDATE, scratch.played, scratch.mine, scratch.sums,
            self._places, self._none, before, scratch.work, out,
        )  # fmt: skip
        take(flop, scratch.mine[:size].reshape(shape)[role], scratch.sums[:size].reshape(shape)[1 - role])
