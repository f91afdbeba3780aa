"""The options of `tahur solve`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from tahur.cli.bucket_solve import BUCKETS

# A test compares these with those that there are.
SCHEDULES: Final = "cfr, cfr+, cfr+2, linear, dcfr, dcfr3, dcfr+, pcfr+, pdcfr+, hs-dcfr, hs-pcfr+, external, chance"

GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="kuhn, leduc, liars-dice, perudo with few dice, fhp, fhp-3-4, hulh.")
]
ScheduleName = Annotated[str | None, typer.Option(help=f"How: {SCHEDULES}.")]
Iterations = Annotated[int | None, typer.Option(help="How many to do, those of a resumed file included.", min=1)]
Target = Annotated[str | None, typer.Option(help="Stop when exploitability is at most this; 1mbb at Flop Hold'em.")]
Seconds = Annotated[float | None, typer.Option(help="Stop after so many seconds.", min=0)]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with the file, bit for bit.")]
Output = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="FILE", help="Where to keep it; GAME.tahur if left out.")
]
Dice = Annotated[
    str | None, typer.Option("--dice", metavar="AvB", help="A round of perudo for two: the opener's dice first.")
]
Palifico = Annotated[
    bool | None, typer.Option("--palifico/--no-palifico", help="With --dice: whether it is one; else by the rules.")
]
Calza = Annotated[bool | None, typer.Option("--calza/--no-calza", help="With --dice: whether it may be called.")]
Seed = Annotated[int, typer.Option(help="For external and chance, which draw samples.", min=0)]
Memory = Annotated[
    float | None, typer.Option(help="GiB that regrets and averages may take; 0.5, or 1 with --dice.", min=0.001)
]
Threads = Annotated[
    int | None,
    typer.Option(help="Cores for Flop Hold'em and large rounds of Perudo: 2 if there are; the same results.", min=1),
]
BucketSizes = Annotated[
    str | None,
    typer.Option(help=f"For hulh and acpc: buckets on flop, turn and river, {BUCKETS} if not said."),
]
