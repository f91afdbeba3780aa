"""How a deal that is over pays, for every pair of hands at once: what `Solvable.terminal` answers.

A solver asks once for each end of the tree instead of once for each pair of hands. Four kinds are enough for the games
here; each has `payoffs(first, second)`, the slow way, for one pair of hands given by their places in `hands(seat)`.
Payoffs are to seat 0 and seat 1. Only two seats are meant: solvers know no other games.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tahur.core.arrays import Float64s, Int64s
from tahur.core.words import Action

Pair = tuple[float, float]

NOT_HERE = -1  # a strength: this hand cannot be at this showdown, since its cards lie on the board


@dataclass(frozen=True, slots=True, eq=False)
class Matrix:
    """`first[i, j]` is seat 0's payoff; seat 1's is the opposite, unless `second` says what it is."""

    first: Float64s
    second: Float64s | None = None

    def payoffs(self, first: int, second: int) -> Pair:
        won = float(self.first[first, second])
        return won, -won if self.second is None else float(self.second[first, second])


@dataclass(frozen=True, slots=True)
class Fold:
    """Seat 0 wins so much whatever the hands are, and seat 1 loses it."""

    won: float

    def payoffs(self, first: int, second: int) -> Pair:
        return self.won, -self.won


@dataclass(frozen=True, slots=True, eq=False)
class Showdown:
    """The higher strength wins. `win`, `lose` and `tie` are seat 0's payoffs, seat 1's are the opposite."""

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
    """Dice under both cups are counted together; `pays[count]` is what each seat is paid for that count."""

    matching: tuple[Int64s, Int64s]  # how many dice of each hand count for the bid
    pays: Float64s  # (counts, 2)

    def payoffs(self, first: int, second: int) -> Pair:
        to_first, to_second = self.pays[self.matching[0][first] + self.matching[1][second]]
        return float(to_first), float(to_second)


Terminal = Matrix | Fold | Showdown | DiceCount


@dataclass(frozen=True, slots=True, eq=False)
class Symmetry:
    """The same game with other names, as when two suits are swapped.

    Hand `i` of a seat becomes its hand `hands[seat][i]`, and chance's move `m` becomes `moves[m]`; what seats do is
    named as before. Priors, legal moves and payoffs must all stay what they were.
    """

    hands: tuple[Int64s, Int64s]
    moves: Mapping[Action, Action]
