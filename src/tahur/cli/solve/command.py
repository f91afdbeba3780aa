"""`tahur solve`: solve a game by CFR, measure the exploitability, and write the strategy to a file."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from tahur.cli.commands import with_option_groups
from tahur.cli.limit.solve import ON_BUCKETS, ON_FLOPS
from tahur.cli.nolimit.solve import BLUEPRINTS
from tahur.cli.output import console, print_json, warm
from tahur.cli.perudo.rounds import ROUNDS
from tahur.cli.settings import TableOptions, settings_of
from tahur.cli.solve.options import GameSolver, SolveRequest
from tahur.cli.solve.running import (
    CHECKPOINT_SECONDS,
    ENDLESS,
    RunOutcome,
    RunView,
    Saving,
    SolveGoal,
    check_kept,
    check_schedule,
    drive,
    exit_if_stopped,
    facts_json,
)

if TYPE_CHECKING:
    from tahur.core.game import Game
    from tahur.core.solution import Facts
    from tahur.solvers.cfr import CfrSolver
    from tahur.solvers.response import Measure
    from tahur.solvers.schedule import Schedule
    from tahur.solvers.tree import Tree

SECONDS: Final = 60.0  # the default limit
MEMORY: Final = 0.5  # GiB of regrets and averages by default
EVERY: Final = 100  # iterations between measurements, at which a target can end a run
EVERY_SAMPLED: Final = 10_000  # sampled iterations are cheap, measurements are not


@dataclass(frozen=True, slots=True)
class Usual:
    """The default schedule and target of a game: fast, and practically exact."""

    schedule: str
    target: float


USUAL: Final = {"kuhn": Usual("pdcfr+", 1e-9), "leduc": Usual("dcfr", 1e-5), "liars-dice": Usual("dcfr", 1e-5)}
OTHERS: Final = Usual("dcfr", 1e-4)


@with_option_groups
def solve(request: SolveRequest) -> None:
    """Solve a game for two by counterfactual regret minimisation, and measure the strategy by true best responses.

    tahur solve leduc      tahur solve leduc --resume --seconds 60      tahur solve perudo --dice 2v1

    tahur solve fhp --target 1mbb      tahur solve hulh --buckets 200,200,200 --seconds 600

    tahur solve nlhe --depth 100bb --actions small --seconds 600

    With --dice the target is NashConv, which is twice the exploitability, in dice of lead.
    """
    solver = _solver_of(request)
    solver.check(request, SOLVERS)
    solver.solve(request)


def _solver_of(request: SolveRequest) -> GameSolver:
    name = request.game if request.dice is None else f"{request.game} --dice"
    return next((solver for solver in SOLVERS if name in solver.games), ON_TREES)


def _solve_on_tree(request: SolveRequest) -> None:
    """Solve a game whose tree fits in memory; save and report the result, also after Ctrl-C."""
    from tahur.core.errors import Diverged
    from tahur.core.solution import is_strategy_file, write_solution
    from tahur.games.registry import make
    from tahur.solvers.cfr import SAMPLED, solution_of
    from tahur.solvers.solver import run

    game = make(
        request.game, settings_of(request.game, 2, TableOptions(rules=request.rules, settings=request.settings))
    )
    check_kept(request.path, is_strategy_file, "strategy file", resume=request.begun)
    warm("solver")
    solver = _solver(game, request)
    unit = unit_of(game, zero_sum=solver.tree.zero_sum)
    goal = request.goal(SolveGoal(ENDLESS, USUAL.get(request.game, OTHERS).target, SECONDS))
    view: RunView[Measure] = RunView(
        solver,
        what=f"{game.name} by {solver.schedule.name}",
        figure=lambda measure: measure.exploitability,
        words=f"exploitability {{:.3g}} {unit}",
        target=goal.target,
    )

    def save() -> None:
        write_solution(request.path, solution_of(solver, view.measure(), unit), solver.state().arrays)

    solver.measure()  # this loads the kernels, which must not count as solving time
    every = EVERY_SAMPLED if solver.schedule.name in SAMPLED else EVERY
    steps = run(solver, iterations=goal.iterations, target=goal.target, every=every, clock=time.monotonic)
    try:
        outcome = drive(view.watch(steps), view.draw, Saving(save, save, CHECKPOINT_SECONDS), seconds=goal.seconds)
    except Diverged as error:
        save()
        raise Diverged(f"{error}, which is saved") from None
    _report(solver, view.measure(), outcome, goal, request)
    exit_if_stopped(outcome, f"{solver.iteration:,} iterations", request.path)


def unit_of(game: Game[Any], *, zero_sum: bool) -> str:
    """The unit of one payoff: antes, points, chips; "of lead" if payoffs do not sum to zero.

    Taken from the game's first scoring that does not rescale payoffs, such as `bb/100` or `chips/hand`.
    """
    from tahur.games.registry import GAMES

    scorings = [scoring for scoring in GAMES[game.name].scorings(game) if scoring.decided is None]
    plain = next(
        scoring
        for scoring in scorings
        if scoring.scale == 1 or (scoring.scale == 100 and scoring.unit.endswith("/100"))
    )
    unit = plain.unit.partition("/")[0]
    return unit if zero_sum else f"{unit} of lead"


def _solver(game: Any, request: SolveRequest) -> CfrSolver:
    """A new solver of the game, or the one of the file to resume."""

    import numpy as np

    from tahur.core.errors import SolverError
    from tahur.core.solution import read_memory, read_solution
    from tahur.solvers.cfr import SAMPLED, CfrSolver, SampledSolver, resume_solver

    schedule, memory, begun = request.schedule, request.memory or MEMORY, request.begun
    if begun is None and schedule is not None and schedule in SAMPLED:
        return SampledSolver(_tree(game, memory, merge=False), SAMPLED[schedule], np.random.default_rng(request.seed))
    if begun is None:
        chosen = _schedule(game.name, schedule, request.iterations)
        return CfrSolver(_tree(game, memory), chosen)
    facts = read_solution(begun).facts
    check_schedule(begun, facts.schedule, schedule)
    if reason := facts.misfit(game, now="the game to solve is"):
        raise SolverError(f"{begun}: {reason}")
    return resume_solver(_tree(game, memory, merge=facts.schedule not in SAMPLED), facts, read_memory(begun))


def _tree(game: Any, memory: float, *, merge: bool = True) -> Tree:
    from tahur.core.errors import TreeTooLarge
    from tahur.solvers.unroll import unroll

    try:
        return unroll(game, most_bytes=int(memory * 2**30), merge=merge)
    except TreeTooLarge as error:
        raise TreeTooLarge(f"{error} (--memory {memory:g} GiB now)") from None


def _schedule(game: str, name: str | None, iterations: int | None) -> Schedule:
    from tahur.solvers.schedule import schedule_named

    chosen = schedule_named(name or USUAL.get(game, OTHERS).schedule)
    return chosen.with_plan(iterations) if chosen.needs_plan and iterations is not None else chosen


def _report(solver: CfrSolver, measure: Measure, outcome: RunOutcome, goal: SolveGoal, request: SolveRequest) -> None:
    """Print what was solved and how well, and the next useful commands."""
    from tahur.solvers.cfr import facts_of

    path, unit = request.path, unit_of(solver.tree.game, zero_sum=solver.tree.zero_sum)
    facts = facts_of(solver, measure, unit)
    if request.as_json:
        print_json(facts_json(facts) | {"seconds": outcome.seconds, "file": str(path)})
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


ON_TREES: Final = GameSolver(
    games=("games whose tree fits in memory",),
    takes=frozenset({"schedule", "target", "settings", "rules", "memory"}),
    solve=_solve_on_tree,
)
SOLVERS: Final = (ON_FLOPS, ON_BUCKETS, BLUEPRINTS, ROUNDS, ON_TREES)
