"""Linear programmes: the least of a sum under linear rules, by the simplex method of HiGHS, imported when asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from tahur.core.arrays import Float64s, Int64s
from tahur.core.errors import SolverError

if TYPE_CHECKING:
    from highspy import HighsLp

TOLERANCE: Final = 1e-9  # of rows and columns, and of what a column could still gain


class MatrixEntries(NamedTuple):
    """The entries of a matrix that are not 0: where, and what. No place comes twice."""

    rows: Int64s
    columns: Int64s
    values: Float64s

    @classmethod
    def added_up(cls, rows: Int64s, columns: Int64s, values: Float64s) -> MatrixEntries:
        """Entries of which some stand in the same place: their sums."""
        width = int(columns.max(initial=0)) + 1
        places, at = np.unique(rows * width + columns, return_inverse=True)
        return cls(places // width, places % width, np.bincount(at, values).astype(float))

    def turned(self) -> MatrixEntries:
        return MatrixEntries(self.columns, self.rows, self.values)

    def moved(self, rows: int = 0, columns: int = 0, times: float = 1.0) -> MatrixEntries:
        """The same further down and to the right, each entry so many times as large."""
        return MatrixEntries(self.rows + rows, self.columns + columns, self.values * times)

    def times(self, vector: Float64s, rows: int) -> Float64s:
        """The product with a vector; `rows` is how many the matrix has."""
        return np.bincount(self.rows, self.values * vector[self.columns], rows).astype(float)


@dataclass(frozen=True, slots=True, eq=False)
class Programme:
    """The least of `costs` times the columns, where columns and rows stay within their bounds."""

    costs: Float64s
    columns: tuple[Float64s, Float64s]  # lowest, highest
    rows: tuple[Float64s, Float64s]
    matrix: Sequence[MatrixEntries]  # parts that are added up


def least(programme: Programme) -> Float64s:
    """The columns of a best solution."""
    import highspy

    solver = highspy.Highs()  # type: ignore[no-untyped-call]
    solver.silent()
    for option in ("primal_feasibility_tolerance", "dual_feasibility_tolerance"):
        solver.setOptionValue(option, TOLERANCE)
    if solver.passModel(_model(programme)) != highspy.HighsStatus.kOk:
        raise SolverError("a linear programme is not sound: it has a place twice, or bounds that cross")
    solver.run()
    status = solver.getModelStatus()
    if status != highspy.HighsModelStatus.kOptimal:
        words = solver.modelStatusToString(status)
        raise SolverError(f"a linear programme of {len(programme.costs):,} columns has no solution: {words}")
    return np.array(solver.getSolution().col_value)


def _model(programme: Programme) -> HighsLp:
    import highspy

    parts = MatrixEntries(*(np.concatenate(each) for each in zip(*programme.matrix, strict=True)))
    order = np.argsort(parts.rows, kind="stable")
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(programme.costs), len(programme.rows[0])
    model.col_cost_ = programme.costs
    model.col_lower_, model.col_upper_ = programme.columns
    model.row_lower_, model.row_upper_ = programme.rows
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = np.searchsorted(parts.rows[order], np.arange(model.num_row_ + 1))
    model.a_matrix_.index_ = parts.columns[order]
    model.a_matrix_.value_ = parts.values[order]
    return model
