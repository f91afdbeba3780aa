"""The exact equilibrium of heads-up push or fold: the small blind goes all-in or folds, the big blind calls or folds.

Hands are the 169 classes in the order of the matrix. A hand's suits do not matter in this game, so an equilibrium over
the classes is one over all hands. Equities are exact (`cards/equity/hand.py`), and so is card removal: each pair of
classes counts with the number of its combos that share no card. The game is solved by CFR+ (Tammelin 2014) until the
best responses of both seats, which are exact, win less than the target.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from tahur.cards.cards import COMBOS
from tahur.cards.equity.hand import class_equities
from tahur.cards.rankings import class_of_combos
from tahur.core.arrays import Float64s
from tahur.core.errors import SolverError
from tahur.solvers.nolimit.chart import PreflopChart

SMALL_BLIND: Final = 0.5  # in big blinds, like all amounts here
BIG_BLIND: Final = 1.0
LEAST_DEPTH, MOST_DEPTH = 1.0, 100.0
TARGET: Final = 1e-6  # of the exploitability
MEASURED_EVERY: Final = 100  # iterations
MOST_ITERATIONS: Final = 200_000


@dataclass(frozen=True, slots=True, eq=False)
class PushFoldEquilibrium:
    """The strategies of both seats, and what each action is worth with each hand, in big blinds.

    Values are net winnings, blinds included: folding is worth -0.5 to the small blind and -1 to the big blind.
    """

    depth: float
    push: Float64s  # (169,) the probability that the small blind goes all-in
    call: Float64s  # (169,) the probability that the big blind calls
    push_values: Float64s  # (169,) of going all-in, against `call`
    call_values: Float64s  # (169,) of calling, against `push`
    value: float  # of the game to the small blind
    exploitability: float  # half of what both best responses win together
    iterations: int

    def charts(self) -> tuple[PreflopChart, PreflopChart]:
        """The charts of the small blind (fold, all-in) and of the big blind facing the all-in (fold, call)."""
        gains = self.push_values + SMALL_BLIND, self.call_values + BIG_BLIND
        return _chart(self.push, gains[0]), _chart(self.call, gains[1])


class PushFoldGame:
    """The payoffs for one depth: effective stacks in big blinds, before the blinds are posted."""

    def __init__(self, depth: float) -> None:
        if not LEAST_DEPTH < depth <= MOST_DEPTH:
            raise SolverError(f"a depth of {depth:g} bb; push or fold needs more than {LEAST_DEPTH:g}, at most 100")
        equity, pairs = class_equities()
        self.depth = depth
        self.dealt = pairs / pairs.sum()  # (169, 169) the probability of each pair of classes
        self.showdown = self.dealt * depth * (2 * equity - 1)  # what the small blind wins if both are all-in

    def push_gains(self, call: Float64s) -> Float64s:
        """(169,) what the small blind gains by going all-in instead of folding, times the probability of the hand."""
        gains: Float64s = (
            self.showdown @ call + self.dealt @ (BIG_BLIND * (1 - call)) + SMALL_BLIND * self.dealt.sum(axis=1)
        )
        return gains

    def call_gains(self, push: Float64s) -> Float64s:
        """(169,) what the big blind gains by calling instead of folding, times the probability of both hands."""
        gains: Float64s = BIG_BLIND * (push @ self.dealt) - push @ self.showdown
        return gains

    def value(self, push: Float64s, call: Float64s) -> float:
        """What the small blind wins on average."""
        return float(push @ self.push_gains(call)) - SMALL_BLIND

    def exploitability(self, push: Float64s, call: Float64s) -> float:
        """Half of what exact best responses to both strategies win together."""
        best_push = float(np.maximum(self.push_gains(call), 0).sum()) - SMALL_BLIND
        best_call = float(np.maximum(self.call_gains(push), 0).sum()) - self._big_blind_folds(push)
        return (best_push + best_call) / 2

    def _big_blind_folds(self, push: Float64s) -> float:
        """What the big blind loses on average if it always folds to an all-in."""
        pushed = float(push @ self.dealt.sum(axis=1))
        return BIG_BLIND * pushed - SMALL_BLIND * (1 - pushed)

    def equilibrium(self, push: Float64s, call: Float64s, iterations: int) -> PushFoldEquilibrium:
        """The result with these strategies."""
        hands, pushed = self.dealt.sum(axis=1), push @ self.dealt
        return PushFoldEquilibrium(
            depth=self.depth,
            push=push,
            call=call,
            push_values=self.push_gains(call) / hands - SMALL_BLIND,
            call_values=self.call_gains(push) / pushed - BIG_BLIND,
            value=self.value(push, call),
            exploitability=self.exploitability(push, call),
            iterations=iterations,
        )


def solve_push_fold(depth: float, target: float = TARGET) -> PushFoldEquilibrium:
    """The equilibrium to an exploitability below `target` big blinds."""
    *_, last = push_fold_steps(depth, target)
    return last


def push_fold_steps(depth: float, target: float = TARGET) -> Iterator[PushFoldEquilibrium]:
    """CFR+ with alternating updates and linear averaging; yields what it has every 100 iterations until the target."""
    game = PushFoldGame(depth)
    count = len(game.dealt)
    regrets = np.zeros((2, 2, count))  # [seat][fold, go on]
    sums = np.zeros((2, count))  # of going on, weighted by the iteration
    mix = np.full((2, count), 0.5)
    for iteration in range(1, MOST_ITERATIONS + 1):
        for seat, gains_against in enumerate((game.push_gains, game.call_gains)):
            gains = gains_against(mix[1 - seat])
            mean = mix[seat] * gains
            regrets[seat] = np.maximum(regrets[seat] + (-mean, gains - mean), 0)
            total = regrets[seat].sum(axis=0)
            mix[seat] = np.divide(regrets[seat, 1], total, out=np.full(count, 0.5), where=total > 0)
            sums[seat] += iteration * mix[seat]
        if iteration % MEASURED_EVERY == 0:
            push, call = 2 * sums / (iteration * (iteration + 1))
            found = game.equilibrium(push, call, iteration)
            yield found
            if found.exploitability < target:
                return
    raise SolverError(f"push or fold at {depth:g} bb did not reach {target:g} in {MOST_ITERATIONS:,} iterations")


def _chart(chances: Float64s, gains: Float64s) -> PreflopChart:
    """The chart of a decision between folding and going on."""
    often = float(chances @ np.bincount(class_of_combos()) / COMBOS)
    shares, values = np.array([1 - chances, chances]), np.array([np.zeros_like(gains), gains])
    return PreflopChart(np.ones_like(chances), shares, (1 - often, often), values)
