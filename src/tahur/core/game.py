"""What a game is: a table everyone sees, plus one secret hand per seat.

What a seat may do depends on the table alone. Hands matter only for what chance can still deal and for who is paid.
Chance moves on the table are public (a board card); the secret ones are the deal. One `Game` is the rules of one deal;
`next` gives the game of the deal after it. Everything here is a protocol: games are plain values that inherit nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, Self, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from tahur.core.record import Record
from tahur.core.terminal import Symmetry as Symmetry
from tahur.core.terminal import Terminal as Terminal
from tahur.core.words import CHANCE as CHANCE
from tahur.core.words import OVER as OVER
from tahur.core.words import Action as Action
from tahur.core.words import Hand as Hand
from tahur.core.words import Seat as Seat
from tahur.core.words import Settings as Settings


class Table(Protocol):
    """The public state of one deal: frozen, hashable, its history included."""

    @property
    def turn(self) -> Seat:
        """The seat to act, CHANCE or OVER."""
        ...

    @property
    def history(self) -> tuple[Action, ...]:
        """Every action so far, those of chance included."""
        ...

    def actions(self) -> Sequence[Action]:
        """What the seat to act may do. Cheap: no-limit raises are a range. Empty for CHANCE (see `Game.outcomes`)."""
        ...

    def after(self, action: Action) -> Self:
        """The table one action later; `IllegalAction` if it is not among `actions`."""
        ...


T = TypeVar("T", bound=Table)


class Game(Protocol[T]):
    """The rules of one deal."""

    @property
    def name(self) -> str:
        """As in the list of games: `leduc`, `nlhe`."""
        ...

    @property
    def seats(self) -> int: ...

    @property
    def settings(self) -> Settings:
        """What the list of games needs, besides the name, to make this very game again; only what JSON can hold."""
        ...

    def start(self) -> T: ...

    def deal(self, rng: np.random.Generator) -> tuple[Hand, ...]: ...

    def outcomes(self, table: T, hands: Sequence[Hand]) -> Sequence[Action]:
        """Equally likely moves of chance; with no hands, those that are possible as far as the table tells."""
        ...

    def payoffs(self, table: T, hands: Sequence[Hand]) -> tuple[float, ...]:
        """What each seat wins or loses, once the table is OVER."""
        ...

    def revealed(self, table: T) -> tuple[Seat, ...]:
        """The seats whose hands everybody has seen on this table: none before the showdown."""
        ...

    def label(self, table: T, action: Action) -> str:
        """The action in words, unique among the actions of the table: `raise to 240`."""
        ...

    def hand_text(self, hand: Hand) -> str:
        """The hand as a person reads it: `AsKd`, `1 3 3 5 6`."""
        ...

    def next(self, record: Record) -> Game[T] | None:
        """The game after that deal: button moved, dice lost. None: the match is over."""
        ...


class Solvable(Game[T], Protocol[T]):
    """What the vector solvers need besides."""

    def hands(self, seat: Seat) -> Sequence[Hand]:
        """Every hand the seat can hold."""
        ...

    def prior(self, seat: Seat) -> NDArray[np.float64]:
        """How likely each of `hands(seat)` is before others are known; dice multisets are not equally likely."""
        ...

    def possible(self, hands: Sequence[Hand]) -> bool:
        """Whether these hands, one per seat, can be dealt together (card removal)."""
        ...

    def terminal(self, table: T) -> Terminal:
        """What a table of two seats that is OVER pays, for all hands at once: `payoffs`, said once."""
        ...

    def holdings(self, seat: Seat) -> NDArray[np.int64] | None:
        """The one or two cards of each of `hands(seat)`, a row each; hands are possible together if they share none.

        None where hands are not made of cards: then `possible` alone tells.
        """
        ...

    def shown(self, table: T, move: Action) -> tuple[int, ...]:
        """The cards that this move of chance puts on the table, numbered as in `holdings`."""
        ...

    def symmetries(self) -> Sequence[Symmetry]:
        """Other names under which the game is the same, for solvers to save work; all of a group, itself left out."""
        ...


@runtime_checkable
class JointlyDealt(Protocol):
    """A solvable game whose hands are dealt neither independently nor equally likely wherever they are possible."""

    def joint(self) -> NDArray[np.float64]:
        """How likely each pair of hands is, seat 0's in rows; its sums are the priors."""
        ...


class Dealer(Protocol):
    """Where chance comes from."""

    def deal(self, game: Game[Any]) -> tuple[Hand, ...]: ...

    def chance(self, game: Game[Any], table: Any, hands: Sequence[Hand]) -> Action: ...
