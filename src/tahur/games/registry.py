"""`GAMES`: the only list of games, and how a name and settings become a game.

A game is added by its module and one line here. Settings are keyword arguments that JSON can hold; a record carries
them, so that `make(record.game, record.settings)` is the very game that was played.
"""

from __future__ import annotations

import difflib
from typing import Any

from tahur.core.errors import SettingError, UnknownName
from tahur.core.game import Game, Settings
from tahur.core.record import Record
from tahur.games import holdem, kuhn, leduc, liars_dice
from tahur.games.entry import GameEntry
from tahur.games.perudo.game import ENTRY as PERUDO

GAMES: dict[str, GameEntry] = {
    entry.name: entry for entry in (*holdem.ENTRIES, PERUDO, kuhn.ENTRY, leduc.ENTRY, liars_dice.ENTRY)
}


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


def game_of(record: Record) -> Game[Any]:
    """The game that a record was played by."""
    return make(record.game, record.settings)
