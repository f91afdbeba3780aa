"""What is at stake in a round: what the opener is paid by each way in which it can end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from tahur.games.perudo.round import Round

Pair = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Stakes:
    """To the opener, when the caller is the opener and when it is the other seat."""

    dudo: tuple[Pair, Pair]  # (met, not met)
    calza: tuple[Pair, Pair]  # (exact, not exact)

    def table(self, seat: int, dtype: DTypeLike) -> NDArray[Any]:
        """As the kernels read it: to that seat, [caller][call][outcome]."""
        flat = [number for caller in (0, 1) for call in (self.dudo, self.calza) for number in call[caller]]
        return np.array(flat, dtype) * (1 - 2 * seat)


def round_stakes(round_: Round) -> Stakes:
    """Of a round by itself: a die, lost or won. A right calza with a full cup wins nothing."""
    opener, other = (float(round_.cups[seat] < round_.rules.dice) for seat in round_.order)
    return Stakes(((-1.0, 1.0), (1.0, -1.0)), ((opener, -1.0), (-other, 1.0)))
