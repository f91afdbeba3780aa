"""The explorer's main loop: reads keys and draws screens while a thread computes EVs and caches them by node.

Strategies are available immediately; EVs of an early flop decision take a second or two. So a screen is drawn
without them first and again when they are ready, and keys never wait.
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

from tahur.cli.output import console
from tahur.cli.postflop.explore.scene import KEYS, scene_of
from tahur.cli.postflop.explore.state import Explorer
from tahur.show.explorer import help_screen, screen
from tahur.solvers.postflop.line import BoardNode
from tahur.solvers.postflop.results import Result, glance, result_at
from tahur.solvers.postflop.solve import PostflopSolution
from tahur.solvers.postflop.tree import NodeKind

SOON: Final = 0.15  # seconds that a screen waits for its EVs before it is drawn without them
AFTER_ESCAPE: Final = 0.05  # seconds to wait for the rest of an arrow key
_HOME: Final = "\x1b[H"
_ALTERNATE: Final = ("\x1b[?1049h\x1b[?25l\x1b[2J", "\x1b[?25h\x1b[?1049l")


def run(solution: PostflopSolution) -> None:
    """Run until q or Ctrl-C."""
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
    """Results by node, computed one at a time by a daemon thread."""

    def __init__(self, solution: PostflopSolution) -> None:
        self._solution = solution
        self._found: dict[tuple[object, ...], Future[Result]] = {}
        self._glances: dict[tuple[object, ...], Result] = {}
        self._wanted: SimpleQueue[BoardNode] = SimpleQueue()
        self.done, self._wake_up = os.pipe()
        Thread(target=self._work, daemon=True).start()

    def ask(self, now: Explorer) -> None:
        """Request the results of this node, unless they are known or it is no decision; wait briefly for them."""
        if now.node.kind is not NodeKind.DECISION:
            return
        future = self._found.setdefault(now.here.steps, Future())
        if not future.done():
            self._wanted.put(now.here)
            wait([future], SOON)

    def at(self, now: Explorer) -> tuple[Result | None, bool]:
        """The results known at this node, and whether more are being computed."""
        if now.node.kind is not NodeKind.DECISION:
            return None, False
        key = now.here.steps
        if self._found[key].done():
            return self._found[key].result(), False
        if key not in self._glances:
            self._glances[key] = glance(self._solution, now.here)
        return self._glances[key], True

    def _work(self) -> None:
        """Always compute the node requested last; skipped nodes wait until they are requested again."""
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
            os.write(self._wake_up, b".")


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
    """Reads keys; also wakes up when the window is resized or a byte is written to the wake-up pipe."""

    def __init__(self, terminal: int, resized: int) -> None:
        self._terminal = terminal
        self._resized = resized
        self._rest = b""

    def wait(self, other: int) -> list[str]:
        """The keys pressed; none after any other wake-up."""
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
    """Switch to the alternate screen, hide the cursor and read keys unbuffered; always restore the terminal."""
    keyboard, page = sys.stdin.fileno(), sys.stdout
    before = termios.tcgetattr(keyboard)
    resized, wake = os.pipe()
    os.set_blocking(wake, False)

    def resize(_: int, __: FrameType | None) -> None:
        os.write(wake, b".")

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
        os.close(wake)


def _without_suspension(keyboard: int) -> None:
    """Ignore Ctrl-Z, which would leave a shell on the explorer's screen."""
    settings = termios.tcgetattr(keyboard)
    settings[6][termios.VSUSP] = b"\x00"
    termios.tcsetattr(keyboard, termios.TCSANOW, settings)


def _stop(number: int, _: FrameType | None) -> None:
    raise SystemExit(128 + number)


# ---- keys ----------------------------------------------------------------------------------------

ESCAPE: Final = b"\x1b"
_ARROWS: Final = {b"A": "up", b"B": "down", b"C": "right", b"D": "left", b"Z": "tab", b"H": "home", b"F": "end"}
_PLAIN: Final = {
    b"\r": "enter", b"\n": "enter", b"\t": "tab", b"\x7f": "backspace", b"\x08": "backspace", b"\x04": "q",
}  # fmt: skip
_OPENINGS: Final = (b"[", b"O")  # after an escape: arrow keys in normal and in application mode
_LAST: Final = range(0x40, 0x7F)  # the byte that ends a sequence


def decoded(sent: bytes) -> tuple[list[str], bytes]:
    """The complete keys, and the remaining bytes of an incomplete one; a lone escape is incomplete too."""
    keys: list[str] = []
    while sent:
        size = _size(sent)
        if size is None:
            break
        keys += filter(None, [_name(sent[:size])])
        sent = sent[size:]
    return keys, sent


def _size(sent: bytes) -> int | None:
    """The length of the first key in bytes; None if it is incomplete."""
    if sent[:1] == ESCAPE:
        return _size_of_sequence(sent)
    long = next((size for size, lead in ((4, 0xF0), (3, 0xE0), (2, 0xC0)) if sent[0] >= lead), 1)
    return long if len(sent) >= long else None


def _size_of_sequence(sent: bytes) -> int | None:
    if len(sent) == 1:
        return None
    if sent[1:2] not in _OPENINGS:
        return 1  # a typed escape followed by another key
    if sent[1:2] == b"O":
        return 3 if len(sent) >= 3 else None
    return next((place + 1 for place in range(2, len(sent)) if sent[place] in _LAST), None)


def _name(key: bytes) -> str:
    """The name of a key; None for keys that have no function here."""
    if key == ESCAPE:
        return "escape"
    if key[:1] == ESCAPE:
        return _ARROWS.get(key[-1:], "")
    text = _PLAIN.get(key) or key.decode("utf-8", "replace")
    return text if text in _PLAIN.values() or text.isprintable() else ""
