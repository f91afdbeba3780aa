"""`tahur eval nlhe`: a lower bound on what a no-limit strategy loses, by local best response."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from tahur.cli.nolimit.deal_log import DealLog
from tahur.cli.nolimit.resolvers import NamedResolver, resolver_named
from tahur.cli.nolimit.solve import depth_of
from tahur.cli.output import console, note, print_json, warm

if TYPE_CHECKING:
    from tahur.solvers.nolimit.lbr import LbrEstimate, ResponseOptions

GAME: Final = "nlhe"
LBR: Final = "lbr"
BETS: Final = "pot"
STREETS: Final = "all"
SAY: Final = 10.0  # seconds between lines
UNIT: Final = "mbb/g"
KIND: Final = "lower bound"


@dataclass(frozen=True, slots=True)
class LbrOptions:
    """Options of `tahur eval` that only no-limit hold'em has."""

    streets: Annotated[
        str | None, typer.Option(help="nlhe: where lbr plays, such as turn,river; by default on all streets.")
    ] = None
    bets: Annotated[str | None, typer.Option(help="nlhe: bets of lbr: pot (pot and all-in), fourteen, none.")] = None
    depth: Annotated[
        str | None, typer.Option(metavar="BB", help="nlhe: stacks, such as 100bb; by default the strategy's own.")
    ] = None
    doubt: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            min=0,
            max=1,
            help="nlhe: share of the opponent's range that a solver doubts: 0 unsafe, 1 CFR-D; 0.2 by default.",
        ),
    ] = None
    log: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="nlhe: keep each deal's result in this file; a later run continues it."),
    ] = None

    def check_unused(self, game: str) -> None:
        """Refuse these options for another game."""
        for option in ("streets", "bets", "depth", "doubt", "log"):
            if getattr(self, option) is not None:
                raise typer.BadParameter(f"--{option} is for {GAME}; the game is {game}")

    def parsed(self) -> ResponseOptions:
        """The bets and streets of the local best response."""
        from tahur.solvers.nolimit.lbr import STREETS as NAMES
        from tahur.solvers.nolimit.lbr import ResponseOptions

        words = [word.strip() for word in (self.streets or STREETS).split(",")]
        if words == [STREETS]:
            words = list(NAMES)
        for word in words:
            if word not in NAMES:
                raise typer.BadParameter(f"--streets {self.streets}: give {STREETS}, or some of {', '.join(NAMES)}")
        return ResponseOptions(self.bets or BETS, tuple(sorted({NAMES.index(word) for word in words})))


@dataclass(frozen=True, slots=True)
class LbrRequest:
    """What to measure, as given on the command line, and the limits."""

    bounds: str | None
    against: str | None
    deals: int
    seconds: float
    seed: int


def measure_lbr(name: str, asked: LbrOptions, request: LbrRequest, *, as_json: bool) -> None:
    """Play the local best response until the deals or the time are used up, and print what it won.

    Ctrl-C prints the figure of the complete deals.
    """
    if request.bounds not in (None, LBR):
        raise typer.BadParameter(f"--bounds {request.bounds}: the bound of {GAME} is {LBR}")
    if request.against is not None:
        raise typer.BadParameter("--against is for limit hold'em; use `tahur arena match` for no-limit")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the vectors are small: more threads only add overhead
    options = asked.parsed()
    depth = None if asked.depth is None else depth_of(asked.depth)
    subject = resolver_named(name, depth, doubted=asked.doubt)
    warm("card")
    warm("no-limit")
    log = DealLog.open(asked.log, _conditions(subject, options, request.seed))
    began = time.monotonic()
    estimate, stopped = _played(subject, options, request, log)
    seconds = time.monotonic() - began
    if as_json:
        print_json(_json(subject, options, request, estimate, seconds))
    else:
        _print(subject, options, estimate, seconds)
    if stopped:
        raise typer.Exit(130)


def _played(
    subject: NamedResolver, options: ResponseOptions, request: LbrRequest, log: DealLog
) -> tuple[LbrEstimate | None, bool]:
    """The last estimate, and whether the user stopped it."""
    from tahur.solvers.nolimit.lbr import LbrEstimate, local_best_response

    began = noted = time.monotonic()
    big_blind = subject.game.stakes.blinds[1]
    deals, stopped = range(len(log.results), request.deals), False
    try:
        for result in local_best_response(subject.resolver, subject.game, options, deals=deals, seed=request.seed):
            log.add(result)
            now = time.monotonic()
            if now - noted > SAY:
                noted, estimate = now, LbrEstimate.of(log.results, big_blind)
                note(f"{estimate.deals:,} deals in both seats: {estimate.mean:+,.0f} {UNIT}, {_interval(estimate)}")
            if now - began > request.seconds:
                break
    except KeyboardInterrupt:
        note("stopped; the figure is of the complete deals")
        stopped = True
    return LbrEstimate.of(log.results, big_blind) if log.results else None, stopped


def _print(subject: NamedResolver, options: ResponseOptions, estimate: LbrEstimate | None, seconds: float) -> None:
    out = console()
    out.print(f"[bold]{subject.name}[/] ({subject.about}) loses to a local best response, in {UNIT}:")
    if estimate is None:
        out.print("no deal was completed; give it more --seconds")
        return
    out.print(f"[bold]{estimate.mean:+,.0f}[/]  {_interval(estimate)}, {estimate.deals:,} deals in both seats")
    button, blind = estimate.by_seat
    out.print(f"{button:+,.0f} when the local best response has the button, {blind:+,.0f} in the big blind")
    out.print(f"[dim]{KIND}; it plays on {_streets(options)} with the bets '{options.bets}'; {seconds:.0f} s[/]")


def _streets(options: ResponseOptions) -> str:
    from tahur.solvers.nolimit.lbr import STREETS as NAMES

    names = [NAMES[street] for street in options.streets]
    return "all streets" if len(names) == len(NAMES) else ", ".join(names)


def _interval(estimate: LbrEstimate) -> str:
    if estimate.interval is None:
        return "too few deals for an interval"
    low, high = estimate.interval
    return f"95 % interval {low:+,.0f} to {high:+,.0f}"


def _json(
    subject: NamedResolver,
    options: ResponseOptions,
    request: LbrRequest,
    estimate: LbrEstimate | None,
    seconds: float,
) -> dict[str, Any]:
    low, high = (None, None) if estimate is None or estimate.interval is None else estimate.interval
    figure = {
        "name": LBR,
        "kind": KIND,
        "mean": None if estimate is None else estimate.mean,
        "low": low,
        "high": high,
        "as_button": None if estimate is None else estimate.by_seat[0],
        "as_big_blind": None if estimate is None else estimate.by_seat[1],
        "sample": 0 if estimate is None else estimate.deals,
        "of": "deals",
        "seconds": seconds,
    }
    return {**_conditions(subject, options, request.seed), "unit": UNIT, "figures": [figure]}


def _conditions(subject: NamedResolver, options: ResponseOptions, seed: int) -> dict[str, Any]:
    """What the result of a deal depends on."""
    return {
        "policy": subject.name,
        "about": subject.about,
        "game": GAME,
        "stacks": subject.game.stakes.stacks[0] / subject.game.stakes.blinds[1],
        "streets": list(options.streets),
        "bets": options.bets,
        "seed": seed,
    }
