"""Values and true best responses in the street game, said as plainly as they can be: recursion over matrices."""

from __future__ import annotations

import numpy as np

from tahur.core.arrays import Float64s
from tahur.core.game import OVER
from tahur.solvers.street.game import StreetGame, StreetTable, decisions


def value(game: StreetGame, strategy: Float64s) -> float:
    """To seat 0, in pots; strategy: (14, 9, 4)."""
    return float((game.joint() * _values(game, game.start(), strategy)).sum())


def exploitability(game: StreetGame, strategy: Float64s) -> float:
    """What a best response wins more than the value, the mean of both seats, in pots."""
    return sum(best_response(game, strategy, seat) for seat in (0, 1)) / 2


def best_response(game: StreetGame, strategy: Float64s, seat: int) -> float:
    """The most that a seat can win against the other's strategy."""
    joint = game.joint() if seat == 0 else game.joint().T
    return float(_best(game, game.start(), strategy, seat, joint).sum())


def _values(game: StreetGame, table: StreetTable, strategy: Float64s) -> Float64s:
    """(9, 9) what seat 0 wins from here on."""
    if table.turn == OVER:
        return _payoffs(game, table, 0)
    shares = _shares(game, table, strategy)
    after = [_values(game, table.after(action), strategy) for action in table.actions()]
    if table.turn == 0:
        return sum(shares[:, at, None] * then for at, then in enumerate(after))
    return sum(shares[None, :, at] * then for at, then in enumerate(after))


def _best(game: StreetGame, table: StreetTable, strategy: Float64s, seat: int, reach: Float64s) -> Float64s:
    """(9,) for each of the seat's buckets; reach: (own bucket, other bucket), chance and the other seat only."""
    if table.turn == OVER:
        return (reach * _payoffs(game, table, seat)).sum(axis=1)
    if table.turn == seat:
        after = [_best(game, table.after(action), strategy, seat, reach) for action in table.actions()]
        return np.max(after, axis=0)
    shares = _shares(game, table, strategy)
    return sum(
        _best(game, table.after(action), strategy, seat, reach * shares[None, :, at])
        for at, action in enumerate(table.actions())
    )


def _payoffs(game: StreetGame, table: StreetTable, seat: int) -> Float64s:
    """(9, 9) own bucket by the other's."""
    first = np.array([[game.payoffs(table, (one, other))[0] for other in range(9)] for one in range(9)])
    return first if seat == 0 else -first.T


def _shares(game: StreetGame, table: StreetTable, strategy: Float64s) -> Float64s:
    return strategy[list(decisions(game)).index(table)]
