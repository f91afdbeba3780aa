"""Options shared by the commands that take a spot, and the spot that they describe."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tahur.cli.output import note

if TYPE_CHECKING:
    from tahur.solvers.postflop.spot import Spot


Oop = Annotated[str | None, typer.Option(help="The range out of position: 'QQ+,AKs:0.5'.")]
Ip = Annotated[str | None, typer.Option(help="The range in position.")]
Pot = Annotated[str | None, typer.Option(help="The pot in chips or big blinds: 200 or 5.5bb.")]
Stack = Annotated[str | None, typer.Option(help="Remaining stack of each seat, in the same unit: 900 or 97.5bb.")]
SizesText = Annotated[
    str | None,
    typer.Option(
        help="'BETS / RAISES' on all streets: 33%, 2.5x, 20c, 2bb, e, 3e, a; or 'oop: ...; ip: ...'; or the name of a "
        "preset, see `tahur postflop sizes`."
    ),
]
FlopSizes = Annotated[str | None, typer.Option("--flop", help="Sizes on the flop, instead of --sizes.")]
TurnSizes = Annotated[str | None, typer.Option("--turn", help="Sizes on the turn, instead of --sizes.")]
RiverSizes = Annotated[str | None, typer.Option("--river", help="Sizes on the river, instead of --sizes.")]
DonkTurn = Annotated[str | None, typer.Option(help="Donk bets on the turn, into the aggressor of the flop.")]
DonkRiver = Annotated[str | None, typer.Option(help="Donk bets on the river, into the aggressor of the turn.")]
ThresholdsText = Annotated[str | None, typer.Option(help="Such as add=1.5,force=0.15,merge=0.1.")]
RaiseCap = Annotated[int | None, typer.Option(help="Maximum bets and raises on a street; 0 for no cap.", min=0)]
RakeText = Annotated[str | None, typer.Option(help="Rake: 5%, or 5%:3 or 5%:0.5bb with a cap.")]
SpotFile = Annotated[Path | None, typer.Option(help="A TOML file with these settings; options override it.")]
MOST_OFF = 0.02  # share of the pot: a size that rounding changes by more gets a warning
SCALES = (2, 5, 10, 20, 50, 100)
Target = Annotated[str, typer.Option(help="Stop at this exploitability, in percent of the pot.")]


def spot_of(path: Path | None, said: dict[str, Any], *, thresholds: str | None, rake: str | None) -> Spot:
    """The settings of the file, overridden by the options."""
    from tahur.core.errors import SolverError
    from tahur.core.limits import MOST_SETTINGS, parse_toml, read_file
    from tahur.solvers.postflop.spot import spot

    filed: dict[str, Any] = {}
    if path is not None:
        try:
            filed = parse_toml(read_file(path, MOST_SETTINGS).decode("utf-8"))
        except (OSError, ValueError) as error:
            raise SolverError(f"no spot can be read from {path}: {error}") from None
    besides = said | _thresholds(thresholds) | _rake(rake)
    asked = spot(**filed | {name: value for name, value in besides.items() if value is not None})
    _warn_of_rounding(asked)
    return asked


def _warn_of_rounding(spot: Spot) -> None:
    """Warn about the size that rounding to whole chips changes most, and suggest a finer scale."""
    from tahur.solvers.postflop.tree import roundings

    worst = max(roundings(spot), key=lambda each: each.off, default=None)
    if worst is None or worst.off <= MOST_OFF:
        return
    exact, chips = f"{worst.exact / worst.pot:.0%}", f"{worst.chips / worst.pot:.0%}"
    note(
        f"warning: chips are whole, so the size {worst.size} in a pot of {worst.pot} is {worst.chips} chips instead of "
        f"{worst.exact:.2f}: {chips} of the pot instead of {exact}{_finer(spot)}"
    )


def _finer(spot: Spot) -> str:
    """The smallest multiple of the chips for which no size needs a warning."""
    from dataclasses import replace

    from tahur.solvers.postflop.tree import roundings

    for times in SCALES:
        more = replace(spot, pot=spot.pot * times, stack=spot.stack * times)
        if all(each.off <= MOST_OFF for each in roundings(more)):
            return (
                f"; with {times} times the chips (--pot {more.pot} --stack {more.stack}) or in big blinds "
                f"(--pot {spot.pot}bb --stack {spot.stack}bb) all sizes are exact to {MOST_OFF:.0%} of the pot"
            )
    return ""


def percent_of(text: str) -> float:
    """Parse a target in percent of the pot."""
    number = text.strip().removesuffix("%")
    if not _is_number(number) or float(number) <= 0:
        raise typer.BadParameter(f"--target {text}: write percent of the pot, such as 0.3%")
    return float(number)


def duration(seconds: float) -> str:
    """`0.4 s`, `12 s`, `3 min`, `2.5 h`: rounded, as it is an estimate."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def _thresholds(text: str | None) -> dict[str, float]:
    names = {"add": "add_all_in", "force": "force_all_in", "merge": "merge"}
    found = {}
    for item in text.split(",") if text else ():
        name, _, value = item.strip().partition("=")
        if name not in names or not _is_number(value):
            raise typer.BadParameter(f"--thresholds {text}: write it as add=1.5,force=0.15,merge=0.1")
        found[names[name]] = float(value)
    return found


def _rake(text: str | None) -> dict[str, Any]:
    if text is None:
        return {}
    share, colon, cap = text.partition(":")
    blinds = cap.strip().lower().endswith("bb")
    if not share.endswith("%") or not _is_number(share[:-1]) or (colon and not blinds and not _is_number(cap)):
        raise typer.BadParameter(f"--rake {text}: write it as 5%, or 5%:3 with a cap of 3 chips, or 5%:0.5bb")
    return {"rake": float(share[:-1]) / 100} | ({"rake_cap": cap if blinds else float(cap)} if colon else {})


def _is_number(text: str) -> bool:
    try:
        return float(text) >= 0
    except ValueError:
        return False
