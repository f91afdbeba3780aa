"""Where chance comes from: independent streams of one seed, and dealers that draw from them or from what is settled.

Chance and each seat have a stream of their own for every deal, so that swapping a player never changes the cards, and
any deal of a match can be dealt again without those before it.
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
    """One generator for chance and one for each seat, set to the start of any deal of a match.

    The generators are made once, which takes longer than a hand, and moved from deal to deal, which does not.
    """

    __slots__ = ("_bits", "_states", "chance", "seats")

    def __init__(self, seed: int, seats: int) -> None:
        self._bits = [np.random.Philox(key=(seed % _WORD) << 64 | who) for who in range(seats + 1)]
        self._states = [_with_lists(bits.state) for bits in self._bits]
        self.chance, *self.seats = (np.random.Generator(bits) for bits in self._bits)

    def turn_to(self, deal: int, *, round: int = 0, seating: int = 0) -> None:
        """Whatever was drawn before, what is drawn now depends on the seed, these numbers and the stream alone.

        Chance does not know the seating: all seatings of a deal are dealt the same cards.
        """
        whose = 0
        for bits, state in zip(self._bits, self._states, strict=True):
            state["state"]["counter"][1:] = whose, round, deal
            bits.state = state  # type: ignore[assignment]  # lists do as well as arrays
            whose = seating


def _with_lists(state: Any) -> dict[str, Any]:
    """A state of Philox with lists for arrays, whose numbers are read twice as fast."""
    inner = {name: numbers.tolist() for name, numbers in state["state"].items()}
    return {**state, "state": inner, "buffer": state["buffer"].tolist()}


class RandomDealer:
    """Deals and draws from a generator."""

    __slots__ = ("_rng",)

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng

    def deal(self, game: Game[Any]) -> tuple[Hand, ...]:
        return game.deal(self._rng)

    def chance(self, game: Game[Any], table: Any, hands: Sequence[Hand]) -> Action:
        outcomes = game.outcomes(table, hands)
        return outcomes[int(self._rng.random() * len(outcomes))]


class SettledDealer:
    """Deals hands and chance moves that are settled beforehand: a committed deck, a test's deal, a hand history."""

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
    """The dealer that deals a recorded hand again."""
    tables = record.replay(game)
    moves = [action for table, action in zip(tables, record.actions, strict=False) if table.turn == CHANCE]
    return SettledDealer(record.hands, moves)
