"""Schedules: the iteration weights that turn plain CFR into CFR+, linear, discounted or predictive CFR.

Before the regrets of iteration t are added, the sums so far are multiplied by a factor: positive regrets by `s^alpha /
(s^alpha + 1)`, negative ones by `s^beta / (s^beta + 1)`, averages by `(s / t)^gamma`, where s = t - 1. With exponents
of plus or minus infinity the factor is 1 or 0. A factor of 0 for negative regrets is the same as never letting them
fall below zero, so CFR+ needs no special rule. An average multiplied by `(s / t)^gamma` each time weights iteration t
by t^gamma. An exponent may change from one value to another over a planned number of iterations.

All schedules update the seats alternately, as the solvers of OpenSpiel do. A *predictive* one plays as if the regrets
of the last iteration occurred once more.

Sources: Zinkevich and others 2007 (CFR), Tammelin 2014 (CFR+), Brown and Sandholm 2019 (linear, DCFR), Farina and
others 2021 (PCFR+), Xu and others 2024 (DCFR+, PDCFR+), Zhang and others 2024 (hyperparameter schedules, `hs-`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf, isinf
from typing import Final

import numpy as np

from tahur.core.arrays import Float64s
from tahur.core.errors import SolverError, UnknownName, hint_for


@dataclass(frozen=True, slots=True)
class VaryingExponent:
    """An exponent that moves linearly from `start` to `stop` up to the planned last iteration, and then stays there."""

    start: float
    stop: float

    def at(self, iteration: Float64s, planned: int) -> Float64s:
        """The exponent in each of the given iterations."""
        progress = np.minimum(iteration / planned, 1.0)
        exponent: Float64s = self.start + (self.stop - self.start) * progress
        return exponent


@dataclass(frozen=True, slots=True)
class Schedule:
    """Discount exponents: `alpha` for positive regrets, `beta` for negative regrets, `gamma` for averages.

    `predict`: a predictive schedule; `planned`: the iterations over which a `VaryingExponent` changes.
    """

    name: str
    alpha: float | VaryingExponent = inf
    beta: float | VaryingExponent = inf
    gamma: float | VaryingExponent = 0.0
    predict: bool = False
    planned: int = 1000

    def __post_init__(self) -> None:
        if self.planned < 1:
            raise SolverError(f"{self.name}: planned is {self.planned}; it must be at least 1 iteration")

    @property
    def needs_plan(self) -> bool:
        """Whether its weights depend on the number of planned iterations."""
        return any(isinstance(exponent, VaryingExponent) for exponent in (self.alpha, self.beta, self.gamma))

    def with_plan(self, planned: int) -> Schedule:
        """The same schedule for another number of planned iterations."""
        return replace(self, planned=planned)

    def weights(self, first: int, count: int) -> Float64s:
        """(count, 3) a row for each iteration from `first` (counted from 1) on.

        The columns are the factors by which positive regrets, negative regrets and averages are multiplied.
        """
        iterations = np.arange(first, first + count, dtype=float)
        previous = iterations - 1
        alpha, beta, gamma = (self._exponent(exponent, iterations) for exponent in (self.alpha, self.beta, self.gamma))
        return np.stack(
            [_discount(previous, alpha), _discount(previous, beta), (previous / iterations) ** gamma], axis=1
        )

    def _exponent(self, exponent: float | VaryingExponent, iterations: Float64s) -> Float64s | float:
        """The exponent, or its value in each iteration if it varies."""
        return exponent.at(iterations, self.planned) if isinstance(exponent, VaryingExponent) else exponent


def _discount(previous: Float64s, exponent: Float64s | float) -> Float64s:
    """The factor s^x / (s^x + 1) of regrets after s previous iterations, written so that no power overflows."""
    if isinstance(exponent, float) and isinf(exponent):
        return np.full(len(previous), float(exponent > 0))
    with np.errstate(divide="ignore", over="ignore"):
        factor: Float64s = 1 / (1 + previous ** -np.asarray(exponent))
    return factor


CFR: Final = Schedule("cfr")
CFR_PLUS: Final = Schedule("cfr+", beta=-inf, gamma=1.0)
CFR_PLUS_QUADRATIC: Final = Schedule("cfr+2", beta=-inf, gamma=2.0)
LINEAR: Final = Schedule("linear", 1.0, 1.0, 1.0)
DCFR: Final = Schedule("dcfr", 1.5, 0.0, 2.0)
DCFR_CUBIC: Final = Schedule("dcfr3", 1.5, 0.0, 3.0)
DCFR_PLUS: Final = Schedule("dcfr+", 1.5, -inf, 4.0)
PCFR_PLUS: Final = Schedule("pcfr+", beta=-inf, gamma=2.0, predict=True)
PDCFR_PLUS: Final = Schedule("pdcfr+", 2.3, -inf, 5.0, predict=True)
HS_DCFR: Final = Schedule(
    "hs-dcfr", VaryingExponent(1.0, 4.0), VaryingExponent(-1.0, -3.0), VaryingExponent(30.0, 25.0)
)
HS_PCFR_PLUS: Final = Schedule("hs-pcfr+", beta=-inf, gamma=VaryingExponent(30.0, 25.0), predict=True)

SCHEDULES: Final[Mapping[str, Schedule]] = {
    schedule.name: schedule
    for schedule in (
        CFR, CFR_PLUS, CFR_PLUS_QUADRATIC, LINEAR, DCFR, DCFR_CUBIC, DCFR_PLUS, PCFR_PLUS, PDCFR_PLUS, HS_DCFR,
        HS_PCFR_PLUS,
    )
}  # fmt: skip


def schedule_named(name: str) -> Schedule:
    """The schedule with that name."""
    if name in SCHEDULES:
        return SCHEDULES[name]
    raise UnknownName(f"no schedule '{name}'; {hint_for(name, SCHEDULES, 'valid names')}")
