"""`tahur solve`: solve a game by CFR, measure the exploitability, and write the strategy to a file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer

from tahur.cli.limit.bucket_solve import GAMES as BUCKET_GAMES
from tahur.cli.limit.bucket_solve import BucketRequest, solve_on_buckets
from tahur.cli.limit.flop_solve import GAMES as FLOP_GAMES
from tahur.cli.limit.flop_solve import FlopRequest, solve_flop
from tahur.cli.output import Json, console, note, print_json, warm_solvers
from tahur.cli.perudo.rounds import RoundRequest, round_from_text, solve_round, usual_goal
from tahur.cli.settings import Rules, Set, TableOptions, named, settings_of
from tahur.cli.solve.options import (
    BucketSizes,
    Calza,
    Dice,
    GameName,
    Iterations,
    Memory,
    Output,
    Palifico,
    Resume,
    ScheduleName,
    Seconds,
    Seed,
    Target,
    Threads,
)
from tahur.cli.solve.running import SolveGoal, SolveOutcome, check_kept, solved

if TYPE_CHECKING:
    from tahur.core.game import Game
    from tahur.core.solution import Facts
    from tahur.solvers.response import Measure
    from tahur.solvers.saving import AnySolver
    from tahur.solvers.schedule import Schedule
    from tahur.solvers.tree import Tree

ENDLESS: Final = 1_000_000_000  # iterations
SECONDS: Final = 60.0  # the default limit
MEMORY: Final = 0.5  # GiB of regrets and averages by default


@dataclass(frozen=True, slots=True)
class SolveRequest:
    """The arguments and options of one `tahur solve`."""

    game: str
    schedule: str | None
    iterations: int | None
    target: str | None
    seconds: float | None
    resume: bool
    output: Path | None
    settings: list[str] | None
    dice: str | None
    rules: str | None
    palifico: bool | None
    calza: bool | None
    seed: int
    memory: float | None
    threads: int | None
    buckets: str | None
    as_json: bool


@dataclass(frozen=True, slots=True)
class Usual:
    """The default schedule and target of a game: fast, and practically exact."""

    schedule: str
    target: float


USUAL: Final = {"kuhn": Usual("pdcfr+", 1e-9), "leduc": Usual("dcfr", 1e-5), "liars-dice": Usual("dcfr", 1e-5)}
OTHERS: Final = Usual("dcfr", 1e-4)


def solve(
    game: GameName,
    schedule: ScheduleName = None,
    iterations: Iterations = None,
    target: Target = None,
    seconds: Seconds = None,
    resume: Resume = False,
    output: Output = None,
    settings: Set = None,
    dice: Dice = None,
    rules: Rules = None,
    palifico: Palifico = None,
    calza: Calza = None,
    seed: Seed = 1,
    memory: Memory = None,
    threads: Threads = None,
    buckets: BucketSizes = None,
    as_json: Json = False,
) -> None:
    """Solve a game for two by counterfactual regret minimisation, and measure the strategy by true best responses.

    tahur solve leduc      tahur solve leduc --resume --seconds 60      tahur solve perudo --dice 2v1

    tahur solve fhp --target 1mbb      tahur solve hulh --buckets 200,200,200 --seconds 600

    With --dice the target is NashConv, which is twice the exploitability, in dice of lead.
    """
    _solve(
        SolveRequest(
            game=game,
            schedule=schedule,
            iterations=iterations,
            target=target,
            seconds=seconds,
            resume=resume,
            output=output,
            settings=settings,
            dice=dice,
            rules=rules,
            palifico=palifico,
            calza=calza,
            seed=seed,
            memory=memory,
            threads=threads,
            buckets=buckets,
            as_json=as_json,
        )
    )


def _solve(request: SolveRequest) -> None:
    """Hand the request to the solver of its game."""
    if request.game in FLOP_GAMES:
        _solve_flop_game(request)
    elif request.game in BUCKET_GAMES:
        _solve_bucket_game(request)
    else:
        _check_others(request)
        if request.dice is not None:
            _solve_perudo_round(request, request.dice)
        else:
            _solve_small_game(request)


def _solve_flop_game(request: SolveRequest) -> None:
    solve_flop(
        FlopRequest(
            game=request.game,
            schedule=request.schedule,
            iterations=request.iterations,
            target=request.target,
            seconds=request.seconds,
            resume=request.resume,
            output=request.output,
            threads=request.threads,
            settings=dict(named(request.settings or ())),
            as_json=request.as_json,
        )
    )


def _solve_bucket_game(request: SolveRequest) -> None:
    _check_sampled(request)
    solve_on_buckets(
        BucketRequest(
            game=request.game,
            buckets=request.buckets,
            rounds=request.iterations,
            seconds=request.seconds,
            resume=request.resume,
            output=request.output,
            seed=request.seed,
            as_json=request.as_json,
        )
    )


def _solve_perudo_round(request: SolveRequest, dice: str) -> None:
    _check_round(request.game, request.settings)
    game = round_from_text(dice, request.rules, request.palifico, request.calza)
    solve_round(
        RoundRequest(
            game=game,
            schedule=request.schedule,
            goal=usual_goal(game, request.iterations, _number(request.target), request.seconds),
            path=request.output or Path(f"perudo-{dice}.tahur"),
            resume=request.resume,
            memory=request.memory,
            threads=request.threads,
            as_json=request.as_json,
        )
    )


def _solve_small_game(request: SolveRequest) -> None:
    from tahur.core.strategy_file import is_strategy_file
    from tahur.games.registry import make

    if request.palifico is not None or request.calza is not None:
        raise typer.BadParameter("--palifico and --calza go with --dice, such as --dice 2v1")
    game = make(
        request.game, settings_of(request.game, 2, TableOptions(rules=request.rules, settings=request.settings))
    )
    path = request.output or Path(f"{request.game}.tahur")
    check_kept(path, is_strategy_file, "strategy file", resume=path if request.resume else None)
    warm_solvers()
    _run(_solver(game, request, path if request.resume else None), _goal(request), path, as_json=request.as_json)


def _run(solver: AnySolver, goal: SolveGoal, path: Path, *, as_json: bool) -> None:
    """Solve, save and report the result; also after Ctrl-C."""
    unit = unit_of(solver.tree.game, zero_sum=solver.tree.zero_sum)
    outcome = solved(solver, goal, unit=unit, save=lambda measure: _save(path, solver, measure, unit))
    _tell(solver, outcome, goal, unit, path, as_json=as_json)
    if outcome.stopped:
        note(f"stopped after {solver.iteration:,} iterations; the result so far is saved in {path}")
        raise typer.Exit(130)


def _check_round(game: str, settings: list[str] | None) -> None:
    if game != "perudo":
        raise typer.BadParameter(f"--dice is for perudo; {game} has none")
    if settings:
        raise typer.BadParameter("--dice and --set cannot be combined; with --dice use --rules")


def unit_of(game: Game[Any], *, zero_sum: bool) -> str:
    """The unit of a payoff: antes, points, chips; "of lead" if payoffs do not sum to zero."""
    from tahur.games.registry import GAMES

    scorings = [scoring for scoring in GAMES[game.name].scorings(game) if scoring.decided is None]
    plain = next(each for each in scorings if each.scale == 1 or (each.scale == 100 and each.unit.endswith("/100")))
    unit = plain.unit.partition("/")[0]
    return unit if zero_sum else f"{unit} of lead"


def _solver(game: Any, request: SolveRequest, resume: Path | None) -> AnySolver:
    import numpy as np

    from tahur.core.errors import SolverError
    from tahur.core.strategy_file import read_memory, read_solution
    from tahur.solvers.cfr import CfrSolver
    from tahur.solvers.sampled import SAMPLED, SampledSolver
    from tahur.solvers.saving import resumed

    schedule, memory = request.schedule, request.memory or MEMORY
    if resume is None and schedule is not None and schedule in SAMPLED:
        return SampledSolver(_tree(game, memory, merge=False), schedule, np.random.default_rng(request.seed))
    if resume is None:
        chosen = _schedule(game.name, schedule, request.iterations)
        return CfrSolver(_tree(game, memory), chosen)
    facts = read_solution(resume).facts
    if schedule not in (None, facts.schedule):
        raise SolverError(
            f"{resume} was started with --schedule {facts.schedule}; it cannot be resumed with {schedule}"
        )
    if reason := facts.misfit(game):
        raise SolverError(f"{resume}: {reason.replace('the table plays', 'the game to solve is')}")
    return resumed(_tree(game, memory, merge=facts.schedule not in SAMPLED), facts, read_memory(resume))


def _tree(game: Any, memory: float, *, merge: bool = True) -> Tree:
    from tahur.core.errors import SolverError
    from tahur.solvers.unroll import unroll

    try:
        return unroll(game, most_bytes=int(memory * 2**30), merge=merge)
    except SolverError as error:
        if "allow more memory" not in str(error):
            raise
        raise SolverError(f"{error} (--memory {memory:g} GiB now)") from None


def _schedule(game: str, name: str | None, iterations: int | None) -> Schedule:
    from tahur.solvers.schedule import schedule_named

    chosen = schedule_named(name or USUAL.get(game, OTHERS).schedule)
    return chosen.over(iterations) if chosen.needs_plan and iterations is not None else chosen


def _check_others(request: SolveRequest) -> None:
    """Raise an error for options that this game does not have."""
    if request.buckets is not None:
        games = " and ".join(BUCKET_GAMES)
        raise typer.BadParameter(f"--buckets is for {games}; {request.game} is solved card by card")
    if request.threads is not None and request.dice is None:
        games = " and ".join([*FLOP_GAMES, "perudo --dice"])
        raise typer.BadParameter(f"--threads is for {games}; {request.game} is solved by one thread")


def _check_sampled(request: SolveRequest) -> None:
    """Limit hold'em has one schedule, no measurable target, one thread, and fixed rules."""
    given = {
        "--schedule": request.schedule,
        "--target": request.target,
        "--threads": request.threads,
        "--set": request.settings or None,
    }
    for name, value in given.items():
        if value is not None:
            raise typer.BadParameter(
                f"{name} is not available for {request.game}, which is trained on buckets; use --seconds"
            )


def _number(target: str | None) -> float | None:
    try:
        number = None if target is None else float(target)
    except ValueError:
        raise typer.BadParameter(f"--target {target}: give a number in the game's own unit, such as 0.001") from None
    if number is not None and not number >= 0:
        raise typer.BadParameter(f"--target {target}: must be 0 or more")
    return number


def _goal(request: SolveRequest) -> SolveGoal:
    """The requested limits; without any, the game's usual target within a minute."""
    if request.iterations is None and request.target is None and request.seconds is None:
        return SolveGoal(ENDLESS, USUAL.get(request.game, OTHERS).target, SECONDS)
    return SolveGoal(request.iterations or ENDLESS, _number(request.target), request.seconds)


def _save(path: Path, solver: AnySolver, measure: Measure, unit: str) -> None:
    from tahur.core.strategy_file import write_solution
    from tahur.solvers.saving import memory_of, solution_of

    write_solution(path, solution_of(solver, measure, unit), memory_of(solver))


def _tell(solver: AnySolver, outcome: SolveOutcome, goal: SolveGoal, unit: str, path: Path, *, as_json: bool) -> None:
    from tahur.solvers.saving import facts_of

    facts = facts_of(solver, outcome.measure, unit)
    if as_json:
        keys = ("game", "settings", "schedule", "iterations", "exploitability", "nashconv", "value", "unit")
        payload = {key: getattr(facts, key) for key in keys}
        print_json({**payload, "seconds": outcome.seconds, "file": str(path)})
        return
    out = console()
    done = f"{facts.iterations:,} iterations"
    out.print(f"[bold]{facts.game}[/] by {facts.schedule}: {done}, {outcome.seconds:.1f} s just now")
    for line in figures(facts):
        out.print(line)
    if goal.target is not None and facts.exploitability > goal.target:
        out.print(f"[yellow]short of the target, {goal.target:g} {unit}[/]")
    out.print(f"saved in {path}; resume with: [bold]tahur solve {facts.game} --resume -o {path}[/]")
    out.print(f"Next: [bold]tahur show {path}[/], or play it at a table as [bold]strategy:{path}[/]")


def figures(facts: Facts) -> tuple[str, str, str]:
    """The measured figures of a strategy as lines of text, with units."""
    return (
        f"exploitability  {facts.exploitability:.6g} {facts.unit} per deal  "
        "[dim](BR1 + BR2) / 2: what a perfect opponent wins, on average over the seats[/]",
        f"NashConv        {facts.nashconv:.6g} {facts.unit} per deal  [dim]BR1 + BR2[/]",
        f"value           {facts.value:+.6g} {facts.unit} per deal to the first seat",
    )
