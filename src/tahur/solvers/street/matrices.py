"""The matrices of the street game: the probability of each pair of buckets, and the equity of each at a showdown.

Exact by default, from counts over every flop of the texture; `sampled.py` estimates them from random deals. A pair of
buckets that never met has no equity and is not dealt: it is NaN here and null in a file, never a guess, unless the
caller asks for a guess by the order of buckets: `with_ordinal_fallback`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tahur.core.arrays import Float64s
from tahur.games.holdem.textures import Texture
from tahur.solvers.street.counts import BUCKETS, exact_counts

EXACT: Final = "exact"
SAMPLED: Final = "sampled"
ORDINAL: Final = 0.75  # what the fallback gives the better of two buckets that never met; the other has the rest


@dataclass(frozen=True, slots=True, eq=False)
class Matrices:
    """The matrices of one texture; rows are the first seat's bucket. `met` is the number of observations of each
    equity."""

    texture: Texture
    source: str  # EXACT or SAMPLED
    marginal: Float64s  # (9,) the probability of a bucket, nothing else known
    joint: Float64s  # (9, 9) the probability of a pair; adds up to 1
    equity: Float64s  # (9, 9) the row's share of the pot; NaN where the two never met
    met: NDArray[np.int64]  # (9, 9)

    @property
    def unseen(self) -> tuple[tuple[int, int], ...]:
        """The pairs without an equity although both buckets exist, each once: stronger bucket first."""
        found = np.argwhere(np.triu(np.isnan(self.equity) & np.outer(self.marginal > 0, self.marginal > 0)))
        return tuple((int(i), int(j)) for i, j in found)

    @property
    def standard_error(self) -> Float64s:
        """The standard error of each equity: zero if counted; if sampled, as though every matchup had its own board."""
        if self.source == EXACT:
            return np.zeros_like(self.equity)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(np.sqrt(self.equity * (1 - self.equity) / self.met))


def exact(texture: Texture) -> Matrices:
    """The matrices from the counts over every flop, hand, other hand, turn and river."""
    counts = exact_counts()[texture]
    marginal = counts.joint.sum(axis=1)
    return Matrices(
        texture=texture, source=EXACT, marginal=marginal, joint=counts.joint, equity=counts.equity, met=counts.pairs
    )


def independent(matrices: Matrices) -> Matrices:
    """The matrices without card removal: the joint is the product of the marginals."""
    return replace(matrices, joint=_dealt(np.outer(matrices.marginal, matrices.marginal), matrices.equity))


def with_ordinal_fallback(matrices: Matrices) -> Matrices:
    """Every pair that never met gets 0.75, 0.5 or 0.25 by the order of the buckets alone."""
    places = np.arange(len(BUCKETS))
    guess = 0.5 + (ORDINAL - 0.5) * np.sign(places[None, :] - places[:, None])
    return replace(matrices, equity=np.where(np.isnan(matrices.equity), guess, matrices.equity))


def _dealt(weights: Float64s, equity: Float64s) -> Float64s:
    """The weights as probabilities, without the pairs whose equity is unknown."""
    known = np.where(np.isnan(equity), 0.0, weights)
    return np.asarray(known / known.sum())
