"""`python -m tahur.web` with decks and dice that the tests chose: run as a program of its own, by `cardroom.serving`.

A room whose title is a name of `DEALS` is dealt those cards, hand after hand; what they leave open, and any other room,
comes from a generator seeded by the title and the number of the hand. So every test sees the same cards every time, in
whatever order tests run, and after a restart too.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from deals import DEALS, SEEDED

from tahur.cards.cards import parse_cards
from tahur.room import lobby
from tahur.room.keeper import Keeper
from tahur.room.state import RoomState
from tahur.web import __main__, entry


class RoomDeals:
    """The randomness of one room."""

    def __init__(self, state: RoomState) -> None:
        self._state = state

    def deck(self) -> tuple[int, ...]:
        first = [int(card) for card in parse_cards(self._chosen())] if self._chosen() else []
        return (*first, *(int(card) for card in self._rng().permutation(52) if card not in first))

    def dice(self, count: int) -> tuple[int, ...]:
        first = [int(die) for die in self._chosen() if die.isdigit()]
        return (*first, *(int(die) for die in self._rng().integers(1, 7, count)))[:count]

    def key(self) -> str:
        return self._rng().bytes(32).hex()

    def _chosen(self) -> str:
        deals = DEALS.get(self._state.settings.title, ())
        return deals[self._state.hand] if self._state.hand < len(deals) else ""

    def _rng(self) -> np.random.Generator:
        return np.random.default_rng([self._state.hand, *self._state.settings.title.encode()])


def keeper(state: RoomState, randomness: Any, *others: Any, **more: Any) -> Keeper:
    """A room's keeper with cards of the tests' choosing, which seeds would mix: they are taken in some rooms only."""
    made = Keeper(state, RoomDeals(state), *others, **more)
    made.seeding.on = state.settings.title in SEEDED
    return made


def main() -> None:
    lobby.Keeper = keeper  # type: ignore[assignment, misc]
    entry.secrets = SimpleNamespace(token_hex=lambda size: "5e" * size)  # type: ignore[assignment]  # bots' randomness
    __main__.main()


if __name__ == "__main__":
    main()
