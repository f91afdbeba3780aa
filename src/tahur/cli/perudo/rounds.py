"""`tahur solve perudo --dice 2v1`: solve a round between two seats exactly, save, resume and show it."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tahur.cli.output import console, note, print_json, warm
from tahur.cli.solve.options import GameSolver, SolveRequest
from tahur.cli.solve.running import (
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
    from tahur.games.perudo.game import Perudo
    from tahur.games.perudo.solved import RoundStrategy
    from tahur.solvers.perudo.solver import RoundSolver
    from tahur.solvers.response import Measure
    from tahur.solvers.solver import Progress

GIB: Final = 2**30
LARGE: Final = 1.0  # GiB above which a round needs --memory, and is measured less often
IMPOSSIBLE: Final = 1000.0  # GiB
TARGET: Final = 1e-3  # default NashConv, in dice of lead
FINE: Final = 1e-6  # the same for rounds of few dice and for small ones, which take seconds or minutes
FEW: Final = 3  # dice
SELDOM: Final = 25  # iterations between two measurements of a large round: each costs as much as one of them
CHECKPOINT_SECONDS: Final = 600.0  # seconds between checkpoints


def round_from_text(text: str, rules: str | None, palifico: bool | None, calza: bool | None) -> Perudo:
    """Parse `2v1`, the opener's dice first. `palifico` says whether the round is one; if None, the rules decide."""
    from tahur.core.errors import SettingError
    from tahur.games.perudo.game import perudo

    if (match := re.fullmatch(r"([1-9]\d?)v([1-9]\d?)", text)) is None:
        raise SettingError(f"--dice {text}: write the opener's dice, 'v', the other's dice: --dice 2v1")
    settings: Any = {"rules": rules or "faroleo", "cups": [int(dice) for dice in match.groups()], "calza": calza}
    return perudo(**settings) if palifico is None else perudo(**settings, palifico=palifico, palifico_round=palifico)


def solve_round(request: SolveRequest) -> None:
    """Run `tahur solve perudo --dice`; save and report the result, also after Ctrl-C."""
    from tahur.games.perudo.solved import is_round_file, write_round

    assert request.dice is not None
    game = round_from_text(request.dice, request.rules, request.palifico, request.calza)
    check_kept(request.path, is_round_file, "solved round", resume=request.begun)
    solver = _solver(game, request)
    if _is_large(solver):
        note(f"regrets and averages take {solver.estimate().bytes / GIB:.1f} GiB; an iteration takes several seconds")
    goal = request.goal(SolveGoal(ENDLESS, usual_target(game)))
    view: RunView[Measure] = RunView(
        solver,
        what=f"perudo {_dice(game)}",
        figure=lambda measure: solver.better_of(measure).nashconv,
        words="NashConv {:.3g} dice",
        target=goal.target,
    )

    def save() -> None:
        write_round(request.path, solver.strategy(view.measure()), solver.state().arrays)

    outcome = drive(
        view.watch(_steps(solver, goal)), view.draw, Saving(save, save, CHECKPOINT_SECONDS), seconds=goal.seconds
    )
    _report(solver, view.measure(), outcome, goal, request)
    exit_if_stopped(outcome, f"{solver.iteration:,} iterations", request.path)


def usual_target(game: Perudo) -> float:
    from tahur.games.perudo.solved import known_ladder
    from tahur.solvers.perudo.exact.polish import QUICK

    return FINE if game.round.total <= FEW or known_ladder(game.round).size <= QUICK else TARGET


def _solver(game: Perudo, request: SolveRequest) -> RoundSolver:
    """A solver of the round: a new one, or one that resumes the file `request.begun`."""
    from tahur.core.errors import SolverError
    from tahur.games.perudo.solved import read_round, read_round_memory
    from tahur.solvers.perudo.exact.polish import can_polish
    from tahur.solvers.perudo.solver import USUAL, RoundSolver, memory_needed
    from tahur.solvers.schedule import schedule_named
    from tahur.solvers.solver import SolverState

    schedule, begun = request.schedule, request.begun
    kept = None if begun is None else read_round(begun)
    if kept is not None and begun is not None:
        if reason := kept.misfit(game):
            raise SolverError(f"{begun}: {reason}")
        check_schedule(begun, kept.facts.schedule, schedule)
    chosen = schedule_named(schedule or (USUAL.name if kept is None else kept.facts.schedule))
    needed = memory_needed(game, chosen) / GIB
    allowed = request.memory if request.memory is not None else LARGE
    if needed > allowed:
        raise SolverError(f"perudo {_dice(game)}: {_too_much(needed, allowed)}")
    warm("perudo")
    solver = RoundSolver(game, chosen, threads=request.threads or (usual_threads() if needed > LARGE else 1))
    if kept is not None and begun is not None:
        solver.resume(SolverState(kept.facts.iterations, read_round_memory(begun)))
        if can_polish(solver):
            solver.refine(kept.weights.astype(solver.dtype))  # it may be finer than the average
    return solver


def usual_threads() -> int:
    """Two threads if available: half of a round begins with its lowest bid, so more threads would wait for that."""
    return min(2, os.cpu_count() or 1)


def _too_much(needed: float, allowed: float) -> str:
    if needed > IMPOSSIBLE:
        return "this round is too large for any machine; `tahur perudo prepare` solves it with imperfect recall"
    more = f"allow more with --memory {needed + 0.05:.1f}"
    return f"this round takes {needed:,.1f} GiB of memory, and {allowed:g} GiB are allowed; {more}"


def _is_large(solver: RoundSolver) -> bool:
    return solver.estimate().bytes > LARGE * GIB


def _steps(solver: RoundSolver, goal: SolveGoal) -> Iterator[Progress[Measure]]:
    """The steps of the run; small rounds are finished by a linear program."""
    from tahur.solvers.perudo.exact.polish import can_polish, run_to_the_end
    from tahur.solvers.solver import run

    every = SELDOM if _is_large(solver) else 100
    target = None if goal.target is None else goal.target / 2  # NashConv is twice the exploitability
    if target is not None and can_polish(solver):
        return run_to_the_end(solver, iterations=goal.iterations, target=target, every=every, clock=time.monotonic)
    return run(solver, iterations=goal.iterations, target=target, every=every, clock=time.monotonic)


def _dice(game: Perudo) -> str:
    first, second = game.round.order
    kind = " palifico" if game.round.palifico else ""
    return f"{game.round.cups[first]}v{game.round.cups[second]}{kind}"


def _report(solver: RoundSolver, average: Measure, outcome: RunOutcome, goal: SolveGoal, request: SolveRequest) -> None:
    """Print the value and the exactness of a solved round, and the next useful commands."""
    from tahur.solvers.perudo.solver import facts_of

    measure, facts, path = solver.better_of(average), facts_of(solver, average), request.path
    if request.as_json:
        bounds = {"value_from": -measure.responses[1], "value_to": measure.responses[0]}
        rest = {"polished": solver.is_refined(average), "seconds": outcome.seconds, "file": str(path)}
        print_json(facts_json(facts) | bounds | rest)
        return
    out = console()
    done = f"{facts.iterations:,} iterations, {outcome.seconds:.1f} s just now"
    how = f"{facts.schedule}, refined by linear programs" if solver.is_refined(average) else facts.schedule
    out.print(f"[bold]perudo {_dice(solver.game)}[/] by {how}: {done}")
    for line in figures(facts.value, -measure.responses[1], measure.responses[0]):
        out.print(line)
    if goal.target is not None and facts.nashconv > goal.target:
        out.print(f"[yellow]short of the target, {goal.target:g}[/]")
    out.print(f"saved in {path}")
    out.print(f"Next: [bold]tahur show {path}[/], or play it at a table as [bold]strategy:{path}[/]")


def figures(value: float, lower: float, upper: float) -> tuple[str, str]:
    """The opener's value and its bounds as lines of text."""
    return (
        f"value     {value:+.6f} dice of lead a round to the opener; the true one is in [{lower:.6f}, {upper:.6f}]",
        f"NashConv  {upper - lower:.3g} dice of lead a round  [dim]what two perfect opponents win together[/]",
    )


def show_round(file: Path, at: str, *, as_json: bool) -> None:
    """Show what each hand does after some bids."""
    from tahur.games.perudo.solved import read_round

    strategy = read_round(file)
    history = _bids(strategy, at)
    menu, block = strategy.block(history)
    game = strategy.game
    seat = game.round.order[len(history) % 2]
    labels = [game.label(game.start(), action) for action in menu]
    hands = [game.hand_text(hand) for hand in game.hands(seat)]
    rows = {hand: dict(zip(labels, block[:, place].tolist(), strict=True)) for place, hand in enumerate(hands)}
    if as_json:
        facts = strategy.facts.to_json()
        print_json({**facts, "round": strategy.name, "line": list(history), "seat": seat, "hands": rows})
        return
    out = console()
    facts_line = f"{strategy.facts.iterations:,} iterations, NashConv {strategy.facts.nashconv:.3g} dice of lead"
    out.print(f"[dim]perudo {_dice(game)}: value {strategy.facts.value:+.5f} to the opener, {facts_line}[/]")
    bids_text = ", ".join(game.label(game.start(), action) for action in history) or "nothing yet"
    out.print(f"[bold]after: {bids_text}[/]; seat {seat} ({game.round.cups[seat]} dice) to speak")
    from tahur.show.perudo import chances_table

    out.print(chances_table(rows))
    out.print(
        f"[dim]percent; further: tahur show {file} --at '{','.join([*_texts(strategy, history), labels[-1]])}'[/]"
    )


def _bids(strategy: RoundStrategy, at: str) -> tuple[int, ...]:
    """Parse `2 twos,1 ace`: labels of bids, or unique prefixes."""
    from tahur.core.errors import SettingError
    from tahur.games.perudo.bids import FIRST_BID, action_text

    history: list[int] = []
    for word in filter(None, (word.strip() for word in at.split(","))):
        menu = [action for action in strategy.block(history)[0] if action >= FIRST_BID]
        bids = [bid for bid in menu if action_text(bid) == word] or [
            bid for bid in menu if action_text(bid).startswith(word)
        ]
        if len(bids) != 1:
            listed = ", ".join(map(action_text, bids or menu)) or "none: only dudo is left"
            raise SettingError(f"--at {at}: '{word}' does not match exactly one bid; bids: {listed}")
        history.append(bids[0])
    return tuple(history)


def _texts(strategy: RoundStrategy, history: tuple[int, ...]) -> list[str]:
    return [strategy.game.label(strategy.game.start(), action) for action in history]


ROUNDS: Final = GameSolver(
    games=("perudo --dice",),
    takes=frozenset({"schedule", "target", "dice", "rules", "palifico", "calza", "memory", "threads"}),
    solve=solve_round,
    lacking={"settings": "with --dice takes --rules instead"},
)
