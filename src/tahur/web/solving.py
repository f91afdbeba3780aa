"""`python -m tahur.web.solving [SPOT FILE MEMORY]`: solve a spot of the shelf, for the server that started it.

It runs as a process of its own, so that a solve neither slows the card room down nor harms it by failing.
A line of JSON on stdout for each measurement: iterations, and exploitability in percent of the pot. Without arguments
it only compiles the kernels, if this installation has not yet: compiling in the server would stop every table.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from tahur.core.cache import is_warm, mark_warm
from tahur.core.errors import TahurError, UnknownName
from tahur.solvers.postflop.estimate import EVERY
from tahur.solvers.postflop.solve import PostflopSolver
from tahur.solvers.solver import run
from tahur.study.shelf import shelf_spot
from tahur.warm import GROUPS

MOST_ITERATIONS = 2000
KERNELS = "postflop"  # the group of kernels that Study needs
FIRST = 2  # iterations between the first measurements
NICE = 5  # lower priority than the card room


def main(arguments: Sequence[str]) -> int:
    """Compile, then solve and write the file; a refusal is one line on stderr."""
    if hasattr(os, "nice"):
        os.nice(NICE)
    try:
        compile_kernels()
        if arguments:
            name, file, memory = arguments
            _solve(name, Path(file), int(memory))
    except TahurError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except (BrokenPipeError, KeyboardInterrupt):
        return 1  # the server has stopped
    return 0


def compile_kernels() -> None:
    if not is_warm(KERNELS):
        for _ in GROUPS[KERNELS].warm_up():
            pass
        mark_warm(KERNELS)


def _solve(name: str, file: Path, memory: int) -> None:
    shelf = shelf_spot(name)
    if shelf is None:
        raise UnknownName(f"no spot '{name}' on the shelf")
    solver = PostflopSolver(shelf.spot, memory=memory)
    for progress in run(solver, iterations=MOST_ITERATIONS, target=shelf.target, every=_interval):
        if progress.measure is not None:
            line = {"iteration": progress.iteration, "exploitability": progress.measure.exploitability}
            sys.stdout.write(json.dumps(line) + "\n")
            sys.stdout.flush()
    solver.solution().save(file)


def _interval(iteration: int) -> int:
    """Iterations until the next measurement: few at first, so that the page soon has something to show."""
    return EVERY if iteration >= EVERY else FIRST


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
