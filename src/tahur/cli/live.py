"""A live display on stderr for long runs: a table, progress, rate and remaining time."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from tahur.cli.output import PATIENCE, console, note

if TYPE_CHECKING:
    from rich.console import RenderableType

Step = TypeVar("Step")

REDRAW_SECONDS = 0.5  # between two drawings of the display
LINE_SECONDS = 30.0  # between lines where stderr is not a terminal


class Pace:
    """The rate at which hands are played, and the remaining time."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._before: int | None = None

    def text(self, hands: int, goal: int | None) -> str:
        """`12,300 hands, 1,900/s, 0:20 left`; hands of a resumed run do not count for the rate."""
        self._before = hands if self._before is None else self._before
        seconds = max(time.monotonic() - self._began, 1e-9)
        rate = (hands - self._before) / seconds
        words = [f"{hands:,}" + (f" of {goal:,}" if goal else "")]
        if rate > 0:
            words.append(f"{rate:,.0f}/s")
            if goal:
                words.append(f"{clock((goal - hands) / rate)} left")
        return ", ".join(words)


def show_progress(
    steps: Iterable[Step], draw: Callable[[Step], tuple[RenderableType, str]], *, first: float = LINE_SECONDS
) -> Generator[Step, None, None]:
    """Yield the steps; after two seconds, display the latest one as a table and a status line.

    If stderr is not a terminal, print a line now and then, the first one after `first` seconds.
    """
    out = console(errors=True)
    began = time.monotonic()
    last = began if out.is_terminal else began + first - LINE_SECONDS
    live: Any = None
    try:
        for step in steps:
            yield step
            now = time.monotonic()
            if now - began < PATIENCE or now - last < (REDRAW_SECONDS if out.is_terminal else LINE_SECONDS):
                continue
            last = now
            table, line = draw(step)
            if out.is_terminal:
                live = live or _live(out)
                live.update(_group(table, line), refresh=True)
            else:
                note(line)
    finally:
        if live is not None:
            live.stop()


def last_of(steps: Iterator[Step]) -> tuple[Step, bool]:
    """The last of at least one step, and whether Ctrl-C ended the run early."""
    last = next(steps)
    try:
        for step in steps:
            last = step
    except KeyboardInterrupt:
        return last, True
    return last, False


def _live(out: Any) -> Any:
    from rich.live import Live

    live = Live(console=out, auto_refresh=False, transient=True)
    live.start()
    return live


def _group(table: Any, line: str) -> Any:
    from rich.console import Group
    from rich.text import Text

    return Group(table, Text(line, style="dim"))


def clock(seconds: float) -> str:
    """`3:07` or `1:02:33`."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}" if minutes >= 60 else f"{minutes}:{rest:02}"
