"""Rows of numbers for SIMD kernels: padded to whole vectors, and aligned to cache lines.

A vector of eight float64 is as long as a cache line. Unaligned rows make kernels up to twice as slow, depending on
where the memory happens to be.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import DTypeLike

from tahur.core.arrays import Array
from tahur.solvers.kernels.lanes import LANES

_LINE: Final = 64  # bytes in a cache line


def padded(count: int) -> int:
    """The count rounded up to whole vectors."""
    return -(-count // LANES) * LANES


def padded_rows(rows: Array, width: int, dtype: DTypeLike) -> Array:
    """A copy of an array with its last axis extended by zeros to `width`, aligned to cache lines."""
    shape = (*rows.shape[:-1], width)
    result = aligned(int(np.prod(shape)), dtype).reshape(shape)
    result[..., : rows.shape[-1]] = rows
    return result  # type: ignore[no-any-return]


def aligned(count: int, dtype: DTypeLike = np.float32) -> Any:
    """An array of `count` zeros that starts on a cache line and shares none with other arrays.

    Threads that write to different arrays then do not slow each other down.
    """
    size = np.dtype(dtype).itemsize
    buffer = np.zeros(count + 2 * _LINE // size, dtype)
    start = (-buffer.ctypes.data % _LINE) // size
    return buffer[start : start + count]
