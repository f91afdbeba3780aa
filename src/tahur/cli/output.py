"""Output of all commands: results on stdout, progress and errors on stderr, JSON with `--json`."""

from __future__ import annotations

import json
import logging
import sys
import time
from collections.abc import Generator
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TypeVar

import typer

if TYPE_CHECKING:
    from rich.console import Console

Result = TypeVar("Result")

Json = Annotated[bool, typer.Option("--json", help="Print the result as one JSON object.")]

PATIENCE = 2.0  # seconds of silence before progress is shown


def console(*, errors: bool = False) -> Console:
    """A Rich console; it honours NO_COLOR and detects pipes."""
    from rich.console import Console

    return Console(stderr=errors, highlight=False, soft_wrap=True)


def print_json(value: object) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def note(text: str) -> None:
    """Print one line on stderr: information that is not part of the result."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def fail(message: str, *, as_json: bool) -> NoReturn:
    """Print an error in one line and exit with code 2."""
    line = " ".join(message.split())
    if as_json:
        print_json({"error": line})
    else:
        note(f"tahur: {line}")
    raise SystemExit(2)


def watch(steps: Generator[float, None, Result], what: str) -> Result:
    """Run to the end; on a terminal, show progress and remaining time after two seconds."""
    began = time.monotonic()
    patience = PATIENCE if _is_watched() else float("inf")
    bar: Any = None
    try:
        while True:
            done = next(steps)
            if bar is None and time.monotonic() - began > patience and done < 1:
                bar = _bar(what)
            if bar is not None:
                bar.update(bar.task_ids[0], completed=done)
    except StopIteration as stop:
        result: Result = stop.value
        return result
    finally:
        if bar is not None:
            bar.stop()


def _is_watched() -> bool:
    return sys.stderr.isatty()


def _bar(what: str) -> Any:
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn(what), BarColumn(), TextColumn("{task.percentage:.0f} %"), TimeRemainingColumn()
    bar = Progress(*columns, console=console(errors=True), transient=True)
    bar.add_task(what, total=1.0)
    bar.start()
    return bar


def warm(group: str = "card") -> float | None:
    """Compile a group of kernels if this installation has not yet, with a note. Returns the seconds, or None."""
    from tahur.core.cache import is_warm, mark_warm

    if is_warm(group):
        return None
    from tahur.warm import GROUPS

    kernels = GROUPS[group]
    logging.getLogger("tahur.kernels").addHandler(logging.NullHandler())  # it would print the same note again
    note(f"compiling the {group} kernels: once after installing, about {kernels.seconds} s on one core ...")
    began = time.monotonic()
    for part in kernels.warm_up():
        note(f"  {part}")
    mark_warm(group)
    seconds = time.monotonic() - began
    note(f"compiled in {seconds:.1f} s; from now on they are loaded from disk")
    return seconds
