"""A few flops that stand for all: which ones, and how many flops each stands for. By the cards alone, without dice.

What is wanted of any figure of a flop (an equity, an EV, a frequency) is its mean over all flops, from a few of them.
Bayesian quadrature: call flops *alike* by a Gaussian of their distance, a distance of ranks (high, middle and low card,
neighbouring ranks being near), suits and pairs, and straights that two cards can make. Flops are added one at a time,
each the one that takes most off the worst error of such a mean over all figures that are about alike on flops that are
alike; then their weights are those with the least such error, none below one flop, adding up to all flops there are.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tahur.core.arrays import Array

_RANKS: Final = 13
_NEAR: Final = 3.0  # ranks over which flops become different
_STRAIGHTS: Final = 2.0  # how much a share of the ten straights counts
_WIDTH: Final = 2.0  # of the Gaussian
_TINY: Final = 1e-9
_STEADY: Final = 1e-3  # holds the weights of flops that are much alike together
_SUM: Final = 10.0  # how hard the weights are held to adding up to 1
_ROUNDS: Final = 300
_DIGITS: Final = 12  # scores are compared to so many, lest rounding choose


def represent(flops: Array, counts: Array, number: int) -> tuple[Array, Array]:
    """Which of the flops, (n, 3) cards, are taken, and how many each stands for; they add up to `counts`."""
    shares = counts / counts.sum()
    alike = _alike(_described(flops))
    chosen = np.sort(_chosen(alike, alike @ shares, min(number, len(flops))))
    weights = _weights(alike[np.ix_(chosen, chosen)], (alike @ shares)[chosen])
    return chosen, _whole(weights, int(counts.sum()))


def _described(flops: Array) -> Array:
    """(n, features): flops that play alike are near each other."""
    ranks, suits = np.sort(flops >> 2, axis=1), flops & 3
    present = np.eye(_RANKS)[ranks].max(1)
    pairs = (np.diff(ranks, axis=1) > 0).sum(1)
    colours = (np.diff(np.sort(suits, axis=1), axis=1) > 0).sum(1)
    kind = np.eye(9)[pairs * 3 + colours]
    return np.concatenate([_near_ranks()[ranks].reshape(len(flops), -1), present, kind, _straights(present)], axis=1)


def _near_ranks() -> Array:
    """(13, 13) a row for each rank; rows of neighbours are near, and all are as long."""
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
    """(n, n) from 1 down to 0."""
    square = (described**2).sum(1)
    away = np.maximum(square[:, None] + square - 2 * described @ described.T, 0)
    return np.asarray(np.exp(-away / (2 * _WIDTH**2)))


def _chosen(alike: Array, wanted: Array, number: int) -> Array:
    """One at a time, the one that explains most of what is wanted and not yet explained (a pivoted Cholesky)."""
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
    """(number,) not negative: the least error, found one weight after the other, again and again."""
    pull = alike + _STEADY * np.eye(len(alike)) + _SUM
    weights = np.full(len(alike), 1 / len(alike))
    for _ in range(_ROUNDS):
        for place in range(len(weights)):
            step = (wanted[place] + _SUM - pull[place] @ weights) / pull[place, place]
            weights[place] = max(0.0, weights[place] + step)
    return np.asarray(weights / weights.sum())


def _whole(weights: Array, total: int) -> Array:
    """Whole numbers of flops, at least one each; the greatest remainders are rounded up."""
    spare = weights * (total - len(weights))
    whole = np.floor(spare).astype(np.int64)
    up = np.argsort(whole - spare, kind="stable")[: total - len(weights) - whole.sum()]
    whole[up] += 1
    return np.asarray(whole + 1)
