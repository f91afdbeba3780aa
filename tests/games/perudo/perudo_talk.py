"""Perudo spoken aloud, for tests: `say(game, "3 fives", "dudo")`."""

from __future__ import annotations

from collections.abc import Sequence

from perudo_twin import parse

from tahur.core.game import Action
from tahur.core.record import Record
from tahur.games.perudo.bids import CALZA, DUDO, bid
from tahur.games.perudo.game import Perudo
from tahur.games.perudo.table import PerudoTable, hand_of


def action(words: str) -> Action:
    calls = {"dudo": DUDO, "calza": CALZA}
    return calls[words] if words in calls else bid(*parse(words))


def say(game: Perudo, *words: str) -> PerudoTable:
    """The table after these words."""
    table = game.start()
    for each in words:
        table = table.after(action(each))
    return table


def legal_words(game: Perudo, table: PerudoTable) -> set[str]:
    return {game.label(table, each) for each in table.actions()}


def legal_after(game: Perudo, *words: str) -> set[str]:
    return legal_words(game, say(game, *words))


def played(game: Perudo, dice: Sequence[Sequence[int]], *words: str) -> Record:
    """The record of a round with these dice under the cups."""
    hands = tuple(hand_of(cup) for cup in dice)
    table = say(game, *words)
    return Record(
        game=game.name, settings=game.settings, hands=hands, actions=table.history, payoffs=game.payoffs(table, hands)
    )


def after_round(game: Perudo, dice: Sequence[Sequence[int]], *words: str) -> Perudo:
    """The round after; fails if the match is over."""
    following = game.next(played(game, dice, *words))
    assert following is not None
    return following
