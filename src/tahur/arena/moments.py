"""Moments: everything the statistics need to know about any number of deals, in a few small arrays.

Each block of deals is summarized separately, and blocks are merged in the order of their numbers. So memory does not
grow with a match, and any number of processes or machines gives the same bits: a block's sums depend only on its rows,
and no step uses a library function with an unspecified order of summation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from tahur.core.arrays import Float64s
from tahur.core.errors import ResultsError


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """Sums over deals, about the means: of products (players, players), of third and fourth powers (players,)."""

    count: int
    means: Float64s
    products: Float64s
    cubes: Float64s
    fourths: Float64s

    @classmethod
    def nothing(cls, players: int) -> Self:
        """The moments of no deals."""
        return cls(0, np.zeros(players), np.zeros((players, players)), np.zeros(players), np.zeros(players))

    @classmethod
    def of(cls, results: ArrayLike) -> Self:
        """results: (deals, players), one row per independent deal: the mean over its seatings."""
        rows = _result_matrix(results)
        if not len(rows):
            return cls.nothing(rows.shape[1])
        columns = np.ascontiguousarray(rows.T)
        first = columns[:, :1].copy()
        columns -= first  # so that equal results have exactly that mean and no variance
        shift = columns.mean(axis=1)
        columns -= shift[:, None]
        squares = columns * columns
        return cls(
            len(rows), first[:, 0] + shift, _products(columns), (squares * columns).sum(1), (squares * squares).sum(1)
        )

    @property
    def players(self) -> int:
        return len(self.means)

    @property
    def covariance(self) -> Float64s:
        """Between players, for one deal: (players, players); infinite below two deals."""
        return self.products / (self.count - 1) if self.count > 1 else np.full_like(self.products, np.inf)

    @property
    def skewness(self) -> Float64s:
        """The skewness of each player's results; 0 if all are equal."""
        return np.asarray(self.count**0.5 * self.cubes / _nonzero(self.products.diagonal()) ** 1.5)

    @property
    def kurtosis(self) -> Float64s:
        """The kurtosis of each player's results; 3 for a normal distribution, 0 if all are equal."""
        return self.count * self.fourths / _nonzero(self.products.diagonal()) ** 2

    def spread(self, a: int, b: int) -> float:
        """The standard deviation, over deals, of the difference between two players; infinite below two deals."""
        if self.count < 2:
            return np.inf
        products = self.products
        between = float(products[a, a] + products[b, b] - 2 * products[a, b])
        return float((max(between, 0.0) / (self.count - 1)) ** 0.5)

    def merged(self, later: Moments) -> Moments:
        """The moments of these deals and the later ones."""
        if self.players != later.players:
            raise ResultsError(f"results of {self.players} players and of {later.players} cannot be merged")
        if not self.count or not later.count:
            return later if not self.count else self
        before, after, count = self.count, later.count, self.count + later.count
        gap = later.means - self.means
        squares, later_squares = self.products.diagonal(), later.products.diagonal()
        weight = before * after / count
        products = self.products + later.products + gap[:, None] * gap * weight
        cubes = (
            self.cubes
            + later.cubes
            + gap**3 * (weight * (before - after) / count)
            + 3 * gap * (before * later_squares - after * squares) / count
        )
        fourths = (
            self.fourths
            + later.fourths
            + gap**4 * (weight * (before * before - before * after + after * after) / count**2)
            + 6 * gap**2 * (before * before * later_squares + after * after * squares) / count**2
            + 4 * gap * (before * later.cubes - after * self.cubes) / count
        )
        return Moments(
            count=count, means=self.means + gap * (after / count), products=products, cubes=cubes, fourths=fourths
        )

    def __eq__(self, other: object) -> bool:
        """Equal to the last bit."""
        if not isinstance(other, Moments):
            return NotImplemented
        names = ("means", "products", "cubes", "fourths")
        return self.count == other.count and all(np.array_equal(getattr(self, n), getattr(other, n)) for n in names)

    __hash__ = None  # type: ignore[assignment]  # arrays inside


def _result_matrix(results: ArrayLike) -> Float64s:
    """The results as a matrix of finite numbers: a row for each deal, a column for each player."""
    rows = np.array(results, dtype=np.float64)
    if rows.ndim != 2 or not rows.shape[1]:
        raise ResultsError(f"results of shape {rows.shape}; expected one row for each deal, one column for each player")
    if not np.isfinite(rows).all():
        raise ResultsError(f"deal {int(np.argmin(np.isfinite(rows).all(axis=1)))} has a result that is not finite")
    return rows


def _products(columns: Float64s) -> Float64s:
    """Not a matrix product: the order in which BLAS adds depends on the machine and its threads."""
    players = len(columns)
    sums = np.empty((players, players))
    for a in range(players):
        for b in range(a, players):
            sums[a, b] = sums[b, a] = (columns[a] * columns[b]).sum()
    return sums


def _nonzero(squares: Float64s) -> Float64s:
    return np.where(squares > 0, squares, np.inf)
