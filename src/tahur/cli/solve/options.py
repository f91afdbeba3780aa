"""The options of `tahur solve`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from tahur.cli.limit.bucket_solve import BUCKETS

# A test compares this list with the schedules in the solvers.
SCHEDULES: Final = "cfr, cfr+, cfr+2, linear, dcfr, dcfr3, dcfr+, pcfr+, pdcfr+, hs-dcfr, hs-pcfr+, external, chance"

GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="kuhn, leduc, liars-dice, perudo with few dice, fhp, fhp-3-4, hulh.")
]
ScheduleName = Annotated[str | None, typer.Option(help=f"Algorithm: {SCHEDULES}.")]
Iterations = Annotated[int | None, typer.Option(help="Number of iterations, including those of a resumed file.", min=1)]
Target = Annotated[
    str | None, typer.Option(help="Stop when exploitability is at most this; for Flop Hold'em such as 1mbb.")
]
Seconds = Annotated[float | None, typer.Option(help="Stop after this many seconds.", min=0)]
Resume = Annotated[
    bool, typer.Option("--resume", help="Resume from the output file; the result is identical to an uninterrupted run.")
]
Output = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="FILE", help="Output file; GAME.tahur by default.")
]
Dice = Annotated[
    str | None, typer.Option("--dice", metavar="AvB", help="A round of perudo for two: the opener's dice first.")
]
Palifico = Annotated[
    bool | None,
    typer.Option(
        "--palifico/--no-palifico", help="With --dice: whether it is a palifico round; by default as the rules say."
    ),
]
Calza = Annotated[bool | None, typer.Option("--calza/--no-calza", help="With --dice: whether calza may be called.")]
Seed = Annotated[int, typer.Option(help="Seed of the sampled schedules external and chance.", min=0)]
Memory = Annotated[
    float | None, typer.Option(help="Memory limit for regrets and averages in GiB; 0.5, or 1 with --dice.", min=0.001)
]
Threads = Annotated[
    int | None,
    typer.Option(
        help="Threads for Flop Hold'em and large rounds of Perudo; 2 by default. Does not change the results.",
        min=1,
    ),
]
BucketSizes = Annotated[
    str | None,
    typer.Option(help=f"For hulh and acpc: buckets on flop, turn and river; {BUCKETS} by default."),
]
