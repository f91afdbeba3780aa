"""`tahur postflop`: solve a hold'em spot from the flop, turn or river on, with every card."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tahur.cli.commands import command_group
from tahur.cli.memory import free_memory
from tahur.cli.output import PATIENCE, Json, console, note, print_json, warm
from tahur.cli.postflop.aggregate import aggregate
from tahur.cli.postflop.drill import drill
from tahur.cli.postflop.options import (
    DonkRiver,
    DonkTurn,
    FlopSizes,
    Ip,
    Oop,
    Pot,
    RaiseCap,
    RakeText,
    RiverSizes,
    SizesText,
    SpotFile,
    Stack,
    Target,
    ThresholdsText,
    TurnSizes,
    duration,
    percent_of,
    spot_of,
)
from tahur.cli.postflop.show import explore, show
from tahur.cli.solve.running import RunOutcome, RunView, Saving, check_kept, drive
from tahur.cli.street.command import street

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tahur.solvers.postflop.estimate import SpotEstimate
    from tahur.solvers.postflop.lock import Lock
    from tahur.solvers.postflop.solve import PostflopSolution, PostflopSolver, SpotMeasure
    from tahur.solvers.postflop.spot import Spot

postflop = command_group("Solve and study hold'em after the flop: exact ranges, any bet sizes, no card abstraction.")

postflop.command("show")(show)
postflop.command("explore")(explore)
postflop.add_typer(aggregate, name="aggregate", short_help="The same spot on many flops.")
postflop.command("drill", short_help="Practise hands of a solved spot, graded by the EV lost.")(drill)
postflop.add_typer(street, name="street", short_help="One street of betting over nine buckets of hands.")

MOST = 100_000  # iterations
STOPPING = "stopping ... measuring and saving the result so far (Ctrl-C again: discard it)"
LOCK_HELP = (
    "Lock a decision: 'check,bet100: fold=60% @AKs,QQ+'; the solved strategy is shifted to it, or with 'flat: ' "
    "before it every hand does the same. Can be repeated."
)


@postflop.command("solve")
def solve(
    board: Annotated[str | None, typer.Option(help="Three to five cards: Td9d6h.")] = None,
    oop: Oop = None,
    ip: Ip = None,
    pot: Pot = None,
    stack: Stack = None,
    sizes: SizesText = None,
    flop: FlopSizes = None,
    turn: TurnSizes = None,
    river: RiverSizes = None,
    donk_turn: DonkTurn = None,
    donk_river: DonkRiver = None,
    thresholds: ThresholdsText = None,
    raise_cap: RaiseCap = None,
    rake: RakeText = None,
    spot: SpotFile = None,
    target: Target = "0.3%",
    seconds: Annotated[float | None, typer.Option(help="Stop after this many seconds.", min=0)] = None,
    threads: Annotated[int, typer.Option(help="Threads; the results do not depend on it.", min=1)] = 1,
    locks: Annotated[list[str] | None, typer.Option("--lock", metavar="LOCK", help=LOCK_HELP)] = None,
    half: Annotated[
        bool, typer.Option("--half", help="16-bit numbers: half the memory, a few more iterations.")
    ] = False,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write the solution to this file, for `tahur postflop show`.")
    ] = None,
    estimate: Annotated[bool, typer.Option("--estimate", help="Print the estimated size and exit.")] = False,
    as_json: Json = False,
) -> None:
    """Solve a spot, and report the EV of each seat, the first action, and the exploitability.

    tahur postflop solve --board Td9d6hQc --oop "66+,AJs+" --ip "22+,ATs+" --pot 200 --stack 900 --sizes "50%,a / 60%,a"
    """
    said = {
        "board": board, "oop": oop, "ip": ip, "pot": pot, "stack": stack, "sizes": sizes, "flop": flop, "turn": turn,
        "river": river, "donk_turn": donk_turn, "donk_river": donk_river, "raise_cap": raise_cap,
    }  # fmt: skip
    from tahur.solvers.postflop.shifting import needs_base

    asked = spot_of(spot, said, thresholds=thresholds, rake=rake)
    parsed_locks = _locks(asked, locks or [])
    if estimate:
        _print_estimate(asked, percent_of(target), threads, as_json=as_json, locks=parsed_locks, half=half)
        return
    _check_output(output)
    goal = _Goal(percent_of(target), seconds, threads, half)
    base = _base(asked, goal) if needs_base(asked, parsed_locks) else None
    _solve(_PostflopRun(asked, goal, locks=parsed_locks, base=base), output, as_json=as_json)


def _base(spot: Spot, goal: _Goal) -> PostflopSolution:
    """The solution that the locks shift."""
    note("the lock shifts the solved strategy, so the spot is first solved without it")
    run = _PostflopRun(spot, goal)
    run.play()
    if run.outcome.stopped:
        note("stopped before the locks were applied; nothing is saved")
        raise typer.Exit(130)
    return run.found


@postflop.command("lock")
def lock(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file written by `tahur postflop solve -o FILE`.")],
    locks: Annotated[
        list[str], typer.Argument(metavar="LOCK...", help="'LINE: MOVE=FREQUENCY, MOVE=FREQUENCY @HANDS'.")
    ],
    target: Annotated[str, typer.Option(help="Stop at this exploitability, in percent of the pot.")] = "0.3%",
    seconds: Annotated[float | None, typer.Option(help="Stop after this many seconds.", min=0)] = None,
    threads: Annotated[int, typer.Option(help="Threads; the results do not depend on it.", min=1)] = 1,
    half: Annotated[
        bool, typer.Option("--half", help="16-bit numbers: half the memory, a few more iterations.")
    ] = False,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Write the solution to this file.")] = None,
    as_json: Json = False,
) -> None:
    """Lock a seat's strategy at a decision of a solved spot, and solve the rest again around it.

    The line is that of `tahur postflop show`; a card may follow it, and without one the lock holds on all cards. The
    solved strategy there is shifted until the named moves have the given frequencies: the hands that lose least by it
    move first. With 'flat: ' before the lock every hand does the same instead. Existing locks of the file are kept;
    later ones override them.

    tahur postflop lock spot.tahur "check,bet100: fold=70%" -o locked.tahur

    tahur postflop lock spot.tahur "flat: check,bet100: fold=70%" -o locked.tahur

    tahur postflop lock spot.tahur "check,check turn=2c: bet100=1 @AKs,QQ+" -o locked.tahur
    """
    from tahur.solvers.postflop.solve import PostflopSolution

    solution = PostflopSolution.load(file)
    parsed_locks = [*solution.locks, *_locks(solution.spot, locks)]
    _check_output(output)
    goal = _Goal(percent_of(target), seconds, threads, half)
    _solve(_PostflopRun(solution.spot, goal, locks=parsed_locks, base=solution), output, as_json=as_json)


def _locks(spot: Spot, texts: list[str]) -> list[Lock]:
    """Parse the locks, and check that they fit the spot."""
    from tahur.solvers.postflop.lock import parse_lock
    from tahur.solvers.postflop.locking import check_locks

    locks = [parse_lock(text) for text in texts]
    check_locks(spot, locks)
    return locks


def _solve(found: _PostflopRun, output: Path | None, *, as_json: bool) -> None:
    """Solve, save and report."""
    if not as_json:
        found.predict()
    if output is not None:
        note(f"{output} will have about {_megabytes(found.file_bytes)}")
    found.play()
    if output is not None:
        found.save(output)
    if as_json:
        print_json(found.to_json())
    else:
        found.print()
    if found.outcome.stopped:
        note("stopped; the result so far is above")
        raise typer.Exit(130)


@postflop.command("sizes")
def sizes_(as_json: Json = False) -> None:
    """List the presets of `--sizes NAME`: bets and raises on the flop, the turn and the river.

    tahur postflop sizes
    """
    from tahur.solvers.postflop.sizes import ADD_ALL_IN, FORCE_ALL_IN, PRESETS

    if as_json:
        print_json({name: {"about": preset.about, **preset.settings} for name, preset in PRESETS.items()})
        return
    out = console()
    for name, preset in PRESETS.items():
        out.print(f"[bold]{name:<11}[/] {preset.about}")
        cap = f"; at most {preset.raise_cap} bets and raises on a street" if preset.raise_cap else ""
        out.print(f"[dim]{'':11} flop {preset.flop}; turn {preset.turn}; river {preset.river}{cap}[/]")
    out.print(
        f"All add an all-in of at most {ADD_ALL_IN:g} pots, and a bet that would leave at most {FORCE_ALL_IN:g} pots "
        "behind is all-in.\nOther options override: --sizes standard --river '75% / a'"
    )


@dataclass(frozen=True, slots=True)
class _Goal:
    """When to stop, and the resources to use."""

    target: float  # % of the pot
    seconds: float | None
    threads: int
    half: bool


class _PostflopRun:
    """One run of the solver, with a progress line after two seconds, and its result."""

    def __init__(
        self, spot: Spot, goal: _Goal, *, locks: Sequence[Lock] = (), base: PostflopSolution | None = None
    ) -> None:
        from tahur.solvers.postflop.solve import PostflopSolver

        warm("postflop")
        if goal.half:
            warm("postflop-half")
        self._solver: PostflopSolver = PostflopSolver(
            spot, threads=goal.threads, memory=free_memory(), locks=locks, half=goal.half, base=base
        )
        self._goal = goal
        self._uniform = self._solver.measure().exploitability
        self._solution: PostflopSolution | None = None
        self.outcome = RunOutcome(0.0, 0.0, False)

    def predict(self) -> None:
        """Print the estimated time if it is long."""
        size, goal = self._solver.estimate(), self._goal
        if goal.seconds is not None and goal.seconds <= 10:
            return
        if _seconds_about(size, goal.target, goal.threads, measure=False) > PATIENCE:
            seconds = _seconds_about(size, goal.target, goal.threads)
            note(f"about {duration(seconds)} to {goal.target:g} % of the pot, {size.bytes / 1e6:,.0f} MB")

    def play(self) -> None:
        """Iterate until the target, the time limit or Ctrl-C."""
        from tahur.solvers.postflop.estimate import EVERY
        from tahur.solvers.solver import run

        solver, goal = self._solver, self._goal
        view: RunView[SpotMeasure] = RunView(
            solver,
            what="postflop",
            figure=lambda measure: measure.exploitability,
            words="exploitability {:.3f} % of the pot",
            target=goal.target,
        )
        steps = run(solver, iterations=MOST, target=goal.target, every=EVERY, clock=time.monotonic)
        saving = Saving(self._finish)
        self.outcome = drive(view.watch(steps), view.draw, saving, seconds=goal.seconds, stopping=STOPPING)

    def _finish(self) -> None:
        self._solution = self._solver.solution()

    @property
    def file_bytes(self) -> int:
        from tahur.solvers.postflop.file import most_bytes

        return most_bytes(self._solver.layout) * 2 // 3

    def save(self, path: Path) -> None:
        self.found.save(path)

    def to_json(self) -> dict[str, Any]:
        found = self.found
        return {
            "exploitability_pct": found.exploitability,
            "uniform_exploitability_pct": self._uniform,
            "iterations": found.iterations,
            **({"unfinished": True} if found.unfinished else {}),
            "seconds": self.outcome.seconds,
            "cpu_seconds": self.outcome.cpu_seconds,
            "memory_mb": self._solver.estimate().bytes / 1e6,
            "unit": found.spot.unit,
            "ev": {"oop": found.spot.in_unit(found.ev[0]), "ip": found.spot.in_unit(found.ev[1])},
            "equity": {"oop": found.equity[0], "ip": found.equity[1]},
            **({"locks": [str(lock) for lock in found.locks]} if found.locks else {}),
            **({"shifts": self._shifts} if self._shifts else {}),
            "root": {"actions": [str(move) for move in found.moves], "frequencies": list(found.frequencies)},
        }

    def print(self) -> None:
        from tahur.solvers.postflop.solve import iterations_text

        found, out = self.found, console()
        spot = found.spot
        out.print(
            f"[bold]exploitability {found.exploitability:.3f} %[/] of the pot after {iterations_text(found)}, "
            f"{self.outcome.seconds:.1f} s ({self._uniform:.1f} % before the first)"
        )
        for line in self._locked():
            out.print(f"locked           {line}", markup=False)
        for seat, name in enumerate(("out of position", "in position")):
            share, ev = found.ev[seat] / spot.pot, f"{spot.in_unit(found.ev[seat]):.2f} {spot.unit}"
            out.print(f"{name:<16} EV {ev} ({share:.1%} of the pot), equity {found.equity[seat]:.2%}")
        moves = "   ".join(f"{move} {part:.1%}" for move, part in zip(found.moves, found.frequencies, strict=True))
        out.print(f"first            {moves}")

    def _locked(self) -> Iterator[str]:
        """Print each lock, and the shift it made."""
        for lock in self.found.locks:
            yield str(lock)
            for move, (before, wanted, now) in self._shifts.get(str(lock), {}).items():
                came = f"{move} {before:.1%} -> {wanted:.1%} of the hands that reached it"
                yield f"  {came}; {now:.1%} of those that reach it now"

    @cached_property
    def _shifts(self) -> dict[str, dict[str, tuple[float, float, float]]]:
        """For shifting locks: the frequency of each move before, as requested, and now."""
        from tahur.solvers.postflop.shifting import Shift, frequencies_of

        found = {}
        for lock, shift in zip(self.found.locks, self._solver.hand_locks, strict=True):
            if isinstance(shift, Shift):
                steps = zip(
                    shift.before.items(),
                    shift.wanted.values(),
                    frequencies_of(self.found, lock).values(),
                    strict=True,
                )
                found[str(lock)] = {str(move): (before, wanted, now) for (move, before), wanted, now in steps}
        return found

    @property
    def found(self) -> PostflopSolution:
        assert self._solution is not None, "play first"
        return self._solution


def _megabytes(count: float) -> str:
    if count >= 1e8:
        return f"{count / 1e6:,.0f} MB"
    return f"{count / 1e6:.1f} MB" if count >= 1e5 else f"{count / 1e3:.0f} kB"


def _check_output(path: Path | None) -> None:
    """Check the output file before solving, not after it."""
    from tahur.solvers.postflop.file import is_postflop_file

    if path is not None:
        check_kept(path, is_postflop_file, "postflop solution", resume=None)


def _print_estimate(
    spot: Spot, target: float, threads: int, *, as_json: bool, locks: Sequence[Lock], half: bool
) -> None:
    from tahur.solvers.postflop.estimate import estimate, iterations_to

    found: SpotEstimate = estimate(spot, locks=locks, half=half)
    warm("postflop")
    seconds = _seconds_about(found, target, threads)
    if as_json:
        nodes = list(found.nodes)
        print_json(
            {"decisions": found.decisions, "nodes": nodes, "memory_mb": found.bytes / 1e6, "hint": found.hint,
             "seconds": seconds, "target_pct": target, "iterations": iterations_to(target, found)}
        )  # fmt: skip
        return
    out = console()
    out.print(f"{found.decisions} decisions without cards, {sum(found.nodes):,} with them")
    out.print(f"{_megabytes(found.bytes)}; {found.hint}")
    out.print(
        f"about {duration(seconds)} to {target:g} % of the pot, if that takes {iterations_to(target, found)} iterations"
    )


def _seconds_about(size: SpotEstimate, target: float, threads: int, *, measure: bool = True) -> float:
    """The estimated seconds: measured on this machine now, or on a typical one."""
    from tahur.solvers.postflop.estimate import USUAL_SPEED, machine_speed, seconds_to

    speed = machine_speed(time.process_time) if measure else USUAL_SPEED
    return seconds_to(target, size, speed=speed, threads=threads)
