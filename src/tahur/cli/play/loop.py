"""The loop of a session: deal, ask, show, save; until the match is over, a limit is reached, or the user quits."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from tahur.cli.play.screen import LeaveTable, Screen
from tahur.cli.play.session import Session
from tahur.core.chance import RandomDealer, Streams
from tahur.core.errors import TahurError
from tahur.core.game import Game
from tahur.core.player import Decision, View
from tahur.core.record import Record
from tahur.core.referee import Ask, check_legal, play
from tahur.players.guarded import LOGGER, GuardedPlayer, safe_action


def play_session(
    out: Console, session: Session, players: Sequence[GuardedPlayer | None], screen: Screen, hands: int | None
) -> None:
    """Play; the seat with None in `players` is the user's. Quitting in the middle of a hand voids only that hand."""
    with failures_logged(session.log):
        _play_on(out, session, players, screen, hands)
    if session.log.exists():
        out.print(f"[red]Errors of the bots are in {session.log}[/]")
    screen.tell_tally(out, session)


@contextmanager
def failures_logged(path: Path) -> Iterator[None]:
    """Log exceptions of bots to a file beside the session instead of the terminal."""
    log, handler = logging.getLogger(LOGGER), logging.FileHandler(path, encoding="utf-8", delay=True)
    log.addHandler(handler)
    log.propagate = False
    try:
        yield
    finally:
        log.propagate = True
        log.removeHandler(handler)
        handler.close()


def _play_on(
    out: Console, session: Session, players: Sequence[GuardedPlayer | None], screen: Screen, hands: int | None
) -> None:
    """Play hands until the player stops, the match is over, or this many hands are played."""
    played = 0
    try:
        while _goes_on(session, screen) and (hands is None or played < hands):
            record = _play_hand(out, session, players, screen)
            session.add(record)
            played += 1
            screen.tell_result(out, session.game, record, session)
        screen.last_words(out, session)
    except (LeaveTable, KeyboardInterrupt, EOFError):
        out.print("\nYou leave the table; the unfinished hand is void.")


def _goes_on(session: Session, screen: Screen) -> bool:
    return session.game is not None and not screen.is_out(session.game, session.header.you)


def _play_hand(out: Console, session: Session, players: Sequence[GuardedPlayer | None], screen: Screen) -> Record:
    """Play one hand: ask each seat in turn, a person at the keyboard or a bot."""
    game = session.game
    assert game is not None
    streams = _streams(session, game)
    dealer = RandomDealer(streams.chance)
    referee = play(game, dealer, session.header.names)
    screen.tell_deal(out, game, len(session.records) + 1, session)
    seen = 0
    begun: set[int] = set()
    try:
        ask = next(referee)
        while True:
            seen = screen.tell_events(out, ask.view, seen)
            player = players[ask.view.seat]
            if player is None:
                decision = ask_person(out, screen, ask)
            else:
                if ask.view.seat not in begun:
                    player.begin(ask.view, streams.seats[ask.view.seat])
                    begun.add(ask.view.seat)
                decision = player.act(ask.view, streams.seats[ask.view.seat]) or _fallback(out, ask.view, session)
            ask = referee.send(decision)
    except StopIteration as stop:
        record: Record = stop.value
    last = View(
        game=game,
        table=list(record.replay(game))[-1],
        seat=session.header.you,
        hand=None,
        names=session.header.names,
        talk=record.talk,
    )
    screen.tell_events(out, last, seen)
    for seat, player in enumerate(players):
        if player is not None:
            player.learn(record.seen_by(game, seat))
    return record


def _fallback(out: Console, view: View, session: Session) -> Decision:
    """The safe action for a bot that raised an exception, with a printed line."""
    action = safe_action(view)
    name, label = view.names[view.seat], view.game.label(view.table, action)
    out.print(f"  [red]{escape(name)} failed to decide; action taken for it: {label}. Details: {session.log}[/]")
    return Decision(action)


def ask_person(out: Console, screen: Screen, ask: Ask) -> Decision:
    """Show the table and read lines until one is a legal action."""
    screen.draw(out, ask.view)
    while True:
        line = out.input(screen.prompt(ask.view)).strip()
        if line.lower() in ("q", "quit", "exit"):
            raise LeaveTable
        if line in ("?", "h", "help"):
            screen.help(out, ask.view)
            continue
        if screen.answer(out, ask.view, line):
            continue
        try:
            action = screen.read(ask.view, line)
            check_legal(ask.view.game, ask.view.table, action)
        except TahurError as error:
            out.print(f"[red]{escape(str(error))}[/]")
            continue
        return Decision(action)


def _streams(session: Session, game: Game[Any]) -> Streams:
    """The generator of a hand: seeded, or from the operating system's secure randomness."""
    if session.header.seed is None:
        return Streams(secrets.randbits(64), game.seats)
    streams = Streams(session.header.seed, game.seats)
    streams.turn_to(len(session.records))
    return streams
