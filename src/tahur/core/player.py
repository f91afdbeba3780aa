"""The player interface. A player sees a `View`, the table plus its own hand, and never another seat's cards."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np

from tahur.core.game import Action, Game, Hand, Seat
from tahur.core.record import Seen, Talk


class View(NamedTuple):
    """What one seat sees; a spectator's view has no hand. A tuple because one is built for every decision."""

    game: Game[Any]
    table: Any
    seat: Seat
    hand: Hand | None
    names: tuple[str, ...] = ()
    talk: tuple[Talk, ...] = ()


class Decision(NamedTuple):
    """A player's answer: the action, the reason for it (shown after the hand), and what is said at the table."""

    action: Action
    thought: str = ""
    talk: str = ""


class Player(Protocol):
    """A player in a seat. Its only source of randomness is the `rng` passed in, which belongs to the seat.

    A player without memory may set the attribute `learns = False`: if no player at the table learns, `learn` is not
    called. A player that explains its decisions may have an attribute `aloud`; it is set to False where thoughts are
    not recorded, and the player may then leave them out.
    """

    def begin(self, view: View, rng: np.random.Generator) -> None:
        """Called when a hand starts, for example to draw a net or make a plan."""
        ...

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        """Choose an action; it is this seat's turn in the view."""
        ...

    def learn(self, seen: Seen) -> None:
        """Called when the hand is over, with what this seat may know about it."""
        ...
