"""`tahur arena tournament`: a round robin, saved in a folder; it can be interrupted and resumed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tahur.cli.arena.contest import (
    DealOptions,
    FolderOptions,
    GameName,
    Players,
    WorkOptions,
    match_of,
    say_stopped,
    unique_names,
    warm_for,
    workers_of,
)
from tahur.cli.arena.match import cells_of, lines_of
from tahur.cli.commands import with_option_groups
from tahur.cli.live import Pace, show_progress
from tahur.cli.llm.options import PersonaOptions, fallbacks_of, in_mode, llm_options, models_json, say_models
from tahur.cli.output import Json, console, print_json
from tahur.cli.settings import TableOptions, game_for

if TYPE_CHECKING:
    from rich.console import Group

    from tahur.arena.match import Match
    from tahur.arena.tournament import Lineup, Tournament
    from tahur.arena.work import Workers
    from tahur.core.game import Game
    from tahur.players.bounded.settings import LlmOptions

USUAL = 2_000  # hands a match


@with_option_groups
def tournament(
    game: GameName,
    players: Players,
    hands: Annotated[int, typer.Option(help="Hands in each match, or at the single table.", min=2)] = USUAL,
    one_table: Annotated[bool, typer.Option("--one-table", help="Everyone at one table, with rotating seats.")] = False,
    *,
    deals: DealOptions,
    table: TableOptions,
    work: WorkOptions,
    folder: FolderOptions,
    personas: PersonaOptions,
    as_json: Json = False,
) -> None:
    """A round robin of matches for two, or one table for everyone: crosstable, places and ratings, with intervals.

    tahur arena tournament nlhe caller folder random maniac --duplicate -o baselines
    """
    from tahur.arena.folder import write_summary
    from tahur.arena.summary import tournament_summary

    folder.check()
    rules = game_for(game, len(players) if one_table else 2, table)
    players = in_mode(players, personas.mode, game)
    llm = llm_options(personas, players)
    contest = _start_tournament(unique_names(players), _matches(rules, players, deals, llm), hands, folder)
    warm_for(game)
    stopped = _play(contest, workers_of(work))
    missed = fallbacks_of(llm)
    result = tournament_summary(contest) | models_json(missed)
    if folder.output is not None:
        write_summary(folder.output, result)
    if as_json:
        print_json(result)
    else:
        out = console()
        many = f"{contest.hands:,} {'matches' if contest.any_match.scoring.decided else 'hands'}"
        out.print(f"[bold]{game}[/], {len(players)} players, {many}, seed {deals.seed}")
        out.print(tables(result))
        if folder.output is not None:
            out.print(f"[dim]records and results in {folder.output}[/]")
    if stopped:
        say_stopped(folder.output)
    say_models(llm, missed, as_json=as_json)


def _matches(
    table: Game[Any], players: Sequence[str], deals: DealOptions, llm: LlmOptions | None
) -> dict[Lineup, Match]:
    """One table if it has a seat for each player, otherwise every pair."""
    from tahur.arena.tournament import round_robin

    if len(players) < 2:
        raise typer.BadParameter("a tournament needs at least two players")
    if table.seats == len(players):
        return {tuple(range(table.seats)): match_of(table, players, deals, llm)}
    makers = [match_of(table, [player, player], deals, llm).makers[0] for player in players]
    return round_robin(match_of(table, players[:2], deals, llm), unique_names(players), makers)


def _start_tournament(
    names: tuple[str, ...], matches: Mapping[Lineup, Match], hands: int, folder: FolderOptions
) -> Tournament:
    """The round robin, with a folder for each match, named by the numbers of its players."""
    from tahur.arena.folder import RunFolder
    from tahur.arena.summary import identity
    from tahur.arena.tournament import Tournament

    folders = {}
    if folder.output is not None:
        for lineup, match in matches.items():
            path = folder.output / "-".join(map(str, lineup))
            folders[lineup] = RunFolder(path, identity(match), resume=folder.resume and path.exists())
    per_deal = next(iter(matches.values())).hands_per_deal
    return Tournament(names, matches, -(-hands // per_deal), folders)


def _play(contest: Tournament, workers: Workers) -> bool:
    """Play to the end or until Ctrl-C; return whether it was interrupted."""
    from tahur.arena.summary import tournament_summary

    pace = Pace()

    def draw(_: Lineup) -> tuple[Group, str]:
        line = f"{pace.text(contest.hands, contest.hands_in_all)}; Ctrl-C stops and saves the results so far"
        return tables(tournament_summary(contest)), line

    pace.text(contest.hands, contest.hands_in_all)
    try:
        for _ in show_progress(contest.play(workers), draw):
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
