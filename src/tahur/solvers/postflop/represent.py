"""A representative subset of flops, and how many flops each represents. Deterministic, from the cards alone.

The goal is to estimate the mean over all flops of any figure of a flop (an equity, an EV, a frequency) from a few
flops. This is Bayesian quadrature: the similarity of two flops is a Gaussian of their distance, which measures ranks
(high, middle and low card, neighbouring ranks being near), suits and pairs, and the straights that two cards can make.
Flops are added one at a time, each time the one that most reduces the worst-case error of such a mean over all figures
that are similar on similar flops. Then the weights are those with the least such error, each at least one flop, adding
up to the number of all flops.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tahur.core.arrays import Array

_RANKS: Final = 13
_NEAR: Final = 3.0  # ranks over which flops become different
_STRAIGHTS: Final = 2.0  # weight of the share of the ten straights
_WIDTH: Final = 2.0  # of the Gaussian
_TINY: Final = 1e-9
_STEADY: Final = 1e-3  # regularises the weights of very similar flops
_SUM: Final = 10.0  # penalty that makes the weights add up to 1
_ROUNDS: Final = 300
_DIGITS: Final = 12  # scores are compared to this many digits, so that rounding does not choose


def represent(flops: Array, counts: Array, number: int) -> tuple[Array, Array]:
    """The indices of the chosen flops among (n, 3) cards, and how many each represents; they add up to `counts`."""
    shares = counts / counts.sum()
    alike = _alike(_described(flops))
    chosen = np.sort(_chosen(alike, alike @ shares, min(number, len(flops))))
    weights = _weights(alike[np.ix_(chosen, chosen)], (alike @ shares)[chosen])
    return chosen, _whole(weights, int(counts.sum()))


def _described(flops: Array) -> Array:
    """(n, features): similar flops are near each other."""
    ranks, suits = np.sort(flops >> 2, axis=1), flops & 3
    present = np.eye(_RANKS)[ranks].max(1)
    pairs = (np.diff(ranks, axis=1) > 0).sum(1)
    colours = (np.diff(np.sort(suits, axis=1), axis=1) > 0).sum(1)
    kind = np.eye(9)[pairs * 3 + colours]
    return np.concatenate([_near_ranks()[ranks].reshape(len(flops), -1), present, kind, _straights(present)], axis=1)


def _near_ranks() -> Array:
    """(13, 13) a row of features for each rank; neighbours are near, and all rows have the same length."""
    steps = np.arange(_RANKS)
    return np.linalg.cholesky(np.exp(-np.abs(steps[:, None] - steps) / _NEAR))


def _straights(present: Array) -> Array:
    """(n, 1) the share of the ten straights that two more cards can make."""
    straights = np.zeros((10, _RANKS))
    for low in range(10):
        straights[low, (np.arange(5) + low - 1) % _RANKS] = 1
    made = (present @ straights.T == 3).mean(1, keepdims=True)
    return np.asarray(_STRAIGHTS * made)


def _alike(described: Array) -> Array:
    """(n, n) similarities, from 1 down to 0."""
    square = (described**2).sum(1)
    away = np.maximum(square[:, None] + square - 2 * described @ described.T, 0)
    return np.asarray(np.exp(-away / (2 * _WIDTH**2)))


def _chosen(alike: Array, wanted: Array, number: int) -> Array:
    """A pivoted Cholesky decomposition: one at a time, the flop that explains most of the unexplained target."""
    known = np.zeros((len(alike), number))
    left, spread = wanted.copy(), np.diag(alike).copy()
    chosen: list[int] = []
    for step in range(number):
        gain = np.round(left**2 / np.maximum(spread, _TINY), _DIGITS)
        gain[chosen] = -1
        best = int(np.argmax(gain))
        width = np.sqrt(max(spread[best], _TINY))
        known[:, step] = (alike[:, best] - known[:, :step] @ known[best, :step]) / width
        left = left - known[:, step] * left[best] / width
        spread = spread - known[:, step] ** 2
        chosen.append(best)
    return np.array(chosen)


def _weights(alike: Array, wanted: Array) -> Array:
    """(number,) non-negative weights with the least error, by cyclic coordinate descent."""
    pull = alike + _STEADY * np.eye(len(alike)) + _SUM
    weights = np.full(len(alike), 1 / len(alike))
    for _ in range(_ROUNDS):
        for place in range(len(weights)):
            step = (wanted[place] + _SUM - pull[place] @ weights) / pull[place, place]
            weights[place] = max(0.0, weights[place] + step)
    return np.asarray(weights / weights.sum())


def _whole(weights: Array, total: int) -> Array:
    """Whole numbers of flops, at least one each, by largest remainders."""
    spare = weights * (total - len(weights))
    whole = np.floor(spare).astype(np.int64)
    up = np.argsort(whole - spare, kind="stable")[: total - len(weights) - whole.sum()]
    whole[up] += 1
    return np.asarray(whole + 1)
