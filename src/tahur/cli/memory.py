"""How much memory and disk a command may use, if the system reports it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from tahur.core.limits import available_memory

SHARE: Final = 0.8  # share of the free memory


def free_memory() -> int | None:
    """Bytes that a command may use; None if the system does not report it."""
    free = available_memory()
    return None if free is None else int(free * SHARE)


def free_disk(path: Path) -> int:
    """Free bytes on the disk where a file will be written."""
    return shutil.disk_usage(path.absolute().parent).free


def gigabytes(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e8 else f"{size / 1e6:.0f} MB"
