"""`tahur postflop`: solve a hold'em spot from the flop, turn or river on, with every card."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tahur.cli.commands import command_group, with_option_groups
from tahur.cli.memory import free_memory
from tahur.cli.output import PATIENCE, Json, console, note, print_json
from tahur.cli.postflop.aggregate import aggregate
from tahur.cli.postflop.drill import drill
from tahur.cli.postflop.estimates import megabytes, print_estimate, seconds_about
from tahur.cli.postflop.options import PostflopLimits, SpotOptions, duration, warm_solver
from tahur.cli.postflop.show import explore, show
from tahur.cli.postflop.street import street
from tahur.cli.solve.running import RunOutcome, RunView, Saving, check_kept, drive

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

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
@with_option_groups
def solve(
    *,
    board: Annotated[str | None, typer.Option(help="Three to five cards: Td9d6h.")] = None,
    spot: SpotOptions,
    limits: PostflopLimits,
    locks: Annotated[list[str] | None, typer.Option("--lock", metavar="LOCK", help=LOCK_HELP)] = None,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Resume the spot of this file, which `--resumable` or a stopped run wrote."),
    ] = None,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick",
            help="A first answer for the flop in seconds, with its error: one bet and no raises on the turn and the "
            "river, at most one raise on the flop, and --merge-rivers.",
        ),
    ] = False,
    estimate: Annotated[bool, typer.Option("--estimate", help="Print the estimated size and exit.")] = False,
    as_json: Json = False,
) -> None:
    """Solve a spot, and report the EV of each seat, the first action, and the exploitability.

    tahur postflop solve --board Td9d6hQc --oop "66+,AJs+" --ip "22+,ATs+" --pot 200 --stack 900 --sizes "50%,a / 60%,a"

    tahur postflop solve --quick --board Ks7h2d --oop "22+,ATs+" --ip "66+,AJs+" --pot 5bb --stack 98bb --sizes simple

    tahur postflop solve --resume spot.tahur --target 0.1%

    A resumed run continues with the spot, the locks and the precision of its file, and writes to the same file unless
    -o names another. Its result is bit for bit that of an uninterrupted run, except after Ctrl-C in the middle of an
    iteration: then the part that was done counts as well.
    """
    from tahur.solvers.postflop.shifting import needs_base

    if resume is not None:
        named = {"--board": board, "--lock": locks, "--quick": quick, "--half": limits.half,
                 "--merge-rivers": limits.merge_rivers, "--estimate": estimate}  # fmt: skip
        excess = [*spot.given(), *(flag for flag, value in named.items() if value)]
        if excess:
            raise typer.BadParameter(f"--resume takes the spot from {resume}; omit {', '.join(excess)}")
        limits = replace(limits, output=limits.output or resume)
        _check_output(limits, resume)
        _solve(_PostflopRun(_resume_solver(resume, limits), limits), as_json=as_json)
        return
    parsed = spot.parse(board)
    about = None
    if quick:
        if locks:
            raise typer.BadParameter("--quick cannot be combined with --lock: it changes the betting; omit one of them")
        parsed, about, limits = _quick(parsed, limits)
    parsed_locks = _locks(parsed, locks or [])
    if estimate:
        print_estimate(parsed, limits, as_json=as_json, locks=parsed_locks)
        return
    _check_output(limits)
    base = _base(parsed, limits) if needs_base(parsed, parsed_locks) else None
    solver = _solver(parsed, limits, locks=parsed_locks, base=base)
    _solve(_PostflopRun(solver, limits, quick=about), as_json=as_json)


def _quick(spot: Spot, limits: PostflopLimits) -> tuple[Spot, str, PostflopLimits]:
    """The coarse tree, what was left out, and the limits of a quick answer."""
    from tahur.solvers.postflop.quick import TARGET, quick_spot

    coarse = quick_spot(spot)
    note(f"quick: {coarse.about}")
    return coarse.spot, coarse.about, replace(limits, target=limits.target or f"{TARGET:g}%", merge_rivers=True)


def _resume_solver(path: Path, limits: PostflopLimits) -> PostflopSolver:
    """The solver whose state is in a file of `--resumable`, ready to continue."""
    from tahur.solvers.postflop.file import has_merged_rivers, load_solver, state_bits

    warm_solver(half=state_bits(path) == 16, merge_rivers=has_merged_rivers(path))
    return load_solver(path, threads=limits.threads, memory=free_memory())


def _solver(
    spot: Spot, limits: PostflopLimits, *, locks: Sequence[Lock] = (), base: PostflopSolution | None = None
) -> PostflopSolver:
    """A new solver of the spot."""

    from tahur.solvers.postflop.solve import PostflopSolver

    warm_solver(half=limits.half, merge_rivers=limits.merge_rivers)
    return PostflopSolver(
        spot,
        threads=limits.threads,
        memory=free_memory(),
        locks=locks,
        half=limits.half,
        base=base,
        merge_rivers=limits.merge_rivers,
    )


def _base(spot: Spot, limits: PostflopLimits) -> PostflopSolution:
    """The solution that the locks shift."""
    note("the lock shifts the solved strategy, so the spot is first solved without it")
    run = _PostflopRun(_solver(spot, limits), replace(limits, output=None))
    run.play()
    if run.outcome.stopped:
        note("stopped before the locks were applied; nothing is saved")
        raise typer.Exit(130)
    return run.solution


@postflop.command("lock")
@with_option_groups
def lock(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file written by `tahur postflop solve -o FILE`.")],
    locks: Annotated[
        list[str], typer.Argument(metavar="LOCK...", help="'LINE: MOVE=FREQUENCY, MOVE=FREQUENCY @HANDS'.")
    ],
    limits: PostflopLimits,
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
    _check_output(limits)
    solver = _solver(solution.spot, limits, locks=parsed_locks, base=solution)
    _solve(_PostflopRun(solver, limits), as_json=as_json)


def _locks(spot: Spot, texts: list[str]) -> list[Lock]:
    """Parse the locks, and check that they fit the spot."""
    from tahur.solvers.postflop.lock import parse_lock
    from tahur.solvers.postflop.locking import check_locks

    locks = [parse_lock(text) for text in texts]
    check_locks(spot, locks)
    return locks


def _solve(run: _PostflopRun, *, as_json: bool) -> None:
    """Solve, save and report."""
    run.announce_file()
    if not as_json:
        run.predict()
    run.play()
    if as_json:
        print_json(run.to_json())
    else:
        run.print()
    if run.outcome.stopped:
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


class _PostflopRun:
    """One run of the solver, with a progress line after two seconds, its result, and its file."""

    def __init__(self, solver: PostflopSolver, limits: PostflopLimits, *, quick: str | None = None) -> None:
        """quick: what was left out of the tree."""
        self._solver, self._limits, self._target = solver, limits, limits.percent
        self._first, self._quick = solver.iteration, quick
        self._before = solver.measure().exploitability if quick is None else None
        self._solution: PostflopSolution | None = None
        self.outcome = RunOutcome(0.0, 0.0, False)

    @property
    def _began(self) -> str:
        """What the strategies were before the first iteration of this run."""
        return "resumed" if self._first else "uniform"

    def announce_file(self) -> None:
        """Print the estimated size of the file."""
        from tahur.solvers.postflop.file import most_bytes

        if self._limits.output is not None:
            strategy = most_bytes(self._solver.layout) * 2 // 3
            size = strategy + sum(array.nbytes for array in self._solver.state().arrays.values())
            whole = megabytes(size)
            if not self._limits.resumable:
                whole = f"{megabytes(strategy)}, or {whole} if the run is stopped before its target"
            note(f"the size of {self._limits.output} will be about {whole}")

    def predict(self) -> None:
        """Print the estimated time if it is long."""
        size, limits = self._solver.estimate(), self._limits
        if self._first or self._quick is not None or (limits.seconds is not None and limits.seconds <= 10):
            return
        if seconds_about(size, self._target, limits.threads, measure=False) > PATIENCE:
            seconds = seconds_about(size, self._target, limits.threads)
            note(f"about {duration(seconds)} to {self._target:g} % of the pot, {size.bytes / 1e6:,.0f} MB")

    def play(self) -> None:
        """Iterate until the target, the time limit or Ctrl-C, and save the result."""
        from tahur.solvers.postflop.estimate import EVERY
        from tahur.solvers.postflop.quick import until_measured
        from tahur.solvers.postflop.solve import until_stalled
        from tahur.solvers.solver import run

        solver = self._solver
        view: RunView[SpotMeasure] = RunView(
            solver,
            what="postflop",
            figure=lambda measure: measure.exploitability,
            words="exploitability {:.3f} % of the pot",
            target=self._target,
            more=None if self._quick is None else self._answer,
        )
        every: int | Callable[[int], int] = EVERY if self._quick is None else until_measured
        steps = run(solver, iterations=MOST, target=self._target, every=every, clock=time.monotonic)
        is_merged = solver.layout.merged is not None
        saving = Saving(self._save, self._save if self._limits.resumable else None)
        watched = view.watch(until_stalled(steps) if is_merged else steps)
        self.outcome = drive(watched, view.draw, saving, seconds=self._limits.seconds, stopping=STOPPING)

    def _answer(self) -> str:
        """The answer so far: what in position does after a check."""
        from tahur.solvers.postflop.quick import after_check, moves_text

        return f"after a check {moves_text(after_check(self._solver.engine))}"

    def _save(self) -> None:
        """Keep the result so far, and write it if there is a file for it."""
        from tahur.solvers.postflop.file import save

        self._solution = self._solver.solution()
        if self._limits.output is not None:
            save(self._limits.output, self._solution, resumable=self._is_resumable)

    @property
    def _is_resumable(self) -> bool:
        return self._limits.resumable or (self.solution.exploitability > self._target and not self._is_stalled)

    @property
    def _is_stalled(self) -> bool:
        """Whether merged rivers ended the run before its target."""
        limits, outcome, merged = self._limits, self.outcome, self._solver.layout.merged
        is_over = outcome.stopped or (limits.seconds is not None and outcome.seconds >= limits.seconds)
        return merged is not None and not is_over and self.solution.exploitability > self._target

    def to_json(self) -> dict[str, Any]:
        """The result for `--json`."""
        solution = self.solution
        return {
            "exploitability_pct": solution.exploitability,
            **({} if self._before is None else {f"{self._began}_exploitability_pct": self._before}),
            "iterations": solution.iterations,
            **({"unfinished": True} if solution.unfinished else {}),
            "seconds": self.outcome.seconds,
            "cpu_seconds": self.outcome.cpu_seconds,
            "memory_mb": self._solver.estimate().bytes / 1e6,
            "unit": solution.spot.unit,
            "ev": {"oop": solution.spot.in_unit(solution.ev[0]), "ip": solution.spot.in_unit(solution.ev[1])},
            "equity": {"oop": solution.equity[0], "ip": solution.equity[1]},
            **({"locks": [str(lock) for lock in solution.locks]} if solution.locks else {}),
            **({"shifts": self._shifts} if self._shifts else {}),
            "root": {"actions": [str(move) for move in solution.moves], "frequencies": list(solution.frequencies)},
            **self._quick_json(),
        }

    def _quick_json(self) -> dict[str, Any]:
        """What `--json` adds for a quick answer."""
        from tahur.solvers.postflop.quick import after_check

        if self._quick is None:
            return {}
        moves, often = zip(*after_check(self._solver.engine), strict=True)
        return {"quick": self._quick, "after_check": {"actions": [*map(str, moves)], "frequencies": list(often)}}

    def print(self) -> None:
        """Print the result: exploitability, locks, EV and equity of both seats, the first actions."""
        from tahur.solvers.postflop.quick import after_check, moves_text
        from tahur.solvers.postflop.solve import iterations_text

        solution, out = self.solution, console()
        spot = solution.spot
        before = f"iteration {self._first + 1:,}" if self._first else "the first"
        known = "" if self._before is None else f" ({self._before:{'.3f' if self._first else '.1f'}} % before {before})"
        out.print(
            f"[bold]exploitability {solution.exploitability:.3f} %[/] of the pot after {iterations_text(solution)}, "
            f"{self.outcome.seconds:.1f} s{known}"
        )
        for line in self._lock_lines():
            out.print(f"locked           {line}", markup=False)
        for seat, name in enumerate(("out of position", "in position")):
            share, ev = solution.ev[seat] / spot.pot, f"{spot.in_unit(solution.ev[seat]):.2f} {spot.unit}"
            out.print(f"{name:<16} EV {ev} ({share:.1%} of the pot), equity {solution.equity[seat]:.2%}")
        out.print(f"first            {moves_text(zip(solution.moves, solution.frequencies, strict=True))}")
        if self._quick is not None:
            out.print(f"after a check    {moves_text(after_check(solution.engine))}")
            out.print("[dim]the exploitability is that in the coarse tree: neither seat has the moves left out[/]")
        if self._is_stalled:
            out.print("merged rivers get no nearer to the target; solve without --merge-rivers for less")
        if self._limits.output is not None and self._is_resumable:
            target = min(self._target, float(f"{self.solution.exploitability / 3:.1g}"))
            out.print(f"resume with: [bold]tahur postflop solve --resume {self._limits.output} --target {target:g}%[/]")

    def _lock_lines(self) -> Iterator[str]:
        """A line for each lock, and below it a line for each move whose frequency it shifted."""
        for lock in self.solution.locks:
            yield str(lock)
            for move, (before, wanted, now) in self._shifts.get(str(lock), {}).items():
                shift = f"{move} {before:.1%} -> {wanted:.1%} of the hands that reached it"
                yield f"  {shift}; {now:.1%} of those that reach it now"

    @cached_property
    def _shifts(self) -> dict[str, dict[str, tuple[float, float, float]]]:
        """For shifting locks: the frequency of each move before, as requested, and now."""
        from tahur.solvers.postflop.shifting import Shift, frequencies_of

        shifts = {}
        for lock, shift in zip(self.solution.locks, self._solver.hand_locks, strict=True):
            if isinstance(shift, Shift):
                steps = zip(
                    shift.before.items(),
                    shift.wanted.values(),
                    frequencies_of(self.solution, lock).values(),
                    strict=True,
                )
                shifts[str(lock)] = {str(move): (before, wanted, now) for (move, before), wanted, now in steps}
        return shifts

    @property
    def solution(self) -> PostflopSolution:
        assert self._solution is not None, "play first"
        return self._solution


def _check_output(limits: PostflopLimits, resume: Path | None = None) -> None:
    """Check the output file before solving, not after it."""
    from tahur.solvers.postflop.file import is_postflop_file

    if limits.output is not None:
        check_kept(limits.output, is_postflop_file, "postflop solution", resume=resume)
    elif limits.resumable:
        raise typer.BadParameter("--resumable needs a file for the state: -o FILE")
