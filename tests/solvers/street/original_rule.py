"""The rule that the first description of the street solver calls CFR+, kept to show that it is not.

Regrets are added up bucket pair by bucket pair without the opponent's reach or the probability of the pair, set to zero
after each, and the average is weighted by the opponent's reach.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tahur.core.game import OVER
from tahur.solvers.street.game import StreetGame, StreetTable, decisions


class OriginalRule:
    """Runs so many rounds; `average` is the strategy that it arrives at, (14, 9, 4)."""

    def __init__(self, game: StreetGame) -> None:
        self._prior = game.prior(0)
        tables = list(decisions(game))
        self._place = {table.history: at for at, table in enumerate(tables)}
        self._actions = [len(table.actions()) for table in tables]
        self._regret = [[[0.0] * count for _ in range(9)] for count in self._actions]
        self._sum = [[[0.0] * count for _ in range(9)] for count in self._actions]
        self._tree = self._grown(game, game.start())

    def run(self, rounds: int) -> None:
        dealt = [bucket for bucket in range(9) if self._prior[bucket] > 1e-6]
        for _ in range(rounds):
            for one in dealt:
                for other in dealt:
                    for hero in (0, 1):
                        self._walk(self._tree, hero, (one, other), 1.0)

    def average(self) -> NDArray[np.float64]:
        strategy = np.zeros((14, 9, 4))
        for at, rows in enumerate(self._sum):
            for bucket, row in enumerate(rows):
                total = sum(row)
                strategy[at, bucket, : len(row)] = [share / total if total > 0 else 1 / len(row) for share in row]
        return strategy

    def _grown(self, game: StreetGame, table: StreetTable):
        """A tree of tuples: (None, payoffs to seat 0) or (place, seat, children)."""
        if table.turn == OVER:
            return None, [[game.payoffs(table, (one, other))[0] for other in range(9)] for one in range(9)]
        children = [self._grown(game, table.after(action)) for action in table.actions()]
        return self._place[table.history], table.turn, children

    def _walk(self, node, hero: int, hands: tuple[int, int], reach_other: float) -> float:
        if node[0] is None:
            won = node[1][hands[0]][hands[1]]
            return won if hero == 0 else -won
        place, seat, children = node
        regret = self._regret[place][hands[seat]]
        total = sum(regret)
        shares = [each / total for each in regret] if total > 0 else [1 / len(regret)] * len(regret)
        if seat != hero:
            return sum(
                share * self._walk(child, hero, hands, reach_other * share)
                for share, child in zip(shares, children, strict=True)
            )
        values = [self._walk(child, hero, hands, reach_other) for child in children]
        mean = sum(share * each for share, each in zip(shares, values, strict=True))
        sums = self._sum[place][hands[seat]]
        for at, each in enumerate(values):
            regret[at] = max(regret[at] + each - mean, 0.0)
            sums[at] += reach_other * shares[at]
        return mean
