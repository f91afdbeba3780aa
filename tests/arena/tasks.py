"""Tasks for workers, in a module that imports little: a worker imports the module of its task."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from tahur.core.errors import SettingError


def squared(number: int) -> int:
    return number * number


def squared_by_somebody_mortal(folder: Path, victims: frozenset[int], number: int) -> int:
    """Whoever is given a victim the first time is killed, as if memory had run out."""
    mark = folder / str(number)
    if number in victims and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def always_killed(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def refused(number: int) -> int:
    raise SettingError(f"{number} is wrong")


def without_its_file(number: int) -> int:
    raise FileNotFoundError(f"/nowhere/{number}")
