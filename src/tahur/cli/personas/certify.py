"""`tahur persona options certify`: the most that a menu can cost, and the cost of random choices, on solved spots."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from tahur.cli.output import Json, console, print_json, warm, watch
from tahur.core.errors import SettingError

if TYPE_CHECKING:
    from tahur.cli.personas.cost import FlipCost, FlipSubject
    from tahur.solvers.postflop.solve import PostflopSolution, PostflopSolver

STATES: Final = ("tilted", "overconfident", "shaken", "dissociated")
SIZES: Final = "33%,67%,100%,150%,a / 60%,120%,a"
SPOTS: Final = (
    ("Ks7h2d9c4s", "22+,A2s+,K9s+,QTs+,JTs,ATo+,KQo", "22+,A8s+,K9s+,QTs+,T9s,98s,AJo+,KTo+", 200, 600),
    ("QhJh8c3d2h", "55+,A9s+,KTs+,Q9s+,JTs,T9s,AQo+,KQo", "22+,A2s+,K9s+,Q9s+,J9s+,T8s+,98s,ATo+,KJo+,QJo", 120, 900),
    ("Tc6d6s5hAd", "22+,ATs+,KQs,T9s,98s,87s,76s,65s,AQo+", "77-22,A2s-A9s,KJs+,QJs,T8s+,97s+,86s+,65s,A9o+", 300, 450),
)
"""Board, ranges, pot and stack, in chips; a big blind is ten."""
TARGET: Final = 0.1  # % of the pot


def certify(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[FILE]...", help="Solved rivers or Flop Hold'em; by default three built-in rivers."),
    ] = None,
    severity: Annotated[str, typer.Option(help="Severity of the moods: mild, moderate or extreme.")] = "extreme",
    big_blind: Annotated[int, typer.Option(help="Big blind of the rivers, in their chips.", min=1)] = 10,
    flops: Annotated[int, typer.Option(help="Number of random flops of Flop Hold'em.", min=1)] = 3,
    seed: Annotated[int, typer.Option(help="Seed of the random flops.", min=0)] = 1,
    as_json: Json = False,
) -> None:
    """The most that the worst option of any menu loses, and what uniformly random choices lose per hand.

    On river spots that are solved first, or that `tahur postflop solve -o FILE` wrote, or on flops of Flop Hold'em that
    `tahur solve fhp -o FILE` wrote. Costs are measured against the solution's other seat, in thousandths of a big
    blind, for every profile and mood.

    tahur persona options certify      tahur persona options certify river.tahur --severity mild
    """
    choosers = _choosers(severity)
    certified = []
    for name, quality, steps, chips in _asked(files or [], choosers, big_blind, flops, seed):
        certified.append(Certified(name, quality, watch(_steps(steps), f"menus on {name}"), 1000 / chips))
    if as_json:
        print_json({"unit": "mbb", "spots": [_spot_json(each) for each in certified], "all": _total_json(certified)})
        return
    _print(certified)


@dataclass(frozen=True, slots=True)
class Certified:
    """One spot or one game: how well it is solved, and the costs in chips; `scale` converts them to mbb."""

    name: str
    quality: str
    costs: list[FlipCost]
    scale: float


def _asked(
    files: list[Path], choosers: list[FlipSubject], big_blind: int, flops: int, seed: int
) -> Iterator[tuple[str, str, Iterator[float | list[FlipCost]], int]]:
    """The name, how well it is solved, the work to do, and the big blind."""
    import numpy as np

    from tahur.cli.personas.cost import costs
    from tahur.cli.personas.flop_cost import flop_costs
    from tahur.games.holdem.flop_table import is_flop_table, read_flop_table

    for file in files:
        if is_flop_table(file):
            table, rng = read_flop_table(file), np.random.default_rng(seed)
            facts = table.facts
            quality = f"{facts.game}, solved to {facts.exploitability:.3g} {facts.unit}"
            yield (
                f"{file}, {flops} flops",
                quality,
                flop_costs(table, choosers, flops, rng),
                table.game.stakes.blinds[1],
            )
    rivers = [file for file in files if not is_flop_table(file)]
    if files and not rivers:
        return
    warm("postflop")
    for name, solution in _solutions(rivers):
        quality = f"solved to {solution.exploitability:.3f} % of the pot"
        yield name, quality, costs(solution, choosers, big_blind=big_blind), big_blind


def _choosers(severity: str) -> list[FlipSubject]:
    from tahur.cli.personas.cost import FlipSubject
    from tahur.players.bounded.mood import CALM, mood_from_text
    from tahur.players.bounded.profiles import PROFILES

    if severity not in ("mild", "moderate", "extreme"):
        raise SettingError(f"--severity {severity}: must be mild, moderate or extreme")
    moods = [CALM, *(mood_from_text(f"{state}:{severity}") for state in STATES)]
    return [FlipSubject(profile, mood) for profile in PROFILES.values() for mood in moods]


def _solutions(files: list[Path]) -> Iterator[tuple[str, PostflopSolution]]:
    from tahur.cards.cards import cards_text
    from tahur.solvers.postflop.solve import PostflopSolution, PostflopSolver
    from tahur.solvers.postflop.spot import spot

    for file in files:
        yield str(file), PostflopSolution.load(file)
    for board, oop, ip, pot, stack in () if files else SPOTS:
        solver = PostflopSolver(spot(board=board, oop=oop, ip=ip, pot=pot, stack=stack, sizes=SIZES))
        watch(_solved(solver), f"solving {board}")
        yield cards_text(solver.spot.board), solver.solution()


def _solved(solver: PostflopSolver) -> Generator[float, None, None]:
    from tahur.solvers.solver import run

    for progress in run(solver, iterations=2000, target=TARGET, every=25):
        if progress.measure is not None:
            yield min(1.0, TARGET / max(progress.measure.exploitability, TARGET))


def _steps(found: Iterator[float | list[FlipCost]]) -> Generator[float, None, list[FlipCost]]:
    for step in found:
        if isinstance(step, list):
            return step
        yield step
    raise AssertionError("costs end with a list")


def _spot_json(spot: Certified) -> dict[str, object]:
    from tahur.cards.cards import cards_of, cards_text

    rows = [
        {
            "profile": cost.profile,
            "mood": cost.mood,
            "worst": round(cost.worst.chips * spot.scale, 1),
            "where": cost.worst.line,
            "hand": cards_text(cards_of(cost.worst.hand)) if cost.worst.hand >= 0 else None,
            "option": cost.worst.option,
            "coins": round(cost.coins * spot.scale, 1),
        }
        for cost in spot.costs
    ]
    return {"spot": spot.name, "quality": spot.quality, "costs": rows}


def _total_json(spots: list[Certified]) -> list[dict[str, Any]]:
    """Combine all spots: the maximum of the worst options, the mean of the random choices."""
    scales = [spot.scale for spot in spots]
    return [
        {
            "profile": same[0].profile,
            "mood": same[0].mood,
            "worst": round(max(cost.worst.chips * scale for cost, scale in zip(same, scales, strict=True)), 1),
            "coins": round(sum(cost.coins * scale for cost, scale in zip(same, scales, strict=True)) / len(same), 1),
        }
        for same in zip(*(spot.costs for spot in spots), strict=True)
    ]


def _print(spots: list[Certified]) -> None:
    from rich.table import Table

    out = console()
    for spot in spots:
        out.print(f"[bold]{spot.name}[/]  [dim]{spot.quality}[/]")
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for heading in ("profile", "mood"):
        table.add_column(heading, no_wrap=True)
    table.add_column("worst option, mbb", justify="right")
    table.add_column("coin flips, mbb/hand", justify="right")
    for row in _total_json(spots):
        table.add_row(row["profile"], row["mood"], f"{row['worst']:,.0f}", f"{row['coins']:,.0f}")
    out.print(table)
    out.print(
        "[dim]worst: the costliest option on any menu; coin flips: uniformly random choices, mean of both seats[/]"
    )
    out.print("Next: [bold]tahur persona options certify --json[/] names the hands and the lines")
