"""The memory of the fast mode: for each hand on a flop and each decision, the accumulated regrets of all visits.

The paper's memory is a list of samples; here samples of the same hand at the same decision are summed as they arrive.
Earlier sums are discounted, as in discounted CFR: positive sums by v^1.5 / (v^1.5 + 1) at the visit after v others,
negative ones by `negative`. Numbers are half-precision floats, in units that depend on the decision, so that rare
decisions are represented as well as common ones. The role's own reach of each hand is stored beside them: where it is
0, a net's errors cost nothing.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from tahur.core.arrays import Array
from tahur.core.towers import SLOTS
from tahur.solvers.deep.flop_hands import FlopHands
from tahur.solvers.deep.flop_outputs import OutputLayout
from tahur.solvers.deep.net import tensor, torch

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
        some = self.sums[tensor(rows)].float().view(len(rows), -1, SLOTS)
        legal = self._legal.view(-1, SLOTS).sum(1)
        size = (some.square().sum(2).mean(0) / legal).sqrt()
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
