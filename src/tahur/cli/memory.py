"""How much memory and disk a command may use, if the system reports it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

SHARE: Final = 0.8  # share of the free memory


def free_memory() -> int | None:
    """Bytes that a command may use; None if the system does not report it."""
    free = available_memory()
    return None if free is None else int(free * SHARE)


def available_memory() -> int | None:
    """Free memory in bytes."""
    try:
        with Path("/proc/meminfo").open() as file:
            lines = dict(line.split(":", 1) for line in file)
        return int(lines["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        return _free_pages()


def free_disk(path: Path) -> int:
    """Free bytes on the disk where a file will be written."""
    return shutil.disk_usage(path.absolute().parent).free


def gigabytes(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e8 else f"{size / 1e6:.0f} MB"


def _free_pages() -> int | None:
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError, AttributeError):
        return None
