"""The options of `tahur solve`, and which of them the solver of a game takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final

import typer

from tahur.cli.output import Json
from tahur.cli.settings import Rules, Set
from tahur.cli.solve.running import ENDLESS, SolveGoal

BUCKETS: Final = "200,200,200"
# A test compares this list with the schedules in the solvers.
SCHEDULES: Final = "cfr, cfr+, cfr+2, linear, dcfr, dcfr3, dcfr+, pcfr+, pdcfr+, hs-dcfr, hs-pcfr+, external, chance"

Seconds = Annotated[float | None, typer.Option(help="Stop after this many seconds.", min=0)]


@dataclass(frozen=True, slots=True)
class SolveRequest:
    """The argument and the options of `tahur solve`."""

    game: Annotated[
        str,
        typer.Argument(metavar="GAME", help="kuhn, leduc, liars-dice, perudo with few dice, fhp, fhp-3-4, hulh, nlhe."),
    ]
    schedule: Annotated[str | None, typer.Option(help=f"Algorithm: {SCHEDULES}.")] = None
    iterations: Annotated[
        int | None, typer.Option(help="Number of iterations, including those of a resumed file.", min=1)
    ] = None
    target: Annotated[
        str | None, typer.Option(help="Stop when exploitability is at most this; for Flop Hold'em such as 1mbb.")
    ] = None
    seconds: Seconds = None
    resume: Annotated[
        bool,
        typer.Option("--resume", help="Resume from the output file; the result is identical to an uninterrupted run."),
    ] = False
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Output file; GAME.tahur by default.")
    ] = None
    settings: Set = None
    dice: Annotated[
        str | None, typer.Option("--dice", metavar="AvB", help="A round of perudo for two: the opener's dice first.")
    ] = None
    rules: Rules = None
    palifico: Annotated[
        bool | None,
        typer.Option(
            "--palifico/--no-palifico", help="With --dice: whether it is a palifico round; by default as the rules say."
        ),
    ] = None
    calza: Annotated[
        bool | None, typer.Option("--calza/--no-calza", help="With --dice: whether calza may be called.")
    ] = None
    seed: Annotated[int, typer.Option(help="Seed of the sampled schedules external and chance.", min=0)] = 1
    memory: Annotated[
        float | None,
        typer.Option(help="Memory limit for regrets and averages in GiB; 0.5, or 1 with --dice.", min=0.001),
    ] = None
    threads: Annotated[
        int | None,
        typer.Option(
            help="Threads for Flop Hold'em, nlhe and large rounds of Perudo; 2 by default. Results do not change.",
            min=1,
        ),
    ] = None
    buckets: Annotated[
        str | None,
        typer.Option(
            help=f"Card buckets on flop, turn and river; {BUCKETS} by default for hulh and acpc, 500,500,300 for nlhe."
        ),
    ] = None
    depth: Annotated[
        str | None, typer.Option(help="For nlhe: stacks in big blinds; 100bb by default.", metavar="STACKS")
    ] = None
    actions: Annotated[
        str | None, typer.Option(help="For nlhe: bet sizes, one of push-fold, small, standard, large.")
    ] = None
    as_json: Json = False

    @property
    def path(self) -> Path:
        return self.output or Path(f"{self.game}{'' if self.dice is None else f'-{self.dice}'}.tahur")

    @property
    def begun(self) -> Path | None:
        """The file to resume from."""
        return self.path if self.resume else None

    def goal(self, usual: SolveGoal, read_target: Callable[[str], float] | None = None) -> SolveGoal:
        """The requested limits; without any, the usual ones of the game."""
        if (self.iterations, self.target, self.seconds) == (None, None, None):
            return usual
        target = None if self.target is None else (read_target or _number)(self.target)
        return SolveGoal(self.iterations or ENDLESS, target, self.seconds)


@dataclass(frozen=True, slots=True)
class GameOption:
    """An option that only some games take; `lacking`: what to say of a game that does not."""

    flag: str
    lacking: str
    games: str = ""  # in words, if they are not those of the solvers that take it


OPTIONS: Final[Mapping[str, GameOption]] = {
    "schedule": GameOption("--schedule", "has one algorithm"),
    "target": GameOption("--target", "is not measured; use --seconds"),
    "settings": GameOption("--set", "has fixed rules"),
    "dice": GameOption("--dice", "has none", "perudo"),
    "rules": GameOption("--rules", "has fixed rules"),
    "palifico": GameOption("--palifico", "has no such rounds"),
    "calza": GameOption("--calza", "has no such rounds"),
    "memory": GameOption("--memory", "always takes the same"),
    "threads": GameOption("--threads", "is solved by one thread"),
    "buckets": GameOption("--buckets", "is solved card by card"),
    "depth": GameOption("--depth", "has fixed stacks"),
    "actions": GameOption("--actions", "has all of its actions"),
}  # by the field of `SolveRequest`


@dataclass(frozen=True, slots=True)
class GameSolver:
    """How `tahur solve` solves some games, and which options they take."""

    games: tuple[str, ...]  # as they are typed
    takes: frozenset[str]  # keys of `OPTIONS`
    solve: Callable[[SolveRequest], None]
    lacking: Mapping[str, str] = field(default_factory=dict)  # instead of the usual words

    def check(self, request: SolveRequest, others: Iterable[GameSolver]) -> None:
        """Reject an option that these games do not take, and name those that take it."""
        for name, option in OPTIONS.items():
            if name in self.takes or getattr(request, name) in (None, []):
                continue
            takers = [game for solver in others if name in solver.takes for game in solver.games]
            reason = self.lacking.get(name, option.lacking)
            raise typer.BadParameter(
                f"{option.flag} is for {option.games or _join_words(takers)}; {request.game} {reason}"
            )


def _join_words(words: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _number(target: str) -> float:
    try:
        number = float(target)
    except ValueError:
        raise typer.BadParameter(f"--target {target}: give a number in the game's own unit, such as 0.001") from None
    if not number >= 0:
        raise typer.BadParameter(f"--target {target}: must be 0 or more")
    return number
