"""`tahur postflop explore` in a terminal of its own: what it draws, and that it leaves the terminal as it was."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from command import surroundings, tahur
from tahur.cli.postflop.explorer import _terminal
from tahur.solvers.postflop.solve import solve
from tahur.solvers.postflop.spot import spot

TURN = spot(
    board="Td9d6hQc", oop="AsAc,KsTs:0.5,9s8s", ip="AcKc,TsTc:0.25,7s7c", pot=30, stack=60, sizes="50%,a / a"
)  # fmt: skip
ALTERNATE, BACK = "\x1b[?1049h", "\x1b[?1049l"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("spots") / "turn.tahur"
    solve(TURN, target=1.0).save(path)
    return path


class Terminal:
    """A terminal with a program in it."""

    def __init__(self, master: int, run: subprocess.Popen[bytes]) -> None:
        self.master, self.run, self.seen = master, run, ""

    def press(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def until(self, words: str, since: int = 0) -> str:
        """All that was written until the words came, without colours."""
        while words not in plain(self.seen[since:]):
            ready, _, _ = select.select([self.master], [], [], 60)
            assert ready, f"no '{words}' in {plain(self.seen[since:])}"
            try:
                sent = os.read(self.master, 65536)
            except OSError:
                sent = b""
            assert sent, f"it ended without '{words}': {plain(self.seen[since:])}"
            self.seen += sent.decode("utf-8", "replace")
        return plain(self.seen[since:])

    def ends(self) -> int:
        """The exit code; reads what is still written, lest the program wait for us."""
        while True:
            try:
                sent = os.read(self.master, 65536)
            except OSError:
                break
            if not sent:
                break
            self.seen += sent.decode("utf-8", "replace")
        return self.run.wait(60)


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)


@contextmanager
def terminal(file: Path, columns: int, rows: int) -> Iterator[Terminal]:
    master, slave = pty.openpty()
    resize(master, columns, rows)
    before = termios.tcgetattr(slave)
    run = subprocess.Popen(
        [sys.executable, "-m", "tahur", "postflop", "explore", str(file)],
        stdin=slave, stdout=slave, stderr=slave, env=surroundings(COLORTERM="truecolor"), start_new_session=True,
    )  # fmt: skip
    shown = Terminal(master, run)
    try:
        yield shown
        assert termios.tcgetattr(slave) == before
        os.close(slave)
        shown.ends()
        assert shown.seen.count(ALTERNATE) == shown.seen.count(BACK) == 1
        assert shown.seen.rindex("\x1b[?25h") > shown.seen.index("\x1b[?25l")
    finally:
        run.kill()
        run.wait()
        os.close(master)


def resize(master: int, columns: int, rows: int) -> None:
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def test_arrows_walk_a_new_size_is_drawn_in_and_ctrl_c_gives_the_terminal_back(file: Path) -> None:
    with terminal(file, 80, 24) as shown:
        assert "out of position decides; pot 30" in shown.until("q quit")
        shown.until("EQR")
        before = len(shown.seen)
        shown.press("\x1bOC")
        assert "in position decides" in shown.until("EQR", before)
        before = len(shown.seen)
        resize(shown.master, 130, 45)
        os.kill(shown.run.pid, signal.SIGWINCH)  # a terminal sends it to its own session only
        shown.until("tab or h: another hand", before)  # a large window has room for a hand's combos
        os.kill(shown.run.pid, signal.SIGINT)
        assert shown.run.wait(60) == 130


@pytest.mark.slow
@pytest.mark.parametrize(("end", "code"), [("q", 0), ("\x04", 0), (signal.SIGTERM, 143)])
def test_however_it_ends_the_terminal_is_given_back(file: Path, end: str | signal.Signals, code: int) -> None:
    with terminal(file, 120, 40) as shown:
        shown.until("EQR")
        shown.press("?")
        shown.until("press any key to go back")
        shown.press("x")
        shown.press(end) if isinstance(end, str) else os.kill(shown.run.pid, end)
        assert shown.run.wait(60) == code


def fail_in_a_terminal(slave: int) -> None:
    with _terminal():
        assert not termios.tcgetattr(slave)[3] & termios.ICANON
        _ = 1 / 0


def test_after_a_bug_the_terminal_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    master, slave = pty.openpty()
    before = termios.tcgetattr(slave)
    with os.fdopen(slave, "r", closefd=False) as keyboard, os.fdopen(slave, "w", closefd=False) as page:
        monkeypatch.setattr(sys, "stdin", keyboard)
        monkeypatch.setattr(sys, "stdout", page)
        with pytest.raises(ZeroDivisionError):
            fail_in_a_terminal(slave)
    assert termios.tcgetattr(slave) == before
    written = b""
    while BACK.encode() not in written:
        assert select.select([master], [], [], 10)[0], written
        written += os.read(master, 4096)
    os.close(slave)
    os.close(master)


def test_without_a_terminal_one_line_says_what_to_do(file: Path) -> None:
    run = tahur("postflop", "explore", str(file))
    assert (run.returncode, run.stdout, run.stderr.count("\n")) == (2, "", 1)
    assert "tahur postflop show" in run.stderr
