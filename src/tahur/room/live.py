"""The current (or last) hand of a room: the referee's next question, the events, and a finished hand's moments.

A moment is an event, the table after it, and how long it is shown. Replays step through all of them; the room shows
those after the last decision before it deals again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final

from tahur.cards.cards import Card, cards_of, cards_text
from tahur.core.game import CHANCE, OVER, Game, Hand, Seat
from tahur.core.player import Decision, View
from tahur.core.record import Record
from tahur.core.referee import Ask, Play, play
from tahur.room import facts
from tahur.room.adapter import NO_LOOK, Beat, GameAdapter, Happening, Look

LAST_ACT: Final = 0.8  # seconds, at normal pace
ALL_IN, STREET = 2.0, 1.3  # hands are turned up; a street of a run-out board, with nothing at stake


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of a hand. `last`: by seat, its last action on this street, in words."""

    happening: Happening
    table: Any
    look: Look
    seconds: float
    last: tuple[str, ...]


def moments(
    adapter: GameAdapter, game: Game[Any], record: Record, names: Sequence[str], hand: int, beats: Sequence[Beat]
) -> list[Moment]:
    """All moments of a hand: the deal, every action and card, and the end."""
    tables = list(record.replay(game))
    decided = max((at for at, table in enumerate(tables) if table.turn >= 0), default=-1)  # the last decision
    up = _run_out(tables, beats)
    stake = adapter.stake(game, record)
    last = [""] * game.seats
    opening = Happening("deal", adapter.opening_words(game, hand, names))
    row = [Moment(happening=opening, table=tables[0], look=NO_LOOK, seconds=0.0, last=tuple(last))]
    for at, (before, after) in enumerate(pairwise(tables)):
        happening = adapter.happening_of(game, before, after, names)
        if happening is None:
            continue
        _note(last, happening, game.label(before, after.history[-1]) if before.turn >= 0 else "")
        look = Look(up=up, equities=True) if up and at >= decided else NO_LOOK
        row.append(
            Moment(
                happening=happening,
                table=after,
                look=look,
                seconds=_seconds(happening, bool(up), stake),
                last=tuple(last),
            )
        )
    for beat in beats:
        for place, happening in enumerate(beat.happenings, start=1):
            seconds = beat.seconds if place == len(beat.happenings) else 0.0
            row.append(Moment(happening=happening, table=tables[-1], look=beat.look, seconds=seconds, last=tuple(last)))
    return row


def after_the_last_decision(row: Sequence[Moment]) -> list[Moment]:
    """The moments from the last action of a hand on."""
    acts = [at for at, moment in enumerate(row) if moment.happening.kind == "act"]
    return list(row[acts[-1] if acts else 0 :])


def _run_out(tables: Sequence[Any], beats: Sequence[Beat]) -> tuple[Seat, ...]:
    """The seats whose hands are open while the board is run out after an all-in; otherwise none."""
    if len(tables) < 2 or tables[-2].turn != CHANCE or tables[-1].turn != OVER:
        return ()
    return max((beat.look.up for beat in beats), key=len, default=())


def _note(last: list[str], happening: Happening, label: str) -> None:
    if happening.kind == "board":
        last[:] = [""] * len(last)
    elif happening.seat is not None:
        last[happening.seat] = label


def _seconds(happening: Happening, run_out: bool, stake: float) -> float:
    if not run_out:
        return LAST_ACT
    return ALL_IN if happening.kind == "act" else STREET * (1 + stake)


@lru_cache(2048)
def equities(hands: tuple[Hand, ...], board: tuple[int, ...]) -> tuple[float, ...]:
    """The equity of each open hand."""
    from tahur.cards.equity.ask import equity  # loads the kernels

    texts = [cards_text(cards_of(hand)) for hand in hands]
    answer = equity(*texts, board=tuple(map(Card, board)))
    return tuple(round(share.equity, 4) for share in answer.players)


# ---- the current hand ----------------------------------------------------------------------------


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
    first_events: tuple[int, int] = (0, 0)  # event numbers of the last action and of the first event of the end
    last_words: dict[Seat, str] = field(default_factory=dict)
    decisions: list[Decision] = field(default_factory=list)  # actions so far, in order
    ending: list[Moment] | None = None  # made by `ending_of`


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
    """The moments of the hand's end, from the last decision on; made once."""
    if live.ending is None:
        assert live.record is not None
        row = moments(adapter, live.game, live.record, live.dealt.names, live.dealt.hand, live.beats)
        live.ending = after_the_last_decision(row)
    return live.ending


def view_at_start(ask: Ask, live: Live) -> View:
    """The view of the deciding seat at the start of the hand."""
    view = ask.view
    return View(game=view.game, table=live.game.start(), seat=view.seat, hand=view.hand, names=view.names)
