"""Files of tensors: those of the safetensors library, and none that was cut short."""

from __future__ import annotations

import numpy as np
import pytest

from tahur.core.net_file import packed, unpacked


def test_files_are_those_of_the_safetensors_library() -> None:
    from safetensors.numpy import load, save

    rng = np.random.default_rng(0)
    arrays = {"a": rng.random((3, 4)).astype(np.float32), "b": np.arange(5), "c": np.zeros((0, 2), np.uint8)}
    theirs, ours = load(packed(arrays)), unpacked(save(arrays))
    for name, array in arrays.items():
        for found in (theirs[name], ours[name]):
            assert found.dtype == array.dtype
            assert (found == array).all()


@pytest.mark.parametrize("cut", [0, 5, 60, -1])
def test_a_file_cut_short_is_not_read(cut: int) -> None:
    whole = packed({"a": np.ones((3, 4), np.float32)})
    with pytest.raises((ValueError, KeyError, TypeError)):
        unpacked(whole[:cut])
