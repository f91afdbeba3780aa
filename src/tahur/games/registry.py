"""`GAMES`: the only list of games, and how a name and settings become a game.

A game is added by its module and one line here. Settings are keyword arguments that JSON can hold; a record carries
them, so that `make(record.game, record.settings)` is the very game that was played.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tahur.core.errors import SettingError, UnknownName
from tahur.core.game import Game, Settings


@dataclass(frozen=True, slots=True)
class Entry:
    """One game in the list: what it is, and how to make it."""

    name: str
    summary: str
    make: Callable[..., Game[Any]]


GAMES: dict[str, Entry] = {}


def make(name: str, settings: Settings | None = None) -> Game[Any]:
    """The game of that name with these settings; the rest are its defaults."""
    entry = GAMES.get(name)
    if entry is None:
        near = difflib.get_close_matches(name, GAMES, n=1)
        hint = f"did you mean '{near[0]}'?" if near else f"games: {', '.join(GAMES)}"
        raise UnknownName(f"no game '{name}'; {hint}")
    try:
        return entry.make(**(settings or {}))
    except TypeError as error:
        raise SettingError(f"{name}: {error}") from None
