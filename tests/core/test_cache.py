"""What is made again when the sources change, and what is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tahur.core import cache


def test_what_took_minutes_outlives_a_change_of_the_kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_homes", lambda: (tmp_path,))
    monkeypatch.setattr(cache, "kernel_digest", lambda: "before")
    kernels, rounds = cache.cache_folder.__wrapped__(), cache.kept_folder("rounds")
    (rounds / "2v2.tahur").touch()
    monkeypatch.setattr(cache, "kernel_digest", lambda: "after")
    assert cache.cache_folder.__wrapped__() != kernels
    assert not kernels.exists()
    assert (cache.kept_folder("rounds") / "2v2.tahur").exists()
