"""The run loop of `tahur solve`, `tahur postflop solve` and `tahur train`: progress, limits, Ctrl-C, checkpoints."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from math import inf, log
from pathlib import Path
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any, Final, Generic, Self, TypeVar

import typer

from tahur.cli.live import show_progress
from tahur.cli.output import PATIENCE, note
from tahur.core.lock import PathLock, lock

if TYPE_CHECKING:
    from rich.console import RenderableType

    from tahur.core.solution import Facts
    from tahur.solvers.solver import Measured, Progress, Solver, SolverState

ENDLESS: Final = 1_000_000_000  # iterations
CLEAR_LINE: Final = "\r\033[K"  # terminal codes that erase the line of the progress
STOPPING: Final = "stopping ... (Ctrl-C again: discard the last steps)"
CHECKPOINT_SECONDS: Final = 60.0  # between checkpoints
CHECKPOINT_RATIO: Final = (
    12  # the next checkpoint waits at least this many times as long as the last one took to write,
)
LONGEST_PAUSE: Final = 600.0  # but at most this many seconds

Step = TypeVar("Step")
Measurement = TypeVar("Measurement", bound="Measured")


@dataclass(frozen=True, slots=True)
class SolveGoal:
    """When to stop: at the first limit that is reached."""

    iterations: int
    target: float | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """How long a run took, and whether Ctrl-C ended it."""

    seconds: float
    cpu_seconds: float
    stopped: bool


class CtrlC:
    """Turns Ctrl-C into a request to stop after the current step; a second Ctrl-C raises `KeyboardInterrupt`.

    The first one prints `message` (or, if that is a function, what it returns). `interrupts`: the first one also raises
    `KeyboardInterrupt`, for work that stays consistent when it is interrupted (`solvers/interrupts.py`).
    """

    def __init__(self, message: str | Callable[[], str] = STOPPING, *, interrupts: bool = False) -> None:
        self.stop_requested, self._message, self._interrupts = False, message, interrupts
        self._before: Any = None

    def __enter__(self) -> Self:
        self._before = signal.signal(signal.SIGINT, self._on_interrupt)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        signal.signal(signal.SIGINT, self._before)

    def _on_interrupt(self, number: int, frame: FrameType | None) -> None:
        again, self.stop_requested = self.stop_requested, True
        if not again:
            message = self._message if isinstance(self._message, str) else self._message()
            note(CLEAR_LINE + message if sys.stderr.isatty() else message)
        if again or self._interrupts:
            raise KeyboardInterrupt


@dataclass(frozen=True, slots=True)
class Saving:
    """How a run is saved: `finish` at the end, also after Ctrl-C, and `checkpoint` every so many seconds."""

    finish: Callable[[], None]
    checkpoint: Callable[[], None] | None = None
    pause: float = CHECKPOINT_SECONDS


def drive(
    steps: Iterator[Step],
    draw: Callable[[Step], tuple[RenderableType, str]],
    saving: Saving,
    *,
    seconds: float | None = None,
    stopping: str | Callable[[], str] = STOPPING,
    interrupts: bool = True,
) -> RunOutcome:
    """Take the steps to the end, the time limit or Ctrl-C, with a live display on stderr, and save.

    draw: the display after a step, for a terminal and for a pipe; stopping: the message after Ctrl-C. interrupts:
    whether Ctrl-C may interrupt a step. If not, the run stops after the step; a second Ctrl-C stops it at once, and
    since the state is then inconsistent, nothing is saved and earlier checkpoints stay.
    """
    began, cpu = time.monotonic(), time.process_time()
    deadline = inf if seconds is None else began + seconds
    is_consistent = True
    with CtrlC(stopping, interrupts=interrupts) as ctrl_c:
        try:
            with closing(show_progress(steps, draw, first=PATIENCE)) as displayed:
                _follow(displayed, saving, lambda now: ctrl_c.stop_requested or now >= deadline)
        except KeyboardInterrupt:
            if not ctrl_c.stop_requested:
                raise
            is_consistent = interrupts
        outcome = RunOutcome(time.monotonic() - began, time.process_time() - cpu, ctrl_c.stop_requested)
        if is_consistent:
            saving.finish()
    return outcome


def _follow(steps: Iterator[object], saving: Saving, is_over: Callable[[float], bool]) -> None:
    """Take all steps until `is_over` (called with the time) or the end, and save checkpoints between them."""
    saved, pause = time.monotonic(), saving.pause
    for _ in steps:
        now = time.monotonic()
        if is_over(now):
            return
        if saving.checkpoint is not None and now - saved > pause:
            saving.checkpoint()
            saved = time.monotonic()
            pause = max(saving.pause, min(CHECKPOINT_RATIO * (saved - now), LONGEST_PAUSE))


class RunView(Generic[Measurement]):
    """Follows the run of a solver: remembers the last measurement, and describes the progress in a line.

    `figure` is the measured number to show, with its words as a format: "exploitability {:.3g} antes".
    """

    def __init__(
        self,
        solver: Solver[Measurement, SolverState],
        what: str,
        *,
        figure: Callable[[Measurement], float],
        words: str,
        target: float | None,
        more: Callable[[], str] | None = None,
    ) -> None:
        """more: what else to show."""
        self._solver, self._what, self._figure, self._words, self._target = solver, what, figure, words, target
        self._first, self._began, self._more = solver.iteration, time.monotonic(), more
        self._last: Progress[Measurement] | None = None
        self._known: list[tuple[int, float]] = []  # iterations and figures

    def watch(self, steps: Iterator[Progress[Measurement]]) -> Iterator[Progress[Measurement]]:
        """Yield the steps and remember their measurements."""
        for progress in steps:
            if progress.measure is not None:
                self._last = progress
                self._known.append((progress.iteration, self._figure(progress.measure)))
            yield progress

    def measure(self) -> Measurement:
        """The measure of the solver as it is now; measured only if the last measurement is older."""
        last = self._last
        measure = last.measure if last is not None and last.iteration == self._solver.iteration else None
        measure = self._solver.measure() if measure is None else measure
        assert measure is not None, "only solvers that can be measured are followed"
        return measure

    def draw(self, progress: Progress[Measurement]) -> tuple[RenderableType, str]:
        """The line of the progress, for a terminal and for a pipe."""

        from rich.text import Text

        spent = time.monotonic() - self._began
        rate = (progress.iteration - self._first) / max(spent, 1e-9)
        words = [f"{self._what}: iteration {progress.iteration:,}"]
        words += [self._words.format(self._known[-1][1])] if self._known else []
        words += [f"target {self._target:.3g}"] if self._target is not None else []
        words += [self._more()] if self._more is not None else []
        left = self._time_left(rate)
        ends = [f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.2g}/s", *([f"about {left} left"] if left else [])]
        return Text(", ".join(words)), f"{', '.join(words)}; {'; '.join(ends)}; Ctrl-C stops and saves"

    def _time_left(self, rate: float) -> str | None:
        """The estimated time until the target, at `rate` iterations per second; None if it cannot be estimated yet.

        The figure is assumed to fall as a power of the iterations, fitted to the last measurement and to the first one
        with at least half as many iterations.
        """
        if not self._target or not self._known or rate <= 0:
            return None
        now, last_figure = self._known[-1]
        before, first_figure = next(known for known in self._known if 2 * known[0] >= now)
        if now == before or not 0 < last_figure < first_figure:
            return None
        power = log(first_figure / last_figure) / log(now / before)
        needed = now * (last_figure / self._target) ** (1 / power)  # iterations in all
        seconds = max(needed - now, 0) / rate
        return f"{seconds / 60:.0f} min" if seconds > 90 else f"{seconds:.0f} s"


def check_kept(path: Path, is_ours: Callable[[Path], bool], what: str, *, resume: Path | None) -> None:
    """Check the output path before the work starts; `resume`: the file to resume from."""
    from tahur.core.errors import StrategyError

    if resume is not None and not resume.exists():
        raise StrategyError(f"no file {resume} to resume from; omit --resume to start a new one")
    if path.exists() and not is_ours(path):
        raise StrategyError(f"{path} exists and is not a {what}; choose another with -o FILE")
    if not path.absolute().parent.is_dir():
        raise StrategyError(f"no folder {path.parent} for {path.name}")
    hold(path)


_HELD: Final[list[PathLock]] = []  # until the command ends


def hold(path: Path) -> None:
    """Lock this file against other processes while the command runs."""
    _HELD.append(lock(path))


def check_schedule(path: Path, started: str, chosen: str | None) -> None:
    """Reject a `--schedule` other than the one that a file was started with."""
    from tahur.core.errors import SolverError

    if chosen not in (None, started):
        raise SolverError(f"{path} was started with --schedule {started}; it cannot be resumed with {chosen}")


def facts_json(facts: Facts) -> dict[str, Any]:
    """What was solved and how well, for `--json`."""
    keys = ("game", "settings", "schedule", "iterations", "exploitability", "nashconv", "value", "unit")
    return {key: getattr(facts, key) for key in keys}


def exit_if_stopped(outcome: RunOutcome, done: str, path: Path) -> None:
    """After Ctrl-C, say what is saved and exit with its code."""
    if outcome.stopped:
        note(f"stopped after {done}; the result so far is saved in {path}")
        raise typer.Exit(130)
