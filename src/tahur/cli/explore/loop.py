"""The explorer at work: a key, a screen, a key, while EVs are counted in a thread and kept for each place.

Strategies are there at once; EVs of a decision early on a flop take a second or two. So a screen is drawn at once
without them and again when they are there, and no key has to wait.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import termios
import tty
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from queue import SimpleQueue
from threading import Thread
from types import FrameType
from typing import Final

from rich.console import Console

from tahur.cli.explore.keys import ESCAPE, decoded
from tahur.cli.explore.scene import KEYS, scene_of
from tahur.cli.explore.state import Explorer
from tahur.cli.output import console
from tahur.show.explorer import help_screen, screen
from tahur.solvers.postflop.line import BoardNode
from tahur.solvers.postflop.results import Result, glance, result_at
from tahur.solvers.postflop.solve import PostflopSolution
from tahur.solvers.postflop.tree import NodeKind

SOON: Final = 0.15  # seconds that a screen waits for its EVs before it is drawn without them
AFTER_ESCAPE: Final = 0.05  # seconds in which the rest of an arrow key comes
_HOME: Final = "\x1b[H"
_ALTERNATE: Final = ("\x1b[?1049h\x1b[?25l\x1b[2J", "\x1b[?25h\x1b[?1049l")


def run(solution: PostflopSolution) -> None:
    """Until q or Ctrl-C."""
    known = ResultCache(solution)
    with _terminal() as keys:
        now = Explorer.at_root(solution.engine)
        out = console()
        known.ask(now)
        _draw(out, known, now)
        while not now.left:
            for key in keys.wait(known.done):
                now = now.press(key)
                if now.left:
                    break
            known.ask(now)
            _draw(out, known, now)


class ResultCache:
    """Results by place, counted one at a time by a thread that does not outlive the program."""

    def __init__(self, solution: PostflopSolution) -> None:
        self._solution = solution
        self._found: dict[tuple[object, ...], Future[Result]] = {}
        self._glances: dict[tuple[object, ...], Result] = {}
        self._wanted: SimpleQueue[BoardNode] = SimpleQueue()
        self.done, self._told = os.pipe()
        Thread(target=self._work, daemon=True).start()

    def ask(self, now: Explorer) -> None:
        """Count at this place, unless it is known or nobody decides there; wait for it as long as nobody notices."""
        if now.node.kind is not NodeKind.DECISION:
            return
        future = self._found.setdefault(now.here.steps, Future())
        if not future.done():
            self._wanted.put(now.here)
            wait([future], SOON)

    def at(self, now: Explorer) -> tuple[Result | None, bool]:
        """What is known here, and whether more is being counted."""
        if now.node.kind is not NodeKind.DECISION:
            return None, False
        key = now.here.steps
        if self._found[key].done():
            return self._found[key].result(), False
        if key not in self._glances:
            self._glances[key] = glance(self._solution, now.here)
        return self._glances[key], True

    def _work(self) -> None:
        """Always the place that was asked for last; those that were only passed wait until they are asked for again."""
        while True:
            place = self._wanted.get()
            while not self._wanted.empty():
                place = self._wanted.get()
            future = self._found[place.steps]
            if future.done():
                continue
            try:
                future.set_result(result_at(self._solution, place))
            except Exception as error:
                future.set_exception(error)
            os.write(self._told, b".")


def _draw(out: Console, known: ResultCache, now: Explorer) -> None:
    width, height = os.get_terminal_size(sys.stdout.fileno())
    out.size = (width, height)
    found, counting = known.at(now)
    drawn = (
        help_screen(KEYS, width, height) if now.help else screen(scene_of(now, found, counting=counting), width, height)
    )
    with out.capture() as caught:
        out.print(drawn, end="", soft_wrap=True)
    lines = caught.get().split("\n")
    sys.stdout.write(_HOME + "\r\n".join(f"{line}\x1b[K" for line in lines) + "\x1b[J")
    sys.stdout.flush()


class _Keys:
    """Keys as they are pressed; wakes for a new window size and for whoever writes to a pipe too."""

    def __init__(self, terminal: int, resized: int) -> None:
        self._terminal = terminal
        self._resized = resized
        self._rest = b""

    def wait(self, other: int) -> list[str]:
        """The keys that came; none if only something else did."""
        patience = AFTER_ESCAPE if self._rest else None
        ready, _, _ = select.select([self._terminal, self._resized, other], [], [], patience)
        for pipe in (self._resized, other):
            if pipe in ready:
                os.read(pipe, 4096)
        if self._terminal in ready:
            sent = os.read(self._terminal, 4096)
            keys, self._rest = decoded(self._rest + sent)
            return keys if sent else ["q"]  # the terminal is gone
        if not ready:
            keys, self._rest = (["escape"] if self._rest == ESCAPE else []), b""
            return keys
        return []


@contextmanager
def _terminal() -> Iterator[_Keys]:
    """The alternate screen without a cursor, keys unbuffered; all as it was when it ends, however it ends."""
    keyboard, page = sys.stdin.fileno(), sys.stdout
    before = termios.tcgetattr(keyboard)
    resized, told = os.pipe()
    os.set_blocking(told, False)

    def resize(_: int, __: FrameType | None) -> None:
        os.write(told, b".")

    handlers: dict[signal.Signals, Callable[[int, FrameType | None], None]] = {
        signal.SIGWINCH: resize,
        signal.SIGTERM: _stop,
        signal.SIGHUP: _stop,
    }
    old = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        tty.setcbreak(keyboard)
        _without_suspension(keyboard)
        page.write(_ALTERNATE[0])
        page.flush()
        yield _Keys(keyboard, resized)
    finally:
        page.write(_ALTERNATE[1])
        page.flush()
        termios.tcsetattr(keyboard, termios.TCSADRAIN, before)
        for number, handler in old.items():
            signal.signal(number, handler)
        os.close(resized)
        os.close(told)


def _without_suspension(keyboard: int) -> None:
    """Ctrl-Z would leave a shell on the explorer's screen."""
    settings = termios.tcgetattr(keyboard)
    settings[6][termios.VSUSP] = b"\x00"
    termios.tcsetattr(keyboard, termios.TCSANOW, settings)


def _stop(number: int, _: FrameType | None) -> None:
    raise SystemExit(128 + number)
