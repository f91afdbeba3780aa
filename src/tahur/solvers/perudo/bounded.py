"""Rounds too large to solve: each seat in turn has a restricted set of bids, against an unrestricted opponent.

A seat that must call after a number of bids, and chooses among few raises, plays a round that is small enough
(`BidLimit`). The other seat may do everything that it may do in the full round, so what it wins with its best response
is what it would win in the full round: the limited seat's strategy guarantees the rest, exactly. Two such rounds, one
for each seat, give a strategy for both, a lower and an upper bound of the value, and the exact NashConv of the pair,
which is the distance between the bounds.

Seats with imperfect recall (see `recall`) also have a guarantee, a better one with few dice and a worse one with many.
With both available, each seat takes the better one: a guarantee holds on its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.core.errors import SolverError
from tahur.core.game import Seat
from tahur.games.perudo.bids import ACE, bids_in_order, count_of, face_of
from tahur.games.perudo.game import Perudo
from tahur.games.perudo.ladder import BidLimit, ladder_of
from tahur.games.perudo.recall import known_graph
from tahur.games.perudo.round import Round
from tahur.solvers.perudo.recall.solver import RecallSolver, usual_recall
from tahur.solvers.perudo.solver import RoundSolver
from tahur.solvers.perudo.stakes import RoundStakes

MOST: Final = 7_000_000  # numbers in a round that is solved this way
MENUS: Final = (0, 12, 8, 6)  # remaining raises, from all of them down
LONGEST: Final = 9  # bids
SELDOM: Final = 3  # iterations with limits for each one with imperfect recall
START: Final = 0.4  # of all dice: where the bids of a limited seat begin

Plan = NDArray[Any] | None


@dataclass(frozen=True, slots=True, eq=False)
class SolverPair:
    """A solver for the opener's strategy and one for the other's; the same one if the full round is solved."""

    opener: RoundSolver
    other: RoundSolver

    @property
    def exact(self) -> bool:
        return self.opener is self.other

    def iterate(self, iterations: int) -> None:
        for solver in self.solvers:
            solver.iterate(iterations)

    def set_stakes(self, stakes: RoundStakes) -> None:
        for solver in self.solvers:
            solver.set_stakes(stakes)

    def bounds(self) -> tuple[float, float]:
        return self.lower(), self.upper()

    def lower(self, plan: Plan = None) -> float:
        """The opener's guaranteed value, with the average strategy or a plan in the same layout."""
        return -self.opener.best(1, plan)

    def upper(self, plan: Plan = None) -> float:
        """An upper bound of the opener's value, from the other seat's strategy."""
        return self.other.best(0, plan)

    def middle(self, plan: Plan = None) -> float:
        return (self.lower(plan) + self.upper(plan)) / 2

    @property
    def solvers(self) -> tuple[RoundSolver, ...]:
        return (self.opener,) if self.exact else (self.opener, self.other)


def pair_of(game: Perudo, *, most: int = MOST, stakes: RoundStakes | None = None) -> SolverPair:
    """The full round if it has at most `most` numbers, else one limited round for each seat."""
    if ladder_of(game.round).size <= most:
        whole = RoundSolver(game, stakes=stakes)
        return SolverPair(whole, whole)
    solvers = [
        RoundSolver(game, limit=limit_for(game.round, seat, most), stakes=stakes, dtype=np.float32) for seat in (0, 1)
    ]
    return SolverPair(solvers[0], solvers[1])


@dataclass(frozen=True, slots=True, eq=False)
class TwoWays:
    """Two approaches to a round that is too large; each seat uses the one that guarantees it more."""

    limited: SolverPair
    forgetful: RecallSolver

    exact = False

    @property
    def solvers(self) -> tuple[RoundSolver, ...]:
        return self.limited.solvers

    def iterate(self, iterations: int) -> None:
        """One iteration with imperfect recall for several limited ones: it covers many more hands, and needs fewer."""
        self.limited.iterate(iterations)
        self.forgetful.iterate(self.limited.opener.iteration // SELDOM - self.forgetful.iteration)

    def set_stakes(self, stakes: RoundStakes) -> None:
        self.limited.set_stakes(stakes)
        self.forgetful.set_stakes(stakes)

    def lower(self, plan: Plan = None) -> float:
        """What the opener is guaranteed by the better of the two approaches."""
        return max(self.limited.lower(plan), -self.forgetful.best(1))

    def upper(self, plan: Plan = None) -> float:
        """The most that the opener can win against the better of the two approaches."""
        return min(self.limited.upper(plan), self.forgetful.best(0))


def ways_with(game: Perudo, *, most: int = MOST, stakes: RoundStakes | None = None) -> SolverPair | TwoWays:
    """The full round if it has at most `most` numbers; otherwise a limited and an imperfect-recall solver of that size
    each."""
    limited = pair_of(game, most=most, stakes=stakes)
    if limited.exact:
        return limited
    recall = usual_recall(game.round)
    while recall.bids > 1 and known_graph(game.round, recall).size > most:
        recall = replace(recall, bids=recall.bids - 1)
    return TwoWays(limited, RecallSolver(game, recall, stakes=stakes))


def limit_for(round_: Round, seat: Seat, most: int = MOST) -> BidLimit:
    """The limit with the most bids, and then the most raises, that needs at most `most` numbers."""
    floor = _floor(round_)
    for bids in range(LONGEST - (LONGEST - seat) % 2, 0, -2):
        for reach in MENUS:
            limit = BidLimit(seat, bids, reach, floor)
            if ladder_of(round_, limit).size <= most and (reach == 0 or reach > MENUS[-1] or bids < 5):
                return limit
    raise SolverError(f"perudo: a limited round of {round_.total} dice needs more than {most:,} numbers; allow more")


def _floor(round_: Round) -> int:
    """How many bids are below the first that claims a substantial share of all dice; wild aces count double."""
    if round_.palifico or round_.total < 5:
        return 0
    start = round(START * round_.total)
    return sum(_height(bid) < start for bid in bids_in_order(round_.total))


def _height(bid: int) -> float:
    return 2 * count_of(bid) + 0.5 if face_of(bid) == ACE else count_of(bid)
