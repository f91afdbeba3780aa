"""`tahur solve hulh`: limit hold'em on card buckets, by sampling; with checkpoints, and can be resumed."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

from tahur.cli.output import console, note, print_json, warm, watch

if TYPE_CHECKING:
    from collections.abc import Generator

    from tahur.cards.buckets.buckets import BucketNumbers, Buckets
    from tahur.solvers.limit.bucketed.trainer import Trainer

GAMES: Final = ("hulh", "acpc")
BUCKETS: Final = "200,200,200"
SECONDS: Final = 300.0  # the default
ABOUT: Final = 25  # seconds of compiling
SAVE: Final = 60.0  # seconds between checkpoints
SAY: Final = 10.0  # seconds between lines


@dataclass(frozen=True, slots=True)
class BucketRequest:
    """The options of one run of the command."""

    game: str
    buckets: str | None
    rounds: int | None
    seconds: float | None
    resume: bool
    output: Path | None
    seed: int
    as_json: bool

    @property
    def path(self) -> Path:
        return self.output or Path(f"{self.game}.tahur")

    @property
    def limit(self) -> float | None:
        """Seconds of training."""
        return SECONDS if self.seconds is self.rounds is None else self.seconds


def solve_on_buckets(asked: BucketRequest) -> None:
    """Train with a progress display and save the result, also after Ctrl-C."""
    from tahur.cli.solve.running import check_kept
    from tahur.games.holdem.bucket_table import KIND, is_bucket_table
    from tahur.solvers.limit.bucketed.warm import warm_up

    if asked.resume and asked.buckets is not None:
        raise typer.BadParameter("--buckets cannot be changed with --resume: the file has its own buckets")
    check_kept(asked.path, is_bucket_table, KIND, resume=asked.path if asked.resume else None)
    warm(warm_up, what="limit bucket", about=ABOUT)
    trainer = _resumed(asked) if asked.resume else _new(asked)
    seconds, stopped = _train(trainer, asked)
    _tell(trainer, asked, seconds)
    if stopped:
        note(f"stopped after {trainer.deals:,} deals; the result so far is saved in {asked.path}")
        raise typer.Exit(130)


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


def _new(asked: BucketRequest) -> Trainer:
    import numpy as np

    from tahur.games.holdem.bucket_table import game_named
    from tahur.games.holdem.limit_betting import betting_of
    from tahur.solvers.limit.bucketed.trainer import Trainer

    sizes = sizes_of(asked.buckets or BUCKETS)
    note(f"{asked.game}: {sizes.flop} buckets on the flop, {sizes.turn} on the turn, {sizes.river} on the river")
    buckets = watch(_made(sizes, np.random.default_rng(asked.seed)), "buckets")
    return Trainer(betting_of(game_named(asked.game)), buckets, asked.seed)


def _made(sizes: BucketNumbers, rng: object) -> Generator[float, None, Buckets]:
    from tahur.cards.buckets.buckets import Buckets, make

    for step in make(sizes, rng):  # type: ignore[arg-type]
        if isinstance(step, Buckets):
            return step
        yield 0.9 * step.done / step.of
    raise AssertionError("buckets come last")


def _resumed(asked: BucketRequest) -> Trainer:
    from tahur.core.errors import StrategyError
    from tahur.games.holdem.bucket_table import read_bucket_table, read_memory
    from tahur.solvers.limit.bucketed.trainer import Trainer

    table = read_bucket_table(asked.path)
    if table.training.game != asked.game:
        raise StrategyError(f"{asked.path} is for {table.training.game}, not for {asked.game}")
    trainer = Trainer(table.betting, table.buckets, table.training.seed)
    trainer.recall(table.training, read_memory(asked.path, trainer.expected()))
    return trainer


def _train(trainer: Trainer, asked: BucketRequest) -> tuple[float, bool]:
    """Train; return the seconds it took and whether Ctrl-C ended it."""
    from tahur.cli.solve.running import Patience

    began = saved = said = time.monotonic()
    visited = trainer.visited
    with Patience() as patience:
        while not patience.asked and not _is_done(trainer, asked, time.monotonic() - began):
            list(trainer.run(1))
            now = time.monotonic()
            if now - said > SAY:
                said = now
                pace = (trainer.visited - visited) / (now - began)
                note(f"{trainer.deals:,} deals, {pace / 1e6:.1f} million nodes a second; Ctrl-C stops and saves")
            if now - saved > SAVE:
                _keep(trainer, asked)
                saved = time.monotonic()
        seconds = time.monotonic() - began
        _keep(trainer, asked)
    return seconds, patience.asked


def _is_done(trainer: Trainer, asked: BucketRequest, seconds: float) -> bool:
    if asked.rounds is not None and trainer.round >= asked.rounds:
        return True
    return asked.limit is not None and seconds >= asked.limit


def _keep(trainer: Trainer, asked: BucketRequest) -> None:
    from tahur.games.holdem.bucket_table import write_bucket_table

    write_bucket_table(asked.path, trainer.table(), trainer.memory())


def _tell(trainer: Trainer, asked: BucketRequest, seconds: float) -> None:
    training = trainer.table().training
    if asked.as_json:
        print_json({**training.to_json(), "visited": trainer.visited, "seconds": seconds, "file": str(asked.path)})
        return
    out = console()
    counts = ", ".join(f"{count} {street}" for count, street in zip(training.buckets[1:], STREETS, strict=True))
    out.print(f"[bold]{training.game}[/] on buckets ({counts}): {training.deals:,} deals, {seconds:.1f} s just now")
    out.print(f"saved in {asked.path}; resume with: [bold]tahur solve {training.game} --resume -o {asked.path}[/]")
    out.print(f"Next: [bold]tahur eval lhe {asked.path}[/] bounds what it can lose; at a table it plays as")
    out.print(f"[bold]strategy:{asked.path}[/]")


STREETS: Final = ("flop", "turn", "river")
