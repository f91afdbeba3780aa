"""CFR and best responses as in the papers: recursion over the game itself, one matrix of hands, no trees, no kernels.

The slow reference for `cfr.py` and `response.py`, used by tests. It asks the game for payoffs and outcomes pair by
pair, so it also checks `terminal` and how the flat tree represents chance. Reach is a matrix over pairs of hands.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np

from tahur.core.arrays import Float64s
from tahur.core.game import CHANCE, OVER, Action, Seat, Solvable
from tahur.solvers.schedule import Schedule

History = tuple[Action, ...]
Policy = Callable[[Any], Float64s]  # a table in, (actions, hands of the seat to act) out


class PlainCfr:
    """Vanilla CFR: one dictionary of regrets and one of averages, keyed by public history."""

    def __init__(self, game: Solvable[Any], schedule: Schedule) -> None:
        self.game = game
        self.schedule = schedule
        self.iteration = 0
        self.regrets: dict[History, Float64s] = {}
        self.averages: dict[History, Float64s] = {}
        self.forecasts: dict[History, Float64s] = {}

    def iterate(self, iterations: int) -> None:
        for _ in range(iterations):
            self.iteration += 1
            weights = self.schedule.weights(self.iteration, 2)
            for seat in (0, 1):
                own_reach = np.ones(len(self.game.hands(seat)))
                self._walk(self.game.start(), seat, own_reach, joint(self.game), weights)

    def average(self, table: Any) -> Float64s:
        """The average strategy at a public state."""
        return matched(self.averages[table.history])

    def current(self, table: Any, kept: Float64s) -> Float64s:
        """The strategy that the regrets give, with the forecast added if the schedule is predictive."""
        regrets = self._numbers(self.regrets, table)
        if not self.schedule.predict:
            return matched(regrets)
        return matched(_shrunk(regrets, kept) + self._numbers(self.forecasts, table))

    def _walk(self, table: Any, seat: Seat, own: Float64s, others: Float64s, weights: Float64s) -> Float64s:
        """Counterfactual values of the seat's hands; `others` is a (hands, hands) reach without the seat's own."""
        game = self.game
        if table.turn == OVER:
            return values_at(game, table, seat, others)
        if table.turn == CHANCE:
            return sum(
                (
                    self._walk(table.after(move), seat, own, others * chances, weights)
                    for move, chances in dealt(game, table).items()
                ),
                np.zeros(len(game.hands(seat))),
            )
        if table.turn != seat:
            strategy = self.current(table, weights[seat])  # seat 1 plays against seat 0's next strategy
            return sum(
                (
                    self._walk(table.after(action), seat, own, _times(others, chances, table.turn), weights)
                    for action, chances in zip(table.actions(), strategy, strict=True)
                ),
                np.zeros(len(game.hands(seat))),
            )
        strategy = self.current(table, weights[0])
        values = np.array(
            [
                self._walk(table.after(action), seat, own * chances, others, weights)
                for action, chances in zip(table.actions(), strategy, strict=True)
            ]
        )
        value = (strategy * values).sum(axis=0)
        self._learn(table, own * strategy, values - value, weights[0])
        return np.asarray(value)

    def _learn(self, table: Any, reach: Float64s, gains: Float64s, kept: Float64s) -> None:
        at = table.history
        self.averages[at] = self._numbers(self.averages, table) * kept[2] + reach
        self.regrets[at] = _shrunk(self._numbers(self.regrets, table), kept) + gains
        self.forecasts[at] = gains

    def _numbers(self, numbers: dict[History, Float64s], table: Any) -> Float64s:
        shape = len(table.actions()), len(self.game.hands(table.turn))
        return numbers.setdefault(table.history, np.zeros(shape))


def best_response(game: Solvable[Any], seat: Seat, policy: Policy) -> float:
    """The most a seat can win against the other seat's policy, knowing only its own hand."""
    return float(_best(game, game.start(), seat, policy, joint(game)).sum())


def _best(game: Solvable[Any], table: Any, seat: Seat, policy: Policy, others: Float64s) -> Float64s:
    if table.turn == OVER:
        return values_at(game, table, seat, others)
    if table.turn == CHANCE:
        below = [_best(game, table.after(move), seat, policy, others * p) for move, p in dealt(game, table).items()]
        return np.asarray(sum(below))
    if table.turn == seat:
        choices = [_best(game, table.after(action), seat, policy, others) for action in table.actions()]
        return np.asarray(np.max(choices, axis=0))
    steps = zip(table.actions(), policy(table), strict=True)
    return np.asarray(sum(_best(game, table.after(a), seat, policy, _times(others, p, table.turn)) for a, p in steps))


def joint(game: Solvable[Any]) -> Float64s:
    """The probability of each pair of hands."""
    likely = np.outer(game.prior(0), game.prior(1))
    for (one, first), (other, second) in product(enumerate(game.hands(0)), enumerate(game.hands(1))):
        likely[one, other] *= game.possible((first, second))
    return np.asarray(likely / likely.sum())


def matched(regrets: Float64s) -> Float64s:
    """Regret matching; the columns add up to 1."""
    positive = np.maximum(regrets, 0)
    total = positive.sum(axis=0)
    return np.where(total > 0, positive / np.where(total > 0, total, 1), 1 / len(regrets))


def dealt(game: Solvable[Any], table: Any) -> dict[Action, Float64s]:
    """The probability of each chance outcome, for each pair of hands."""
    chances = {move: np.zeros((len(game.hands(0)), len(game.hands(1)))) for move in game.outcomes(table, ())}
    for (one, first), (other, second) in product(enumerate(game.hands(0)), enumerate(game.hands(1))):
        moves = game.outcomes(table, (first, second)) if game.possible((first, second)) else ()
        for move in moves:
            chances[move][one, other] = 1 / len(moves)
    return chances


def values_at(game: Solvable[Any], table: Any, seat: Seat, others: Float64s) -> Float64s:
    """The value of a terminal for each hand of a seat: half its lead, which in a zero-sum game is its payoff."""
    lead = np.zeros_like(others)
    for (one, first), (other, second) in product(enumerate(game.hands(0)), enumerate(game.hands(1))):
        if others[one, other]:
            won, lost = game.payoffs(table, (first, second))
            lead[one, other] = (won - lost) / 2
    return np.asarray((lead * others).sum(axis=1) if seat == 0 else -(lead * others).sum(axis=0))


def _times(others: Float64s, chances: Float64s, seat: Seat) -> Float64s:
    return np.asarray(others * (chances[:, None] if seat == 0 else chances[None, :]))


def _shrunk(regrets: Float64s, kept: Float64s) -> Float64s:
    return np.asarray(regrets * np.where(regrets > 0, kept[0], kept[1]))
