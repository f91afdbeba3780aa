"""Files of a header and large arrays: a zip of one JSON text and `.npy` entries, streamed, never a pickle.

For strategies too big to hold in memory twice: arrays are written and read piece by piece. A file is written completely
or not at all, and equal contents give equal bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile, ZipFile

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from tahur.core.errors import StrategyError
from tahur.core.zips import entry, has_entry, opened, read_json, read_npy, written

PIECE: Final = 1 << 26  # bytes written at a time
SMALL: Final = 1 << 28  # bytes up to which an array is compressed; compressing more would take minutes


def write_bundle(path: Path, name: str, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write the header as the entry `name`, with flat arrays beside it; replaces a file of that kind, and no other."""
    if path.exists() and not has_entry(path, name):
        raise StrategyError(f"{path} exists and is another kind of file; it was not overwritten: name another")
    with written(path) as file:
        file.writestr(entry(name), json.dumps(header, indent=2) + "\n")
        for key, array in arrays.items():
            _write(file, f"{key}.npy", array)


def read_header(path: Path, name: str, otherwise: str) -> dict[str, Any]:
    """The header of a bundle; `otherwise` is the error text for a file that is not one."""

    def header(file: ZipFile) -> dict[str, Any]:
        if name not in file.namelist():
            raise BadZipFile(otherwise)
        return dict(read_json(file, name))

    return opened(path, header, otherwise)


def read_array(path: Path, key: str, otherwise: str) -> NDArray[Any]:
    """One flat array of a bundle."""

    def array(file: ZipFile) -> NDArray[Any]:
        return read_npy(file, f"{key}.npy").ravel()

    return opened(path, array, otherwise)


def entries(path: Path) -> tuple[str, ...]:
    """The names of the arrays in a file; empty if it is not a bundle."""
    try:
        with ZipFile(path) as file:
            return tuple(name.removesuffix(".npy") for name in file.namelist() if name.endswith(".npy"))
    except (OSError, BadZipFile):
        return ()


def _write(file: ZipFile, name: str, array: NDArray[Any]) -> None:
    info = entry(name, packed=array.nbytes <= SMALL or array.dtype.kind == "u")
    with file.open(info, "w", force_zip64=True) as stream:
        npy.write_array_header_1_0(stream, npy.header_data_from_array_1_0(array))
        step = max(1, PIECE // array.itemsize)
        for start in range(0, len(array), step):
            stream.write(np.ascontiguousarray(array[start : start + step]).tobytes())
