"""What every solver offers, and the one loop that runs them.

A `Solver` improves a strategy, iteration by iteration. Interrupting it (Ctrl-C) leaves whole iterations, so at any time
`iteration`, `measure` and `state` belong together, and a solver that resumes from a state continues bit for bit as the
first one would have. `run` yields its progress; reading the clock, showing progress and writing files is the caller's
part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, Protocol, Self, TypeVar

from numpy.typing import NDArray

from tahur.core.errors import SolverError

Clock = Callable[[], float]
SECONDS_PER_STEP: Final = 0.2  # of iterations between two progress reports of a run with a clock
NEVER: Final = 0  # for `every`: do not measure


class Measured(Protocol):
    """A measurement of a strategy, in the solver's own unit."""

    @property
    def exploitability(self) -> float:
        """What a best response wins, averaged over the seats; never negative, up to rounding."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class SolverState:
    """Everything that a file must store to resume. The arrays are the solver's own: they change as it iterates."""

    iteration: int  # finished iterations
    arrays: Mapping[str, NDArray[Any]]

    def copy(self) -> Self:
        return replace(self, arrays={name: array.copy() for name, array in self.arrays.items()})


def fill(target: Mapping[str, NDArray[Any]], state: SolverState, solver_name: str) -> None:
    """Copy the arrays of a saved state into a solver's own arrays, `target`, which must have the same names and shapes.

    `solver_name` is used in error messages.
    """
    if target.keys() != state.arrays.keys():
        names, expected = (", ".join(arrays) or "no arrays" for arrays in (state.arrays, target))
        raise SolverError(f"{solver_name}: the given state has {names}; {expected} were expected")
    for name, array in target.items():
        if array.shape != state.arrays[name].shape:
            raise SolverError(
                f"{solver_name}: the given state has {state.arrays[name].size:,} numbers; {array.size:,} were expected"
            )
    for name, array in target.items():
        if array is not state.arrays[name]:  # a large state may have been read into the solver's own arrays
            array[:] = state.arrays[name]


@dataclass(frozen=True, slots=True)
class Estimate:
    """What solving takes: memory, and the work of an iteration."""

    bytes: int
    cells: int  # numbers that an iteration processes

    def seconds(self, iterations: int, speed: float) -> float:
        """The time of `iterations` iterations at `speed` cells per second."""
        return self.cells * iterations / speed


Measurement = TypeVar("Measurement", bound=Measured, covariant=True)
State = TypeVar("State", bound=SolverState)


class Solver(Protocol[Measurement, State]):
    """Solves one game by iterations."""

    @property
    def iteration(self) -> int:
        """The number of finished iterations."""
        ...

    def iterate(self, iterations: int, /) -> None:
        """Run this many more iterations. If interrupted, it may run fewer, and raises when the state is consistent."""
        ...

    def measure(self) -> Measurement | None:
        """Measure the average strategy, without changing the state; None if it cannot be measured exactly."""
        ...

    def state(self) -> State:
        """The current state, not a copy."""
        ...

    def resume(self, state: State, /) -> None:
        """Continue from a state of the same game and options; the solver may keep and change the state's arrays."""
        ...

    def estimate(self) -> Estimate:
        """The memory that it takes, and the work of an iteration."""
        ...


@dataclass(frozen=True, slots=True)
class Progress(Generic[Measurement]):
    """A step of a run; `measure` is None between two measurements."""

    iteration: int
    measure: Measurement | None = None


def run(
    solver: Solver[Measurement, State],
    *,
    iterations: int,
    target: float | None = None,
    every: int | Callable[[int], int] = 100,
    step: int | None = None,
    clock: Clock | None = None,
) -> Iterator[Progress[Measurement]]:
    """Iterate until `iterations` are done in total, exploitability is at most `target`, or the caller stops iterating.

    Exploitability is measured at each multiple of `every` iterations (a number, or a function of the iteration) and at
    the end; a resumed run with a target begins with a measurement. Progress is yielded after each measurement and every
    `step` iterations; with a clock, after a fraction of a second. Neither changes the result.
    """
    interval_at = every if callable(every) else lambda _: every  # iterations between measurements
    if (step is not None and step < 1) or interval_at(solver.iteration) < NEVER:
        raise SolverError(f"every={every} and step={step}: both must be at least 1 iteration")
    if target is not None and solver.iteration:
        yield (progress := Progress(solver.iteration, solver.measure()))
        if _is_reached(progress, target):
            return
    step_size = step or (iterations if clock is None else 1)
    while solver.iteration < iterations:
        next_stop = _next_measurement(solver.iteration, interval_at(solver.iteration), iterations)
        step_size = _iterate(solver, min(step_size, next_stop - solver.iteration), clock) or step_size
        is_due = solver.iteration == next_stop and interval_at(next_stop) != NEVER
        yield (progress := Progress(solver.iteration, solver.measure() if is_due else None))
        if _is_reached(progress, target):
            return


def _is_reached(progress: Progress[Measured], target: float | None) -> bool:
    return target is not None and progress.measure is not None and progress.measure.exploitability <= target


def _next_measurement(iteration: int, interval: int, last: int) -> int:
    """The iteration of the next measurement: the next multiple of `interval`, but at most `last`."""
    return min(last, iteration + interval - iteration % interval) if interval else last


def _iterate(solver: Solver[Measurement, State], count: int, clock: Clock | None) -> int | None:
    """Run `count` iterations. With a clock, return how many iterations take about `SECONDS_PER_STEP`; otherwise
    None."""
    if clock is None:
        solver.iterate(count)
        return None
    began = clock()
    solver.iterate(count)
    return max(1, int(count * SECONDS_PER_STEP / max(clock() - began, 1e-9)))
