"""`tahur solve fhp`: solve Flop Hold'em on every flop, with checkpoints, and measure it exactly."""

from __future__ import annotations

import os
import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer

from tahur.cli.memory import free_disk, free_memory, gigabytes
from tahur.cli.output import console, note, print_json, warm

if TYPE_CHECKING:
    from tahur.core.solution import Facts
    from tahur.solvers.limit.solve import FlopSolver
    from tahur.solvers.response import Measure

GAMES: Final = ("fhp", "fhp-3-4")
TARGET: Final = 1.0  # mbb/g
MOST_THREADS: Final = 2
SAVE: Final = 120.0  # seconds between checkpoints
SAVE_SHARE: Final = 12  # checkpoints take at most one part in this many of the time,
SELDOM: Final = 600.0  # unless that would make them rarer than this
SAY: Final = 15.0  # seconds between lines


@dataclass(frozen=True, slots=True)
class FlopRequest:
    """The options of one run of the command."""

    game: str
    schedule: str | None
    iterations: int | None
    target: str | None
    seconds: float | None
    resume: bool
    output: Path | None
    threads: int | None
    settings: dict[str, Any]
    as_json: bool

    @property
    def path(self) -> Path:
        return self.output or Path(f"{self.game}.tahur")

    @property
    def memory(self) -> Path:
        """The file with the solver's regrets and averages, beside the strategy."""
        return self.path.with_name(self.path.name + ".memory")

    @property
    def goal(self) -> float | None:
        """Target exploitability in mbb/g; the default target if no limit was given."""
        if self.target is not None:
            return millis(self.target)
        return TARGET if self.iterations is None and self.seconds is None else None


def millis(text: str) -> float:
    """Parse `1mbb`, `0.5 mbb/g` or `1`: thousandths of a big blind per game."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?(?:e-?\d+)?)\s*(?:mbb(?:/g)?)?\s*", text)
    if found is None:
        raise typer.BadParameter(f"--target {text}: write mbb per game, such as 1mbb")
    return float(found[1])


def solve_flop(asked: FlopRequest) -> None:
    """Solve with a progress display and save the result, also after Ctrl-C."""
    from tahur.cli.solve.running import check_kept
    from tahur.games.holdem.flop_table import is_flop_table

    resumed = asked.memory if asked.resume else None
    check_kept(asked.path, is_flop_table, "Flop Hold'em strategy", resume=resumed)
    goal = asked.goal
    warm("limit")
    solver = _solver(asked)
    run = _FlopRun(solver, asked, goal)
    run.play()
    facts = run.keep()
    _tell(facts, run, asked, goal)
    if run.stopped:
        note(f"stopped after {solver.iteration:,} iterations; the result so far is saved in {asked.path}")
        raise typer.Exit(130)


def _solver(asked: FlopRequest) -> FlopSolver:
    """Print the memory and disk needed, check that they are available, and make a new or resumed solver."""
    from tahur.games.holdem.flop_table import table_bytes
    from tahur.games.registry import make
    from tahur.solvers.limit.engine import layout_of
    from tahur.solvers.limit.memory import resumed
    from tahur.solvers.limit.solve import USUAL, FlopSolver, memory_need
    from tahur.solvers.schedule import schedule_named

    threads = asked.threads or min(MOST_THREADS, os.cpu_count() or 1)
    game: Any = make(asked.game, asked.settings)
    layout = layout_of(game)
    need = memory_need(layout, threads)
    _check_room(asked, need.memory, need.checkpoint + table_bytes(layout.flop.betting))
    note(
        f"{asked.game}: {layout.information_sets:,} information sets on {len(layout.deck.boards):,} flops; "
        f"{gigabytes(need.memory)} of memory, {gigabytes(need.checkpoint)} on disk to resume from, "
        f"about {gigabytes(table_bytes(layout.flop.betting) // 2)} for the strategy; {threads} threads"
    )
    if asked.resume:
        return resumed(asked.memory, layout, schedule=asked.schedule, threads=threads)
    return FlopSolver(layout, schedule_named(asked.schedule) if asked.schedule else USUAL, threads=threads)


def _check_room(asked: FlopRequest, memory: int, disk: int) -> None:
    from tahur.core.errors import SolverError

    free = free_memory()
    if free is not None and memory > free:
        raise SolverError(f"{asked.game} takes {gigabytes(memory)} of memory; {gigabytes(free)} are available")
    left = free_disk(asked.path)
    if disk > left:
        raise SolverError(f"{asked.path} and its memory take {gigabytes(disk)} of disk; {gigabytes(left)} are free")


class _FlopRun:
    """One run of the solver: its progress and its result."""

    def __init__(self, solver: FlopSolver, asked: FlopRequest, goal: float | None) -> None:
        self.solver, self.asked, self.goal = solver, asked, goal
        self.stopped = False
        self.seconds, self.cpu = 0.0, 0.0
        self._began, self._cpu = time.monotonic(), time.process_time()
        self._measure: Measure | None = None
        self._at = 0  # the iteration of the measure
        self._first = solver.iteration
        self._known: list[tuple[int, float]] = []  # iterations and exploitability, mbb/g
        if solver.iteration and goal is not None:
            self._look()  # a resumed run may have reached the target already

    def play(self) -> None:
        """Iterate until the target, the number of iterations, the time limit or Ctrl-C."""
        from tahur.cli.solve.running import Patience

        saved, pause, said = self._began, SAVE, self._began
        with Patience() as patience:
            while not self._is_done():
                self.solver.advance(1)
                if patience.asked:
                    self.stopped = True
                    break
                if _is_measured(self.solver.iteration):
                    self._look()
                now = time.monotonic()
                if now - said > SAY:
                    said = now
                    note(self._line(now - self._began))
                if now - saved > pause:
                    self.remember()
                    saved = time.monotonic()
                    pause = min(max(SAVE, SAVE_SHARE * (saved - now)), SELDOM)
            self.seconds, self.cpu = time.monotonic() - self._began, time.process_time() - self._cpu

    def keep(self) -> Facts:
        """Write the strategy and the solver's memory; return the measured strategy."""
        from tahur.games.holdem.flop_table import write_flop_table
        from tahur.solvers.limit.solve import BookSource

        if self._at != self.solver.iteration or self._measure is None:
            self._look()
        assert self._measure is not None
        facts = self.solver.facts(self._measure)
        layout = self.solver.layout
        write_flop_table(self.asked.path, facts, layout.flop.betting, BookSource(layout, self.solver.sums))
        self.remember()
        return facts

    def remember(self) -> None:
        from tahur.solvers.limit.memory import write_memory

        write_memory(self.asked.memory, self.solver)

    def _is_done(self) -> bool:
        asked, iteration = self.asked, self.solver.iteration
        if self.goal is not None and self._known and self._known[-1][1] <= self.goal:
            return True
        if asked.iterations is not None and iteration >= asked.iterations:
            return True
        return asked.seconds is not None and time.monotonic() - self._began >= asked.seconds

    def _look(self) -> None:
        self._measure, self._at = self.solver.measure(), self.solver.iteration
        self._known.append((self._at, self.solver.facts(self._measure).exploitability))

    def _line(self, spent: float) -> str:
        words = [f"iteration {self.solver.iteration:,}"]
        if self._known:
            words.append(f"exploitability {self._known[-1][1]:.3g} mbb/g, (BR1 + BR2) / 2")
        left = self._left(spent)
        return ", ".join(words) + (f"; about {left} left" if left else "") + "; Ctrl-C stops and saves"

    def _left(self, spent: float) -> str | None:
        """Extrapolate by the power law fitted since half as many iterations; None at first."""
        from math import log

        if not self.goal or not self._known:
            return None
        now, low = self._known[-1]
        before, high = next(known for known in self._known if 2 * known[0] >= now)
        if now == before or not 0 < low < high:
            return None
        power = log(high / low) / log(now / before)
        more = now * ((low / self.goal) ** (1 / power) - 1)
        seconds = max(more, 0) * spent / (self.solver.iteration - self._first)
        return f"{seconds / 60:.0f} min" if seconds > 90 else f"{seconds:.0f} s"


def _is_measured(iteration: int) -> bool:
    """The iterations at which the target is checked; independent of the clock, so that runs are repeatable."""
    return iteration % (10 if iteration <= 200 else 20) == 0


def _tell(facts: Facts, run: _FlopRun, asked: FlopRequest, goal: float | None) -> None:
    if asked.as_json:
        keys = ("game", "settings", "schedule", "iterations", "exploitability", "nashconv", "value", "unit")
        payload = {key: getattr(facts, key) for key in keys}
        spent = {"seconds": run.seconds, "cpu_seconds": run.cpu}
        print_json({**payload, **spent, "file": str(asked.path), "memory": str(asked.memory)})
        return
    out = console()
    done = f"{facts.iterations:,} iterations, {run.seconds:.1f} s ({run.cpu:.1f} CPU seconds) just now"
    out.print(f"[bold]{facts.game}[/] by {facts.schedule}: {done}")
    for line in figures(facts):
        out.print(line)
    if goal is not None and facts.exploitability > goal:
        out.print(f"[yellow]short of the target, {goal:g} mbb/g[/]")
    size = gigabytes(asked.memory.stat().st_size)
    out.print(f"saved in {asked.path} ({gigabytes(asked.path.stat().st_size)})")
    out.print(f"resume with: [bold]tahur solve {facts.game} --resume --target 0.5mbb -o {asked.path}[/]; otherwise")
    out.print(f"you can remove {asked.memory} ({size})")
    out.print(f"Next: [bold]tahur show {asked.path}[/], [bold]tahur eval {facts.game} {asked.path}[/], or play it at a")
    out.print(f"table as [bold]strategy:{asked.path}[/]")


def figures(facts: Facts) -> tuple[str, str, str]:
    """The measured figures of a strategy as lines of text, with units."""
    return (
        f"exploitability  {facts.exploitability:.4g} mbb/g  [dim]exact; NashConv / 2 = (BR1 + BR2) / 2[/]",
        f"NashConv        {facts.nashconv:.4g} mbb/g  [dim]exact; BR1 + BR2[/]",
        f"value           {facts.value:+.4g} mbb/g to the small blind",
    )
