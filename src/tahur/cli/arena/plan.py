"""`tahur arena plan`: how many hands it takes to tell two players apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from tahur.cli.arena.contest import DealOptions, GameName, WorkerCount, WorkOptions, match_of, warm_for, workers_of
from tahur.cli.arena.match import played, shown
from tahur.cli.commands import with_option_groups
from tahur.cli.output import Json, console, print_json
from tahur.cli.settings import TableOptions, game_for

if TYPE_CHECKING:
    from tahur.arena.series import MatchStanding


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
    standing, stopped = played(shown(match, goal, workers_of(WorkOptions(workers)), None))
    result = _plan_json(standing, gap)
    if as_json:
        print_json(result)
    else:
        _print(result)
    if stopped:
        raise typer.Exit(130)


def _plan_json(standing: MatchStanding, gap: float | None) -> dict[str, Any]:
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


def _print(result: dict[str, Any]) -> None:
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
