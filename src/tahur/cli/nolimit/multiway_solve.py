"""`tahur preflop solve`: train a preflop strategy for two to six seats."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tahur.cli.limit.solve import sizes_of
from tahur.cli.memory import gigabytes
from tahur.cli.nolimit.solve import DEPTH, depth_of
from tahur.cli.output import Json, console, note, print_json, warm, watch
from tahur.cli.solve.running import Saving, check_kept, drive, exit_if_stopped

if TYPE_CHECKING:
    from collections.abc import Generator

    from rich.text import Text

    from tahur.cards.buckets import BucketNumbers, Buckets
    from tahur.solvers.nolimit.multiway.solver import MultiwaySolver
    from tahur.solvers.nolimit.multiway.tree import MultiwayTree
    from tahur.solvers.postflop.spot import Rake

SEATS: Final = 6
BUCKETS: Final = "200,200,100"
DEALS: Final = 2_000_000
DEALS_PER_SECOND: Final = 30_000  # of one core and one seat, about
SAVE_SECONDS: Final = 120.0


@dataclass(frozen=True, slots=True)
class MultiwayRequest:
    """What is trained, for how long, and where it is saved."""

    seats: int
    depth: float
    rake: Rake
    buckets: BucketNumbers
    seed: int
    deals: int
    seconds: float | None
    path: Path
    resume: bool


def solve_preflop(
    seats: Annotated[int, typer.Option(help="Seats at the table.", min=2, max=6)] = SEATS,
    depth: Annotated[str, typer.Option(metavar="BB", help="Stacks of all seats.")] = DEPTH,
    rake: Annotated[
        str | None, typer.Option(help="Rake of pots that see a flop: 5%, or 5%:0.6bb with a cap. None by default.")
    ] = None,
    deals: Annotated[int, typer.Option(help="Deals to sample, including those of a resumed file.", min=1)] = DEALS,
    seconds: Annotated[float | None, typer.Option(help="Stop after this many seconds.", min=0)] = None,
    buckets: Annotated[str, typer.Option(help="Card buckets on flop, turn and river.")] = BUCKETS,
    seed: Annotated[int, typer.Option(help="Seed of the random numbers.", min=0)] = 1,
    resume: Annotated[
        bool, typer.Option("--resume", help="Resume from the output file, with the same other options.")
    ] = False,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Output file; 6max-100bb.tahur by default.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Train a preflop strategy for two to six seats by sampling whole hands on card buckets.

    With more than two seats no method guarantees an equilibrium; the strategies play well against each other.

    tahur cards preflop solve --depth 100bb --rake 5%:0.6bb

    tahur cards preflop solve --seats 3 --deals 500000 -o three.tahur
    """
    request = MultiwayRequest(
        seats=seats,
        depth=depth_of(depth),
        rake=_rake(rake),
        buckets=sizes_of(buckets),
        seed=seed,
        deals=deals,
        seconds=seconds,
        path=output or Path(f"{seats}max-{depth_of(depth):g}bb.tahur"),
        resume=resume,
    )
    _solve(request, as_json=as_json)


def _solve(request: MultiwayRequest, *, as_json: bool) -> None:
    """Train with a progress display and save the result, also after Ctrl-C."""
    from tahur.core.archive import PREFLOP
    from tahur.solvers.nolimit.multiway.solver import DEALS as ROUND
    from tahur.solvers.nolimit.multiway.strategy import is_strategy, write_strategy
    from tahur.solvers.solver import NEVER, run

    check_kept(request.path, is_strategy, PREFLOP.name, resume=request.path if request.resume else None)
    solver = _solver(request)
    began, first = time.monotonic(), solver.deals

    def draw(_: object) -> tuple[Text, str]:
        from rich.text import Text

        pace = (solver.deals - first) / (time.monotonic() - began)
        left = (request.deals - solver.deals) / max(pace, 1e-9) / 60
        line = f"{solver.deals:,} of {request.deals:,} deals, {pace:,.0f} a second"
        return Text(line), f"{line}; about {left:.0f} minutes left; Ctrl-C stops and saves"

    def save() -> None:
        write_strategy(request.path, solver.strategy(), solver.state().arrays)

    steps = run(solver, iterations=-(-request.deals // ROUND), every=NEVER, clock=time.monotonic)
    outcome = drive(steps, draw, Saving(save, save, SAVE_SECONDS), seconds=request.seconds)
    if as_json:
        facts = {"seats": request.seats, "depth": request.depth, "deals": solver.deals, "visited": solver.visited}
        print_json({**facts, "seconds": outcome.seconds, "file": str(request.path)})
    else:
        out = console()
        out.print(f"{request.seats} seats, {request.depth:g} bb: {solver.deals:,} deals, saved in {request.path}")
        out.print(f"Next: [bold]tahur cards preflop chart {request.path}[/]")
    exit_if_stopped(outcome, f"{solver.deals:,} deals", request.path)


def _solver(request: MultiwayRequest) -> MultiwaySolver:
    """The solver, from nothing or resumed; says first what it will take."""
    from tahur.core.errors import SolverError
    from tahur.solvers.nolimit.multiway.actions import sizes_for
    from tahur.solvers.nolimit.multiway.solver import MultiwaySolver
    from tahur.solvers.nolimit.multiway.strategy import read_memory, read_strategy
    from tahur.solvers.nolimit.multiway.tree import build_preflop, build_tree
    from tahur.solvers.solver import SolverState

    sizes = request.buckets
    preflop = build_preflop(request.seats, request.depth, sizes_for(request.depth))
    tree = build_tree(preflop, request.rake, (169, sizes.flop, sizes.turn, sizes.river))
    _announce(request, tree)
    begun = read_strategy(request.path) if request.resume else None
    if begun is not None and (begun.tree, begun.rake, begun.training.seed) != (preflop, request.rake, request.seed):
        raise SolverError(f"{request.path} was started with other seats, stacks, rake or seed; give the same options")
    warm("limit bucket")
    warm("multiway")
    solver = MultiwaySolver(tree, watch(_made(sizes), "card buckets"), seed=request.seed)
    if begun is not None:
        solver.resume(SolverState(begun.training.rounds, read_memory(request.path, solver.state().arrays)))
    return solver


def _announce(request: MultiwayRequest, tree: MultiwayTree) -> None:
    """Print the size of the game, the memory and the time."""
    from tahur.solvers.nolimit.multiway.solver import bytes_of

    counts = len(tree.arrays.kind), len(tree.preflop.decisions)
    minutes = request.deals * request.seats / DEALS_PER_SECOND / 60
    note(f"{request.seats} seats, {request.depth:g} bb: {counts[0]:,} nodes, {counts[1]:,} decisions before the flop")
    memory = gigabytes(bytes_of(tree))
    note(f"{tree.cells:,} regrets, {memory}; about {minutes:,.0f} minutes for {request.deals:,} deals")


def _made(sizes: BucketNumbers) -> Generator[float, None, Buckets]:
    """The card buckets, always the same for the same numbers; yields the part that is done."""
    import numpy as np

    from tahur.cards.buckets import BucketProgress, make

    for step in make(sizes, np.random.default_rng(0)):
        if not isinstance(step, BucketProgress):
            return step
        yield 0.9 * step.done / step.of
    raise AssertionError("buckets come last")


def _rake(text: str | None) -> Rake:
    """From a text such as `5%:0.6bb`."""
    from tahur.solvers.postflop.spot import Rake

    if text is None:
        return Rake()
    parts = re.fullmatch(r"(\d+(?:\.\d+)?)%(?::(\d+(?:\.\d+)?)bb)?", text.replace(" ", "").lower())
    if parts is None:
        raise typer.BadParameter(f"--rake {text}: write it as 5%, or 5%:0.6bb with a cap in big blinds")
    share = float(parts[1]) / 100
    return Rake(share, float(parts[2])) if parts[2] else Rake(share)
