"""The plainest of the ten words: whole numbers with a meaning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

Action = int
Hand = int
Seat = int

CHANCE: Final = -1  # turn: chance moves next
OVER: Final = -2  # turn: nobody moves any more

Settings = Mapping[str, Any]  # what JSON can hold
