"""Linear programs, minimised by the simplex method of HiGHS, which is imported on first use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from tahur.core.arrays import Float64s, Int64s
from tahur.core.errors import SolverError

if TYPE_CHECKING:
    from highspy import HighsLp

TOLERANCE: Final = 1e-9  # of rows and columns, and of reduced costs


class MatrixEntries(NamedTuple):
    """The non-zero entries of a matrix in coordinate form. No position occurs twice."""

    rows: Int64s
    columns: Int64s
    values: Float64s

    @classmethod
    def summed(cls, rows: Int64s, columns: Int64s, values: Float64s) -> MatrixEntries:
        """A matrix from entries whose positions may repeat: the values at the same position are added."""
        column_count = int(columns.max(initial=0)) + 1
        positions, position_of = np.unique(rows * column_count + columns, return_inverse=True)
        return cls(positions // column_count, positions % column_count, np.bincount(position_of, values).astype(float))

    def transposed(self) -> MatrixEntries:
        return MatrixEntries(self.columns, self.rows, self.values)

    def shifted(self, rows: int = 0, columns: int = 0, times: float = 1.0) -> MatrixEntries:
        """The same entries shifted down and right, each multiplied by `times`."""
        return MatrixEntries(self.rows + rows, self.columns + columns, self.values * times)

    def times(self, vector: Float64s, rows: int) -> Float64s:
        """The product with a vector; `rows` is the number of rows of the matrix."""
        return np.bincount(self.rows, self.values * vector[self.columns], rows).astype(float)


@dataclass(frozen=True, slots=True, eq=False)
class LinearProgram:
    """Find variables x that minimise `costs @ x`, with x and `matrix @ x` within their bounds.

    Columns are the variables and rows the constraints.
    """

    costs: Float64s  # (columns,)
    columns: tuple[Float64s, Float64s]  # lower and upper bound of each variable
    rows: tuple[Float64s, Float64s]  # lower and upper bound of each constraint
    matrix: Sequence[MatrixEntries]  # parts of the matrix, which are added


def minimise(program: LinearProgram) -> Float64s:
    """(columns,) the variables of an optimal solution."""
    import highspy

    solver = highspy.Highs()  # type: ignore[no-untyped-call]
    solver.silent()
    for option in ("primal_feasibility_tolerance", "dual_feasibility_tolerance"):
        solver.setOptionValue(option, TOLERANCE)
    if solver.passModel(_model(program)) != highspy.HighsStatus.kOk:
        raise SolverError("malformed linear program: a position occurs twice, or a lower bound exceeds an upper one")
    solver.run()
    status = solver.getModelStatus()
    if status != highspy.HighsModelStatus.kOptimal:
        words = solver.modelStatusToString(status)
        raise SolverError(f"a linear program of {len(program.costs):,} columns has no solution: {words}")
    return np.array(solver.getSolution().col_value)


def _model(program: LinearProgram) -> HighsLp:
    """The program in the format of HiGHS, with the matrix stored row by row."""
    import highspy

    rows, columns, values = (np.concatenate(column) for column in zip(*program.matrix, strict=True))
    entries = MatrixEntries(rows, columns, values)
    by_row = np.argsort(entries.rows, kind="stable")
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(program.costs), len(program.rows[0])
    model.col_cost_ = program.costs
    model.col_lower_, model.col_upper_ = program.columns
    model.row_lower_, model.row_upper_ = program.rows
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = np.searchsorted(entries.rows[by_row], np.arange(model.num_row_ + 1))
    model.a_matrix_.index_ = entries.columns[by_row]
    model.a_matrix_.value_ = entries.values[by_row]
    return model
