"""Fold and showdown values, for two rows of seven lines at once: sums over the hands the other seat may hold.

Reach is that of a whole class of hands. Hands that share a card with mine are subtracted by orbit: the orbit's sum
divided by its number of cards. `total` is the sum of all hands, minus those with either of my cards, plus my own hand,
which was subtracted twice. `swept` is the weight I beat minus the weight that beats me: twice the weaker hands, plus
the equal ones, minus all. Long sums are in float64.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tahur.core.arrays import Array
from tahur.core.kernels import kernel
from tahur.solvers.kernels.lanes import load16, narrow, splat16, store16, widen
from tahur.solvers.limit.tables import FlopClasses, FlopScratch, Flow

Lanes = Any  # sixteen numbers in a vector


@kernel
def terminal_sources(flops: FlopClasses, flow: Flow, flop: int, work: FlopScratch) -> None:
    """The first sources: `swept` and `total` of each row of reach that leads to a terminal."""
    size = flops.start[flop + 1] - flops.start[flop]
    for row in range(0, flow.summed, 2):
        offset = row // 2 * 16 * size
        _add_up(flops, flop, offset, offset + flow.rows // 2 * 16 * size, work)
        if row < flow.swept:
            _sweep(flops, flop, offset, work)


@kernel
def _add_up(flops: FlopClasses, flop: int, offset: int, to: int, work: FlopScratch) -> None:
    """Compute `total` of every hand; `by_orbit_all` then has each orbit's sum, and the total in its last entry."""
    start, size = flops.start[flop], flops.start[flop + 1] - flops.start[flop]
    reach, value, by_orbit = work.reach, work.value, work.by_orbit_all
    nothing = splat16(np.float32(0))
    for orbit in range(flops.orbits[flop]):
        store16(by_orbit, orbit * 16, nothing)
    everything, hand = widen(nothing), 0
    while hand < size:
        end, some = flops.tied[start + hand], nothing
        while hand < end:
            held = load16(reach, offset + hand * 16)
            low, high = 16 * np.int64(flops.low_orbit[start + hand]), 16 * np.int64(flops.high_orbit[start + hand])
            some = some + held
            store16(by_orbit, low, load16(by_orbit, low) + held)
            store16(by_orbit, high, load16(by_orbit, high) + held)
            hand += 1
        everything = everything + widen(some)
    whole = narrow(everything)
    for hand in range(size):
        same = load16(reach, offset + hand * 16) / splat16(flops.many[start + hand])
        store16(value, to + hand * 16, whole - _held(flops, flop, start + hand, by_orbit) + same)
    store16(by_orbit, flops.orbits[flop] * 16, whole)


@kernel
def _sweep(flops: FlopClasses, flop: int, offset: int, work: FlopScratch) -> None:
    """`swept` of every hand; tied hands are added together before any of them is evaluated, and once more after."""
    start, size = flops.start[flop], flops.start[flop + 1] - flops.start[flop]
    reach, value, by_orbit = work.reach, work.value, work.by_orbit
    nothing = splat16(np.float32(0))
    for orbit in range(flops.orbits[flop]):
        store16(by_orbit, orbit * 16, nothing - load16(work.by_orbit_all, orbit * 16))
    met, begin = widen(nothing - load16(work.by_orbit_all, flops.orbits[flop] * 16)), 0
    while begin < size:
        end, some = flops.tied[start + begin], nothing
        for hand in range(begin, end):
            some = some + load16(reach, offset + hand * 16)
            _count(flops, start + hand, reach, offset + hand * 16, by_orbit)
        met = met + widen(some)
        now = narrow(met)
        for hand in range(begin, end):
            store16(value, offset + hand * 16, now - _held(flops, flop, start + hand, by_orbit))
        for hand in range(begin, end):
            _count(flops, start + hand, reach, offset + hand * 16, by_orbit)
        met = met + widen(some)
        begin = end


@kernel
def _count(flops: FlopClasses, hand: int, reach: Array, offset: int, by_orbit: Array) -> None:
    """Add a class of hands to the sums of its two orbits."""
    held = load16(reach, offset)
    low, high = 16 * np.int64(flops.low_orbit[hand]), 16 * np.int64(flops.high_orbit[hand])
    store16(by_orbit, low, load16(by_orbit, low) + held)
    store16(by_orbit, high, load16(by_orbit, high) + held)


@kernel
def _held(flops: FlopClasses, flop: int, hand: int, by_orbit: Array) -> Lanes:
    """The weight of hands with one of the hand's cards, counting hands with both twice."""
    low, high = np.int64(flops.low_orbit[hand]), np.int64(flops.high_orbit[hand])
    by_low, by_high = splat16(flops.share[flop, low]), splat16(flops.share[flop, high])
    return load16(by_orbit, 16 * low) * by_low + load16(by_orbit, 16 * high) * by_high
