"""The nearest of several centres for each of many histograms, both as cumulative shares."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tahur.core.arrays import Float32s
from tahur.core.kernels import kernel


@kernel
def nearest(histograms: NDArray[Any], centres: Float32s, none: int, out: NDArray[np.uint16]) -> None:
    """histograms: (n, bins) counts; centres: (bins, k) cumulative shares; out: (n,), `none` for an empty row."""
    bins, k = centres.shape
    distance = np.empty(k, np.float32)
    for row in range(len(histograms)):
        total = 0
        for at in range(bins):
            total += histograms[row, at]
        if total == 0:
            out[row] = none
            continue
        distance[:] = 0.0
        share, step = np.float32(0.0), np.float32(1.0) / np.float32(total)
        for at in range(bins):
            share += histograms[row, at] * step
            for centre in range(k):
                away = share - centres[at, centre]
                distance[centre] += away * away
        out[row] = np.argmin(distance)
