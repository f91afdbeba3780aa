"""Options shared by the commands that take a spot, and the spot that they describe."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tahur.cli.output import note, warm
from tahur.cli.solve.options import Seconds

if TYPE_CHECKING:
    from tahur.solvers.postflop.spot import Spot


MOST_OFF = 0.02  # share of the pot: a size that rounding changes by more gets a warning
SCALES = (2, 5, 10, 20, 50, 100)
TARGET = "0.3%"
Target = Annotated[str, typer.Option(help="Stop at this exploitability, in percent of the pot.")]


@dataclass(frozen=True, slots=True)
class SpotOptions:
    """A spot except its board: each field is an option, and the key of a spot's TOML file unless `spot` parses it."""

    oop: Annotated[str | None, typer.Option(help="The range out of position: 'QQ+,AKs:0.5', or bb-call-v-btn.")] = None
    ip: Annotated[str | None, typer.Option(help="The range in position, such as btn-open.")] = None
    pot: Annotated[str | None, typer.Option(help="The pot in chips or big blinds: 200 or 5.5bb.")] = None
    stack: Annotated[
        str | None, typer.Option(help="Remaining stack of each seat, in the same unit: 900 or 97.5bb.")
    ] = None
    sizes: Annotated[
        str | None,
        typer.Option(
            help="'BETS / RAISES' on all streets: 33%, 2.5x, 20c, 2bb, e, 3e, a; or 'oop: ...; ip: ...'; or the name "
            "of a preset, see `tahur postflop sizes`."
        ),
    ] = None
    flop: Annotated[str | None, typer.Option("--flop", help="Sizes on the flop, instead of --sizes.")] = None
    turn: Annotated[str | None, typer.Option("--turn", help="Sizes on the turn, instead of --sizes.")] = None
    river: Annotated[str | None, typer.Option("--river", help="Sizes on the river, instead of --sizes.")] = None
    donk_turn: Annotated[str | None, typer.Option(help="Donk bets on the turn, into the aggressor of the flop.")] = None
    donk_river: Annotated[str | None, typer.Option(help="Donk bets on the river, into the aggressor of the turn.")] = (
        None
    )
    thresholds: Annotated[str | None, typer.Option(help="Such as add=1.5,force=0.15,merge=0.1.")] = None
    raise_cap: Annotated[int | None, typer.Option(help="Maximum bets and raises on a street; 0 for no cap.", min=0)] = (
        None
    )
    rake: Annotated[str | None, typer.Option(help="Rake: 5%, or 5%:3 or 5%:0.5bb with a cap.")] = None
    spot: Annotated[Path | None, typer.Option(help="A TOML file with these settings; options override it.")] = None

    def given(self) -> tuple[str, ...]:
        """The options that were used, as they are typed."""
        names = (field.name for field in fields(self))
        return tuple(f"--{name.replace('_', '-')}" for name in names if getattr(self, name) is not None)

    def parse(self, board: str | None) -> Spot:
        """The settings of the file, overridden by the options."""
        from tahur.solvers.postflop.spot import spot

        settings = {field.name: getattr(self, field.name) for field in fields(self)} | {"board": board}
        for name in ("spot", "thresholds", "rake"):
            del settings[name]
        settings |= _thresholds(self.thresholds) | _rake(self.rake)
        parsed = spot(
            **_read_spot_file(self.spot) | {name: value for name, value in settings.items() if value is not None}
        )
        _warn_of_rounding(parsed)
        return parsed


@dataclass(frozen=True, slots=True)
class PostflopLimits:
    """When to stop, which resources to use, and where the solution goes."""

    target: Annotated[
        str | None,
        typer.Option(
            help="Stop at this exploitability, in percent of the pot.", show_default=f"{TARGET}; 1% with --quick"
        ),
    ] = None
    seconds: Seconds = None
    threads: Annotated[int, typer.Option(help="Threads; the results do not depend on it.", min=1)] = 1
    half: Annotated[bool, typer.Option("--half", help="16-bit numbers: half the memory, a few more iterations.")] = (
        False
    )
    merge_rivers: Annotated[
        bool,
        typer.Option(
            "--merge-rivers",
            help="On rivers, one strategy for hands that differ only in suits without use there: a third of the memory "
            "and of the time from a flop on, to about 0.5% of the pot. The exploitability is that against every hand.",
        ),
    ] = False
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write the solution to this file, for `tahur postflop show`.")
    ] = None
    resumable: Annotated[
        bool,
        typer.Option(
            "--resumable",
            help="Store the solver's state in the file, so that --resume can continue to a better target; about ten "
            "times the size. A run that is stopped before its target always stores it.",
        ),
    ] = False

    @property
    def percent(self) -> float:
        """The target in percent of the pot."""
        return percent_of(self.target or TARGET)


def warm_solver(*, half: bool = False, merge_rivers: bool = False) -> None:
    """Compile or load the kernels of the postflop solver."""
    warm("postflop")
    if merge_rivers:
        warm("postflop-merged-half" if half else "postflop-merged")
    elif half:
        warm("postflop-half")


def _read_spot_file(path: Path | None) -> dict[str, Any]:
    """The settings of a spot's TOML file."""
    from tahur.core.errors import SolverError
    from tahur.core.limits import MOST_SETTINGS, parse_toml, read_file

    if path is None:
        return {}
    try:
        return parse_toml(read_file(path, MOST_SETTINGS).decode("utf-8"))
    except (OSError, ValueError) as error:
        raise SolverError(f"no spot can be read from {path}: {error}") from None


def _warn_of_rounding(spot: Spot) -> None:
    """Warn about the size that rounding to whole chips changes most, and suggest a finer scale."""
    from tahur.solvers.postflop.tree import roundings

    worst = max(roundings(spot), key=lambda rounding: rounding.off, default=None)
    if worst is None or worst.off <= MOST_OFF:
        return
    exact, chips = f"{worst.exact / worst.pot:.0%}", f"{worst.chips / worst.pot:.0%}"
    note(
        f"warning: chips are whole, so the size {worst.size} in a pot of {worst.pot} is {worst.chips} chips instead of "
        f"{worst.exact:.2f}: {chips} of the pot instead of {exact}{_finer(spot)}"
    )


def _finer(spot: Spot) -> str:
    """The smallest multiple of the chips for which no size needs a warning."""

    from tahur.solvers.postflop.tree import roundings

    for times in SCALES:
        more = replace(spot, pot=spot.pot * times, stack=spot.stack * times)
        if all(rounding.off <= MOST_OFF for rounding in roundings(more)):
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
    """Parse `--thresholds` to settings of a spot."""
    names = {"add": "add_all_in", "force": "force_all_in", "merge": "merge"}
    shares = {}
    for item in text.split(",") if text else ():
        name, _, value = item.strip().partition("=")
        if name not in names or not _is_number(value):
            raise typer.BadParameter(f"--thresholds {text}: write it as add=1.5,force=0.15,merge=0.1")
        shares[names[name]] = float(value)
    return shares


def _rake(text: str | None) -> dict[str, Any]:
    """Parse `--rake` to settings of a spot."""
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
