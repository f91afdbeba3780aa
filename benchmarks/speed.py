"""The speed of this machine, by two fixed kernels: one that only computes and one that only moves memory.

Solver times of different machines, and of one and two threads, can only be compared relative to these.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, Final

import numba
import numpy as np

STEPS: Final = 20_000_000  # of eight multiplications and additions
NUMBERS: Final = 24_000_000  # float32, 96 MB an array: more than any cache
ROUNDS: Final = 5


@numba.njit(nogil=True)  # type: ignore[untyped-decorator]
def _compute(steps: int) -> float:
    a, b, c, d = np.float32(1), np.float32(2), np.float32(3), np.float32(4)
    e, f, g, h = np.float32(5), np.float32(6), np.float32(7), np.float32(8)
    for _ in range(steps):
        a, b, c, d = a * a - b, b * b - c, c * c - d, d * d - a
        e, f, g, h = e * e - f, f * f - g, g * g - h, h * h - e
    return a + b + c + d + e + f + g + h


@numba.njit(nogil=True)  # type: ignore[untyped-decorator]
def _move(target: Any, one: Any, two: Any) -> None:
    for place in range(target.shape[0]):
        target[place] = one[place] + np.float32(0.5) * two[place]


@cache
def _arrays(thread: int) -> tuple[Any, Any, Any]:
    one, two, three = (np.full(NUMBERS, each + thread, np.float32) for each in range(3))
    return one, two, three


def compute(_thread: int = 0) -> None:
    """Compute the same numbers every time."""
    _compute(STEPS)


def move(thread: int = 0) -> None:
    """Read two arrays and write one; every thread has its own."""
    _move(*_arrays(thread))


def seconds(work: Callable[[int], None], threads: int = 1, clock: Callable[[], float] = time.perf_counter) -> float:
    """The best of some rounds, with each thread doing the work once at the same time."""
    taken = []
    with ThreadPoolExecutor(threads) as pool:
        for _ in range(ROUNDS + 1):  # the first one compiles
            began = clock()
            list(pool.map(work, range(threads)))
            taken.append(clock() - began)
    return min(taken[1:])


def bandwidth() -> float:
    """Bytes that one thread moves per second of CPU time; the read that a write implies is not counted."""
    return 3 * 4 * NUMBERS / seconds(move, clock=time.process_time)
