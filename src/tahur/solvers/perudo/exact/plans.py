"""Two linear programs for a seat of a restricted round: its guaranteed value, and the nearest plan that attains it.

In both the other seat plays a best response: `worths`, a column for each of its decisions, are its values. The nearest
plan matters, since a round has many optimal plans and most of them, at a corner of the allowed set, are weak against
actions that were left out; a plan near one that is nearly optimal against everything needs few repairs.
"""

from __future__ import annotations

import numpy as np

from tahur.core.arrays import Float64s
from tahur.solvers.linear import LinearProgram, MatrixEntries, minimise
from tahur.solvers.perudo.exact.narrow import RestrictedRound


def most(narrow: RestrictedRound, seat: int) -> float:
    """The value that a seat can guarantee itself."""
    mine, yours = (len(narrow.sequences[each]) for each in (seat, 1 - seat))
    (rules, right), (their_rules, _) = (narrow.sequences[each].rules() for each in (seat, 1 - seat))
    others = int(their_rules.rows.max()) + 1
    free = np.full(others, np.inf)
    solution = minimise(
        LinearProgram(
            np.concatenate([np.zeros(mine), -np.eye(1, others)[0]]),
            (np.concatenate([np.zeros(mine), -free]), np.concatenate([np.full(mine, np.inf), free])),
            (np.concatenate([np.zeros(yours), right]), np.concatenate([np.full(yours, np.inf), right])),
            (
                narrow.pays_to(seat),
                their_rules.transposed().shifted(columns=mine, times=-1.0),
                rules.shifted(rows=yours),
            ),
        )
    )
    return float(solution[mine])


def nearest(narrow: RestrictedRound, seat: int, near: Float64s, guarantee: float) -> Float64s:
    """The plan nearest to `near`, in the sum of absolute differences, that guarantees the seat `guarantee`.

    Its columns are the increase and the decrease from `near` in each sequence, and the other's worths.
    """
    mine, yours = (len(narrow.sequences[each]) for each in (seat, 1 - seat))
    (rules, right), (their_rules, _) = (narrow.sequences[each].rules() for each in (seat, 1 - seat))
    others = int(their_rules.rows.max()) + 1
    free, pays = np.full(others, np.inf), narrow.pays_to(seat)
    owed = -pays.times(near, yours)
    missing = right - rules.times(near, len(right))
    lowest = np.concatenate([np.zeros(2 * mine), [guarantee], -free[1:]])
    solution = minimise(
        LinearProgram(
            np.concatenate([np.ones(2 * mine), np.zeros(others)]),
            (lowest, np.concatenate([np.full(mine, np.inf), near, free])),
            (np.concatenate([owed, missing]), np.concatenate([np.full(yours, np.inf), missing])),
            (
                *_up_and_down(pays, mine),
                their_rules.transposed().shifted(columns=2 * mine, times=-1.0),
                *_up_and_down(rules.shifted(rows=yours), mine),
            ),
        )
    )
    return np.maximum(near + solution[:mine] - solution[mine : 2 * mine], 0.0)


def _up_and_down(entries: MatrixEntries, columns: int) -> tuple[MatrixEntries, MatrixEntries]:
    return entries, entries.shifted(columns=columns, times=-1.0)
