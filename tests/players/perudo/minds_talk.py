"""Views of Perudo rounds spoken aloud, for the tests of its minds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tahur.core.player import View
from tahur.core.record import Record
from tahur.games.perudo.bids import action_text, bid, count_of, face_of
from tahur.games.perudo.game import Perudo, perudo
from tahur.games.perudo.table import hand_of
from tahur.players.perudo.situation import PerudoSituation, situation_of


def view_of(mine: Sequence[int], *said: tuple[int, int], names: Sequence[str] = (), **settings: Any) -> View:
    """What seat 0 sees, on its turn, after these bids, each a count and a face."""
    cups = settings.pop("cups", [len(mine), 5])
    if len(mine) != cups[0]:
        raise ValueError("the first cup is one's own")
    opener = -len(said) % len(cups)
    game = perudo(cups=cups, opener=opener, **settings)
    table = game.start()
    for count, face in said:
        table = table.after(bid(count, face))
    return View(game=game, table=table, seat=0, hand=hand_of(mine), names=tuple(names))


def situation(mine: Sequence[int], *said: tuple[int, int], **settings: Any) -> PerudoSituation:
    return situation_of(view_of(mine, *said, **settings))


def played(game: Perudo, dice: Sequence[Sequence[int]], *words: str, names: Sequence[str] = ()) -> Record:
    """The record of a round with these dice under the cups: `2 fives`, `3 aces`, `dudo`."""
    hands = tuple(hand_of(cup) for cup in dice)
    table = game.start()
    for each in words:
        table = table.after(next(action for action in table.actions() if action_text(action) == each))
    return Record(
        game=game.name,
        settings=game.settings,
        hands=hands,
        actions=table.history,
        payoffs=game.payoffs(table, hands),
        names=tuple(names),
    )


def bids_of(found: Sequence[Any]) -> list[str]:
    """`value 4x5` and so on, of candidates."""
    return [f"{each.tactic.value} {count_of(each.bid)}x{face_of(each.bid)}" for each in found]
