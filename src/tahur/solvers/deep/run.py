"""A training run in its folder: iterations, checkpoints, the log, and the reference values of healthy runs.

`Training.run` yields a line for each iteration and writes everything to disk in order: a net as soon as it counts, a
checkpoint at intervals, then the log. A run that is interrupted or killed loses at most the iterations since the last
checkpoint, and repeats them bit for bit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tahur import __version__
from tahur.core.errors import Diverged, MissingExtra, SettingError
from tahur.core.net_file import (
    add_to_log,
    cut_log,
    has_checkpoint,
    lock_folder,
    read_header,
    read_net,
    read_state,
    write_checkpoint,
    write_net,
)
from tahur.solvers.deep.config import Config, config_from
from tahur.solvers.deep.trainer import MEASURED, Measuring, NetMeasure, NetState, NetTrainer, PaperTrainer
from tahur.solvers.solver import Clock, Progress, run


@dataclass(frozen=True, slots=True)
class LogLine:
    """One logged iteration. Exploitability is (BR1 + BR2) / 2, exact, in `unit` per deal."""

    iteration: int
    iterations: int
    losses: tuple[float, float]
    samples: tuple[int, int]
    fill: tuple[float, float]
    traversals_per_second: float
    seconds: tuple[float, float]  # of traversing and of fitting
    nets: int  # number of nets in the average
    checkpoint: bool
    exploitability: float | None = None
    unit: str = ""
    band: tuple[float, float] | None = None

    @property
    def verdict(self) -> str:
        """`expected 250-420, you are at 318`, where both are known."""
        if self.exploitability is None:
            return ""
        value = f"{self.exploitability:.4g} {self.unit}"
        if self.band is None:
            return f"exploitability {value}"
        low, high = self.band
        word = "worse than healthy runs" if self.exploitability > high else "as it should be"
        return f"exploitability: expected {low:.3g}-{high:.3g}, you are at {value}: {word}"

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def trainer_of(config: Config, clock: Clock = lambda: 0.0, measuring: Measuring | None = None) -> NetTrainer:
    """The trainer of the config's mode."""
    if config.training.mode == "fast":
        from tahur.solvers.deep.fast import FastTrainer

        return FastTrainer(config, clock, measuring)
    return PaperTrainer(config, clock, measuring)


class Training:
    """One run. `measuring` computes the exploitability where a trainer cannot: exact figures of Flop Hold'em."""

    def __init__(
        self,
        config: Config,
        folder: Path,
        *,
        resume: bool = False,
        clock: Clock = lambda: 0.0,
        measuring: Measuring | None = None,
    ) -> None:
        """Begin a run in `folder`, or continue the one there if `resume`."""
        self.config, self.folder = config, folder
        if not resume and has_checkpoint(folder):
            raise SettingError(
                f"{folder} has a checkpoint already; continue it with --resume, or name another folder with -o"
            )
        self.trainer = trainer_of(config, clock, measuring)
        self._lock = lock_folder(folder)
        if resume:
            _resume(self.trainer, config, folder)
        else:
            cut_log(folder, 0)
        self.saved = self.trainer.iteration
        self._written = len(self.trainer.kept)  # nets in the folder

    def run(self) -> Iterator[LogLine]:
        """Train until the config's iterations are done, or the caller stops."""
        training = self.config.training
        steps = run(self.trainer, iterations=training.iterations, every=training.log_interval, step=1)
        try:
            for progress in steps:
                yield self._record(progress)
        except Diverged as error:
            where = (
                f"the last good checkpoint is that of iteration {self.saved:,} in {self.folder}"
                if self.saved
                else "there is no checkpoint yet"
            )
            raise Diverged(f"{error}; {where}. Try a lower sgd.learning_rate") from None

    def _record(self, progress: Progress[NetMeasure]) -> LogLine:
        """Write the new nets, a checkpoint if it is due, and the line of the log."""
        for net in self.trainer.kept[self._written :]:
            write_net(self.folder, net)
        self._written = len(self.trainer.kept)
        last, every = self.config.training.iterations, self.config.checkpoint.interval
        due = progress.iteration % every == 0 or progress.iteration == last
        line = self._log_line(progress, checkpoint=due)
        if due:
            self.save()
        add_to_log(self.folder, line.to_json())
        return line

    def _log_line(self, progress: Progress[NetMeasure], *, checkpoint: bool) -> LogLine:
        """The line of the log for the iteration just finished."""
        figures, config, measure = self.trainer.last, self.config, progress.measure
        seconds = figures.seconds[0]
        return LogLine(
            iteration=figures.iteration,
            iterations=config.training.iterations,
            losses=figures.losses,
            samples=figures.samples,
            fill=figures.fill,
            traversals_per_second=figures.traversals / seconds if seconds > 0 else 0.0,
            seconds=figures.seconds,
            nets=len(self.trainer.kept),
            checkpoint=checkpoint,
            exploitability=None if measure is None else measure.exploitability,
            unit="antes" if config.game_type in MEASURED else "mbb/g",
            band=None if measure is None else _band(config, figures.iteration),
        )

    def save(self) -> None:
        """Write a checkpoint of the current state, unless it is saved already."""
        trainer = self.trainer
        if trainer.iteration == self.saved:
            return
        game = trainer.game.game
        header = {
            "made_by": f"tahur {__version__}",
            "game": game.name,
            "settings": dict(game.settings),
            "iteration": trainer.iteration,
            "uniform": trainer.uniform,
            "nets": [[net.iteration, net.weight] for net in trainer.kept],
            "config": trainer.config.to_json(),
        }
        write_checkpoint(self.folder, header, trainer.arrays())
        self.saved = trainer.iteration


def summary(lines: Sequence[LogLine]) -> dict[str, Any]:
    """A summary of a run: first and last loss, its trend, and the last measurement."""
    if not lines:
        return {
            "iteration": None,
            "first_loss": None,
            "last_loss": None,
            "trend": "nothing done",
            "exploitability": None,
        }
    first, last = (sum(line.losses) / 2 for line in (lines[0], lines[-1]))
    known = [line for line in lines if line.exploitability is not None]
    trend = "falling" if last < 0.95 * first else "rising" if last > 1.05 * first else "level"
    return {
        "iteration": lines[-1].iteration,
        "first_loss": first,
        "last_loss": last,
        "trend": trend,
        "exploitability": known[-1].exploitability if known else None,
        "unit": lines[-1].unit,
    }


def _band(config: Config, iteration: int) -> tuple[float, float] | None:
    """The reference band of the last listed iteration that has been reached."""
    passed = [(at, low, high) for at, low, high in config.bands if at <= iteration]
    return max(passed)[1:] if passed else None


def _resume(trainer: NetTrainer, config: Config, folder: Path) -> None:
    header = read_header(folder)
    before = config_from(header.get("config"), str(folder))
    if differ := _differences(before, config):
        raise SettingError(f"{folder} was started with another config: {', '.join(differ)}; resume it with its own")
    kept = tuple(read_net(folder, *entry) for entry in header["nets"])
    trainer.resume(NetState(header["iteration"], read_state(folder), kept))
    cut_log(folder, header["iteration"])


def _differences(before: Config, now: Config) -> list[str]:
    """The keys that differ, except those that may change during a run."""
    free = {"training.iterations", "training.output_dir", "training.log_interval", "checkpoint.interval", "bands"}
    ours, theirs = _flat(before.to_json()), _flat(now.to_json())
    return [
        f"{key} was {ours[key]!r}, not {theirs[key]!r}" for key in ours if ours[key] != theirs[key] and key not in free
    ]


def _flat(value: dict[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, entry in value.items():
        if isinstance(entry, dict):
            flat |= {f"{key}.{name}": deep for name, deep in entry.items()}
        else:
            flat[key] = entry
    return flat


class TensorBoardWriter:
    """Writes each iteration's numbers as TensorBoard scalars, if it is installed."""

    def __init__(self, folder: str) -> None:
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError:
            raise MissingExtra("--tensorboard needs TensorBoard: pip install tensorboard") from None
        self._writer: Any = SummaryWriter(folder)

    def add(self, line: LogLine) -> None:
        for role, loss in enumerate(line.losses):
            self._writer.add_scalar(f"loss/{role}", loss, line.iteration)
            self._writer.add_scalar(f"memory/{role}", line.fill[role], line.iteration)
        self._writer.add_scalar("traversals_per_second", line.traversals_per_second, line.iteration)
        if line.exploitability is not None:
            self._writer.add_scalar(f"exploitability ({line.unit})", line.exploitability, line.iteration)

    def close(self) -> None:
        self._writer.close()
