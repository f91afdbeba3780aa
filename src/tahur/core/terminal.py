"""Payoffs of a finished deal for every pair of hands at once: the return values of `Solvable.terminal`.

A solver asks once per terminal of the tree instead of once per pair of hands. Four classes cover the games here; each
also has `payoffs(first, second)`, the slow form for one pair of hands, given by their indices in `hands(seat)`. Payoffs
are to seat 0 and seat 1. Solvers handle two-seat games only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tahur.core.arrays import Float64s, Int64s
from tahur.core.words import Action

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
