"""Integer aliases and constants shared by games, players and records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

Action = int
Hand = int
Seat = int

CHANCE: Final = -1  # turn: chance moves next
OVER: Final = -2  # turn: the deal is over

Settings = Mapping[str, Any]  # JSON values only
