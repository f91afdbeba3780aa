"""`tahur solve perudo --dice 2v1`: solve a round between two seats exactly, save, resume and show it."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer

from tahur.cli.output import console, note, print_json, warm
from tahur.cli.solve.running import BLOCK, LiveLine, Patience, SolveGoal, SolveOutcome, check_kept

if TYPE_CHECKING:
    from tahur.games.perudo.game import Perudo
    from tahur.games.perudo.solved import RoundStrategy
    from tahur.solvers.cfr import CfrProgress
    from tahur.solvers.perudo.solver import RoundSolver
    from tahur.solvers.response import Measure

GIB: Final = 2**30
LARGE: Final = 1.0  # GiB above which a round needs --memory, and is measured less often
IMPOSSIBLE: Final = 1000.0  # GiB
TARGET: Final = 1e-3  # default NashConv, in dice of lead
FINE: Final = 1e-6  # the same for rounds of few dice and for small ones, which take seconds or minutes
FEW: Final = 3  # dice
ENDLESS: Final = 1_000_000_000
SELDOM: Final = 25  # iterations between two measurements of a large round: each costs as much as one of them
SAVE: Final = 600.0  # seconds between checkpoints


def warm_rounds() -> float | None:
    """Compile the kernels for solving rounds if this installation has not yet."""

    def groups() -> Iterator[str]:
        from tahur.solvers.perudo.warm import warm_up

        return warm_up()

    return warm(groups, what="perudo", about=30)


def round_from_text(text: str, rules: str | None, palifico: bool | None, calza: bool | None) -> Perudo:
    """Parse `2v1`, the opener's dice first. `palifico` says whether the round is one; if None, the rules decide."""
    from tahur.core.errors import SettingError
    from tahur.games.perudo.game import perudo

    if (found := re.fullmatch(r"([1-9]\d?)v([1-9]\d?)", text)) is None:
        raise SettingError(f"--dice {text}: write the opener's dice, 'v', the other's dice: --dice 2v1")
    made: Any = {"rules": rules or "faroleo", "cups": [int(dice) for dice in found.groups()], "calza": calza}
    return perudo(**made) if palifico is None else perudo(**made, palifico=palifico, palifico_round=palifico)


@dataclass(frozen=True, slots=True)
class RoundRequest:
    """The options of one `tahur solve perudo --dice`."""

    game: Perudo
    schedule: str | None
    goal: SolveGoal
    path: Path
    resume: bool
    memory: float | None
    threads: int | None
    as_json: bool

    @property
    def begun(self) -> Path | None:
        """The file to resume from."""
        return self.path if self.resume else None


def solve_round(asked: RoundRequest) -> None:
    """Run `tahur solve` for a round."""
    from tahur.games.perudo.solved import is_round_file

    check_kept(asked.path, is_round_file, "solved round", resume=asked.begun)
    solver = _solver(asked)
    _say_what(solver)
    outcome = solved_round(solver, asked.goal, save=lambda measure: save_round(asked.path, solver, measure))
    _tell(solver, outcome, asked)
    if outcome.stopped:
        note(f"stopped after {solver.iteration:,} iterations; the result so far is saved in {asked.path}")
        raise typer.Exit(130)


def solved_round(solver: RoundSolver, goal: SolveGoal, *, save: Callable[[Measure], None]) -> SolveOutcome:
    """Solve until the goal, the time limit or Ctrl-C, with checkpoints."""
    began = saved = time.monotonic()
    measure: Measure | None = None
    with Patience() as patience:
        with closing(_line(solver, goal).watch(_paced(solver, goal))) as steps:
            for progress in steps:
                measure, now = progress.measure, time.monotonic()
                if patience.asked or (goal.seconds is not None and now - began >= goal.seconds):
                    break
                if now - saved > SAVE:
                    save(measure or solver.measure())
                    saved = time.monotonic()
        outcome = SolveOutcome(measure or solver.measure(), time.monotonic() - began, patience.asked)
        save(outcome.measure)
        return outcome


def save_round(path: Path, solver: RoundSolver, measure: Measure) -> None:
    from tahur.games.perudo.solved import write_round

    write_round(path, solver.strategy(measure), solver.memory())


def usual_goal(game: Perudo, iterations: int | None, target: float | None, seconds: float | None) -> SolveGoal:
    """The requested goal; by default NashConv of at most 1e-3, or 1e-6 if that takes only minutes."""
    if iterations is target is seconds is None:
        return SolveGoal(ENDLESS, usual_target(game))
    return SolveGoal(iterations or ENDLESS, target, seconds)


def usual_target(game: Perudo) -> float:
    from tahur.games.perudo.solved import known_ladder
    from tahur.solvers.perudo.exact.polish import QUICK

    return FINE if game.round.total <= FEW or known_ladder(game.round).size <= QUICK else TARGET


def _solver(asked: RoundRequest) -> RoundSolver:
    from tahur.core.errors import SolverError
    from tahur.games.perudo.solved import read_round, read_round_memory
    from tahur.solvers.perudo.exact.polish import can_polish
    from tahur.solvers.perudo.solver import USUAL, RoundSolver, memory_needed
    from tahur.solvers.schedule import schedule_named

    game, schedule, resume = asked.game, asked.schedule, asked.begun
    kept = None if resume is None else read_round(resume)
    if kept is not None and (reason := kept.misfit(game)):
        raise SolverError(f"{resume}: {reason}")
    if kept is not None and schedule not in (None, kept.facts.schedule):
        raise SolverError(
            f"{resume} was started with --schedule {kept.facts.schedule}; it cannot be resumed with {schedule}"
        )
    chosen = schedule_named(schedule or (USUAL.name if kept is None else kept.facts.schedule))
    needed = memory_needed(game, chosen) / GIB
    allowed = asked.memory if asked.memory is not None else LARGE
    if needed > allowed:
        raise SolverError(f"perudo {_dice(game)}: {_too_much(needed, allowed)}")
    warm_rounds()
    solver = RoundSolver(game, chosen, threads=asked.threads or (usual_threads() if needed > LARGE else 1))
    if kept is not None and resume is not None:
        solver.resume(kept.facts.iterations, read_round_memory(resume))
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


def _say_what(solver: RoundSolver) -> None:
    numbers = sum(each.nbytes for each in solver.buffers)
    if numbers > LARGE * GIB:
        note(f"regrets and averages take {numbers / GIB:.1f} GiB; an iteration takes several seconds")


def _paced(solver: RoundSolver, goal: SolveGoal) -> Iterator[CfrProgress]:
    """Split the run into short blocks: the second iteration is timed (the first may load kernels)."""
    from tahur.solvers.perudo.exact.polish import can_polish, run_to_the_end
    from tahur.solvers.perudo.solver import run

    seconds = 0.0
    for _ in range(2):
        began = time.monotonic()
        solver.advance(int(solver.iteration < goal.iterations))
        seconds = time.monotonic() - began
    every = SELDOM if sum(each.nbytes for each in solver.buffers) > LARGE * GIB else 100
    step = max(1, min(every, int(BLOCK / max(seconds, 1e-9))))
    if goal.target is not None and can_polish(solver):
        yield from run_to_the_end(solver, iterations=goal.iterations, target=goal.target, every=every, step=step)
    else:
        yield from run(solver, iterations=goal.iterations, target=goal.target, every=every, step=step)


def _line(solver: RoundSolver, goal: SolveGoal) -> LiveLine:
    what = f"perudo {_dice(solver.game)}"
    return LiveLine(what, solver.iteration, goal, lambda measure: f"NashConv {measure.nashconv:.3g} dice")


def _dice(game: Perudo) -> str:
    first, second = game.round.order
    kind = " palifico" if game.round.palifico else ""
    return f"{game.round.cups[first]}v{game.round.cups[second]}{kind}"


def _tell(solver: RoundSolver, outcome: SolveOutcome, asked: RoundRequest) -> None:
    from tahur.solvers.perudo.solver import facts_of

    measure, facts = outcome.measure, facts_of(solver, outcome.measure)
    finer = solver.finer is not None and measure == solver.finer.measure
    if asked.as_json:
        keys = ("game", "settings", "schedule", "iterations", "exploitability", "nashconv", "value", "unit")
        payload = {key: getattr(facts, key) for key in keys}
        bounds = {"value_from": -measure.responses[1], "value_to": measure.responses[0], "polished": finer}
        print_json({**payload, **bounds, "seconds": outcome.seconds, "file": str(asked.path)})
        return
    out = console()
    done = f"{facts.iterations:,} iterations, {outcome.seconds:.1f} s just now"
    how = f"{facts.schedule}, refined by linear programs" if finer else facts.schedule
    out.print(f"[bold]perudo {_dice(solver.game)}[/] by {how}: {done}")
    for line in figures(facts.value, -measure.responses[1], measure.responses[0]):
        out.print(line)
    if (target := asked.goal.target) is not None and facts.nashconv > target:
        out.print(f"[yellow]short of the target, {target:g}[/]")
    out.print(f"saved in {asked.path}")
    out.print(f"Next: [bold]tahur show {asked.path}[/], or play it at a table as [bold]strategy:{asked.path}[/]")


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
    said = ", ".join(game.label(game.start(), action) for action in history) or "nothing yet"
    out.print(f"[bold]after: {said}[/]; seat {seat} ({game.round.cups[seat]} dice) to speak")
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
        found = [bid for bid in menu if action_text(bid) == word] or [
            bid for bid in menu if action_text(bid).startswith(word)
        ]
        if len(found) != 1:
            listed = ", ".join(map(action_text, found or menu)) or "none: only dudo is left"
            raise SettingError(f"--at {at}: '{word}' does not match exactly one bid; bids: {listed}")
        history.append(found[0])
    return tuple(history)


def _texts(strategy: RoundStrategy, history: tuple[int, ...]) -> list[str]:
    return [strategy.game.label(strategy.game.start(), action) for action in history]
