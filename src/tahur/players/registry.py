"""`PLAYERS`: the only list of players, and how a name becomes one. Adding a player is one line here."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass

from tahur.core.errors import UnknownName
from tahur.core.player import Player
from tahur.players.simple import Caller, RandomPlayer


@dataclass(frozen=True, slots=True)
class Entry:
    """A player's name, what it does, and how to make one."""

    name: str
    summary: str
    make: Callable[[], Player]


PLAYERS: dict[str, Entry] = {
    entry.name: entry
    for entry in (
        Entry("caller", "checks or calls whatever comes; where a game has no call, takes the mildest action", Caller),
        Entry("random", "plays any legal action, sizes from small to large equally likely", RandomPlayer),
    )
}


def make_player(name: str) -> Player:
    """A new player of that name."""
    entry = PLAYERS.get(name)
    if entry is None:
        near = difflib.get_close_matches(name, PLAYERS, n=1)
        hint = f"did you mean '{near[0]}'?" if near else f"players: {', '.join(PLAYERS)}"
        raise UnknownName(f"no player '{name}'; {hint}")
    return entry.make()
