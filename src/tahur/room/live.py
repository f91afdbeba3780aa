"""The current (or last) hand of a room: the referee's next question, and the events on the way to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from tahur.core.game import Game, Hand, Seat
from tahur.core.player import Decision, View
from tahur.core.record import Record
from tahur.core.referee import Ask, Play, play
from tahur.room import facts
from tahur.room.adapter import Beat, GameAdapter, Happening
from tahur.room.moments import Moment, after_the_last_decision, moments


@dataclass(slots=True)
class Live:
    """The current or last hand. Its secrets are stored only here."""

    dealt: facts.Dealt
    game: Game[Any]
    referee: Play
    hands: tuple[Hand, ...]
    table: Any
    ask: Ask | None = None
    record: Record | None = None
    shown: tuple[Seat, ...] = ()
    ended: bool = False
    beats: tuple[Beat, ...] = ()  # steps of its end
    told_from: tuple[int, int] = (0, 0)  # event numbers of the last action and of the first event of the end
    last_words: dict[Seat, str] = field(default_factory=dict)
    decisions: list[Decision] = field(default_factory=list)  # actions so far, in order


def live_hand(adapter: GameAdapter, dealt: facts.Dealt, game: Game[Any]) -> Live:
    """A hand that was just dealt; call `advance` with None to get the first question."""
    dealer = adapter.dealer(dealt.values)
    return Live(
        dealt=dealt, game=game, referee=play(game, dealer, dealt.names), hands=dealer.deal(game), table=game.start()
    )


def advance(adapter: GameAdapter, live: Live, decision: Decision | None) -> list[Happening]:
    """Advance to the referee's next question; returns the events on the way to it."""
    try:
        live.ask = next(live.referee) if decision is None else live.referee.send(decision)
        history = live.ask.view.table.history
    except StopIteration as stop:
        live.ask, live.record = None, stop.value
        history = stop.value.actions
    if decision is not None:
        live.decisions.append(decision)
    tables = [live.table]
    for action in history[len(live.table.history) :]:
        tables.append(tables[-1].after(action))
    happenings = []
    for before, after in pairwise(tables):
        happening = adapter.happening_of(live.game, before, after, live.dealt.names)
        if happening is not None:
            happenings.append(happening)
            if happening.kind == "act" and happening.seat is not None:
                live.last_words[happening.seat] = live.game.label(before, after.history[-1])
            elif happening.kind == "board":
                live.last_words.clear()
    live.table = tables[-1]
    return happenings


def ending_of(adapter: GameAdapter, live: Live) -> list[Moment]:
    """The moments of the hand's end, from the last decision on."""
    assert live.record is not None
    row = moments(adapter, live.game, live.record, live.dealt.names, live.dealt.hand, live.beats)
    return after_the_last_decision(row)


def view_at_start(ask: Ask, live: Live) -> View:
    """The view of the deciding seat at the start of the hand."""
    view = ask.view
    return View(game=view.game, table=live.game.start(), seat=view.seat, hand=view.hand, names=view.names)
