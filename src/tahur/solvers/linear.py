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
        """Entries in which positions may repeat: repeated ones are summed."""
        width = int(columns.max(initial=0)) + 1
        places, at = np.unique(rows * width + columns, return_inverse=True)
        return cls(places // width, places % width, np.bincount(at, values).astype(float))

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
    """Minimise `costs` times the columns, with columns and rows within their bounds."""

    costs: Float64s
    columns: tuple[Float64s, Float64s]  # lowest, highest
    rows: tuple[Float64s, Float64s]
    matrix: Sequence[MatrixEntries]  # summands of the matrix


def minimise(program: LinearProgram) -> Float64s:
    """The columns of an optimal solution."""
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
    import highspy

    parts = MatrixEntries(*(np.concatenate(parts_of_kind) for parts_of_kind in zip(*program.matrix, strict=True)))
    order = np.argsort(parts.rows, kind="stable")
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(program.costs), len(program.rows[0])
    model.col_cost_ = program.costs
    model.col_lower_, model.col_upper_ = program.columns
    model.row_lower_, model.row_upper_ = program.rows
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = np.searchsorted(parts.rows[order], np.arange(model.num_row_ + 1))
    model.a_matrix_.index_ = parts.columns[order]
    model.a_matrix_.value_ = parts.values[order]
    return model
