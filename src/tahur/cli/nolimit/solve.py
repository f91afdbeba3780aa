"""`tahur solve nlhe`: train a blueprint of no-limit hold'em for two seats."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Final

import typer

from tahur.cli.limit.solve import sizes_of
from tahur.cli.memory import gigabytes
from tahur.cli.output import console, note, print_json, warm, watch
from tahur.cli.solve.options import GameSolver, SolveRequest
from tahur.cli.solve.running import ENDLESS, RunOutcome, Saving, SolveGoal, check_kept, drive, exit_if_stopped

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from rich.text import Text

    from tahur.cards.buckets import BucketCentres, BucketNumbers, Buckets
    from tahur.solvers.nolimit.blueprint_solver import BlueprintSolver

DEPTH: Final = "100bb"
ACTIONS: Final = "standard"
BUCKETS: Final = "500,500,300"
SECONDS: Final = 600.0  # the default limit
CHECKPOINT_SECONDS: Final = 120.0
THREADS: Final = 2
BOARDS_PER_SECOND: Final = {"push-fold": 4000, "small": 1600, "standard": 900, "large": 250}  # of one core, about
VALUE_BOARDS: Final = 5_000  # for the EVs of actions before the flop: some seconds
USEFUL_BOARDS: Final = 1_000_000  # after which preflop strategies change little


def solve_blueprint(request: SolveRequest) -> None:
    """Train with a progress display and save the result, also after Ctrl-C."""
    from tahur.core.archive import BLUEPRINT
    from tahur.solvers.nolimit.blueprint import is_blueprint, write_blueprint
    from tahur.solvers.solver import NEVER, run

    fixed = {"--buckets": request.buckets, "--depth": request.depth, "--actions": request.actions}
    if request.resume and (changed := [flag for flag, value in fixed.items() if value is not None]):
        raise typer.BadParameter(f"{changed[0]} cannot be changed with --resume: the file has its own")
    check_kept(request.path, is_blueprint, BLUEPRINT.name, resume=request.begun)
    warm("limit bucket")
    warm("no-limit")
    solver = _resumed(request) if request.resume else _new(request)
    goal = request.goal(SolveGoal(ENDLESS, seconds=SECONDS))
    began, boards = time.monotonic(), solver.boards

    def draw(_: object) -> tuple[Text, str]:
        from rich.text import Text

        pace = (solver.boards - boards) / (time.monotonic() - began)
        line = f"{solver.boards:,} boards, {pace:,.0f} a second"
        return Text(line), f"{line}; Ctrl-C stops and saves"

    def save() -> None:
        write_blueprint(request.path, solver.blueprint(), solver.state().arrays)

    steps = run(solver, iterations=goal.iterations, every=NEVER, clock=time.monotonic)
    outcome = drive(steps, draw, Saving(save, save, CHECKPOINT_SECONDS), seconds=goal.seconds)
    if not outcome.stopped:
        _save_values(solver, request.path)
    _report(solver, outcome, request)
    exit_if_stopped(outcome, f"{solver.boards:,} boards", request.path)


def _save_values(solver: BlueprintSolver, path: Path) -> None:
    """Save again, with the EVs of the actions before the flop."""
    from tahur.solvers.nolimit.blueprint import write_blueprint
    from tahur.solvers.nolimit.blueprint_solver import preflop_values

    note(f"computing the EVs of actions before the flop from {VALUE_BOARDS:,} boards")
    blueprint = solver.blueprint()
    values = preflop_values(blueprint, solver.buckets, boards=VALUE_BOARDS, seed=solver.seed)
    write_blueprint(path, blueprint.with_values(values), solver.state().arrays)


def depth_of(text: str) -> float:
    """Big blinds, written `100bb` or `100`."""
    number = re.fullmatch(r"(\d{1,4}(?:\.\d+)?)\s*(bb)?", text.strip(), re.IGNORECASE)
    if number is None or not 2 <= float(number[1]) <= 1000:
        raise typer.BadParameter(f"--depth {text}: give stacks of 2bb to 1000bb, such as {DEPTH}")
    return float(number[1])


def _new(request: SolveRequest) -> BlueprintSolver:
    """A solver that starts from nothing, with newly made buckets; says first what it will take."""
    from tahur.solvers.nolimit.abstraction import abstraction_named
    from tahur.solvers.nolimit.blueprint_solver import BlueprintSolver

    depth, abstraction = depth_of(request.depth or DEPTH), abstraction_named(request.actions or ACTIONS)
    sizes, threads = sizes_of(request.buckets or BUCKETS), request.threads or THREADS
    _announce(depth, abstraction.name, sizes, threads)
    centres, buckets = watch(_made(sizes, request.seed), "card buckets")
    return BlueprintSolver(depth, abstraction, centres, buckets, seed=request.seed, threads=threads)


def _announce(depth: float, actions: str, sizes: BucketNumbers, threads: int) -> None:
    """Print the size of the game, the memory and the time."""
    from tahur.cards.buckets import PREFLOP_CLASSES
    from tahur.solvers.nolimit.abstraction import abstraction_named
    from tahur.solvers.nolimit.blueprint_solver import bytes_of
    from tahur.solvers.nolimit.tree import build_tree

    abstraction = abstraction_named(actions)
    tree = build_tree(depth, abstraction, (PREFLOP_CLASSES, sizes.flop, sizes.turn, sizes.river))
    streets = ", ".join(f"{count:,}" for count in tree.by_street())
    memory = gigabytes(bytes_of(tree.cells, threads))
    minutes = USEFUL_BOARDS / BOARDS_PER_SECOND.get(actions, 1000) / threads / 60
    note(f"no-limit hold'em, {depth:g} bb, actions '{actions}': {len(tree.parent):,} nodes ({streets} decisions)")
    for line in abstraction.lines():
        note(f"  {line}")
    note(f"{tree.cells:,} probabilities, {memory}; about {minutes:,.0f} minutes for a million boards")


def _made(
    sizes: BucketNumbers, seed: int, known: BucketCentres | None = None
) -> Generator[float, None, tuple[BucketCentres, Buckets]]:
    """The card buckets; yields the part that is done."""
    import numpy as np

    from tahur.cards.buckets import BucketProgress, make_with_centres

    for step in make_with_centres(sizes, np.random.default_rng(seed), known):
        if not isinstance(step, BucketProgress):
            return step
        yield 0.9 * step.done / step.of
    raise AssertionError("buckets come last")


def _resumed(request: SolveRequest) -> BlueprintSolver:
    """The solver of a file, as it was when the file was saved."""
    from tahur.cards.buckets import BucketNumbers
    from tahur.solvers.nolimit.blueprint import read_blueprint, read_memory
    from tahur.solvers.nolimit.blueprint_solver import BlueprintSolver
    from tahur.solvers.solver import SolverState

    begun = read_blueprint(request.path)
    _, flop, turn, river = begun.centres.counts
    centres, buckets = watch(_made(BucketNumbers(flop, turn, river), 0, begun.centres), "card buckets")
    solver = BlueprintSolver(
        begun.depth,
        begun.tree.abstraction,
        centres,
        buckets,
        seed=begun.training.seed,
        threads=request.threads or THREADS,
    )
    memory = read_memory(request.path, solver.state().arrays)
    solver.resume(SolverState(begun.training.rounds, memory))
    return solver


def _report(solver: BlueprintSolver, outcome: RunOutcome, request: SolveRequest) -> None:
    """Print how long training ran, and the next useful commands."""
    path = request.path
    if request.as_json:
        facts = {"game": request.game, "depth": solver.depth, "actions": solver.abstraction.name}
        facts |= {"buckets": solver.centres.counts, "nodes": len(solver.tree.parent), "seed": solver.seed}
        facts |= {"rounds": solver.iteration, "boards": solver.boards, "visited": solver.visited}
        print_json({**facts, "seconds": outcome.seconds, "file": str(path)})
        return
    out = console()
    what = f"{solver.depth:g} bb, actions '{solver.abstraction.name}'"
    out.print(f"[bold]no-limit hold'em[/], {what}: {solver.boards:,} boards, {outcome.seconds:.1f} s just now")
    out.print(f"saved in {path}; resume with: [bold]tahur solve nlhe --resume -o {path}[/]")
    out.print(f"Next: [bold]tahur show {path}[/], or play it at a table as [bold]strategy:{path}[/]")


BLUEPRINTS: Final = GameSolver(
    games=("nlhe",),
    takes=frozenset({"buckets", "depth", "actions", "threads"}),
    solve=solve_blueprint,
    lacking=dict.fromkeys(("schedule", "target", "settings"), "is trained on buckets; use --seconds"),
)
