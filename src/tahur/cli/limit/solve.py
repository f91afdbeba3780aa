"""`tahur solve fhp` (every flop, measured exactly) and `tahur solve hulh` (limit hold'em on card buckets)."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer

from tahur.cli.memory import free_disk, free_memory, gigabytes
from tahur.cli.output import console, note, print_json, warm, watch
from tahur.cli.settings import parse_settings
from tahur.cli.solve.options import BUCKETS, GameSolver, SolveRequest
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
    from collections.abc import Generator

    from rich.text import Text

    from tahur.cards.buckets import BucketNumbers, Buckets
    from tahur.core.solution import Facts
    from tahur.solvers.limit.bucketed import Trainer
    from tahur.solvers.limit.solve import FlopSolver
    from tahur.solvers.response import Measure


GAMES: Final = ("fhp", "fhp-3-4")
TARGET: Final = 1.0  # mbb/g
MOST_THREADS: Final = 2
CHECKPOINT_SECONDS: Final = 120.0  # seconds between checkpoints


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
    outcome = drive(view.watch(steps), view.draw, Saving(save, remember, CHECKPOINT_SECONDS), seconds=goal.seconds)
    _report(solver.facts(view.measure()), outcome, goal, request)
    exit_if_stopped(outcome, f"{solver.iteration:,} iterations", path)


def millis(text: str) -> float:
    """Parse `1mbb`, `0.5 mbb/g` or `1`: thousandths of a big blind per game."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?(?:e-?\d+)?)\s*(?:mbb(?:/g)?)?\s*", text)
    if match is None:
        raise typer.BadParameter(f"--target {text}: write mbb per game, such as 1mbb")
    return float(match[1])


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
    from tahur.solvers.limit.solve import USUAL, FlopSolver, books_bytes, estimate, resume_solver
    from tahur.solvers.schedule import schedule_named

    threads = request.threads or min(MOST_THREADS, os.cpu_count() or 1)
    game: Any = make(request.game, dict(parse_settings(request.settings or ())))
    layout = layout_of(game)
    needed, checkpoint, table = estimate(layout, threads).bytes, books_bytes(layout), table_bytes(layout.flop.betting)
    _check_room(request, needed, checkpoint + table)
    note(
        f"{request.game}: {layout.information_sets:,} information sets on {len(layout.deck.boards):,} flops; "
        f"{gigabytes(needed)} of memory, {gigabytes(checkpoint)} on disk to resume from, "
        f"about {gigabytes(table // 2)} for the strategy; {threads} threads"
    )
    if request.resume:
        return resume_solver(_memory(request.path), layout, schedule=request.schedule, threads=threads)
    return FlopSolver(layout, schedule_named(request.schedule) if request.schedule else USUAL, threads=threads)


def _check_room(request: SolveRequest, memory: int, disk: int) -> None:
    """Raise `SolverError` unless there are this many bytes of memory and disk."""
    from tahur.core.errors import SolverError

    free = free_memory()
    if free is not None and memory > free:
        raise SolverError(f"{request.game} takes {gigabytes(memory)} of memory; {gigabytes(free)} are available")
    left = free_disk(request.path)
    if disk > left:
        raise SolverError(f"{request.path} and its memory take {gigabytes(disk)} of disk; {gigabytes(left)} are free")


def _report(facts: Facts, outcome: RunOutcome, goal: SolveGoal, request: SolveRequest) -> None:
    """Print what was solved and how well, and the next useful commands."""
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


# ---- limit hold'em on card buckets ---------------------------------------------------------------
# `tahur solve hulh`: limit hold'em on card buckets, by sampling; with checkpoints, and can be resumed.


BUCKET_GAMES: Final = ("hulh", "acpc")
SECONDS: Final = 300.0  # the default
STREETS: Final = ("flop", "turn", "river")


def solve_on_buckets(request: SolveRequest) -> None:
    """Train with a progress display and save the result, also after Ctrl-C."""
    from tahur.core.archive import BUCKETS as FILE_KIND
    from tahur.games.holdem.bucket_table import is_bucket_table, write_bucket_table
    from tahur.solvers.solver import NEVER, run

    if request.resume and request.buckets is not None:
        raise typer.BadParameter("--buckets cannot be changed with --resume: the file has its own buckets")
    check_kept(request.path, is_bucket_table, FILE_KIND.name, resume=request.begun)
    warm("limit bucket")
    trainer = _resume_trainer(request) if request.resume else _new(request)
    goal = request.goal(SolveGoal(ENDLESS, seconds=SECONDS))
    began, visited = time.monotonic(), trainer.visited

    def draw(_: object) -> tuple[Text, str]:
        from rich.text import Text

        pace = (trainer.visited - visited) / (time.monotonic() - began)
        line = f"{trainer.deals:,} deals, {pace / 1e6:.1f} million nodes a second"
        return Text(line), f"{line}; Ctrl-C stops and saves"

    def save() -> None:
        write_bucket_table(request.path, trainer.table(), trainer.state().arrays)

    steps = run(trainer, iterations=goal.iterations, every=NEVER, clock=time.monotonic)
    outcome = drive(steps, draw, Saving(save, save), seconds=goal.seconds)
    _report_buckets(trainer, outcome, request)
    exit_if_stopped(outcome, f"{trainer.deals:,} deals", request.path)


def sizes_of(text: str) -> BucketNumbers:
    """`200,200,200`, or one number for all three streets."""
    from tahur.cards.buckets import BucketNumbers

    parts = text.replace(" ", "").split(",")
    if len(parts) not in (1, 3) or not all(part.isdecimal() for part in parts):
        raise typer.BadParameter(
            f"--buckets {text}: give the number of buckets on flop, turn and river, such as {BUCKETS}, or one number"
        )
    numbers = [int(part) for part in parts]
    return BucketNumbers(*(numbers if len(numbers) == 3 else numbers * 3))


def _new(request: SolveRequest) -> Trainer:
    """A trainer that starts from nothing, with newly made buckets."""
    import numpy as np

    from tahur.games.betting import betting_of
    from tahur.games.holdem.bucket_table import game_named
    from tahur.solvers.limit.bucketed import Trainer

    sizes = sizes_of(request.buckets or BUCKETS)
    note(f"{request.game}: {sizes.flop} buckets on the flop, {sizes.turn} on the turn, {sizes.river} on the river")
    buckets = watch(_make_buckets(sizes, np.random.default_rng(request.seed)), "buckets")
    return Trainer(betting_of(game_named(request.game)), buckets, request.seed)


def _make_buckets(sizes: BucketNumbers, rng: object) -> Generator[float, None, Buckets]:
    from tahur.cards.buckets import Buckets, make

    for step in make(sizes, rng):  # type: ignore[arg-type]
        if isinstance(step, Buckets):
            return step
        yield 0.9 * step.done / step.of
    raise AssertionError("buckets come last")


def _resume_trainer(request: SolveRequest) -> Trainer:
    """The trainer of a file, as it was when the file was saved."""
    from tahur.core.errors import StrategyError
    from tahur.games.holdem.bucket_table import read_bucket_table, read_memory
    from tahur.solvers.limit.bucketed import Trainer
    from tahur.solvers.solver import SolverState

    table = read_bucket_table(request.path)
    if table.training.game != request.game:
        raise StrategyError(f"{request.path} is for {table.training.game}, not for {request.game}")
    trainer = Trainer(table.betting, table.buckets, table.training.seed)
    expected = {name: (array.dtype.str, len(array)) for name, array in trainer.state().arrays.items()}
    trainer.resume(SolverState(table.training.rounds, read_memory(request.path, expected)))
    return trainer


def _report_buckets(trainer: Trainer, outcome: RunOutcome, request: SolveRequest) -> None:
    """Print how long bucketed training ran, and the next useful commands."""
    training, path = trainer.table().training, request.path
    if request.as_json:
        print_json({**training.to_json(), "visited": trainer.visited, "seconds": outcome.seconds, "file": str(path)})
        return
    out = console()
    counts = ", ".join(f"{count} {street}" for count, street in zip(training.buckets[1:], STREETS, strict=True))
    took = f"{outcome.seconds:.1f} s just now"
    out.print(f"[bold]{training.game}[/] on buckets ({counts}): {training.deals:,} deals, {took}")
    out.print(f"saved in {path}; resume with: [bold]tahur solve {training.game} --resume -o {path}[/]")
    out.print(f"Next: [bold]tahur eval lhe {path}[/] bounds what it can lose; at a table it plays as")
    out.print(f"[bold]strategy:{path}[/]")


ON_BUCKETS: Final = GameSolver(
    games=BUCKET_GAMES,
    takes=frozenset({"buckets"}),
    solve=solve_on_buckets,
    lacking=dict.fromkeys(("schedule", "target", "threads", "settings"), "is trained on buckets; use --seconds"),
)
