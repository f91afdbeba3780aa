"""The protocols a game implements: `Table`, `Game` and, for solvers, `Solvable`.

A game is a table that everyone sees plus one secret hand per seat. The legal actions depend on the table alone. Hands
matter only for what chance can still deal and for the payoffs. Chance moves on the table are public (a board card); the
secret ones are the deal. One `Game` is the rules of one deal; `next` returns the game of the following deal. Everything
here is a protocol: games are plain values and need no base class.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from tahur.core.arrays import Float64s, Int64s
from tahur.core.record import Record
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


# ---- terminals -----------------------------------------------------------------------------------
# Payoffs of a finished deal for every pair of hands at once: the return values of `Solvable.terminal`. A solver asks
# once per terminal of the tree instead of once per pair of hands. Four classes cover the games here; each also has
# `payoffs(first, second)`, the slow form for one pair of hands, given by their indices in `hands(seat)`. Payoffs are to
# seat 0 and seat 1. Solvers handle two-seat games only.


Pair = tuple[float, float]

NOT_HERE = -1  # a strength: this hand cannot be at this showdown because one of its cards is on the board


@dataclass(frozen=True, slots=True, eq=False)
class Matrix:
    """`first[i, j]` is seat 0's payoff. Seat 1's is `second[i, j]`, or the negative of seat 0's if `second` is None."""

    first: Float64s
    second: Float64s | None = None

    def payoffs(self, first: int, second: int) -> Pair:
        won = float(self.first[first, second])
        return won, -won if self.second is None else float(self.second[first, second])


@dataclass(frozen=True, slots=True)
class Fold:
    """Seat 0 wins `won` (negative: loses it) and seat 1 the opposite, whatever the hands are."""

    won: float

    def payoffs(self, first: int, second: int) -> Pair:
        return self.won, -self.won


@dataclass(frozen=True, slots=True, eq=False)
class Showdown:
    """The higher strength wins. `win`, `lose` and `tie` are seat 0's payoffs; seat 1's are their negatives."""

    strengths: tuple[Int64s, Int64s]  # of each hand of each seat, or NOT_HERE
    win: float
    lose: float
    tie: float = 0.0

    def payoffs(self, first: int, second: int) -> Pair:
        mine, theirs = self.strengths[0][first], self.strengths[1][second]
        won = self.win if mine > theirs else self.lose if mine < theirs else self.tie
        return won, -won


@dataclass(frozen=True, slots=True, eq=False)
class DiceCount:
    """The matching dice under both cups are counted; `pays[count]` is the payoff to each seat for that count."""

    matching: tuple[Int64s, Int64s]  # for each hand of each seat: how many of its dice match the bid
    pays: Float64s  # (counts, 2)

    def payoffs(self, first: int, second: int) -> Pair:
        to_first, to_second = self.pays[self.matching[0][first] + self.matching[1][second]]
        return float(to_first), float(to_second)


Terminal = Matrix | Fold | Showdown | DiceCount


@dataclass(frozen=True, slots=True, eq=False)
class Symmetry:
    """A relabeling that leaves the game unchanged, such as swapping two suits.

    Hand `i` of a seat becomes its hand `hands[seat][i]`, and chance's move `m` becomes `moves[m]`; the seats' actions
    keep their numbers. Priors, legal moves and payoffs must be unchanged.
    """

    hands: tuple[Int64s, Int64s]
    moves: Mapping[Action, Action]
