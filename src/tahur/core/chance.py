"""Sources of chance: independent random streams from one seed, and dealers that draw from them or from fixed cards.

Chance and each seat have a separate stream for every deal, so replacing a player never changes the cards, and any deal
of a match can be dealt again without the deals before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np

from tahur.core.errors import RecordError
from tahur.core.game import CHANCE, Action, Game, Hand
from tahur.core.record import Record

_WORD: Final = 2**64


class Streams:
    """One generator for chance and one for each seat, which can be positioned at the start of any deal of a match.

    Creating a generator takes longer than playing a hand, so they are created once and repositioned for each deal.
    """

    __slots__ = ("_bits", "_states", "chance", "seats")

    def __init__(self, seed: int, seats: int) -> None:
        self._bits = [np.random.Philox(key=(seed % _WORD) << 64 | who) for who in range(seats + 1)]
        self._states = [_with_lists(bits.state) for bits in self._bits]
        self.chance, *self.seats = (np.random.Generator(bits) for bits in self._bits)

    def turn_to(self, deal: int, *, round: int = 0, seating: int = 0) -> None:
        """Position every stream: later draws depend only on the seed, these numbers and the stream, not on past draws.

        The stream of chance ignores the seating, so all seatings of a deal get the same cards.
        """
        whose = 0
        for bits, state in zip(self._bits, self._states, strict=True):
            state["state"]["counter"][1:] = whose, round, deal
            bits.state = state  # type: ignore[assignment]  # NumPy accepts lists as well as arrays
            whose = seating


def _with_lists(state: Any) -> dict[str, Any]:
    """A Philox state with lists instead of arrays; NumPy reads their numbers twice as fast."""
    inner = {name: numbers.tolist() for name, numbers in state["state"].items()}
    return {**state, "state": inner, "buffer": state["buffer"].tolist()}


class RandomDealer:
    """Deals hands and draws chance moves from a generator."""

    __slots__ = ("_rng",)

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng

    def deal(self, game: Game[Any]) -> tuple[Hand, ...]:
        return game.deal(self._rng)

    def chance(self, game: Game[Any], table: Any, hands: Sequence[Hand]) -> Action:
        outcomes = game.outcomes(table, hands)
        return outcomes[int(self._rng.random() * len(outcomes))]


class SettledDealer:
    """Deals hands and chance moves that are fixed in advance: a committed deck, a test's deal, a hand history."""

    __slots__ = ("_hands", "_moves")

    def __init__(self, hands: Sequence[Hand], moves: Iterable[Action] = ()) -> None:
        self._hands = tuple(hands)
        self._moves = iter(moves)

    def deal(self, game: Game[Any]) -> tuple[Hand, ...]:
        if len(self._hands) != game.seats:
            raise RecordError(f"{game.name}: {len(self._hands)} hands for {game.seats} seats")
        return self._hands

    def chance(self, game: Game[Any], table: Any, hands: Sequence[Hand]) -> Action:
        move = next(self._moves, None)
        if move is None or move not in game.outcomes(table, hands):
            raise RecordError(f"{game.name}: chance cannot play {move} after {list(table.history)}")
        return move


def dealer_of(record: Record, game: Game[Any]) -> SettledDealer:
    """A dealer that deals a recorded hand again."""
    tables = record.replay(game)
    moves = [action for table, action in zip(tables, record.actions, strict=False) if table.turn == CHANCE]
    return SettledDealer(record.hands, moves)
