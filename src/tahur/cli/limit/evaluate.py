"""`tahur eval`: measure a policy for hold'em, exactly for Flop Hold'em, by lower bounds otherwise."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from tahur.cli.commands import with_option_groups
from tahur.cli.limit.bounds import BoundRequest, measure_bounds
from tahur.cli.nolimit.evaluate import GAME as NO_LIMIT
from tahur.cli.nolimit.evaluate import LbrOptions, LbrRequest, measure_lbr
from tahur.cli.output import Json, console, print_json, warm, watch

if TYPE_CHECKING:
    from tahur.cli.limit.policies import Subject
    from tahur.solvers.limit.evaluate import HeadsUpResult
    from tahur.solvers.response import Measure

UNIT: Final = "mbb/g"
LIMIT: Final = "limit"  # limit hold'em with any settings
ANY: Final = "lhe"
OPPONENTS: Final = "caller,odds"


@with_option_groups
def evaluate(
    game: Annotated[
        str,
        typer.Argument(metavar="GAME", help="fhp or fhp-3-4: exact; hulh, limit, lhe (any limit game), nlhe: bounds."),
    ],
    policy: Annotated[
        str | None,
        typer.Argument(metavar="POLICY", help="A file of `tahur solve`, a folder of nets; exact also for caller, ..."),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="POLICY", help=f"Measure against this policy; several for bounds, {OPPONENTS} by default."
        ),
    ] = None,
    bounds: Annotated[
        str | None,
        typer.Option(help="Bounds to compute: river, turn, local, clairvoyant; nlhe: lbr; all by default, or 'none'."),
    ] = None,
    deals: Annotated[
        int,
        typer.Option("--deals", "--eval-deals", help="Most boards of a bound, or deals of a match.", min=2),
    ] = 10_000,
    seconds: Annotated[
        float, typer.Option(help="Time limit for each bound; an unfinished board does not count.", min=0.1)
    ] = 30.0,
    seed: Annotated[int, typer.Option(help="Seed of boards and deals of a bound.", min=0)] = 1,
    model: Annotated[str | None, typer.Option("-m", "--model", metavar="POLICY", hidden=True)] = None,
    nlhe: LbrOptions = LbrOptions(),  # noqa: B008
    as_json: Json = False,
) -> None:
    """What a policy for hold'em loses to best responses, or wins from another policy, in mbb/g.

    Flop Hold'em (fhp) is measured exactly, over every hand and all 1,755 classes of flops; nothing is sampled.
    For full limit hold'em, and with --bounds, figures are lower bounds: what a real strategy wins from the policy;
    exploitability, (BR1 + BR2) / 2, is at least that. If both policies are known, all hands are summed on random
    boards; otherwise deals are played in duplicate. Intervals are Student's t over boards; with fewer than 10 boards
    there is no interval.
    No-limit hold'em (nlhe) is bounded by a local best response (Lisy and Bowling 2017), in duplicate deals.

    tahur eval fhp fhp.tahur      tahur eval fhp fhp.tahur --against caller      tahur eval hulh hulh_nets --deals 30
    tahur eval nlhe strategy:nlhe.tahur --streets turn,river
    """
    from tahur.cli.limit.solve import GAMES

    name = policy or model
    if name is None:
        raise typer.BadParameter("name a policy: a file of `tahur solve`, or a folder of nets", param_hint="POLICY")
    if game == NO_LIMIT:
        request_of = LbrRequest(bounds=bounds, against=against, deals=deals, seconds=seconds, seed=seed)
        measure_lbr(name, nlhe, request_of, as_json=as_json)
        return
    nlhe.check_unused(game)
    if game in GAMES and bounds is None:
        _exact(game, name, against, as_json=as_json)
        return
    request = BoundRequest(
        bounds=bounds, against=OPPONENTS if against is None else against, deals=deals, seconds=seconds, seed=seed
    )
    measure_bounds(_subject(game, name), request, as_json=as_json)


def _subject(game: str, name: str) -> Subject:
    """The policy to bound; `lhe` stands for the game that it was made for."""
    from tahur.cli.limit.policies import subject_named
    from tahur.core.errors import StrategyError, UnknownName
    from tahur.games.holdem.limit import PRESETS

    games = [LIMIT, *(preset.name for preset in PRESETS)]
    if game not in (ANY, *games):
        raise UnknownName(f"cannot measure '{game}'; supported games: {', '.join(games)}, or {ANY} for any of them")
    subject = subject_named(name)
    if game not in (ANY, subject.game.name):
        raise StrategyError(f"{name} is a policy for {subject.game.name}; write: tahur eval {subject.game.name} {name}")
    return subject


def _exact(game: str, policy: str, against: str | None, *, as_json: bool) -> None:
    """Measure a policy of Flop Hold'em by best responses, or by its match against another one."""
    from tahur.cli.limit.policies import policy_named
    from tahur.games.registry import make
    from tahur.solvers.limit.engine import layout_of
    from tahur.solvers.limit.evaluate import measure_match, measure_policy

    rules: Any = make(game, {})
    ours = policy_named(policy, rules)
    other = None if against is None else policy_named(against, rules)
    warm("limit")
    began, layout = time.monotonic(), layout_of(rules)
    scale = 1000 / rules.stakes.blinds[1]
    if other is None:
        measure = watch(measure_policy(layout, ours), f"best responses to {policy}")
        _report_measure(game, policy, measure, scale, time.monotonic() - began, as_json=as_json)
    else:
        match = watch(measure_match(layout, ours, other), f"{policy} against {against}")
        _report_match(game, policy, str(against), match, scale, time.monotonic() - began, as_json=as_json)


def _report_measure(game: str, policy: str, measure: Measure, scale: float, seconds: float, *, as_json: bool) -> None:
    """Print the exact exploitability of a policy; `scale` converts chips to milli big blinds."""
    first, second = (response * scale for response in measure.responses)
    nashconv, value = measure.nashconv * scale, measure.value * scale
    if as_json:
        print_json(
            {
                "game": game,
                "policy": policy,
                "kind": "exact",
                "unit": UNIT,
                "exploitability": nashconv / 2,
                "nashconv": nashconv,
                "response_of_small_blind": first,
                "response_of_big_blind": second,
                "value_of_small_blind": value,
                "seconds": seconds,
            }
        )
        return
    out = console()
    out.print(f"[bold]{policy}[/] at {game}, exact: every hand on all flops, {seconds:.1f} s")
    out.print(f"exploitability  {nashconv / 2:.4g} {UNIT}  [dim]NashConv / 2 = (BR1 + BR2) / 2[/]")
    out.print(f"NashConv        {nashconv:.4g} {UNIT}  [dim]BR1 + BR2[/]")
    out.print(f"best responses  {first:+.4g} {UNIT} as small blind, {second:+.4g} {UNIT} as big blind")
    out.print(f"against itself  {value:+.4g} {UNIT} to the small blind")


def _report_match(
    game: str, policy: str, against: str, match: HeadsUpResult, scale: float, seconds: float, *, as_json: bool
) -> None:
    """Print the exact result of one policy against another; `scale` converts chips to milli big blinds."""
    small, big, mean = match.as_first * scale, match.as_second * scale, match.mean * scale
    if as_json:
        print_json(
            {
                "game": game,
                "policy": policy,
                "against": against,
                "kind": "exact",
                "unit": UNIT,
                "ev": mean,
                "ev_as_small_blind": small,
                "ev_as_big_blind": big,
                "seconds": seconds,
            }
        )
        return
    out = console()
    out.print(f"[bold]{policy}[/] against [bold]{against}[/] at {game}, exact: all hands on all flops, {seconds:.1f} s")
    out.print(f"wins            {mean:+.4g} {UNIT}  [dim]on average over both seats[/]")
    out.print(f"                {small:+.4g} {UNIT} as small blind, {big:+.4g} {UNIT} as big blind")
