"""`tahur match`: who is better, and are we sure."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tahur.cli.arena.contest import (
    Cluster,
    Duplicate,
    GameName,
    LuckName,
    Players,
    Seed,
    Unit,
    WorkerCount,
    match_of,
    workers_of,
)
from tahur.cli.arena.live import Pace, watched
from tahur.cli.output import Json, console, note, print_json, warm
from tahur.cli.settings import Rules, Set, Stack, game_for

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from tahur.arena.folder import Folder
    from tahur.arena.match import Match
    from tahur.arena.series import Goal, Standing

USUAL = 10_000  # hands
ENDLESS = 10_000_000  # hands, after which `--until` gives up


def match(
    game: GameName,
    players: Players,
    hands: Annotated[int | None, typer.Option(help=f"How many to play; {USUAL:,} if not given.", min=1)] = None,
    until: Annotated[str | None, typer.Option(help="Play until the interval is so narrow: ci=5 is ± 5.")] = None,
    duplicate: Duplicate = False,
    luck: LuckName = "none",
    seed: Seed = 1,
    unit: Unit = None,
    stack: Stack = None,
    rules: Rules = None,
    settings: Set = None,
    workers: WorkerCount = None,
    cluster: Cluster = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="A folder for the records of all hands and the summary.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the match in that folder.")] = False,
    as_json: Json = False,
) -> None:
    """Play players against each other and say who wins how much, with the interval that the truth is in.

    tahur match nlhe odds caller --duplicate      tahur match perudo random caller --until ci=2
    """
    from tahur.arena.folder import Folder
    from tahur.arena.summary import identity, summary
    from tahur.cards.warm import warm_up

    played = match_of(
        game_for(game, len(players), stack=stack, rules=rules, more=settings),
        players,
        unit=unit,
        seed=seed,
        duplicate=duplicate,
        luck=luck,
    )
    goal = _goal(played, hands, until)
    folder = None if output is None else Folder(output, identity(played), resume=resume)
    if resume and folder is None:
        raise typer.BadParameter("--resume needs the folder: -o FOLDER")
    warm(warm_up)
    standing, stopped = _played(_shown(played, goal, workers_of(workers, cluster), folder))
    result = summary(standing)
    if folder is not None and not stopped:
        folder.finish(result)
    if as_json:
        print_json(result)
    else:
        _print(console(), standing, result, output)
    if stopped:
        note("stopped" + ("" if folder is None else f"; go on with: --resume -o {output}"))
        raise typer.Exit(130)
