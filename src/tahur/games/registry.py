"""`GAMES`, the list of all games, and `make`, which creates a game from its name and settings.

To add a game, write its module and add one line here. Settings are keyword arguments with JSON values; a record stores
them, so `make(record.game, record.settings)` recreates the game that was played.
"""

from __future__ import annotations

from typing import Any

from tahur.core.errors import SettingError, UnknownName, hint_for
from tahur.core.game import Game, Settings
from tahur.core.record import Record
from tahur.games import holdem, kuhn, leduc, liars_dice
from tahur.games.entry import GameEntry
from tahur.games.perudo.game import ENTRY as PERUDO

GAMES: dict[str, GameEntry] = {
    entry.name: entry for entry in (*holdem.ENTRIES, PERUDO, kuhn.ENTRY, leduc.ENTRY, liars_dice.ENTRY)
}


def make(name: str, settings: Settings | None = None) -> Game[Any]:
    """The game of that name with these settings; settings that are not given have their defaults."""
    entry = GAMES.get(name)
    if entry is None:
        raise UnknownName(f"no game '{name}'; {hint_for(name, GAMES, 'games')}")
    try:
        return entry.make(**(settings or {}))
    except TypeError as error:
        raise SettingError(f"{name}: {error}") from None


def game_of(record: Record) -> Game[Any]:
    """The game in which a record was played."""
    return make(record.game, record.settings)
