"""What a position is worth by a game's own yardstick, so that luck can be told from skill.

The yardstick is the payoffs to expect if everybody plays on in one plain way that the game names: whoever owes chips
folds one time in three, then all check to the end. It need not be how anybody plays. What makes it fair is that it is
exact:

- once the deal is over, the worth is the payoffs;
- before a move of chance, the worth is the mean of what it is after, over all of `Game.outcomes`;
- over all deals, what the deal gave a seat is nothing on average.

So what chance adds to the worth of a seat is nothing on average, whoever plays, and can be taken off its result.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar, runtime_checkable

from tahur.core.game import Game, Hand, Table

T = TypeVar("T", bound=Table)


@runtime_checkable
class Appraised(Game[T], Protocol[T]):
    """A game that can say what a position is worth to each seat, every hand known."""

    def worth(self, table: T, hands: Sequence[Hand]) -> tuple[float, ...] | None:
        """The payoffs to expect by the game's yardstick; None where that would take too long to reckon.

        Where it is said before a move of chance it is said after every such move.
        """
        ...

    def luck_of_deal(self, hands: Sequence[Hand]) -> tuple[float, ...]:
        """How much better than the average deal this one is for each seat; zeros where nobody can say."""
        ...
