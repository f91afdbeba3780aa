"""The memory of the fast mode, and the sweep that fills it: for each hand on a flop and each decision, the regrets.

The paper's memory is a list of samples; here samples of the same hand at the same decision are summed as they arrive.
Earlier sums are discounted, as in discounted CFR: positive sums by v^1.5 / (v^1.5 + 1) at the visit after v others,
negative ones by `negative`. Numbers are half-precision floats, in units that depend on the decision, so that rare
decisions are represented as well as common ones. The role's own reach of each hand is stored beside them: where it is
0, a net's errors cost nothing.

A sweep computes one role's regrets with all hands of some flops when both roles play their nets. Each flop is walked by
the kernels of the exact solver. Flops are processed in fixed chunks, so that sums are the same to the bit for any
number of threads.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from tahur.core.arrays import Array, Float32s
from tahur.core.towers import SLOTS
from tahur.solvers.deep.flop_outputs import FlopHands, KernelNet, OutputLayout
from tahur.solvers.deep.net import tensor, torch
from tahur.solvers.limit.engine import UPDATE, work_for
from tahur.solvers.limit.flow import LANES
from tahur.solvers.limit.tables import FlopScratch
from tahur.solvers.rows import aligned

EXPONENT: Final = 1.5
SAMPLE: Final = 4096  # hands from which the size of regrets is estimated
UNIT: Final = 1000.0  # chips times opposing hands: the typical size of regrets before the opponent has acted
RARER: Final = 0.4  # factor for each of its actions
EASE: Final = 0.1  # how fast the scale follows regrets that shrink; growing ones are followed at once
MOST: Final = 60_000.0  # approximate maximum of a half-precision float
LEAST: Final = 1e-6  # minimum scale, relative to the greatest


class FlopMemory:
    """The memory of one role."""

    def __init__(self, hands: FlopHands, role: int, negative: float) -> None:
        """An empty memory. `negative`: the factor for negative regrets at the next visit."""
        self.hands, self.negative = hands, negative
        self.outputs: OutputLayout = hands.outputs[role]
        library = torch()
        self.sums = library.zeros((int(hands.starts[-1]), self.outputs.count * SLOTS), dtype=library.float16)
        self.unit = tensor((UNIT * RARER**self.outputs.answered).astype(np.float32))  # of each decision's numbers
        self.scale = library.ones(self.outputs.count)  # their size, in these units
        self.reach = library.ones((int(hands.starts[-1]), self.outputs.count), dtype=library.float16)
        self._back, self._legal = tensor(self.outputs.back), tensor(self.outputs.legal)

    def add(self, flop: int, regrets: Array, visit: int) -> None:
        """Add one visit to a flop; regrets: (rows, hands, lanes)."""
        begin, end = self.hands.starts[flop : flop + 2]
        now = tensor(regrets).transpose(0, 1).reshape(int(end - begin), -1).index_select(1, self._back)
        now.mul_(self._legal / self.unit.repeat_interleave(SLOTS))
        before = self.sums[begin:end].float()
        share = visit**EXPONENT / (visit**EXPONENT + 1)
        kept = before.clamp(min=0).mul_(share).add_(before.clamp_(max=0), alpha=self.negative)
        self.sums[begin:end] = kept.add_(now).clamp_(-MOST, MOST)

    def add_reach(self, flop: int, chosen: Array, visit: int) -> None:
        """The role's own reach of each hand at each decision, averaged over visits.

        chosen: (rows, hands, lanes) its reach times its strategy, per class.
        """
        begin, end = self.hands.starts[flop : flop + 2]
        lines = self.outputs.lines
        parts = [np.add.reduce([chosen[row] for row in group])[:, :lines] for group in self.outputs.groups]
        many = self.hands.layout.deck.flops.many[begin:end]
        now = tensor(np.concatenate(parts, axis=1) / many[:, None])
        pace = 2 / (visit + 2)
        self.reach[begin:end] = self.reach[begin:end].float().mul_(1 - pace).add_(now, alpha=pace)

    def rescale(self, rows: Array, *, first: bool) -> None:
        """Estimate the size of the sums from a sample of hands."""
        sums = self.sums[tensor(rows)].float().view(len(rows), -1, SLOTS)
        legal = self._legal.view(-1, SLOTS).sum(1)
        size = (sums.square().sum(2).mean(0) / legal).sqrt()
        size = size.clamp(min=LEAST * float(size.max()))
        self.scale = size if first else torch().maximum(size, (1 - EASE) * self.scale + EASE * size)

    def targets(self, rows: Any) -> Any:
        """(rows, columns) the target outputs of a net for these hands."""
        return self.sums[rows].float().div_(self.scale.repeat_interleave(SLOTS))

    def weights(self, rows: Any, unreached: float) -> Any:
        """(rows, columns) the weight of each output: more where more is at stake and where the role's own reach is
        high.

        A hand that never reaches a decision has the weight `unreached` there.
        """
        weight = self._legal * (self.scale * self.unit).repeat_interleave(SLOTS)
        weight = (weight / weight.sum()).view(1, -1, SLOTS)
        own = self.reach[rows].float().mul_(1 - unreached).add_(unreached)
        return (own[:, :, None] * weight).view(len(rows), -1)

    def arrays(self) -> dict[str, Array]:
        return {name: getattr(self, name).numpy() for name in ("sums", "reach", "scale")}

    def restore(self, arrays: dict[str, Array]) -> None:
        for name in ("sums", "reach", "scale"):
            getattr(self, name).copy_(tensor(arrays[name]))


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
        """Evaluate both nets on a flop, and traverse it: `take` gets the role's regrets and the other's choices."""
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
