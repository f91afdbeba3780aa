"""What the fast mode remembers: for each hand on a flop and each decision the regrets of all visits, added up.

The paper's memory holds one sample after another; here samples of the same hand at the same decision are put together
as they come. What was gathered before counts less, as in discounted CFR: positive sums keep v^1.5 / (v^1.5 + 1) at the
visit after v others, negative ones `negative` of themselves. Numbers are halves, in units of each decision's own, so
that rare decisions are told as well as common ones. Beside them stands how likely the role itself brings the hand
there: where it never does, errors of a net cost nothing.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from tahur.core.arrays import Array
from tahur.core.towers import SLOTS
from tahur.solvers.deep.flop_hands import FlopHands
from tahur.solvers.deep.flop_lanes import Lanes
from tahur.solvers.deep.net import tensor, torch

EXPONENT: Final = 1.5
SAMPLE: Final = 4096  # hands that tell how large regrets are
UNIT: Final = 1000.0  # chips times hands of the other: regrets where it has not chosen yet are about as large
RARER: Final = 0.4  # and with each of its choices so much less
EASE: Final = 0.1  # how fast the scale follows where regrets get smaller; where they grow, at once
MOST: Final = 60_000.0  # that a half can hold, about
LEAST: Final = 1e-6  # of the greatest scale, the least one


class FlopMemory:
    """Of one role."""

    def __init__(self, hands: FlopHands, role: int, negative: float) -> None:
        self.hands, self.negative = hands, negative
        self.lanes: Lanes = hands.lanes[role]
        library = torch()
        self.sums = library.zeros((int(hands.starts[-1]), self.lanes.count * SLOTS), dtype=library.float16)
        self.unit = tensor((UNIT * RARER**self.lanes.answered).astype(np.float32))  # of each decision's numbers
        self.scale = library.ones(self.lanes.count)  # how large they are, in these units
        self.reach = library.ones((int(hands.starts[-1]), self.lanes.count), dtype=library.float16)
        self._back, self._legal = tensor(self.lanes.back), tensor(self.lanes.legal)

    def add(self, flop: int, regrets: Array, visit: int) -> None:
        """One visit more to a flop; regrets: (rows, hands, lanes)."""
        begin, end = self.hands.starts[flop : flop + 2]
        now = tensor(regrets).transpose(0, 1).reshape(int(end - begin), -1).index_select(1, self._back)
        now.mul_(self._legal / self.unit.repeat_interleave(SLOTS))
        before = self.sums[begin:end].float()
        share = visit**EXPONENT / (visit**EXPONENT + 1)
        kept = before.clamp(min=0).mul_(share).add_(before.clamp_(max=0), alpha=self.negative)
        self.sums[begin:end] = kept.add_(now).clamp_(-MOST, MOST)

    def come(self, flop: int, chosen: Array, visit: int) -> None:
        """How likely the role's own choices bring each hand to each decision, averaged over visits.

        chosen: (rows, hands, lanes) its reach times what it does, of classes as a whole.
        """
        begin, end = self.hands.starts[flop : flop + 2]
        lines = self.lanes.lines
        parts = [np.add.reduce([chosen[row] for row in group])[:, :lines] for group in self.lanes.groups]
        many = self.hands.layout.deck.flops.many[begin:end]
        now = tensor(np.concatenate(parts, axis=1) / many[:, None])
        pace = 2 / (visit + 2)
        self.reach[begin:end] = self.reach[begin:end].float().mul_(1 - pace).add_(now, alpha=pace)

    def settle(self, rows: Array, *, first: bool) -> None:
        """Look how large the sums of some hands are."""
        some = self.sums[tensor(rows)].float().view(len(rows), -1, SLOTS)
        legal = self._legal.view(-1, SLOTS).sum(1)
        size = (some.square().sum(2).mean(0) / legal).sqrt()
        size = size.clamp(min=LEAST * float(size.max()))
        self.scale = size if first else torch().maximum(size, (1 - EASE) * self.scale + EASE * size)

    def targets(self, rows: Any) -> Any:
        """(rows, columns) what a net should say of these hands."""
        return self.sums[rows].float().div_(self.scale.repeat_interleave(SLOTS))

    def weights(self, rows: Any, unreached: float) -> Any:
        """(rows, columns) how much each counts: more where more is at stake and where the role brings the hand itself.

        A hand that never comes to a decision counts as `unreached` there.
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
