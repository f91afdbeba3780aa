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

import numpy as np
from rich.console import Console

from tahur.cards.cards import Card, cards_of, cards_text
from tahur.cards.rankings import class_names, class_of_combos
from tahur.cli.output import console
from tahur.cli.postflop.explorer_state import Explorer, Focus
from tahur.core.chips import CHIPS
from tahur.show.actions import Hand, chips, percent
from tahur.show.decision import NEVER_REACHED, SEATS, amount, combos_of, hands_of, held_picture, picture_of
from tahur.show.explorer import Deal, ExplorerScene, MoveLine, help_screen, screen
from tahur.solvers.postflop.line import BoardNode
from tahur.solvers.postflop.results import Result, SeatResult, glance, result_at
from tahur.solvers.postflop.solve import PostflopSolution
from tahur.solvers.postflop.spot import STREETS
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
            state = self._wanted.get()
            while not self._wanted.empty():
                state = self._wanted.get()
            future = self._found[state.steps]
            if future.done():
                continue
            try:
                future.set_result(result_at(self._solution, state))
            except Exception as error:
                future.set_exception(error)
            os.write(self._wake_up, b".")


def _draw(out: Console, known: ResultCache, now: Explorer) -> None:
    """Draw the whole screen at the terminal's current size."""
    width, height = os.get_terminal_size(sys.stdout.fileno())
    out.size = (width, height)
    result, counting = known.at(now)
    drawn = (
        help_screen(KEYS, width, height)
        if now.help
        else screen(scene_of(now, result, counting=counting), width, height)
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
            keys, self._rest = decode_keys(self._rest + sent)
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


def decode_keys(sent: bytes) -> tuple[list[str], bytes]:
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
    """The number of bytes of an escape sequence; None if more bytes are needed."""
    if len(sent) == 1:
        return None
    if sent[1:2] not in _OPENINGS:
        return 1  # a typed escape followed by another key
    if sent[1:2] == b"O":
        return 3 if len(sent) >= 3 else None
    return next((end + 1 for end in range(2, len(sent)) if sent[end] in _LAST), None)


def _name(key: bytes) -> str:
    """The name of a key from the bytes that the terminal sent; "" for keys that have no function here."""
    if key == ESCAPE:
        return "escape"
    if key[:1] == ESCAPE:
        return _ARROWS.get(key[-1:], "")
    text = _PLAIN.get(key) or key.decode("utf-8", "replace")
    return text if text in _PLAIN.values() or text.isprintable() else ""


# ---- the scene on the screen ---------------------------------------------------------------------
# Builds the `ExplorerScene` to draw from the explorer's state and the known results.


KEYS: Final = (
    ("up, down", "mark a move"),
    ("right, enter", "make the marked move; deal the marked card"),
    ("left, esc", "back up the tree"),
    ("tab", "into the matrix and out again; arrows move the cell, enter turns the page of its combos"),
    ("h", "to a hand: AsKs, AKs or 77"),
    ("s", "the other seat's range"),
    ("t", "another card: back to where the last one was dealt, then the same moves"),
    ("2c, Ts, ...", "type a card where one is dealt"),
    ("?", "this page"),
    ("q, Ctrl-C", "leave"),
)
_FOOTERS: Final = {
    Focus.MOVES: "↑↓ move  → take it  ← back  tab matrix  t card  h hand  s seat  ? help  q quit",
    Focus.MATRIX: "arrows: cell  enter: more  tab moves  h hand  s seat  ? help  q quit",
    Focus.CARDS: "arrows or 2c: card  enter deals it  esc back  tab matrix  s seat  ? help  q quit",
}


def scene_of(now: Explorer, result: Result | None, *, counting: bool) -> ExplorerScene:
    """`found`: the results of a decision, NaN while still being computed; None at a node that is not a decision."""
    seat = now.seat
    acts = result is not None and seat == result.seat
    picture = picture_of(result) if result and acts else held_picture(now.here.board, now.here.reach[seat])
    return ExplorerScene(
        crumbs=_crumbs(now),
        facts=_facts(now, result),
        warning=_warning(now, result),
        picture=picture,
        moves=_moves(result),
        marked=now.marked,
        ranges=_ranges(now, result, counting=counting),
        shown=seat,
        hands=_hands(now, result, seat),
        name=class_names()[now.cell],
        cell=now.cell if now.focus is Focus.MATRIX else None,
        page=now.page,
        deal=_deal(now),
        over=_over(now),
        footer=_footer(now),
    )


def _crumbs(now: Explorer) -> tuple[str, ...]:
    dealt = sum(isinstance(step, Card) for step in now.here.steps)
    first = now.here.board[: len(now.here.board) - dealt]
    steps = (f"[{step.sign}]" if isinstance(step, Card) else str(step) for step in now.here.steps)
    return ("".join(card.sign for card in first), *steps)


def _facts(now: Explorer, result: Result | None) -> str:
    """One line about the current node: who decides, pot, stacks, reach."""
    if result is not None:
        call = f", {amount(result.to_call)} to call" if result.to_call else ""
        stacks = f"stacks {amount(result.stacks[0])}/{amount(result.stacks[1])}"
        locked = ", locked" if result.locked.all() else ", partly locked" if result.locked.any() else ""
        return f"{SEATS[result.seat]} decides{locked}; pot {_pot(result)}{call}; {stacks}; reach {result.frequency:.2%}"
    spot, node = now.engine.layout.spot, now.node
    left = spot.amount(spot.stack - node.bet)
    return f"pot {spot.amount(spot.pot + 2 * node.bet)}; stacks {left}/{left}; reach {now.here.frequency:.2%}"


def _pot(result: Result) -> str:
    return amount(result.pot) + ("" if result.unit == CHIPS else result.unit)


def _warning(now: Explorer, result: Result | None) -> str:
    if now.here.frequency <= 0:
        return f"{SEATS[result.seat]} decides, pot {_pot(result)}: {NEVER_REACHED}" if result else NEVER_REACHED
    empty = [SEATS[seat] for seat in (0, 1) if not now.here.reach[seat].any()]
    return f"{empty[0]} has no hand left on this board" if empty else ""


def _moves(result: Result | None) -> tuple[MoveLine, ...]:
    """The lines of the actions; empty until the result is computed."""
    if result is None:
        return ()
    actions, combos = picture_of(result).actions, combos_of(result)
    rows = zip(actions, result.frequencies, result.range_move_ev, combos, result.then, strict=True)
    return tuple(
        MoveLine(action=action, frequency=float(frequency), ev=float(ev), combos=float(count), then=then)
        for action, frequency, ev, count, then in rows
    )


def _ranges(now: Explorer, result: Result | None, *, counting: bool) -> tuple[tuple[str, str], ...]:
    """Each seat's name and figures, separated by semicolons."""
    if result is None:
        return tuple((name, f"{now.here.reach[seat].sum():.1f} combos") for seat, name in enumerate(SEATS))
    return tuple((name, _numbers(seat, counting)) for name, seat in zip(SEATS, result.seats, strict=True))


def _numbers(held: SeatResult, counting: bool) -> str:
    if counting:
        return f"computing EVs ...;{held.reach.sum():.1f} combos"
    return (
        f"EV {chips(held.range_ev)}, EQ {percent(held.range_equity, 2)};"
        f"EQR {percent(held.realized)}, {held.reach.sum():.1f} combos"
    )


def _hands(now: Explorer, result: Result | None, seat: int) -> tuple[Hand, ...]:
    """The combos of the cell, beginning with the selected one."""
    held = np.flatnonzero(now.here.reach[seat])
    places = np.flatnonzero(class_of_combos()[held] == now.cell)
    ordered = sorted(places.tolist(), key=lambda place: (held[place] != now.combo, -held[place]))
    if result is not None:
        return tuple(hands_of(result, ordered, seat=seat))
    none = np.zeros(0)
    return tuple(
        Hand(
            name=cards_text(cards_of(int(held[at]))),
            reach=float(now.here.reach[seat][held[at]]),
            equity=np.nan,
            ev=np.nan,
            shares=none,
            evs=none,
        )
        for at in ordered
    )


def _deal(now: Explorer) -> Deal | None:
    return Deal(STREETS[len(now.here.board) - 2], now.card, now.here.board) if now.dealing else None


def _over(now: Explorer) -> str:
    """What happens at a terminal, in words; empty at a decision."""
    node, spot = now.node, now.engine.layout.spot
    pot = spot.amount(spot.pot + 2 * node.bet)
    match node.kind:
        case NodeKind.FOLD:
            return f"{SEATS[node.seat]} folds: {SEATS[1 - node.seat]} wins {pot}"
        case NodeKind.SHOWDOWN:
            return f"showdown for {pot}"
        case NodeKind.DEAL:
            return "" if now.dealing else f"all-in: the remaining cards are dealt, showdown for {pot}"
        case NodeKind.DECISION:
            return ""


def _footer(now: Explorer) -> str:
    if now.typed is not None:
        what = "card" if now.focus is Focus.CARDS else "hand"
        return f"{what}: {now.typed}_   enter: go there, esc: cancel"
    return now.message or _FOOTERS[now.focus]
