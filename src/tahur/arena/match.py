"""A match: deal after deal, until the game says it is over or enough deals were played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tahur.core.chance import RandomDealer, Streams
from tahur.core.game import Game
from tahur.core.player import Player
from tahur.core.record import Record
from tahur.core.referee import play_out


def run(
    game: Game[Any], players: Sequence[Player], *, seed: int, deals: int | None = None, names: Sequence[str] = ()
) -> Iterator[Record]:
    """The record of each deal in turn. Each deal has its own randomness: `seed` and its number give it again."""
    streams = Streams(seed, len(players))
    dealer = RandomDealer(streams.chance)
    number = 0
    now: Game[Any] | None = game
    while now is not None and (deals is None or number < deals):
        streams.turn_to(number)
        record = play_out(now, dealer, players, streams.seats, names)
        yield record
        now = now.next(record)
        number += 1
