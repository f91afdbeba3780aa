"""A reservoir of samples: every sample ever seen is equally likely to be in it.

A sample is a deal, a decision of the betting tree, three regrets and the iteration; the input rows that the net is
fitted to are recomputed from it when needed, which takes a tenth of the memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tahur.core.towers import SLOTS


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """Samples, one per row."""

    deals: NDArray[np.uint8]
    decisions: NDArray[np.int32]
    regrets: NDArray[np.float32]
    iterations: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.decisions)

    def at(self, places: NDArray[np.int64]) -> Samples:
        return Samples(self.deals[places], self.decisions[places], self.regrets[places], self.iterations[places])


class Reservoir:
    """A uniform random subset of at most `cap` of all samples added."""

    def __init__(self, cap: int, cards: int) -> None:
        self.cap = cap
        self.seen = 0
        self._samples = Samples(
            np.zeros((cap, cards), np.uint8),
            np.zeros(cap, np.int32),
            np.zeros((cap, SLOTS), np.float32),
            np.zeros(cap, np.int32),
        )

    def __len__(self) -> int:
        return min(self.seen, self.cap)

    @property
    def samples(self) -> Samples:
        return self._part(slice(0, len(self)))

    def add(self, new: Samples, rng: np.random.Generator) -> None:
        """Add samples, in order; each takes a random place, or none once the reservoir is full."""
        if self.seen + len(new) <= self.cap:
            self._put(slice(self.seen, self.seen + len(new)), new)
        else:
            count = self.seen + np.arange(len(new))
            places = np.where(count < self.cap, count, (rng.random(len(new)) * (count + 1)).astype(np.int64))
            kept = np.flatnonzero(places < self.cap)  # of two for one place the later one stays, as one by one
            self._put(places[kept], new.at(kept))
        self.seen += len(new)

    def _put(self, places: slice | NDArray[np.int64], new: Samples) -> None:
        ours = self._samples
        ours.deals[places] = new.deals
        ours.decisions[places] = new.decisions
        ours.regrets[places] = new.regrets
        ours.iterations[places] = new.iterations

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Everything to store in a file."""
        now = self.samples
        return {
            "seen": np.array([self.seen], np.int64),
            "deals": now.deals,
            "decisions": now.decisions,
            "regrets": now.regrets,
            "iterations": now.iterations,
        }

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        self.seen = int(arrays["seen"][0])
        part = self._part(slice(0, len(self)))
        part.deals[:], part.decisions[:] = arrays["deals"], arrays["decisions"]
        part.regrets[:], part.iterations[:] = arrays["regrets"], arrays["iterations"]

    def _part(self, part: slice) -> Samples:
        ours = self._samples
        return Samples(ours.deals[part], ours.decisions[part], ours.regrets[part], ours.iterations[part])
