"""The answer to a bet that is larger than any bet of the blueprint's tree: call or fold, as a small game of its own.

Read as the tree's largest bet it would be called far too often: a bet of all chips into a small pot is called by few
hands. In the small game each hand of the bettor chooses between this bet and its share of the pot without more
betting, each hand of the other seat calls or folds, and called bets go to a showdown without more betting. It is solved
by CFR+ (Tammelin 2014) with exact equities.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tahur.cards.equity.hand import equity_matrix
from tahur.cards.equity.removal import meeting
from tahur.core.arrays import Float32s, Float64s
from tahur.games.holdem.table import HoldemTable

ITERATIONS: Final = 200


def calls(table: HoldemTable, mine: Float64s, theirs: Float64s) -> Float64s:
    """(1326,) how often each hand of the seat to act calls; mine, theirs: the ranges before the bet."""
    pot, price = 2 * table.committed[table.turn], table.to_call
    equity = equity_matrix(table.board)
    mine, theirs = _scaled(mine), _scaled(theirs)
    met = meeting(mine)
    shared = pot * _share(equity, mine)  # by each hand of the bettor, without the bet
    bettor, caller = _Choice(), _Choice()
    for _ in range(ITERATIONS):
        called = mine * caller.often
        won = pot * (met - meeting(called)) + _showdown(equity, called, pot, price)
        bettor.learn(won - shared)
        betting = theirs * bettor.often
        caller.learn(_showdown(equity, betting, pot, price))
    return caller.average


def _scaled(weights: Float64s) -> Float64s:
    scaled: Float64s = weights / max(weights.sum(), 1e-300)
    return scaled


def _share(equity: Float32s, opposing: Float64s) -> Float64s:
    """The pots that each hand wins at a showdown, over the opposing hands."""
    return (equity @ opposing.astype(np.float32)).astype(np.float64)


def _showdown(equity: Float32s, opposing: Float64s, pot: float, price: float) -> Float64s:
    """What each hand wins by putting in the price and going to a showdown, over the opposing hands."""
    won: Float64s = _share(equity, opposing) * (pot + 2 * price) - price * meeting(opposing)
    return won


class _Choice:
    """How often each hand makes a bet or a call, by regret matching+ with linear averaging."""

    def __init__(self) -> None:
        self.often = np.full(1326, 0.5)
        self._do, self._leave = np.zeros(1326), np.zeros(1326)
        self._sum, self._weight = np.zeros(1326), 0

    def learn(self, gain: Float64s) -> None:
        """Update from what making it wins above leaving it."""
        self._do = np.maximum(self._do + (1 - self.often) * gain, 0)
        self._leave = np.maximum(self._leave - self.often * gain, 0)
        total = self._do + self._leave
        self.often = np.where(total > 0, self._do / np.where(total > 0, total, 1), 0.5)
        self._weight += 1
        self._sum += self._weight * self.often

    @property
    def average(self) -> Float64s:
        average: Float64s = self._sum / (self._weight * (self._weight + 1) / 2)
        return average
