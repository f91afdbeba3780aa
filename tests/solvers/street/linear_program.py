"""The street game as a linear program in sequence form (Koller, Megiddo and von Stengel, 1994), solved by scipy.

It shares nothing with the solvers of the house but the rules, so that they can be checked against it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import coo_matrix, hstack

from tahur.core.game import OVER
from tahur.solvers.street.game import StreetGame, StreetTable, decisions

Sequence = tuple[int, tuple[int, ...]]  # a bucket, and the history up to and with the seat's own last action


@dataclass
class Plans:
    """The sequences of one seat, and the rows that make a vector over them a plan."""

    number: dict[Sequence, int] = field(default_factory=dict)
    rows: list[tuple[int | None, list[int]]] = field(default_factory=list)  # parent (None: it is 1), its children

    def of(self, sequence: Sequence) -> int:
        return self.number.setdefault(sequence, len(self.number))


@dataclass(frozen=True)
class Solution:
    value: float  # to seat 0, in pots
    strategy: NDArray[np.float64]  # (14, 9, 4): tables in the order of `decisions`, buckets, the table's actions


def solve(game: StreetGame) -> Solution:
    """The value of the game, and a strategy for both seats."""
    plans, payoff = Plans(), Plans()
    seats = (plans, payoff)
    matrix = _payoff_matrix(game, seats)
    value, first = _best_plan(matrix, seats[0], seats[1])
    other, second = _best_plan(-matrix.T, seats[1], seats[0])
    assert abs(value + other) < 1e-9, "the two sides of the program disagree"
    return Solution(value, _behaviour(game, seats, (first, second)))


def _payoff_matrix(game: StreetGame, seats: tuple[Plans, Plans]):
    buckets = range(len(game.hands(0)))
    for seat, plans in enumerate(seats):
        for bucket in buckets:
            plans.rows.append((None, [plans.of((bucket, ()))]))
        for table in decisions(game):
            if table.turn == seat:
                for bucket in buckets:
                    children = [plans.of((bucket, (*table.history, action))) for action in table.actions()]
                    plans.rows.append((plans.of((bucket, _own(table, seat))), children))
    rows, columns, values = [], [], []
    for table in _ends(game):
        for one in buckets:
            for other in buckets:
                rows.append(seats[0].number[one, _own(table, 0)])
                columns.append(seats[1].number[other, _own(table, 1)])
                values.append(game.joint()[one, other] * game.payoffs(table, (one, other))[0])
    shape = len(seats[0].number), len(seats[1].number)
    return coo_matrix((values, (rows, columns)), shape).tocsr()


def _own(table: StreetTable, seat: int) -> tuple[int, ...]:
    """The history up to and with the seat's own last action."""
    mine = [at for at in range(len(table.history)) if at % 2 == seat]
    return table.history[: mine[-1] + 1] if mine else ()


def _ends(game: StreetGame) -> list[StreetTable]:
    after = [table.after(action) for table in decisions(game) for action in table.actions()]
    return [table for table in after if table.turn == OVER]


def _best_plan(matrix, mine: Plans, theirs: Plans) -> tuple[float, NDArray[np.float64]]:
    """Maximise over my plan the least that their plans leave me: the dual of their best response."""
    my_rows, my_right = _constraints(mine)
    their_rows, their_right = _constraints(theirs)
    cost = np.concatenate([np.zeros(len(mine.number)), -their_right])
    result = linprog(
        cost,
        A_ub=hstack([-matrix.T, their_rows.T]),
        b_ub=np.zeros(len(theirs.number)),
        A_eq=hstack([my_rows, coo_matrix((len(my_right), len(their_right)))]),
        b_eq=my_right,
        bounds=[(0, None)] * len(mine.number) + [(None, None)] * len(their_right),
        method="highs",
    )
    assert result.success, result.message
    return -result.fun, result.x[: len(mine.number)]


def _constraints(plans: Plans):
    entries = [(row, child, 1.0) for row, (_, children) in enumerate(plans.rows) for child in children]
    entries += [(row, parent, -1.0) for row, (parent, _) in enumerate(plans.rows) if parent is not None]
    rows, columns, values = zip(*entries, strict=True)
    right = np.array([1.0 if parent is None else 0.0 for parent, _ in plans.rows])
    return coo_matrix((values, (rows, columns)), (len(plans.rows), len(plans.number))).tocsr(), right


def _behaviour(game: StreetGame, seats: tuple[Plans, Plans], found: tuple[NDArray, NDArray]) -> NDArray[np.float64]:
    """Where a plan never comes, every action alike."""
    tables = list(decisions(game))
    strategy = np.zeros((len(tables), 9, 4))
    for at, table in enumerate(tables):
        plans, plan = seats[table.turn], found[table.turn]
        for bucket in range(9):
            ways = [plan[plans.number[bucket, (*table.history, action)]] for action in table.actions()]
            total = max(sum(ways), 0.0)
            share = np.maximum(ways, 0) / total if total > 1e-12 else np.full(len(ways), 1 / len(ways))
            strategy[at, bucket, : len(ways)] = share / share.sum()
    return strategy
