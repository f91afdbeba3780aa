"""Reading and writing arrays in the safetensors format, which machine-learning tools read and which cannot hold code.

Eight bytes give the length of a JSON header, which lists each array's type, shape and byte range; the bytes follow.
Names keep their order, so equal contents give equal bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import prod
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.core.errors import StrategyError
from tahur.core.limits import parse_json

Arrays = Mapping[str, NDArray[Any]]

_NOTES: Final = "__metadata__"
_NAMES: Final = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "|i1",
    "U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "|u1", "BOOL": "|b1",
}  # fmt: skip
_KINDS: Final = {np.dtype(kind): name for name, kind in _NAMES.items()}
_MOST_HEADER: Final = 16 << 20  # bytes; the format allows more


def packed(arrays: Arrays, notes: Mapping[str, str] | None = None) -> bytes:
    """The bytes of a file; `notes` are stored as its metadata."""
    header: dict[str, Any] = {_NOTES: dict(notes)} if notes else {}
    parts, at = [], 0
    for name, array in arrays.items():
        if array.dtype not in _KINDS:
            raise StrategyError(f"{name}: safetensors files cannot hold numbers of type {array.dtype}")
        content = np.ascontiguousarray(array).tobytes()
        header[name] = {
            "dtype": _KINDS[array.dtype],
            "shape": list(array.shape),
            "data_offsets": [at, at + len(content)],
        }
        parts.append(content)
        at += len(content)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)  # the arrays start at a multiple of eight bytes
    return b"".join([len(text).to_bytes(8, "little"), text, *parts])


def unpacked(content: bytes) -> dict[str, NDArray[Any]]:
    """Every array of a file, by name; raises ValueError, KeyError or TypeError if the file is corrupted."""
    size = int.from_bytes(content[:8], "little")
    if len(content) < 8 or size > min(_MOST_HEADER, len(content) - 8):
        raise ValueError(f"{len(content):,} bytes are less than its header says")
    header, body = parse_json(content[8 : 8 + size]), memoryview(content)[8 + size :]
    if not isinstance(header, dict):
        raise ValueError("its header is not a JSON object")
    return {name: _array(name, entry, body) for name, entry in header.items() if name != _NOTES}


def _array(name: str, entry: Mapping[str, Any], body: memoryview) -> NDArray[Any]:
    kind, shape, (start, end) = np.dtype(_NAMES[entry["dtype"]]), entry["shape"], entry["data_offsets"]
    if not 0 <= start <= end <= len(body) or prod(shape) * kind.itemsize != end - start:
        raise ValueError(f"{name} has {end - start} bytes at {start} for {shape} numbers of type {kind}")
    return np.frombuffer(body[start:end], kind).reshape(shape).copy()
