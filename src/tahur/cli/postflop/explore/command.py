"""The command `tahur postflop explore`."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from tahur.cli.output import warm


def explore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file written by `tahur postflop solve -o FILE`.")],
) -> None:
    """Browse a solved spot with the arrow keys: what every hand does, at every decision, after every card.

    Up and down mark a move, right makes it, left goes back; tab goes into the matrix; ? lists all keys, q quits.
    """
    from tahur.core.errors import TahurError
    from tahur.solvers.postflop.solve import PostflopSolution

    if not (sys.stdin.isatty() and sys.stdout.isatty() and find_spec("termios")):
        raise TahurError(f"exploring needs a Unix terminal; without one: tahur postflop show {file} --line LINE")
    warm("postflop")
    _passing(f"reading {file} ...")
    solution = PostflopSolution.load(file)
    _passing("")

    from tahur.cli.postflop.explore.loop import run

    run(solution)


def _passing(words: str) -> None:
    """Print a status line on the terminal and erase it afterwards."""
    sys.stderr.write(f"\r\033[K{words}")
    sys.stderr.flush()
