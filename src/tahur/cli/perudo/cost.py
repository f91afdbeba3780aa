"""`tahur perudo cost`: what a mind's character costs per round against the solved strategy, by kind of mistake."""

from __future__ import annotations

from collections.abc import Generator
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from tahur.cli.output import Json, console, note, print_json, watch
from tahur.cli.perudo.rounds import round_from_text
from tahur.cli.perudo.solved import solved_for_a_die
from tahur.cli.settings import Rules
from tahur.cli.solve.running import CtrlC

if TYPE_CHECKING:
    from tahur.games.perudo.solved import RoundStrategy
    from tahur.players.perudo.cost import MeanCost, MindCost

SEATS: Final = ("opens", "answers")


def cost(
    minds: Annotated[list[str], typer.Argument(metavar="MIND...", help="The minds: shark, odds, persona:my.toml, ...")],
    dice: Annotated[str, typer.Option(help="The round: the opener's dice, 'v', the other's dice.")] = "2v1",
    rounds: Annotated[int, typer.Option(help="Rounds in each of the two seats.", min=2)] = 2000,
    rules: Rules = None,
    palifico: Annotated[
        bool | None, typer.Option("--palifico/--no-palifico", help="By default as the rules say.")
    ] = None,
    calza: Annotated[bool | None, typer.Option("--calza/--no-calza", help="By default as the rules say.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the dice and of random choices.")] = 1,
    as_json: Json = False,
) -> None:
    """What each mind loses a round to the solved strategy, in dice of lead, by kind: bad dudos, missed dudos, bad bids.

    Every decision is graded by exact values: the best action's minus its own, against what the other can still hold.
    Rounds that take seconds are solved when first needed: 1v1, 2v1, 1v2, palifico of any size.

    tahur perudo cost shark turtle odds      tahur perudo cost chaos --dice 1v2 --rules classic --rounds 5000 --json
    """
    from tahur.cli.players import make_player

    game = round_from_text(dice, rules, palifico, calza)
    for name in minds:
        make_player(name, game)  # report players that cannot play before the work starts
    strategy = solved_for_a_die(game)
    with CtrlC() as ctrl_c:
        costs = watch(_costs(strategy, minds, rounds, seed, ctrl_c), f"costs in {dice}")
    if as_json:
        print_json({"dice": dice, "seed": seed, **_facts_json(strategy), "minds": _json(costs)})
    else:
        _print(strategy, costs)
    if ctrl_c.stop_requested:
        note("stopped; the figures cover the rounds so far")
        raise typer.Exit(130)


def _costs(
    strategy: RoundStrategy, minds: list[str], rounds: int, seed: int, ctrl_c: CtrlC
) -> Generator[float, None, dict[str, dict[str, MindCost]]]:
    """Yield the progress; return the cost of each mind in each seat."""
    from tahur.cli.players import make_player
    from tahur.players.perudo.cost import cost_of, grader_of, play_rounds

    costs: dict[str, dict[str, MindCost]] = {name: {} for name in minds}
    steps, done = 2 * len(minds) * rounds, 0
    for seat, where in enumerate(SEATS):
        if ctrl_c.stop_requested:
            break
        yield done / steps
        grader, best = grader_of(strategy, seat)
        for name in minds:
            played = []
            for played_round in play_rounds(partial(make_player, name), grader, rounds=rounds, seed=seed):
                played.append(played_round)
                done += 1
                yield done / steps
                if ctrl_c.stop_requested:
                    break
            if played:
                costs[name][where] = cost_of(played, best)
    return costs


def _print(strategy: RoundStrategy, costs: dict[str, dict[str, MindCost]]) -> None:
    """Print the cost of each mind's mistakes by kind, against the solved round."""
    from tahur.games.perudo.grading import MistakeKind
    from tahur.show.perudo import CostRow, cost_table

    out, facts = console(), strategy.facts
    value = f"value {facts.value:+.4f} to the opener, NashConv {facts.nashconv:.1g}"
    out.print(f"[bold]{strategy.name}[/]: {value}; mistakes in thousandths of a die of lead per round, ± 95 %")
    rows = [
        CostRow(
            name=name,
            seat=where,
            rounds=cost.rounds,
            total=_pair(cost.total, cost.rounds),
            kinds={kind.value: _pair(cost.kinds[kind], cost.rounds) for kind in MistakeKind},
        )
        for name, seats in costs.items()
        for where, cost in seats.items()
    ]
    out.print(cost_table(rows))
    out.print("[dim]bad: chosen although another action was better; missed: a bid was made although this was best[/]")


def _pair(mean: MeanCost, rounds: int) -> tuple[float, float]:
    """The mean and the half-width of its 95 % interval, by Student's t."""
    from tahur.core.quantiles import student_reach

    return mean.mean, mean.error * student_reach(0.95, rounds - 1) if rounds > 1 else inf


def _facts_json(strategy: RoundStrategy) -> dict[str, Any]:
    facts = strategy.facts
    return {"round": strategy.name, "value": facts.value, "nashconv": facts.nashconv, "unit": facts.unit}


def _json(costs: dict[str, dict[str, MindCost]]) -> dict[str, Any]:
    return {name: {where: _cost_json(cost) for where, cost in seats.items()} for name, seats in costs.items()}


def _cost_json(cost: MindCost) -> dict[str, Any]:
    """The cost of one mind's mistakes for `--json`."""
    kinds = {
        kind.value: {"cost": mean.mean, "error": mean.error, "a_round": cost.mistakes[kind]}
        for kind, mean in cost.kinds.items()
    }
    return {
        "rounds": cost.rounds,
        "cost": cost.total.mean,
        "error": cost.total.error,
        "kinds": kinds,
        "won": cost.result.mean,
        "won_error": cost.result.error,
        "best_response": cost.best,
    }
