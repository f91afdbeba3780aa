"""A server that cheats, for the browser tests.

Once the betting on the turn is over it takes the river from elsewhere in the sealed deck, and its proof opens that card
where it was sealed. Before places were bound, that passed every check.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import stacked_server

from tahur.core.game import Action, Game, Hand
from tahur.room import history, holdem
from tahur.room.deck import DeckDealer
from tahur.room.facts import Dealt
from tahur.room.rest import Fairness, Opening
from tahur.room.sealing import seals_of
from tahur.web import api

RIVER, ELSEWHERE = 4, 40  # the board card it changes, and the draw it takes instead


class Forger(DeckDealer):
    """Deals as it should, but for the river."""

    def __init__(self, deck: Sequence[int]) -> None:
        super().__init__(deck)
        self._river = deck[ELSEWHERE]

    def chance(self, game: Game[Any], table: Any, hands: Sequence[Hand]) -> Action:
        card = super().chance(game, table, hands)
        return self._river if len(table.board) == RIVER else card


def forged(dealt: Dealt, *others: Any) -> Fairness:
    """The proof with the river opened where it came from."""
    proof = history.fairness(dealt, *others)
    if len([each for each in proof.openings if each.whose == "board"]) <= RIVER:
        return proof
    sealed = seals_of(dealt)
    place = holdem.places_of(dealt.seeds, len(sealed))[ELSEWHERE]
    river = Opening(place, "board", sealed[place].value, sealed[place].salt)
    return replace(proof, openings=(*proof.openings[:-1], river))


if __name__ == "__main__":
    holdem.DeckDealer = Forger  # type: ignore[misc]
    api.fairness = forged
    stacked_server.main()
