"""`tahur eval`: measure a policy for Flop Hold'em exactly, against best responses or against another policy."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from tahur.cli.output import Json, console, print_json, warm, watch

if TYPE_CHECKING:
    from tahur.solvers.limit.evaluate import HeadsUpResult
    from tahur.solvers.response import Measure

UNIT: Final = "mbb/g"


def evaluate(
    game: Annotated[str, typer.Argument(metavar="GAME", help="fhp or fhp-3-4.")],
    policy: Annotated[
        str, typer.Argument(metavar="POLICY", help="A strategy file, uniform, or a player: caller, maniac, random.")
    ],
    against: Annotated[
        str | None,
        typer.Option("--against", metavar="POLICY", help="Measure against this policy instead of best responses."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Exact figures for a policy of Flop Hold'em, over every hand and all 1,755 classes of flops; nothing is sampled.

    tahur eval fhp fhp.tahur      tahur eval fhp fhp.tahur --against caller      tahur eval fhp uniform --json
    """
    from tahur.cli.limit.flop_solve import GAMES
    from tahur.cli.limit.policies import policy_named
    from tahur.core.errors import UnknownName
    from tahur.games.registry import make
    from tahur.solvers.limit.engine import layout_of
    from tahur.solvers.limit.evaluate import matched_up, measured

    if game not in GAMES:
        raise UnknownName(f"cannot measure '{game}' exactly; supported games: {' and '.join(GAMES)}")
    rules: Any = make(game, {})
    ours = policy_named(policy, rules)
    other = None if against is None else policy_named(against, rules)
    warm("limit")
    began, layout = time.monotonic(), layout_of(rules)
    scale = 1000 / rules.stakes.blinds[1]
    if other is None:
        found = watch(measured(layout, ours), f"best responses to {policy}")
        _tell_measure(game, policy, found, scale, time.monotonic() - began, as_json=as_json)
    else:
        match = watch(matched_up(layout, ours, other), f"{policy} against {against}")
        _tell_match(game, policy, str(against), match, scale, time.monotonic() - began, as_json=as_json)


def _tell_measure(game: str, policy: str, found: Measure, scale: float, seconds: float, *, as_json: bool) -> None:
    first, second = (response * scale for response in found.responses)
    nashconv, value = found.nashconv * scale, found.value * scale
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


def _tell_match(
    game: str, policy: str, against: str, match: HeadsUpResult, scale: float, seconds: float, *, as_json: bool
) -> None:
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
