"""What a learner may choose from: a fixed list of indices over a game's own actions, and which of them are legal now.

A menu also says what its safety net plays in place of an illegal index, for those who ask for a net. An index that is
not on the menu at all is no business of the net: that is always an error.
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
        """The name of the safety net, as the setting `illegal` takes it."""
        ...

    def mask(self, table: Any) -> Int8s:
        """What the seat to act may choose; a new array each time."""
        ...

    def action(self, table: Any, index: int) -> Action:
        """The game's action that a legal index stands for."""
        ...

    def caught(self, table: Any) -> int:
        """The legal index that the net plays in place of an illegal one."""
        ...

    def name(self, index: int) -> str: ...


def legal_names(menu: ActionMenu, mask: Int8s) -> str:
    """`0 (fold), 1 (check/call)`: what a mask allows, in words."""
    legal = np.flatnonzero(mask).tolist()
    more = f" and {len(legal) - MOST_LISTED} more" if len(legal) > MOST_LISTED else ""
    return ", ".join(f"{index} ({menu.name(index)})" for index in legal[:MOST_LISTED]) + more
