"""Type aliases for arrays, one for each dtype."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]  # any dtype; stated where it is used
Float64s = NDArray[np.float64]
Float32s = NDArray[np.float32]
Int64s = NDArray[np.int64]
Int32s = NDArray[np.int32]
Int8s = NDArray[np.int8]
Bytes = NDArray[np.uint8]
Flags = NDArray[np.bool_]
Records = NDArray[np.void]  # of a structured dtype
