"""K-means clustering of histograms.

The distance of two histograms is the squared distance of their cumulative shares: moving mass to the next bin is a
small step and moving it across is a large one, which the plain difference of bins would not distinguish.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tahur.cards.buckets.kernels.clusters import nearest
from tahur.core.arrays import Array
from tahur.core.errors import CardError

NO_BUCKET: Final = 65_535
ROUNDS: Final = 30


def centres_of(histograms: Array, k: int, rng: np.random.Generator) -> Array:
    """(bins, k) cumulative shares of the centres, weakest first; fewer if there are fewer distinct histograms."""
    shares = cumulative(np.unique(histograms, axis=0))
    if len(shares) < 1 or k < 1:
        raise CardError(f"{k} groups of {len(shares)} histograms; both must be at least 1")
    points = cumulative(histograms)
    centres = _spread(shares, min(k, len(shares)), rng)
    for _ in range(ROUNDS):
        chosen = assigned(histograms, centres.T)
        counts = np.bincount(chosen, minlength=len(centres))
        sums = np.stack([np.bincount(chosen, points[:, at], len(centres)) for at in range(points.shape[1])], axis=1)
        moved = np.where(counts[:, None] > 0, sums / np.maximum(counts, 1)[:, None], centres).astype(np.float32)
        if np.allclose(moved, centres, atol=1e-5):
            break
        centres = moved
    weakest_first = np.argsort(-centres.sum(axis=1), kind="stable")
    return np.ascontiguousarray(centres[weakest_first].T)


def assigned(histograms: Array, centres: Array) -> Array:
    """The nearest centre of each histogram; NO_BUCKET for an empty one."""
    out = np.empty(len(histograms), np.uint16)
    nearest(histograms, np.ascontiguousarray(centres, np.float32), NO_BUCKET, out)
    return out


def cumulative(histograms: Array) -> Array:
    """The cumulative shares up to each bin."""
    summed = np.cumsum(histograms, axis=1, dtype=np.float32)
    shares: Array = summed / summed[:, -1:]
    return shares


def _spread(shares: Array, k: int, rng: np.random.Generator) -> Array:
    """Initial centres: each drawn with a probability that grows with its distance from those drawn (k-means++)."""
    centres = [shares[rng.integers(len(shares))]]
    away = np.square(shares - centres[0]).sum(axis=1)
    while len(centres) < k:
        centres.append(shares[rng.choice(len(shares), p=away / away.sum(dtype=np.float64))])
        away = np.minimum(away, np.square(shares - centres[-1]).sum(axis=1))
    return np.array(centres, np.float32)
