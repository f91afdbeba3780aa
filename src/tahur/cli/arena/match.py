"""`tahur arena match`: compare players, with confidence intervals."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tahur.cli.arena.contest import (
    DealOptions,
    FolderOptions,
    GameName,
    Players,
    WorkerCount,
    WorkOptions,
    match_of,
    say_stopped,
    warm_for,
    workers_of,
)
from tahur.cli.commands import with_option_groups
from tahur.cli.live import Pace, last_of, show_progress
from tahur.cli.llm.options import PersonaOptions, fallbacks_of, in_mode, llm_options, models_json, say_models
from tahur.cli.output import Json, console, print_json
from tahur.cli.settings import TableOptions, game_for

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from tahur.arena.folder import RunFolder
    from tahur.arena.match import Match
    from tahur.arena.series import MatchGoal, MatchStanding
    from tahur.arena.work import Workers
    from tahur.show.standings import Cell, StandingLine


USUAL = 10_000  # hands
ENDLESS = 10_000_000  # hands after which `--until` stops without success


@with_option_groups
def match(
    game: GameName,
    players: Players,
    hands: Annotated[int | None, typer.Option(help=f"Number of hands; {USUAL:,} by default.", min=1)] = None,
    until: Annotated[str | None, typer.Option(help="Play until the interval is this narrow: ci=5 is ± 5.")] = None,
    *,
    deals: DealOptions,
    table: TableOptions,
    work: WorkOptions,
    folder: FolderOptions,
    personas: PersonaOptions,
    as_json: Json = False,
) -> None:
    """Play players against each other and report what each wins, with confidence intervals.

    tahur arena match nlhe odds caller --duplicate      tahur arena match perudo random caller --until ci=2
    """
    from tahur.arena.folder import RunFolder
    from tahur.arena.summary import identity, summary

    folder.check()
    players = in_mode(players, personas.mode, game)
    llm = llm_options(personas, players)
    contest = match_of(game_for(game, len(players), table), players, deals, llm)
    goal = _goal(contest, hands, until)
    run = None if folder.output is None else RunFolder(folder.output, identity(contest), resume=folder.resume)
    warm_for(game)
    standing, stopped = last_of(play_with_display(contest, goal, workers_of(work), run))
    missed = fallbacks_of(llm)
    result = summary(standing) | _known_json(contest) | models_json(missed)
    if run is not None and not stopped:
        run.finish(result)
    if as_json:
        print_json(result)
    else:
        _print(console(), standing, result, folder.output)
    if stopped:
        say_stopped(folder.output)
    say_models(llm, missed, as_json=as_json)


def _goal(match: Match, hands: int | None, until: str | None) -> MatchGoal:
    """When the match stops: after some hands, or at the width of the interval."""

    from math import ceil

    from tahur.arena.series import MatchGoal

    width = None if until is None else _width(until)
    wanted = hands if hands is not None else ENDLESS if until else USUAL
    return MatchGoal(ceil(wanted / match.hands_per_deal), width)


def _width(until: str) -> float:
    """The half-width of the interval in `--until ci=5`."""
    name, _, value = until.partition("=")
    try:
        width = float(value)
    except ValueError:
        width = 0.0
    if name.strip() != "ci" or not 0 < width < float("inf"):
        raise typer.BadParameter(f"--until {until}; write ci=5 for an interval of plus or minus 5")
    return width


def play_with_display(
    match: Match, goal: MatchGoal, workers: Workers, folder: RunFolder | None
) -> Iterator[MatchStanding]:
    """Play the match, with a live display after two seconds."""
    from tahur.arena.series import play
    from tahur.arena.summary import summary

    pace = Pace()
    total = None if goal.width is not None or goal.deals is None else goal.deals * match.hands_per_deal

    def draw(standing: MatchStanding) -> tuple[Table, str]:
        return _table(
            summary(standing)
        ), f"{pace.text(standing.hands, total)}; Ctrl-C stops and saves the results so far"

    return show_progress(play(match, goal, workers, folder), draw)


def _table(result: dict[str, Any]) -> Table:
    from tahur.show.standings import standings_table

    return standings_table(lines_of(result), result["unit"], result["par"])


def _print(out: Console, standing: MatchStanding, result: dict[str, Any], output: Path | None) -> None:
    """Print the standings of a match, remarks, and the next useful commands."""
    match = standing.match
    of = {"hand": "hands", "round": "rounds", "match": "matches"}[match.scoring.of]
    how = f"{standing.deals:,} deals, each in {match.hands_per_deal} seatings" if match.duplicate else "rotating seats"
    out.print(
        f"[bold]{match.game.name}[/], {match.game.seats} seats: {standing.hands:,} {of} ({how}), seed {match.seed}"
    )
    out.print(_table(result))
    for line in _remarks(standing, result):
        out.print(line)
    if output is not None:
        out.print(f"[dim]records and summary in {output}[/]")


def _remarks(standing: MatchStanding, result: dict[str, Any]) -> Iterator[str]:
    """Notes below the table: luck removed, too few deals, hands needed to separate players."""
    if (fewer := result["times_fewer_hands"]) is not None:
        yield f"luck removed ({result['luck']}): as precise as {fewer:.1f} times as many hands without it"
    if "known_strategies" in result:
        yield f"[dim]{_known_text(result['known_strategies'], standing.match.names)}[/]"
    if result["trusted_from"] is not None and standing.deals < result["trusted_from"]:
        enough = f"{result['trusted_from']:,}"
        yield f"[yellow]too few deals for such skewed results: the intervals hold from about {enough} deals on[/]"
    for gap in result["gaps"]:
        if gap["hands_to_tell_apart"] is None and gap["result"]:
            yield _unsure(standing, *(standing.match.names.index(name) for name in gap["players"]))
    if len(result["gaps"]) == 1 and (hands := result["gaps"][0]["hands_to_tell_apart"]):
        many = "matches" if standing.match.scoring.decided else "hands"
        yield f"[dim]about {hands[0]:,} {many} tell these two apart nine times out of ten[/]"


def _known_json(match: Match) -> dict[str, Any]:
    """With `--luck strategy`: the players whose strategies are known."""
    from tahur.arena.luck import Luck
    from tahur.core.strategy import Strategy

    if Luck.RANGES not in match.luck:
        return {}
    makers = zip(match.names, match.makers, strict=True)
    return {"known_strategies": [name for name, make in makers if isinstance(make(), Strategy)]}


def _known_text(known: Sequence[str], names: Sequence[str]) -> str:
    """Whose hands and actions were averaged."""
    unknown = [name for name in names if name not in known]
    if not known:
        return "no strategy is known, so only the luck of the cards was removed"
    averaged = f"averaged over the hands and the actions of {' and '.join(known)}"
    return averaged + (f"; the strategy of {unknown[0]} is unknown" if unknown else "")


def _unsure(standing: MatchStanding, a: int, b: int) -> str:
    """A note that two players may be equal, with the number of hands that would show a gap like the observed one."""
    from tahur.arena.planner import FEWEST_PILOT, plan
    from tahur.show.standings import signed

    match, between = standing.match, float(standing.fair.means[a] - standing.fair.means[b])
    line = f"{match.names[a]} and {match.names[b]} do not differ significantly"
    if standing.deals < FEWEST_PILOT:
        return line
    hands = plan(standing.fair, a, b, between).deals * match.hands_per_deal
    gap = f"{signed(between * match.scoring.scale)} {match.scoring.unit}"
    return f"{line}; if they do differ by {gap}, about {hands:,} hands will show it"


# ---- rows of the printed tables ------------------------------------------------------------------


def lines_of(summary: dict[str, Any]) -> list[StandingLine]:
    """One row for each player. An interval that is null in JSON (nothing known yet) is infinite here."""
    from tahur.show.standings import StandingLine

    return [
        StandingLine(
            name=result["name"],
            result=_or(result["result"], math.nan),
            low=_or(result["low"], -math.inf),
            high=_or(result["high"], math.inf),
            best=result["places"][0],
            worst=result["places"][1],
            rating=None if result.get("elo") is None else tuple(result["elo"]),
        )
        for result in summary["results"]
    ]


def cells_of(summary: dict[str, Any]) -> list[list[Cell | None]]:
    """The rows of the crosstable."""
    return [[None if result is None else _cell(result) for result in row] for row in summary["crosstable"]]


def _cell(gap: dict[str, Any]) -> Cell:
    from tahur.show.standings import Cell

    result = _or(gap["result"], math.nan)
    return Cell(result, _or(gap["high"], math.inf) - result)


def _or(value: float | None, unknown: float) -> float:
    return unknown if value is None else value


# ---- planning the length of a match --------------------------------------------------------------
# `tahur arena plan`: how many hands it takes to tell two players apart.


@with_option_groups
def plan(
    game: GameName,
    one: Annotated[str, typer.Argument(help="A player.")],
    other: Annotated[str, typer.Argument(help="Another player, or the same one to see the effect of luck alone.")],
    gap: Annotated[
        float | None, typer.Option(help="Difference to detect, in the unit; by default the one seen in the pilot.")
    ] = None,
    pilot: Annotated[int, typer.Option(help="Hands of the pilot match, which measures the variance.", min=100)] = 2_000,
    *,
    deals: DealOptions,
    table: TableOptions,
    workers: WorkerCount = None,
    as_json: Json = False,
) -> None:
    """Play a pilot between two players and say how long a match must be to tell them apart nine times out of ten.

    tahur arena plan nlhe caller random --gap 5      tahur arena plan leduc caller random --duplicate
    """
    from tahur.arena.series import MatchGoal

    match = match_of(game_for(game, 2, table), [one, other], deals)
    warm_for(game)
    goal = MatchGoal(-(-pilot // match.hands_per_deal))
    standing, stopped = last_of(play_with_display(match, goal, workers_of(WorkOptions(workers)), None))
    result = _plan_json(standing, gap)
    if as_json:
        print_json(result)
    else:
        _print_plan(result)
    if stopped:
        raise typer.Exit(130)


def _plan_json(standing: MatchStanding, gap: float | None) -> dict[str, Any]:
    """How many hands are needed to tell two players apart, by a pilot match; `gap`: in the match's unit."""
    from tahur.arena.planner import plan as planned
    from tahur.arena.planner import tell_apart

    scoring, per_deal = standing.match.scoring, standing.match.hands_per_deal
    plan = tell_apart(standing.fair, 0, 1) if gap is None else planned(standing.fair, 0, 1, gap / scoring.scale)
    return {
        "players": list(standing.match.names),
        "unit": scoring.unit,
        "pilot_hands": standing.hands,
        "gap": gap if plan is None else plan.gap * scoring.scale,
        "sd": standing.fair.spread(0, 1) * scoring.scale,
        "hands": None if plan is None else plan.deals * per_deal,
        "fewest": None if plan is None else plan.fewest * per_deal,
        "most": None if plan is None else plan.most * per_deal,
    }


def _print_plan(result: dict[str, Any]) -> None:
    """Print the result of `_plan_json`."""
    from tahur.show.standings import signed

    out = console()
    one, other = result["players"]
    if result["hands"] is None:
        out.print(f"{result['pilot_hands']:,} hands do not tell {one} and {other} apart, so their gap is not known.")
        out.print("Say which gap should be seen: [bold]--gap 5[/], or play a longer pilot: [bold]--pilot 20000[/]")
        return
    out.print(
        f"To see that {one} and {other} differ by {signed(result['gap'])} {result['unit']}: "
        f"about [bold]{result['hands']:,} hands[/], between {result['fewest']:,} and {result['most']:,}"
    )
    out.print(f"[dim]nine times out of ten, at 95 % confidence; from a pilot of {result['pilot_hands']:,} hands[/]")
