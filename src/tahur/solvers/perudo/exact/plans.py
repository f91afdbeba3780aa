"""Two linear programmes for a seat of a narrowed round: what it can guarantee itself, and the nearest plan that does.

Both let the other seat answer as well as it can: `worths`, a column for each of its decisions, are what its best answer
leaves. The nearest plan matters, since a round has many best plans and most of them, taken from a corner of what is
allowed, are helpless against what was left out; one near a plan that nearly holds against everything needs few repairs.
"""

from __future__ import annotations

import numpy as np

from tahur.core.arrays import Float64s
from tahur.solvers.linear import LinearProgram, MatrixEntries, minimise
from tahur.solvers.perudo.exact.narrow import Narrow


def most(narrow: Narrow, seat: int) -> float:
    """What a seat can guarantee itself."""
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


def nearest(narrow: Narrow, seat: int, near: Float64s, guarantee: float) -> Float64s:
    """The plan nearest to `near`, in the sum of the distances, that guarantees the seat so much.

    Its columns are how far it goes up and how far down from `near` in each sequence, and the other's worths.
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
