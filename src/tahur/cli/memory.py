"""How much memory and disk a command may take, where the system tells."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

SHARE: Final = 0.8  # of what is free


def free_memory() -> int | None:
    """Bytes that may be taken; None where the system does not tell."""
    free = available_memory()
    return None if free is None else int(free * SHARE)


def available_memory() -> int | None:
    """Bytes that no program has taken."""
    try:
        with Path("/proc/meminfo").open() as file:
            lines = dict(line.split(":", 1) for line in file)
        return int(lines["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        return _free_pages()


def free_disk(path: Path) -> int:
    """Bytes that are free where a file is to be."""
    return shutil.disk_usage(path.absolute().parent).free


def gigabytes(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e8 else f"{size / 1e6:.0f} MB"


def _free_pages() -> int | None:
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError, AttributeError):
        return None
