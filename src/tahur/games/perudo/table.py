"""The public table of a round of Perudo: the number of dice under each cup, and what was said; and the secret cups."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import accumulate, combinations_with_replacement
from math import comb, factorial, prod
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tahur.core.errors import IllegalAction, RecordError
from tahur.core.game import OVER, Action, Hand, Seat
from tahur.games.perudo.bids import ACE, FACES, FIRST_BID, action_text
from tahur.games.perudo.round import NO_BID, Round
from tahur.games.perudo.rules import MOST_DICE

_MOST_LISTED: Final = 12


class PerudoTable(NamedTuple):
    """What everybody sees. The history is the bids and, at the end, the dudo or calza that lifts the cups."""

    round: Round
    turn: Seat
    history: tuple[Action, ...] = ()

    @property
    def cups(self) -> tuple[int, ...]:
        """How many dice each seat has."""
        return self.round.cups

    @property
    def wild(self) -> bool:
        """Whether aces count for every face; not in palifico."""
        return not self.round.palifico

    @property
    def standing(self) -> Action | None:
        """The last bid: the one to raise or, once the cups are lifted, the one that was called."""
        return next((action for action in reversed(self.history[-2:]) if action >= FIRST_BID), None)

    @property
    def bidder(self) -> Seat | None:
        """The seat that made the standing bid."""
        bids = len(self.history) - (self.turn == OVER)
        return self.seat_at(bids - 1) if bids else None

    @property
    def caller(self) -> Seat | None:
        """The seat that called dudo or calza."""
        return self.seat_at(len(self.history) - 1) if self.turn == OVER else None

    def seat_at(self, number: int) -> Seat:
        """The seat that takes action number `number` of the round."""
        return self.round.order[number % len(self.round.order)]

    def actions(self) -> tuple[Action, ...]:
        """Dudo, calza and the raises, lowest first; at the start the possible opening bids; empty when over."""
        if self.turn == OVER:
            return ()
        history = self.history
        return self.round.menus[self.turn][history[-1] if history else NO_BID]

    def after(self, action: Action) -> PerudoTable:
        round_, turn, past = self
        if turn == OVER or not round_.menus[turn].allows(past[-1] if past else NO_BID, action):
            raise IllegalAction(self._refusal(action))
        history, order = (*past, action), round_.order
        return PerudoTable(round_, OVER if action < FIRST_BID else order[len(history) % len(order)], history)

    def lowest(self, face: int) -> Action | None:
        """The lowest bid on a face that is legal now; None if there is none."""
        if self.turn == OVER:
            return None
        return self.round.menus[self.turn].lowest(self.history[-1] if self.history else NO_BID)[face]

    def _refusal(self, action: Action) -> str:
        """The error message for an illegal action, with the legal ones."""
        bids = ", ".join(map(action_text, self.history)) or "nothing"
        if self.turn == OVER:
            return f"perudo: the round is over after {bids}; nothing is legal"
        attempt = f"say {action_text(action)}" if action >= 0 else f"play action {action}"
        legal = self.actions()
        more = f" and {len(legal) - _MOST_LISTED} more" if len(legal) > _MOST_LISTED else ""
        listed = ", ".join(map(action_text, legal[:_MOST_LISTED]))
        return f"perudo: seat {self.turn} cannot {attempt} after {bids}; legal: {listed}{more}"


# ---- cups ----------------------------------------------------------------------------------------
# Secret hands in Perudo: the dice under a cup, as one number. The order of dice under a cup does not matter, so a hand
# is a multiset of faces. Hands are numbered by how many dice they hold, then lexicographically: 0 is the empty cup of a
# seat that is out, 1 to 6 are the single dice, 7 is `1 1`. The number alone determines the dice, and the hands of a cup
# of `n` dice are a range.


EMPTY: Final[Hand] = 0


def hands_of(dice: int) -> range:
    """Every hand of a cup with `dice` dice."""
    return range(comb(dice + 5, 6), comb(dice + 6, 6))


def dice_of(hand: Hand) -> tuple[int, ...]:
    """The faces of a hand, lowest first."""
    if not 0 <= hand < len(_all_dice()):
        raise RecordError(f"perudo: no hand number {hand}; hands are numbered 0 (no dice) to {len(_all_dice()) - 1:,}")
    return _all_dice()[hand]


def hand_of(dice: Iterable[int]) -> Hand:
    """The number of the hand with these faces, in any order."""
    faces = tuple(sorted(dice))
    hand = _numbers().get(faces)
    if hand is None:
        raise RecordError(f"perudo: no hand {faces}; a cup holds 0 to {MOST_DICE} dice, each with a face from 1 to 6")
    return hand


def hand_text(hand: Hand) -> str:
    """`1 3 3 5 6`, or `no dice`."""
    return " ".join(map(str, dice_of(hand))) or "no dice"


@cache
def ways(dice: int) -> tuple[int, ...]:
    """The number of the 6**dice rolls that give each of `hands_of(dice)`."""
    return tuple(_orders(dice_of(hand)) for hand in hands_of(dice))


def prior(dice: int) -> NDArray[np.float64]:
    """The probability of each of `hands_of(dice)`."""
    likely: NDArray[np.float64] = np.array(ways(dice)) / 6**dice
    return likely


def roll(dice: int, rng: np.random.Generator) -> Hand:
    """A hand of `dice` fair dice: one of the 6**dice rolls, each equally likely."""
    first, upto = _ladder(dice)
    return first + bisect_right(upto, rng.random() * upto[-1])


@cache
def matching_of(face: int, *, wild: bool) -> Sequence[int]:
    """How many dice of each hand count for a bid on the face: `bids.matching`, precomputed for all hands."""
    jokers = (ACE,) if wild and face != ACE else ()
    return bytes(sum(map(dice.count, (face, *jokers))) for dice in _all_dice())


@cache
def _all_dice() -> tuple[tuple[int, ...], ...]:
    return tuple(dice for count in range(MOST_DICE + 1) for dice in combinations_with_replacement(FACES, count))


@cache
def _numbers() -> dict[tuple[int, ...], Hand]:
    return {dice: hand for hand, dice in enumerate(_all_dice())}


@cache
def _ladder(dice: int) -> tuple[Hand, tuple[int, ...]]:
    """The first hand of a cup, and the cumulative number of rolls up to each of its hands."""
    return hands_of(dice).start, tuple(accumulate(ways(dice)))


def _orders(dice: tuple[int, ...]) -> int:
    return factorial(len(dice)) // prod(factorial(dice.count(face)) for face in FACES)
