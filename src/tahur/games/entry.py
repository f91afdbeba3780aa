"""One line of the list of games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tahur.core.game import Game


@dataclass(frozen=True, slots=True)
class Entry:
    """A game's name, what it is, and the function that makes it: its keyword arguments are the settings."""

    name: str
    summary: str
    make: Callable[..., Game[Any]]
