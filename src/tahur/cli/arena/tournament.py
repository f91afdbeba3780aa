"""`tahur arena tournament`: a round robin, saved in a folder; it can be interrupted and resumed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    numbered,
    say_stopped,
    warm_for,
    workers_of,
)
from tahur.cli.arena.lines import cells_of, lines_of
from tahur.cli.arena.live import Pace, watched
from tahur.cli.llm.options import Llm, LlmSet, ModelName, fallbacks_of, llm_options, models_json, say_models
from tahur.cli.output import Json, console, print_json
from tahur.cli.personas.modes import Mode, in_mode
from tahur.cli.settings import Rules, Set, Stack, game_for

if TYPE_CHECKING:
    from rich.console import Group

    from tahur.arena.match import Match
    from tahur.arena.tournament import Those, Tournament
    from tahur.arena.work import Workers
    from tahur.core.game import Game

USUAL = 2_000  # hands a match


def tournament(
    game: GameName,
    players: Players,
    hands: Annotated[int, typer.Option(help="Hands in each match, or at the single table.", min=2)] = USUAL,
    one_table: Annotated[bool, typer.Option("--one-table", help="Everyone at one table, with rotating seats.")] = False,
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
        Path | None, typer.Option("-o", "--output", help="A folder for the records of all hands and the results.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Resume the tournament in the folder of -o.")] = False,
    llm: Llm = None,
    model: ModelName = None,
    llm_set: LlmSet = None,
    mode: Mode = None,
    as_json: Json = False,
) -> None:
    """A round robin of matches for two, or one table for everyone: crosstable, places and ratings, with intervals.

    tahur arena tournament nlhe caller folder random maniac --duplicate -o baselines
    """
    from tahur.arena.folder import write_summary
    from tahur.arena.summary import tournament_summary

    if resume and output is None:
        raise typer.BadParameter("--resume needs the folder: -o FOLDER")
    seats = len(players) if one_table else 2
    table = game_for(game, seats, stack=stack, rules=rules, more=settings)
    players = in_mode(players, mode, game)
    asked = llm_options(llm, model, llm_set, players)
    matches = _matches(table, players, unit=unit, seed=seed, duplicate=duplicate, luck=luck, llm=asked)
    contest = _begun(numbered(players), matches, hands, output, resume=resume)
    warm_for(game)
    stopped = _play(contest, workers_of(workers, cluster))
    missed = fallbacks_of(asked)
    result = tournament_summary(contest) | models_json(missed)
    if output is not None:
        write_summary(output, result)
    if as_json:
        print_json(result)
    else:
        out = console()
        many = f"{contest.hands:,} {'matches' if contest.any_match.scoring.decided else 'hands'}"
        out.print(f"[bold]{game}[/], {len(players)} players, {many}, seed {seed}")
        out.print(tables(result))
        if output is not None:
            out.print(f"[dim]records and results in {output}[/]")
    if stopped:
        say_stopped(output)
    say_models(asked, missed, as_json=as_json)


def _matches(table: Game[Any], players: Sequence[str], **options: Any) -> dict[Those, Match]:
    """One table if it has a seat for each player, otherwise every pair."""
    from tahur.arena.tournament import round_robin

    if len(players) < 2:
        raise typer.BadParameter("a tournament needs at least two players")
    if table.seats == len(players):
        return {tuple(range(table.seats)): match_of(table, players, **options)}
    makers = [match_of(table, [player, player], **options).makers[0] for player in players]
    return round_robin(match_of(table, players[:2], **options), numbered(players), makers)


def _begun(
    names: tuple[str, ...], matches: Mapping[Those, Match], hands: int, output: Path | None, *, resume: bool
) -> Tournament:
    """The round robin, with a folder for each match, named by the numbers of its players."""
    from tahur.arena.folder import RunFolder
    from tahur.arena.summary import identity
    from tahur.arena.tournament import Tournament

    folders = {}
    if output is not None:
        for those, match in matches.items():
            place = output / "-".join(map(str, those))
            folders[those] = RunFolder(place, identity(match), resume=resume and place.exists())
    per_deal = next(iter(matches.values())).hands_per_deal
    return Tournament(names, matches, -(-hands // per_deal), folders)


def _play(contest: Tournament, workers: Workers) -> bool:
    """Play to the end or until Ctrl-C; return whether it was interrupted."""
    from tahur.arena.summary import tournament_summary

    pace = Pace()

    def draw(_: Those) -> tuple[Group, str]:
        line = f"{pace.text(contest.hands, contest.hands_in_all)}; Ctrl-C stops and saves the results so far"
        return tables(tournament_summary(contest)), line

    pace.text(contest.hands, contest.hands_in_all)
    try:
        for _ in watched(contest.play(workers), draw):
            pass
    except KeyboardInterrupt:
        return True
    return False


def tables(result: dict[str, Any]) -> Group:
    """The crosstable, then places and ratings."""
    from rich.console import Group

    from tahur.show.standings import crosstable, standings_table

    names, unit, par = result["players"], result["unit"], result["par"]
    title, equal = ("row ahead of column", 0.0) if result["one_table"] else ("row against column", par)
    table = crosstable(names, cells_of(result), f"{title}, {unit} ± 95 %", equal)
    return Group(table, "", standings_table(lines_of(result), unit, par))
