"""`tahur train`: train nets by Single Deep CFR, with checkpoints, a log and a live dashboard."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tahur.cli.output import Json, console, note, print_json, warm, watch
from tahur.cli.solve.running import RunOutcome, Saving, drive

if TYPE_CHECKING:
    from rich.console import RenderableType

    from tahur.core.net_file import NetSet
    from tahur.solvers.deep.config import Config
    from tahur.solvers.deep.run import LogLine, TensorBoardWriter, Training

NOTHING = "stopped before the first checkpoint; nothing is saved"


def train(
    config: Annotated[
        str,
        typer.Argument(metavar="CONFIG|PRESET", help="A YAML file, or kuhn, leduc, fhp-quick, fhp, hulh-quick, hulh."),
    ],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="DIR", help="Output folder; NAME_nets by default.")
    ] = None,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume", help="Resume from the folder's checkpoint; the result is identical to an uninterrupted run."
        ),
    ] = False,
    seed: Annotated[int | None, typer.Option(help="Seed, instead of the config's.", min=0)] = None,
    iterations: Annotated[
        int | None, typer.Option(help="Number of iterations, instead of the config's.", min=1)
    ] = None,
    threads: Annotated[int | None, typer.Option(help="Threads for PyTorch; 0 for its own default.", min=0)] = None,
    tensorboard: Annotated[bool, typer.Option("--tensorboard", help="Also write TensorBoard logs.")] = False,
    as_json: Json = False,
) -> None:
    """Train nets for Kuhn, Leduc, Flop Hold'em or heads-up limit hold'em, and save everything in a folder.

    tahur train kuhn      tahur train fhp-quick -o nets      tahur train mine.yaml --resume
    """
    chosen = _config(config, seed, iterations, threads)
    folder = output or Path(chosen.training.output_dir or f"{Path(config).stem}_nets")
    _check_torch()
    _warm(chosen)
    training, view, outcome = _train(chosen, folder, resume, tensorboard=tensorboard)
    _report(chosen, folder, view.lines, outcome.seconds, as_json=as_json)
    if outcome.stopped:
        note(f"stopped; iteration {training.saved:,} is saved; resume with --resume" if training.saved else NOTHING)
        raise typer.Exit(130)


def _config(name: str, seed: int | None, iterations: int | None, threads: int | None) -> Config:
    """The configuration of a file or preset, with the options that override it."""

    from tahur.solvers.deep.config import config_from_yaml, preset

    path = Path(name)
    if path.suffix in (".yaml", ".yml") or path.is_file():
        from tahur.core.errors import SettingError
        from tahur.core.limits import MOST_SETTINGS, read_file

        try:
            text = read_file(path, MOST_SETTINGS).decode("utf-8")
        except (OSError, ValueError) as error:
            raise SettingError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None
        config = config_from_yaml(text, str(path))
    else:
        config = preset(name)
    options: dict[str, Any] = {"seed": seed, "iterations": iterations, "threads": threads}
    return replace(config, training=replace(config.training, **{k: v for k, v in options.items() if v is not None}))


def _check_torch() -> None:
    """Raise an error without PyTorch, before anything is compiled or written."""
    from tahur.solvers.deep.net import torch

    torch()


def _warm(config: Config) -> None:
    warm("card" if config.game_type == "limit_holdem" else "solver")
    if config.training.mode == "fast":
        warm("limit")
    else:
        warm("deep")


def _board(folder: Path) -> TensorBoardWriter:
    from tahur.solvers.deep.run import TensorBoardWriter

    return TensorBoardWriter(str(folder / "tensorboard"))


def _train(
    config: Config, folder: Path, resume: bool, *, tensorboard: bool
) -> tuple[Training, _TrainingView, RunOutcome]:
    """Train; Ctrl-C lets the current iteration finish, which is then saved; a second Ctrl-C stops it at once."""
    from tahur.solvers.deep.run import Training

    training = Training(config, folder, resume=resume, clock=time.perf_counter, measuring=_measuring(config))
    board = _board(folder) if tensorboard else None
    view = _TrainingView(training, board)
    steps = view.watch(training.run())
    outcome = drive(steps, view.draw, Saving(training.save), stopping=view.stopping, interrupts=False)
    if board is not None:
        board.close()
    return training, view, outcome


class _TrainingView:
    """Follows a run: collects a line for each iteration, draws the dashboard, and knows how long an iteration takes."""

    def __init__(self, training: Training, board: TensorBoardWriter | None) -> None:
        self.lines: list[LogLine] = []
        self._training, self._board = training, board
        self._began = time.monotonic()  # of the current iteration
        self._took: float | None = None  # seconds of the last one

    def watch(self, steps: Iterator[LogLine]) -> Iterator[LogLine]:
        """Yield the lines, and print what was measured."""
        for line in steps:
            now = time.monotonic()
            self._began, self._took = now, now - self._began
            self.lines.append(line)
            if self._board is not None:
                self._board.add(line)
            if line.verdict:
                note(f"iteration {line.iteration:,}: {line.verdict}")
            yield line

    def draw(self, line: LogLine) -> tuple[RenderableType, str]:
        """The live display: a table in a terminal, a line in a pipe."""
        from tahur.show.tables import training_table

        measured = [line for line in self.lines if line.exploitability is not None]
        table = training_table(line.to_json(), [line.to_json() for line in measured[-6:]])
        rate = f"{line.traversals_per_second:,.0f} traversals/s"
        words = (
            f"iteration {line.iteration:,} of {line.iterations:,}, loss {line.losses[0]:.3g} and {line.losses[1]:.3g}"
        )
        return table, f"{words}, {rate}; Ctrl-C stops and saves"

    def stopping(self) -> str:
        """What Ctrl-C waits for, how long that takes, and what a second one would lose."""
        current = self.lines[-1].iteration + 1 if self.lines else self._training.saved + 1
        spent = time.monotonic() - self._began
        left = f"{spent:.0f} s so far" if self._took is None else f"about {max(self._took - spent, 0.0):.0f} s left"
        saved = self._training.saved
        kept = f"keep the checkpoint of iteration {saved:,}" if saved else "save nothing"
        return f"stopping: finishing iteration {current:,}, {left} (Ctrl-C again: stop now and {kept})"


def _measuring(config: Config) -> Callable[[NetSet], float] | None:
    """Measure the exact exploitability of Flop Hold'em where the config asks for it; takes minutes."""
    if config.game_type != "limit_holdem" or config.game.num_streets != 2 or not config.training.log_interval:
        return None
    from tahur.solvers.limit.engine import layout_of
    from tahur.solvers.limit.evaluate import measure_policy

    warm("limit")
    rules: Any = config.make_game()

    def measure(nets: NetSet) -> float:
        from tahur.solvers.deep.flop_nets import FlopAverage

        responses = watch(measure_policy(layout_of(rules), FlopAverage(nets, rules)), "best responses")
        return float(responses.exploitability * 1000 / rules.stakes.blinds[1])

    return measure


def _report(config: Config, folder: Path, lines: list[LogLine], seconds: float, *, as_json: bool) -> None:
    """Print the summary of a run and the next useful commands."""
    from rich.markup import escape

    from tahur.cli.settings import options_of
    from tahur.solvers.deep.run import summary

    results, game = summary(lines), config.make_game()
    if as_json:
        print_json({"folder": str(folder), "game": game.name, "seconds": seconds, **results})
        return
    out = console()
    if not lines:
        out.print(f"all {config.training.iterations:,} iterations are already done")
    else:
        out.print(f"[bold]{game.name}[/] to iteration {results['iteration']:,}, {seconds:.0f} s just now")
        out.print(
            f"loss            first {results['first_loss']:.4g}, last {results['last_loss']:.4g}: {results['trend']}"
        )
        if results["exploitability"] is not None:
            measured = f"{results['exploitability']:.4g} {results['unit']}"
            out.print(f"exploitability  {measured}  [dim](BR1 + BR2) / 2, exact[/]")
    out.print(f"saved in {folder}; resume with: [bold]tahur train ... --resume -o {folder}[/]")
    out.print(f"Next: [bold]tahur arena match {game.name} net:{folder} caller{escape(options_of(game))}[/]")
    if config.game_type == "limit_holdem":
        seats = f"--seats 2{escape(options_of(game))}" if game.name == "limit" else escape(options_of(game)).strip()
        out.print(f"      [bold]tahur play {game.name} --vs net:{folder} {seats}[/]")
        out.print(f"      [bold]tahur eval lhe {folder}[/]      [bold]tahur show {folder}[/]")
