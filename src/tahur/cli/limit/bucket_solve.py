"""`tahur solve hulh`: limit hold'em on card buckets, by sampling; with checkpoints, and can be resumed."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

import typer

from tahur.cli.output import console, note, print_json, warm, watch
from tahur.cli.solve.options import BUCKETS, GameSolver, SolveRequest
from tahur.cli.solve.running import ENDLESS, RunOutcome, Saving, SolveGoal, check_kept, drive, exit_if_stopped

if TYPE_CHECKING:
    from collections.abc import Generator

    from rich.text import Text

    from tahur.cards.buckets.buckets import BucketNumbers, Buckets
    from tahur.solvers.limit.bucketed.trainer import Trainer

GAMES: Final = ("hulh", "acpc")
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
    trainer = _resumed(request) if request.resume else _new(request)
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
    _report(trainer, outcome, request)
    exit_if_stopped(outcome, f"{trainer.deals:,} deals", request.path)


def sizes_of(text: str) -> BucketNumbers:
    """`200,200,200`, or one number for all three streets."""
    from tahur.cards.buckets.buckets import BucketNumbers

    parts = text.replace(" ", "").split(",")
    if len(parts) not in (1, 3) or not all(part.isdecimal() for part in parts):
        raise typer.BadParameter(
            f"--buckets {text}: give the number of buckets on flop, turn and river, such as {BUCKETS}, or one number"
        )
    numbers = [int(part) for part in parts]
    return BucketNumbers(*(numbers if len(numbers) == 3 else numbers * 3))


def _new(request: SolveRequest) -> Trainer:
    import numpy as np

    from tahur.games.betting import betting_of
    from tahur.games.holdem.bucket_table import game_named
    from tahur.solvers.limit.bucketed.trainer import Trainer

    sizes = sizes_of(request.buckets or BUCKETS)
    note(f"{request.game}: {sizes.flop} buckets on the flop, {sizes.turn} on the turn, {sizes.river} on the river")
    buckets = watch(_made(sizes, np.random.default_rng(request.seed)), "buckets")
    return Trainer(betting_of(game_named(request.game)), buckets, request.seed)


def _made(sizes: BucketNumbers, rng: object) -> Generator[float, None, Buckets]:
    from tahur.cards.buckets.buckets import Buckets, make

    for step in make(sizes, rng):  # type: ignore[arg-type]
        if isinstance(step, Buckets):
            return step
        yield 0.9 * step.done / step.of
    raise AssertionError("buckets come last")


def _resumed(request: SolveRequest) -> Trainer:
    from tahur.core.errors import StrategyError
    from tahur.games.holdem.bucket_table import read_bucket_table, read_memory
    from tahur.solvers.limit.bucketed.trainer import Trainer
    from tahur.solvers.solver import SolverState

    table = read_bucket_table(request.path)
    if table.training.game != request.game:
        raise StrategyError(f"{request.path} is for {table.training.game}, not for {request.game}")
    trainer = Trainer(table.betting, table.buckets, table.training.seed)
    expected = {name: (array.dtype.str, len(array)) for name, array in trainer.state().arrays.items()}
    trainer.resume(SolverState(table.training.rounds, read_memory(request.path, expected)))
    return trainer


def _report(trainer: Trainer, outcome: RunOutcome, request: SolveRequest) -> None:
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
    games=GAMES,
    takes=frozenset({"buckets"}),
    solve=solve_on_buckets,
    lacking=dict.fromkeys(("schedule", "target", "threads", "settings"), "is trained on buckets; use --seconds"),
)
