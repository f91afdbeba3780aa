"""`tahur postflop aggregate`: solve one spot on many flops, saved flop by flop in a folder."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tahur.cli.arena.contest import Cluster, WorkerCount, WorkOptions, say_stopped, workers_of
from tahur.cli.commands import with_option_groups
from tahur.cli.live import clock, last_of, show_progress
from tahur.cli.memory import free_memory
from tahur.cli.output import Json, console, note, print_json, warm
from tahur.cli.postflop.options import SpotOptions, Target, duration, percent_of

if TYPE_CHECKING:
    from rich.table import Table

    from tahur.arena.folder import Files, RunFolder
    from tahur.arena.work import Workers
    from tahur.show.tables import FlopLine
    from tahur.solvers.postflop.aggregate import FlopMean, FlopStudy, Report
    from tahur.solvers.postflop.spot import Spot

aggregate = typer.Typer(rich_markup_mode=None, invoke_without_command=True)

By = Annotated[str, typer.Option(help="Groups: texture, suit, high-card or pairing.")]
SOMEWHERE = "2c2d2h"  # a placeholder: a spot must have a board
SPOTS = "spots"
CSV = "flops.csv"
WIDEST = 1_000  # width of a table in characters: numbers are never cut off, a narrow terminal wraps the lines
MOST_LINES = 100  # lines of a table; with more flops it shows only groups


@aggregate.callback()
@with_option_groups
def run(
    context: typer.Context,
    spot: SpotOptions,
    flops: Annotated[
        str,
        typer.Option(help="Td9d6h,AsKd2c; a number of representative flops; all; two-tone, wet, A-high, ...; wet:20."),
    ] = "25",
    target: Target = "0.5%",
    workers: WorkerCount = None,
    cluster: Cluster = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Folder for the results, written after each flop.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Resume from the folder of -o.")] = False,
    keep: Annotated[bool, typer.Option("--keep", help="Also save each flop's full solution: FOLDER/spots/.")] = False,
    estimate: Annotated[bool, typer.Option("--estimate", help="Print the estimated size and exit.")] = False,
    as_json: Json = False,
) -> None:
    """Solve the same spot on many flops: EV, equity and first action, on each flop and overall.

    tahur postflop aggregate --oop "22+,A2s+" --ip "22+,ATs+" --pot 60 --stack 970 --sizes simple --flops 25 -o FOLDER

    tahur postflop aggregate show FOLDER --by high-card
    """
    if context.invoked_subcommand is not None:
        return
    study = _study(spot.parse(SOMEWHERE), flops, percent_of(target))
    crew = workers_of(WorkOptions(workers, cluster))
    if estimate:
        _print_size(study, crew, as_json=as_json)
        return
    if output is None:
        raise typer.BadParameter("an aggregate needs a folder for its results: -o FOLDER")
    _solve_study(study, crew, output, resume=resume, keep=keep, as_json=as_json)


@aggregate.command("show")
def show(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="A folder of `aggregate -o FOLDER`, finished or not.")
    ],
    by: By = "texture",
    csv: Annotated[bool, typer.Option("--csv", help="Print a line of CSV for each flop.")] = False,
    as_json: Json = False,
) -> None:
    """Show an aggregate as a table, grouped by texture, suits, high card or pairs.

    tahur postflop aggregate show FOLDER --by suit      tahur postflop aggregate show FOLDER --csv > flops.csv
    """
    from tahur.arena.folder import read_blocks
    from tahur.solvers.postflop.aggregate import FlopResult, Report, check_grouping

    if csv and as_json:
        raise typer.BadParameter("give at most one of --json and --csv")
    check_grouping(by)
    identity, blocks = read_blocks(folder, _files())
    report = Report(identity, tuple(FlopResult.from_json(block) for block in blocks))
    if as_json:
        print_json(report.to_json(by))
    elif csv:
        sys.stdout.write(report.csv())
    else:
        _print(report, by, folder)


def _study(spot: Spot, flops: str, target: float) -> FlopStudy:
    from tahur.solvers.postflop.aggregate import FlopStudy
    from tahur.solvers.postflop.flops import choose_flops

    return FlopStudy(spot, choose_flops(flops, spot.ranges), target)


def _files() -> Files:
    from tahur.arena.folder import Files

    return Files("study", "study.json", "flops.jsonl")


# ---- running ---------------------------------------------------------------------------------------


def _solve_study(study: FlopStudy, workers: Workers, output: Path, *, resume: bool, keep: bool, as_json: bool) -> None:
    """Solve all flops of the study that the folder does not have yet, and print the report."""
    from tahur.arena.folder import RunFolder
    from tahur.core.cache import write_whole

    size = _Size(study, workers)
    size.check_memory()
    identity = study.identity() | {"keep": keep, "versions": _versions()}
    folder = RunFolder(output, identity, resume=resume, files=_files())
    warm("postflop")
    if not as_json:
        note(size.text(len(folder.blocks)))
    report, stopped = last_of(
        show_progress(_reports(study, workers, folder, keep=keep), _Drawing(len(folder.blocks)).draw)
    )
    if not stopped:
        write_whole(output / CSV, report.csv().encode())
        folder.finish(report.to_json())
    if as_json:
        print_json(report.to_json())
    else:
        _print(report, "texture", output)
    if stopped:
        say_stopped(output)


def _reports(study: FlopStudy, workers: Workers, folder: RunFolder, *, keep: bool) -> Iterator[Report]:
    """Yield the report on the folder's flops, and again after each further flop is written."""
    from contextlib import closing
    from functools import partial

    from tahur.core.cache import write_whole
    from tahur.solvers.postflop.aggregate import FlopResult, Report, solve_flop

    identity, done = study.identity(), [FlopResult.from_json(block) for block in folder.blocks]
    yield Report(identity, tuple(done))
    if keep:
        (folder.path / SPOTS).mkdir(exist_ok=True)
    task = partial(solve_flop, study.spot, study.target, keep=keep)
    with closing(workers.run(task, study.flops[len(done) :])) as solved:
        for finding, content in solved:
            if keep:
                write_whole(folder.path / SPOTS / f"{finding.flop}.tahur", content)
            folder.add_line(finding.to_json())
            done.append(finding)
            yield Report(identity, tuple(done))


class _Drawing:
    """The progress: flops done, time left, and the means so far."""

    def __init__(self, before: int) -> None:
        self._began = time.monotonic()
        self._before = before

    def draw(self, report: Report) -> tuple[Table, str]:
        done, planned = len(report.results), report.planned
        line = f"{done} of {planned} flops"
        if done > self._before:
            pace = (time.monotonic() - self._began) / (done - self._before)
            line += f", {clock(pace * (planned - done))} left"
        table = _table(report, [_row(report.overall())] if report.results else [])
        return table, f"{line}; Ctrl-C stops and saves the results so far"


def _versions() -> dict[str, str]:
    import numpy

    from tahur import __version__

    return {"tahur": __version__, "numpy": numpy.__version__, "python": ".".join(map(str, sys.version_info[:3]))}


# ---- how big ---------------------------------------------------------------------------------------


class _Size:
    """The memory and time that a study needs."""

    def __init__(self, study: FlopStudy, workers: Workers) -> None:
        from tahur.solvers.postflop.aggregate import estimates

        self._study, self._workers = study, workers
        self._estimates = estimates(study)
        self.largest = max((size for size, _ in self._estimates), key=lambda size: size.bytes)

    def check_memory(self) -> None:
        """Raise an error if the workers do not fit in this machine's memory together (not checked for a cluster)."""
        from tahur.core.errors import SolverError

        free, count = free_memory(), self._workers.count
        if self._workers.cluster is None and free is not None and self.largest.bytes * count > free:
            raise SolverError(
                f"a flop needs {self.largest.bytes / 1e6:,.0f} MB for each of {count} workers and {free / 1e6:,.0f} MB "
                f"are available; use fewer --workers, or {self.largest.hint}"
            )

    def seconds(self) -> float:
        """Estimated seconds for all flops with one worker."""
        from tahur.solvers.postflop.estimate import machine_speed, seconds_to

        speed = machine_speed(time.process_time)
        return sum(seconds_to(self._study.target, size, speed=speed) * count for size, count in self._estimates)

    def text(self, done: int) -> str:
        flops = len(self._study.flops)
        taken = duration(self.seconds() * (flops - done) / flops / self._hands)
        gone = f", {done} of them done" if done else ""
        many = "1 worker" if self._workers.count == 1 else f"{self._workers.count} workers"
        where = "one worker of the cluster" if self._workers.cluster else many
        return f"{flops} flops{gone}; about {taken} with {where}, {self.largest.bytes / 1e6:,.0f} MB for each"

    @property
    def _hands(self) -> int:
        return 1 if self._workers.cluster else min(self._workers.count, len(self._study.flops))


def _print_size(study: FlopStudy, workers: Workers, *, as_json: bool) -> None:
    """Print the number of flops and the estimated memory and time."""
    warm("postflop")
    size = _Size(study, workers)
    if as_json:
        flops = [{"flop": str(flop), "count": flop.count, "deals": flop.deals} for flop in study.flops]
        memory = size.largest.bytes / 1e6
        print_json({"flops": flops, "memory_mb": memory, "cpu_seconds": size.seconds(), "hint": size.largest.hint})
        return
    out = console()
    out.print(size.text(0))
    out.print(f"[dim]{', '.join(f'{flop} x{flop.count}' for flop in study.flops[:MOST_LINES])}[/]")


# ---- what is printed -------------------------------------------------------------------------------


def _print(report: Report, by: str, folder: Path) -> None:
    """Print the report as a table, grouped by `by`."""
    out = console()
    if not report.results:
        out.print(f"no flop of {report.planned} is solved yet; run the same command with --resume")
        return
    alone = len(report.results) > MOST_LINES
    out.width = WIDEST  # also on a narrower terminal
    out.print(_table(report, list(_rows(report, by, alone=alone))))
    out.print(
        f"[dim]EV in {report.unit}; oop: out of position, first; ip: in position, after a check; weighted by how often "
        "flops are dealt[/]"
    )
    if len(report.results) < report.planned:
        out.print(f"{len(report.results)} of {report.planned} flops; run the same command with --resume for the rest")
    worst = max(finding.exploitability for finding in report.results)
    out.print(f"[dim]exploitability at most {worst:.3f} % of the pot[/]")
    other = "high-card" if by == "texture" else "texture"
    out.print(f"Next: [bold]tahur postflop aggregate show {folder} --{'csv' if alone else f'by {other}'}[/]")


def _rows(report: Report, by: str, *, alone: bool) -> Iterator[FlopLine]:
    """The total, then each group with its flops below it."""
    yield _row(report.overall(), style="bold")
    for mean, findings in report.groups(by):
        yield _row(mean, style="" if alone else "bold")
        for finding in () if alone else findings:
            yield _row(report.of(finding), indent="  ")


def _row(mean: FlopMean, *, indent: str = "", style: str = "") -> FlopLine:
    """One line of the table: a flop, or the mean of several."""
    from tahur.show.tables import FlopLine

    name = indent + mean.name
    return FlopLine(
        name=name,
        share=mean.share,
        ev=mean.ev,
        equity=mean.equity[0],
        realized=mean.realized,
        first=mean.first,
        after_check=mean.after_check,
        style=style,
    )


def _table(report: Report, rows: list[FlopLine]) -> Table:
    from tahur.show.tables import flops_table

    first, after_check = report.moves
    return flops_table(rows, first, after_check)
