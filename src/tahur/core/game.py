"""The protocols a game implements: `Table`, `Game` and, for solvers, `Solvable`.

A game is a table that everyone sees plus one secret hand per seat. The legal actions depend on the table alone. Hands
matter only for what chance can still deal and for the payoffs. Chance moves on the table are public (a board card); the
secret ones are the deal. One `Game` is the rules of one deal; `next` returns the game of the following deal. Everything
here is a protocol: games are plain values and need no base class.
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
    """The public state of one deal: frozen, hashable, and including its history."""

    @property
    def turn(self) -> Seat:
        """The seat to act, CHANCE or OVER."""
        ...

    @property
    def history(self) -> tuple[Action, ...]:
        """Every action so far, including chance's."""
        ...

    def actions(self) -> Sequence[Action]:
        """The legal actions of the seat to act; empty for CHANCE, see `Game.outcomes`. No-limit raises are a range."""
        ...

    def after(self, action: Action) -> Self:
        """The table after an action; raises `IllegalAction` if it is not among `actions`."""
        ...


T = TypeVar("T", bound=Table)


class Game(Protocol[T]):
    """The rules of one deal."""

    @property
    def name(self) -> str:
        """The name in the list of games: `leduc`, `nlhe`."""
        ...

    @property
    def seats(self) -> int: ...

    @property
    def settings(self) -> Settings:
        """The settings that, with the name, recreate this game; JSON values only."""
        ...

    def start(self) -> T: ...

    def deal(self, rng: np.random.Generator) -> tuple[Hand, ...]: ...

    def outcomes(self, table: T, hands: Sequence[Hand]) -> Sequence[Action]:
        """The equally likely moves of chance; with no hands given, every move that is consistent with the table."""
        ...

    def payoffs(self, table: T, hands: Sequence[Hand]) -> tuple[float, ...]:
        """What each seat wins or loses; the table must be OVER."""
        ...

    def revealed(self, table: T) -> tuple[Seat, ...]:
        """The seats whose hands are public on this table; empty before the showdown."""
        ...

    def label(self, table: T, action: Action) -> str:
        """The action in words, unique among the table's legal actions: `raise to 240`."""
        ...

    def hand_text(self, hand: Hand) -> str:
        """The hand as text for people: `AsKd`, `1 3 3 5 6`."""
        ...

    def next(self, record: Record) -> Game[T] | None:
        """The game of the next deal (button moved, dice lost), or None when the match is over."""
        ...


class Solvable(Game[T], Protocol[T]):
    """A game with the additional methods that vector solvers need."""

    def hands(self, seat: Seat) -> Sequence[Hand]:
        """Every hand the seat can hold."""
        ...

    def prior(self, seat: Seat) -> NDArray[np.float64]:
        """The probability of each of `hands(seat)` before other hands are known; not uniform for dice multisets."""
        ...

    def possible(self, hands: Sequence[Hand]) -> bool:
        """Whether these hands, one per seat, can be dealt together (no card twice)."""
        ...

    def terminal(self, table: T) -> Terminal:
        """The payoffs of a two-seat table that is OVER, for all hands at once; must agree with `payoffs`."""
        ...

    def holdings(self, seat: Seat) -> NDArray[np.int64] | None:
        """The one or two cards of each of `hands(seat)`, one row per hand; two hands are compatible if they share none.

        None if hands are not made of cards; then `possible` decides.
        """
        ...

    def shown(self, table: T, move: Action) -> tuple[int, ...]:
        """The cards that this chance move puts on the table, numbered as in `holdings`."""
        ...

    def symmetries(self) -> Sequence[Symmetry]:
        """Relabelings that leave the game unchanged, which save solvers work: a whole group, minus the identity."""
        ...


@runtime_checkable
class JointlyDealt(Protocol):
    """A solvable game whose hands are neither dealt independently nor uniformly over all compatible pairs."""

    def joint(self) -> NDArray[np.float64]:
        """The probability of each pair of hands, seat 0's hands in rows; its row and column sums are the priors."""
        ...


class Dealer(Protocol):
    """The source of chance: deals hands and makes chance moves."""

    def deal(self, game: Game[Any]) -> tuple[Hand, ...]: ...

    def chance(self, game: Game[Any], table: Any, hands: Sequence[Hand]) -> Action: ...
