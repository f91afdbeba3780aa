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

# Seconds that moments are shown, at normal pace with nothing at stake:
LAST_ACT: Final = 0.8  # the last action
ALL_IN, STREET = 2.0, 1.3  # after an all-in: the hands are turned up; each street that is run out


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of a hand: an event and what the table looks like after it."""

    happening: Happening
    table: Any  # the game's public state
    look: Look  # what is shown beyond the public state: open hands, payouts
    seconds: float  # how long it is shown, at normal pace
    last: tuple[str, ...]  # by seat: its last action on this street, in words


def moments(
    adapter: GameAdapter, game: Game[Any], record: Record, names: Sequence[str], hand: int, beats: Sequence[Beat]
) -> list[Moment]:
    """All moments of finished hand number `hand`: the deal, every action and card, the steps of its end (`beats`)."""
    tables = list(record.replay(game))
    last_decision = max((at for at, table in enumerate(tables) if table.turn >= 0), default=-1)
    open_seats = _open_in_run_out(tables, beats)
    stake = adapter.stake(game, record)
    last = [""] * game.seats
    opening = Happening("deal", adapter.opening_words(game, hand, names))
    row = [Moment(happening=opening, table=tables[0], look=NO_LOOK, seconds=0.0, last=tuple(last))]
    for at, (before, after) in enumerate(pairwise(tables)):
        happening = adapter.happening_of(game, before, after, names)
        if happening is None:
            continue
        _update_last_actions(last, happening, game.label(before, after.history[-1]) if before.turn >= 0 else "")
        look = Look(up=open_seats, equities=True) if open_seats and at >= last_decision else NO_LOOK
        seconds = _seconds(happening, bool(open_seats), stake)
        row.append(Moment(happening=happening, table=after, look=look, seconds=seconds, last=tuple(last)))
    for beat in beats:
        for number, happening in enumerate(beat.happenings, start=1):
            seconds = beat.seconds if number == len(beat.happenings) else 0.0
            row.append(Moment(happening=happening, table=tables[-1], look=beat.look, seconds=seconds, last=tuple(last)))
    return row


def _open_in_run_out(tables: Sequence[Any], beats: Sequence[Beat]) -> tuple[Seat, ...]:
    """The seats whose hands are open while the board is run out after an all-in; otherwise none."""
    if len(tables) < 2 or tables[-2].turn != CHANCE or tables[-1].turn != OVER:
        return ()
    return max((beat.look.up for beat in beats), key=len, default=())


def _update_last_actions(last: list[str], happening: Happening, label: str) -> None:
    """Set the last action of the seat that acted, `label`; a new street clears those of all seats."""
    if happening.kind == "board":
        last[:] = [""] * len(last)
    elif happening.seat is not None:
        last[happening.seat] = label


def _seconds(happening: Happening, run_out: bool, stake: float) -> float:
    """How long an action or a street is shown; `run_out`: the hand is all-in, and its streets are dealt slowly."""
    if not run_out:
        return LAST_ACT
    return ALL_IN if happening.kind == "act" else STREET * (1 + stake)


@lru_cache(2048)
def equities(hands: tuple[Hand, ...], board: tuple[int, ...]) -> tuple[float, ...]:
    """The equity of each of these open hold'em hands on a board of card numbers."""
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
    """Give the referee a decision (None at the start) and go to its next question; returns the events on the way."""
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
        actions = [at for at, moment in enumerate(row) if moment.happening.kind == "act"]
        live.ending = row[actions[-1] if actions else 0 :]
    return live.ending


def view_at_start(ask: Ask, live: Live) -> View:
    """The view of the deciding seat at the start of the hand."""
    view = ask.view
    return View(game=view.game, table=live.game.start(), seat=view.seat, hand=view.hand, names=view.names)
