"""What a player sees and says. A `View` is the table plus one hand: nobody can be shown a card that is not theirs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from tahur.core.game import Action, Game, Hand, Seat
from tahur.core.record import Seen, Talk


@dataclass(frozen=True, slots=True)
class View:
    """What one seat knows, or a spectator, who has no hand."""

    game: Game[Any]
    table: Any
    seat: Seat
    hand: Hand | None
    names: tuple[str, ...] = ()
    talk: tuple[Talk, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """An action, why (for after the hand), and what is said at the table."""

    action: Action
    thought: str = ""
    talk: str = ""


class Player(Protocol):
    """Somebody in a seat. Randomness is the `rng` handed in, the seat's own.

    A player that remembers nothing may say so by an attribute `learns = False`: among such players nobody is told what
    they would forget.
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
