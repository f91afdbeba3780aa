"""Runs a solver with a progress display, until its goal, the time limit or Ctrl-C."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any, Final, Self, cast

from tahur.cli.arena.live import watched
from tahur.cli.output import PATIENCE, note
from tahur.core.lock import PathLock, lock

if TYPE_CHECKING:
    from rich.text import Text

    from tahur.solvers.cfr import CfrProgress, CfrSolver
    from tahur.solvers.response import Measure
    from tahur.solvers.saving import AnySolver

EVERY = 100  # iterations between measurements; a target can end a run only there, so it must not depend on the clock
EVERY_SAMPLED = 10_000  # sampled iterations are cheap, measurements are not
BLOCK = 0.2  # seconds between checks of Ctrl-C and the clock
CLEAR_LINE = "\r\033[K"  # of the progress
STOPPING = "stopping ... (Ctrl-C again: discard the last steps)"
SAVE = 60.0  # seconds between checkpoints


@dataclass(frozen=True, slots=True)
class SolveGoal:
    """When to stop: at the first limit that is reached."""

    iterations: int
    target: float | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class SolveOutcome:
    measure: Measure
    seconds: float
    stopped: bool  # by Ctrl-C


class Patience:
    """Turns Ctrl-C into a request to stop after the current block; a second Ctrl-C interrupts at once.

    The first one prints a line at once. `interrupts`: the first Ctrl-C is raised too, for work that stays consistent
    when it is interrupted (`solvers/interrupts.py`).
    """

    def __init__(self, line: str = STOPPING, *, interrupts: bool = False) -> None:
        self.asked, self._line, self._interrupts = False, line, interrupts
        self._before: Any = None

    def __enter__(self) -> Self:
        self._before = signal.signal(signal.SIGINT, self._ask)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        signal.signal(signal.SIGINT, self._before)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        again, self.asked = self.asked, True
        if not again:
            note(CLEAR_LINE + self._line if sys.stderr.isatty() else self._line)
        if again or self._interrupts:
            raise KeyboardInterrupt


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


def solved(solver: AnySolver, goal: SolveGoal, *, unit: str, save: Callable[[Measure], None]) -> SolveOutcome:
    """Solve; calls `save(measure)` at checkpoints, at the end, and with the last good state if numbers overflow."""
    from tahur.core.errors import SolverError

    before = solver.measure()  # this also loads the kernels, which must not count as solving time
    if solver.iteration and goal.target is not None and before.exploitability <= goal.target:
        return SolveOutcome(before, 0.0, False)
    measure: Measure | None = None
    began = saved = time.monotonic()
    with Patience() as patience:
        try:
            with closing(_line(solver, goal, unit).watch(_paced(solver, goal))) as steps:
                for progress in steps:
                    measure, now = progress.measure, time.monotonic()
                    if patience.asked or (goal.seconds is not None and now - began >= goal.seconds):
                        break
                    if now - saved > SAVE:
                        save(measure or solver.measure())
                        saved = now
        except SolverError as error:
            save(solver.measure())
            raise SolverError(f"{error}, which is saved") from None
        outcome = SolveOutcome(measure or solver.measure(), time.monotonic() - began, patience.asked)
        save(outcome.measure)
        return outcome


def _paced(solver: AnySolver, goal: SolveGoal) -> Iterator[CfrProgress]:
    """Split the run into short blocks: the second iteration is timed (the first may load kernels)."""
    from tahur.solvers.cfr import run
    from tahur.solvers.sampled import SAMPLED

    runs = cast("CfrSolver", solver)  # a sampled solver has the same interface
    every = EVERY_SAMPLED if solver.schedule.name in SAMPLED else EVERY
    seconds = 0.0
    for _ in range(2):
        began = time.monotonic()
        yield from run(runs, iterations=min(solver.iteration + 1, goal.iterations))
        seconds = time.monotonic() - began
    step = max(1, min(every, int(BLOCK / max(seconds, 1e-9))))
    yield from run(runs, iterations=goal.iterations, target=goal.target, every=every, step=step)


def _line(solver: AnySolver, goal: SolveGoal, unit: str) -> LiveLine:
    what = f"{solver.tree.game.name} by {solver.schedule.name}"
    figure = f"exploitability {{:.3g}} {unit}"
    return LiveLine(what, solver.iteration, goal, lambda measure: figure.format(measure.exploitability))


class LiveLine:
    """Draws the progress of a run that started at iteration `first`, with the last measurement."""

    def __init__(self, what: str, first: int, goal: SolveGoal, figure: Callable[[Measure], str]) -> None:
        self._what, self._first, self._goal, self._figure = what, first, goal, figure
        self._began = time.monotonic()
        self._known: tuple[str, ...] = ()

    def watch(self, steps: Iterator[CfrProgress]) -> Generator[CfrProgress, None, None]:
        """Yield the steps and draw them; the latest measurement is remembered at every step."""
        yield from watched(self._heard(steps), self._draw, first=PATIENCE)

    def _heard(self, steps: Iterator[CfrProgress]) -> Iterator[CfrProgress]:
        for progress in steps:
            if progress.measure is not None:
                self._known = (self._figure(progress.measure),)
            yield progress

    def _draw(self, progress: CfrProgress) -> tuple[Text, str]:
        from rich.text import Text

        rate = (progress.iteration - self._first) / max(time.monotonic() - self._began, 1e-9)
        words = [f"{self._what}: iteration {progress.iteration:,}", *self._known]
        words += [f"target {self._goal.target:.3g}"] if self._goal.target is not None else []
        pace = f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"
        return Text(", ".join(words)), f"{', '.join(words)}; {pace}/s; Ctrl-C stops and saves"
