"""What a player sees and says. A `View` is the table plus one hand: nobody can be shown a card that is not theirs."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np

from tahur.core.game import Action, Game, Hand, Seat
from tahur.core.record import Seen, Talk


class View(NamedTuple):
    """What one seat knows, or a spectator, who has no hand. A tuple, as it is made for every decision: quickly."""

    game: Game[Any]
    table: Any
    seat: Seat
    hand: Hand | None
    names: tuple[str, ...] = ()
    talk: tuple[Talk, ...] = ()


class Decision(NamedTuple):
    """An action, why (for after the hand), and what is said at the table."""

    action: Action
    thought: str = ""
    talk: str = ""


class Player(Protocol):
    """Somebody in a seat. Randomness is the `rng` handed in, the seat's own.

    A player that remembers nothing may say so by an attribute `learns = False`: among such players nobody is told what
    they would forget. One that thinks aloud may have an attribute `aloud`; where nobody keeps thoughts it is set to
    False, and the player may leave them out.
    """

    def begin(self, view: View, rng: np.random.Generator) -> None:
        """A hand starts: draw a net, make a plan."""
        ...

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        """Choose; the view is of this seat's turn."""
        ...

    def learn(self, seen: Seen) -> None:
        """The hand is over; what this seat may know of it."""
        ...
