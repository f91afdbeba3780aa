"""`ActionMenu`: a fixed list of indices for a game's actions, and which of them are legal now.

A menu also defines what its safety net plays instead of an illegal index, if the user asked for one. An index that is
not on the menu at all is always an error.
"""

from __future__ import annotations

from typing import Any, Final, Protocol

import numpy as np

from tahur.core.arrays import Int8s
from tahur.core.game import Action

MOST_LISTED: Final = 14


class ActionMenu(Protocol):
    """Indices 0 to `size - 1` for the actions of a game."""

    @property
    def size(self) -> int: ...

    @property
    def net(self) -> str:
        """The name of the safety net, as a value of the setting `illegal`."""
        ...

    def mask(self, table: Any) -> Int8s:
        """The legal indices of the seat to act; a new array each time."""
        ...

    def action(self, table: Any, index: int) -> Action:
        """The game's action for a legal index."""
        ...

    def caught(self, table: Any) -> int:
        """The legal index that the safety net plays instead of an illegal one."""
        ...

    def name(self, index: int) -> str: ...


def legal_names(menu: ActionMenu, mask: Int8s) -> str:
    """The legal indices in words: `0 (fold), 1 (check/call)`."""
    legal = np.flatnonzero(mask).tolist()
    more = f" and {len(legal) - MOST_LISTED} more" if len(legal) > MOST_LISTED else ""
    return ", ".join(f"{index} ({menu.name(index)})" for index in legal[:MOST_LISTED]) + more
