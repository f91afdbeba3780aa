"""Options shared by the arena's commands, and the `Match` that they describe."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from tahur.cli.output import note, warm
from tahur.cli.settings import POKER, SPOT

if TYPE_CHECKING:
    from tahur.arena.luck import Luck
    from tahur.arena.match import Match
    from tahur.arena.work import Workers
    from tahur.core.game import Game
    from tahur.core.scoring import Scoring
    from tahur.players.bounded.settings import LlmOptions

Players = Annotated[
    list[str], typer.Argument(help="Two or more: caller, random, odds, ..., or your own as package.module:Class.")
]
GameName = Annotated[str, typer.Argument(metavar="GAME", help="nlhe, limit, hulh, fhp, perudo, leduc, ..., spot:FILE.")]
Duplicate = Annotated[
    bool,
    typer.Option(
        "--duplicate", help="Play each deal once in every seating, so that every player holds the same cards."
    ),
]
Seed = Annotated[int, typer.Option(help="Seed of the cards; independent of the players.", min=0)]
WorkerCount = Annotated[
    int | None,
    typer.Option(
        "--workers", help="Worker processes; one for each core by default. The results do not depend on it.", min=1
    ),
]
Cluster = Annotated[
    str | None, typer.Option(help="Address of a Dask scheduler to run on, tcp://host:port. Needs the extra 'dask'.")
]
Unit = Annotated[str | None, typer.Option(help="Unit of the results, such as bb/100, mbb/g, chips/hand, dice/100.")]
LuckName = Annotated[
    str,
    typer.Option(
        "--luck",
        help="Luck to remove from the results: none, all-in, chance, full (chance and known choices), or strategy "
        "(heads-up hold'em: also the hands of players whose strategy is known).",
    ),
]


@dataclass(frozen=True, slots=True)
class DealOptions:
    """The options of a match: how the deals are made and counted."""

    duplicate: Duplicate = False
    luck: LuckName = "none"
    seed: Seed = 1
    unit: Unit = None


@dataclass(frozen=True, slots=True)
class WorkOptions:
    """The options of commands that distribute their work."""

    workers: WorkerCount = None
    cluster: Cluster = None


@dataclass(frozen=True, slots=True)
class FolderOptions:
    """The folder of a run that can be resumed."""

    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="A folder for the records of all hands and the results.")
    ] = None
    resume: Annotated[bool, typer.Option("--resume", help="Resume the run in the folder of -o.")] = False

    def check(self) -> None:
        """Raise an error if there is nothing to resume from."""
        if self.resume and self.output is None:
            raise typer.BadParameter("--resume needs the folder: -o FOLDER")


def warm_for(game: str) -> None:
    """Compile the kernels of a game before worker processes are started."""
    if game in (*POKER, SPOT):
        warm()


def say_stopped(output: Path | None) -> NoReturn:
    """Exit with code 130 after Ctrl-C; the results so far are printed and saved."""
    note("stopped" + ("" if output is None else f"; resume with: --resume -o {output}"))
    raise typer.Exit(130)


def workers_of(options: WorkOptions) -> Workers:
    from tahur.arena.work import Workers

    return Workers(options.workers or os.cpu_count() or 1, options.cluster)


def scoring_of(game: Game[Any], unit: str | None) -> Scoring:
    """The scoring with the given unit, or the game's default."""
    from tahur.core.errors import UnknownName
    from tahur.games.registry import GAMES

    scorings = GAMES[game.name].scorings(game)
    for scoring in scorings:
        if unit in (None, scoring.unit):
            return scoring
    units = ", ".join(scoring.unit for scoring in scorings)
    raise UnknownName(f"{game.name} has no unit '{unit}'; units: {units}")


def luck_of(name: str) -> Luck:
    from tahur.arena.summary import LUCKS
    from tahur.core.errors import UnknownName

    if name not in LUCKS:
        raise UnknownName(f"no luck adjustment '{name}'; one of: {', '.join(LUCKS)}")
    return LUCKS[name]


def match_of(game: Game[Any], players: Sequence[str], options: DealOptions, llm: LlmOptions | None = None) -> Match:
    """The match that the options describe. Every player is made once here, so that a wrong name is an error before any
    hand is played."""
    from functools import partial

    from tahur.arena.match import Match
    from tahur.cli.perudo.values import solve_missing_rounds
    from tahur.cli.players import make_player

    for player in players:
        make_player(player, game, llm=llm)
    solve_missing_rounds(game, players)
    makers = tuple(partial(make_player, player, llm=llm) for player in players)
    return Match(
        game=game,
        scoring=scoring_of(game, options.unit),
        names=unique_names(players),
        makers=makers,
        seed=options.seed,
        duplicate=options.duplicate,
        luck=luck_of(options.luck),
    )


def unique_names(players: Sequence[str]) -> tuple[str, ...]:
    """Unique names: a player that sits twice gets a number."""
    return tuple(
        f"{name}#{players[:at].count(name) + 1}" if players.count(name) > 1 else name for at, name in enumerate(players)
    )
