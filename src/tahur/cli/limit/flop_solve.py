"""`tahur solve fhp`: solve Flop Hold'em on every flop, with checkpoints, and measure it exactly."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer

from tahur.cli.memory import free_disk, free_memory, gigabytes
from tahur.cli.output import console, note, print_json, warm
from tahur.cli.settings import named
from tahur.cli.solve.options import GameSolver, SolveRequest
from tahur.cli.solve.running import (
    ENDLESS,
    RunOutcome,
    RunView,
    Saving,
    SolveGoal,
    check_kept,
    drive,
    exit_if_stopped,
    facts_json,
)

if TYPE_CHECKING:
    from tahur.core.solution import Facts
    from tahur.solvers.limit.solve import FlopSolver
    from tahur.solvers.response import Measure

GAMES: Final = ("fhp", "fhp-3-4")
TARGET: Final = 1.0  # mbb/g
MOST_THREADS: Final = 2
SAVE: Final = 120.0  # seconds between checkpoints


def solve_flop(request: SolveRequest) -> None:
    """Solve with a progress display and save the result, also after Ctrl-C."""
    from tahur.games.holdem.flop_table import is_flop_table, write_flop_table
    from tahur.solvers.limit.solve import BookSource, write_memory
    from tahur.solvers.solver import run

    path, memory = request.path, _memory(request.path)
    check_kept(path, is_flop_table, "Flop Hold'em strategy", resume=memory if request.resume else None)
    goal = request.goal(SolveGoal(ENDLESS, TARGET), millis)
    warm("limit")
    solver = _solver(request)
    layout = solver.layout
    scale = 1000 / layout.game.stakes.blinds[1]  # mbb per chip
    view: RunView[Measure] = RunView(
        solver,
        what=request.game,
        figure=lambda measure: measure.exploitability * scale,
        words="exploitability {:.3g} mbb/g",
        target=goal.target,
    )

    def remember() -> None:
        write_memory(memory, solver)

    def save() -> None:
        write_flop_table(path, solver.facts(view.measure()), layout.flop.betting, BookSource(layout, solver.sums))
        remember()

    target = None if goal.target is None else goal.target / scale
    steps = run(solver, iterations=goal.iterations, target=target, every=_every, clock=time.monotonic)
    outcome = drive(view.watch(steps), view.draw, Saving(save, remember, SAVE), seconds=goal.seconds)
    _report(solver.facts(view.measure()), outcome, goal, request)
    exit_if_stopped(outcome, f"{solver.iteration:,} iterations", path)


def millis(text: str) -> float:
    """Parse `1mbb`, `0.5 mbb/g` or `1`: thousandths of a big blind per game."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?(?:e-?\d+)?)\s*(?:mbb(?:/g)?)?\s*", text)
    if found is None:
        raise typer.BadParameter(f"--target {text}: write mbb per game, such as 1mbb")
    return float(found[1])


def _memory(path: Path) -> Path:
    """The file with the solver's regrets and averages, beside the strategy."""
    return path.with_name(path.name + ".memory")


def _every(iteration: int) -> int:
    """Iterations between measurements; independent of the clock, so that runs are repeatable."""
    return 10 if iteration < 200 else 20


def _solver(request: SolveRequest) -> FlopSolver:
    """Print the memory and disk needed, check that they are available, and make a new or resumed solver."""
    from tahur.games.holdem.flop_table import table_bytes
    from tahur.games.registry import make
    from tahur.solvers.limit.engine import layout_of
    from tahur.solvers.limit.solve import USUAL, FlopSolver, books_bytes, estimate, resumed
    from tahur.solvers.schedule import schedule_named

    threads = request.threads or min(MOST_THREADS, os.cpu_count() or 1)
    game: Any = make(request.game, dict(named(request.settings or ())))
    layout = layout_of(game)
    needed, checkpoint, table = estimate(layout, threads).bytes, books_bytes(layout), table_bytes(layout.flop.betting)
    _check_room(request, needed, checkpoint + table)
    note(
        f"{request.game}: {layout.information_sets:,} information sets on {len(layout.deck.boards):,} flops; "
        f"{gigabytes(needed)} of memory, {gigabytes(checkpoint)} on disk to resume from, "
        f"about {gigabytes(table // 2)} for the strategy; {threads} threads"
    )
    if request.resume:
        return resumed(_memory(request.path), layout, schedule=request.schedule, threads=threads)
    return FlopSolver(layout, schedule_named(request.schedule) if request.schedule else USUAL, threads=threads)


def _check_room(request: SolveRequest, memory: int, disk: int) -> None:
    from tahur.core.errors import SolverError

    free = free_memory()
    if free is not None and memory > free:
        raise SolverError(f"{request.game} takes {gigabytes(memory)} of memory; {gigabytes(free)} are available")
    left = free_disk(request.path)
    if disk > left:
        raise SolverError(f"{request.path} and its memory take {gigabytes(disk)} of disk; {gigabytes(left)} are free")


def _report(facts: Facts, outcome: RunOutcome, goal: SolveGoal, request: SolveRequest) -> None:
    path, memory = request.path, _memory(request.path)
    if request.as_json:
        spent = {"seconds": outcome.seconds, "cpu_seconds": outcome.cpu_seconds}
        print_json(facts_json(facts) | spent | {"file": str(path), "memory": str(memory)})
        return
    out = console()
    took = f"{outcome.seconds:.1f} s ({outcome.cpu_seconds:.1f} CPU seconds) just now"
    out.print(f"[bold]{facts.game}[/] by {facts.schedule}: {facts.iterations:,} iterations, {took}")
    for line in figures(facts):
        out.print(line)
    if goal.target is not None and facts.exploitability > goal.target:
        out.print(f"[yellow]short of the target, {goal.target:g} mbb/g[/]")
    out.print(f"saved in {path} ({gigabytes(path.stat().st_size)})")
    out.print(f"resume with: [bold]tahur solve {facts.game} --resume --target 0.5mbb -o {path}[/]; otherwise")
    out.print(f"you can remove {memory} ({gigabytes(memory.stat().st_size)})")
    out.print(f"Next: [bold]tahur show {path}[/], [bold]tahur eval {facts.game} {path}[/], or play it at a")
    out.print(f"table as [bold]strategy:{path}[/]")


def figures(facts: Facts) -> tuple[str, str, str]:
    """The measured figures of a strategy as lines of text, with units."""
    return (
        f"exploitability  {facts.exploitability:.4g} mbb/g  [dim]exact; NashConv / 2 = (BR1 + BR2) / 2[/]",
        f"NashConv        {facts.nashconv:.4g} mbb/g  [dim]exact; BR1 + BR2[/]",
        f"value           {facts.value:+.4g} mbb/g to the small blind",
    )


ON_FLOPS: Final = GameSolver(
    games=GAMES, takes=frozenset({"schedule", "target", "settings", "threads"}), solve=solve_flop
)
