"""`tahur postflop`: a spot of hold'em from the flop, the turn or the river on, solved card by card."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tahur.cli.explore.command import explore
from tahur.cli.output import PATIENCE, Json, console, note, print_json, warm
from tahur.cli.postflop_show import ABOUT, show

if TYPE_CHECKING:
    from tahur.solvers.postflop.estimate import Estimate
    from tahur.solvers.postflop.solve import Solution, Solver
    from tahur.solvers.postflop.spot import Spot

postflop = typer.Typer(
    help="Hold'em after the flop at full resolution: exact ranges, bet trees of your own.",
    rich_markup_mode=None,
    no_args_is_help=True,
)

postflop.command("show")(show)
postflop.command("explore")(explore)

SHARE_OF_MEMORY = 0.8  # of what is free
MOST = 100_000  # iterations
REDRAW = 0.5  # seconds


@postflop.command("solve")
def solve(
    board: Annotated[str | None, typer.Option(help="Three to five cards: Td9d6h.")] = None,
    oop: Annotated[str | None, typer.Option(help="The range out of position: 'QQ+,AKs:0.5'.")] = None,
    ip: Annotated[str | None, typer.Option(help="The range in position.")] = None,
    pot: Annotated[int | None, typer.Option(help="Chips in the middle.", min=1)] = None,
    stack: Annotated[int | None, typer.Option(help="Chips each can still bet.", min=1)] = None,
    sizes: Annotated[
        str | None,
        typer.Option(help="'BETS / RAISES' on all streets: 33%, 2.5x, 20c, e, 3e, a; or 'oop: ...; ip: ...'."),
    ] = None,
    flop: Annotated[str | None, typer.Option(help="Other sizes on the flop.")] = None,
    turn: Annotated[str | None, typer.Option(help="Other sizes on the turn.")] = None,
    river: Annotated[str | None, typer.Option(help="Other sizes on the river.")] = None,
    donk_turn: Annotated[str | None, typer.Option(help="Bets into the aggressor of the flop.")] = None,
    donk_river: Annotated[str | None, typer.Option(help="Bets into the aggressor of the turn.")] = None,
    thresholds: Annotated[str | None, typer.Option(help="Such as add=1.5,force=0.15,merge=0.1.")] = None,
    raise_cap: Annotated[int | None, typer.Option(help="Bets and raises on a street; 0: no cap.", min=0)] = None,
    rake: Annotated[str | None, typer.Option(help="What the house keeps: 5% or 5%:3 with a cap in chips.")] = None,
    spot: Annotated[Path | None, typer.Option(help="A TOML file with all of it; other options override.")] = None,
    target: Annotated[str, typer.Option(help="Stop at this exploitability, in percent of the pot.")] = "0.3%",
    seconds: Annotated[float | None, typer.Option(help="Stop after so many seconds.", min=0)] = None,
    threads: Annotated[int, typer.Option(help="Cores to use; the results are the same.", min=1)] = 1,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Keep it in this file, for `tahur postflop show`.")
    ] = None,
    estimate: Annotated[bool, typer.Option("--estimate", help="Only say how big it is.")] = False,
    as_json: Json = False,
) -> None:
    """Solve a spot, and say what each seat wins, what is done first, and how far from equilibrium it is.

    tahur postflop solve --board Td9d6hQc --oop "66+,AJs+" --ip "22+,ATs+" --pot 200 --stack 900 --sizes "50%,a / 60%,a"
    """
    said = {
        "board": board, "oop": oop, "ip": ip, "pot": pot, "stack": stack, "sizes": sizes, "flop": flop, "turn": turn,
        "river": river, "donk_turn": donk_turn, "donk_river": donk_river, "raise_cap": raise_cap,
    }  # fmt: skip
    asked = _spot(spot, said | _thresholds(thresholds) | _rake(rake))
    if estimate:
        _print_estimate(asked, as_json=as_json)
        return
    _check_output(output)
    found = _Run(asked, _percent(target), seconds, threads)
    if output is not None:
        note(f"{output} will have about {_megabytes(found.file_bytes)}")
    found.play()
    if output is not None:
        found.save(output)
    if as_json:
        print_json(found.told())
    else:
        found.print()
    if found.stopped:
        note("stopped; what was found so far is above")
        raise typer.Exit(130)


class _Run:
    """One solve: how far it is, shown from two seconds on, and what it came to."""

    def __init__(self, spot: Spot, target: float, seconds: float | None, threads: int) -> None:
        from tahur.solvers.postflop.solve import Solver
        from tahur.solvers.postflop.warm import warm_up

        warm(warm_up, what="postflop", about=ABOUT)
        self._solver: Solver = Solver(spot, threads=threads, memory=_free_memory())
        self._target = target
        self._seconds = seconds
        self._clock, self._cpu = time.monotonic(), time.process_time()
        self._uniform = self._solver.engine.exploitability()
        self._solution: Solution | None = None
        self.stopped = False

    def play(self) -> None:
        """Until the target, the time or Ctrl-C."""
        drawn = 0.0
        try:
            for progress in self._solver.run(self._target, most=MOST):
                spent = time.monotonic() - self._clock
                if spent > PATIENCE and spent - drawn > REDRAW and progress.exploitability is not None:
                    drawn = spent
                    _live(
                        f"iteration {progress.iteration:,}, exploitability {progress.exploitability:.3f} % of the pot"
                    )
                if self._seconds is not None and spent > self._seconds:
                    break
        except KeyboardInterrupt:
            self.stopped = True
        _live("")
        self._solution = self._solver.solution()
        self._took = time.monotonic() - self._clock, time.process_time() - self._cpu

    @property
    def file_bytes(self) -> int:
        from tahur.solvers.postflop.file import most_bytes

        return most_bytes(self._solver.layout) * 2 // 3

    def save(self, path: Path) -> None:
        self._found.save(path)

    def told(self) -> dict[str, Any]:
        found, (seconds, cpu) = self._found, self._took
        return {
            "exploitability_pct": found.exploitability,
            "uniform_exploitability_pct": self._uniform,
            "iterations": found.iterations,
            "seconds": seconds,
            "cpu_seconds": cpu,
            "memory_mb": self._solver.estimate.bytes / 1e6,
            "ev": {"oop": found.ev[0], "ip": found.ev[1]},
            "equity": {"oop": found.equity[0], "ip": found.equity[1]},
            "root": {"actions": [str(move) for move in found.moves], "frequencies": list(found.frequencies)},
        }

    def print(self) -> None:
        found, out = self._found, console()
        spot = found.spot
        out.print(
            f"[bold]exploitability {found.exploitability:.3f} %[/] of the pot after {found.iterations:,} iterations, "
            f"{self._took[0]:.1f} s ({self._uniform:.1f} % before the first)"
        )
        for seat, name in enumerate(("out of position", "in position")):
            share = found.ev[seat] / spot.pot
            out.print(
                f"{name:<16} EV {found.ev[seat]:.2f} chips ({share:.1%} of the pot), equity {found.equity[seat]:.2%}"
            )
        moves = "   ".join(f"{move} {often:.1%}" for move, often in zip(found.moves, found.frequencies, strict=True))
        out.print(f"first            {moves}")

    @property
    def _found(self) -> Solution:
        assert self._solution is not None, "play first"
        return self._solution


def _spot(path: Path | None, said: dict[str, Any]) -> Spot:
    """What the file says, with what was said besides laid over it."""
    import tomllib

    from tahur.core.errors import SolverError
    from tahur.solvers.postflop.spot import spot

    filed: dict[str, Any] = {}
    if path is not None:
        try:
            filed = tomllib.loads(path.read_text())
        except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise SolverError(f"no spot can be read from {path}: {error}") from None
    return spot(**filed | {name: value for name, value in said.items() if value is not None})


def _megabytes(count: float) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 1e5 else f"{count / 1e3:.0f} kB"


def _check_output(path: Path | None) -> None:
    """Before an hour of solving, not after it."""
    from tahur.core.errors import StrategyError
    from tahur.solvers.postflop.file import is_postflop_file

    if path is None:
        return
    if not path.parent.is_dir():
        raise StrategyError(f"there is no folder {path.parent} to write {path.name} in; make it first")
    if path.exists() and not is_postflop_file(path):
        raise StrategyError(f"{path} is there and is no postflop solution; it is left alone: name another file")


def _thresholds(text: str | None) -> dict[str, float]:
    names = {"add": "add_all_in", "force": "force_all_in", "merge": "merge"}
    found = {}
    for item in text.split(",") if text else ():
        name, _, value = item.strip().partition("=")
        if name not in names or not _is_number(value):
            raise typer.BadParameter(f"--thresholds {text}; write it as add=1.5,force=0.15,merge=0.1")
        found[names[name]] = float(value)
    return found


def _rake(text: str | None) -> dict[str, float]:
    if text is None:
        return {}
    share, colon, cap = text.partition(":")
    if not share.endswith("%") or not _is_number(share[:-1]) or (colon and not _is_number(cap)):
        raise typer.BadParameter(f"--rake {text}; write it as 5%, or 5%:3 with a cap of 3 chips")
    return {"rake": float(share[:-1]) / 100} | ({"rake_cap": float(cap)} if colon else {})


def _percent(text: str) -> float:
    number = text.strip().removesuffix("%")
    if not _is_number(number) or float(number) <= 0:
        raise typer.BadParameter(f"--target {text}; write percents of the pot, such as 0.3%")
    return float(number)


def _is_number(text: str) -> bool:
    try:
        return float(text) >= 0
    except ValueError:
        return False


def _print_estimate(spot: Spot, *, as_json: bool) -> None:
    from tahur.solvers.postflop.estimate import estimate

    found: Estimate = estimate(spot)
    if as_json:
        nodes = list(found.nodes)
        print_json({"decisions": found.decisions, "nodes": nodes, "memory_mb": found.bytes / 1e6, "hint": found.hint})
        return
    out = console()
    out.print(f"{found.decisions} decisions without cards, {sum(found.nodes):,} with them")
    out.print(f"{found.bytes / 1e6:,.0f} MB; {found.hint}")


def _free_memory() -> int | None:
    """Bytes that may be taken, where the system tells."""
    try:
        return int(os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * SHARE_OF_MEMORY)
    except (ValueError, OSError, AttributeError):
        return None


def _live(line: str) -> None:
    """One line on a terminal's stderr, drawn over the last; nothing in a pipe."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\033[K{line}")
        sys.stderr.flush()
