"""Minds at a room's table: made when first asked, told of the hands they were in, asked in a thread.

A mind gets a view and a generator of its own; nothing else of the room comes near it. After a restart it is made anew
and told of the last hands again, so that it remembers what it had learned.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tahur.core.game import Game, Seat
from tahur.core.player import Decision, Player, View
from tahur.core.record import Record, Seen
from tahur.games.registry import game_of
from tahur.players.guarded import GuardedPlayer, logged
from tahur.room.facts import Ended
from tahur.room.live import view_at_start
from tahur.room.pace import stream
from tahur.room.state import RoomState

MakeMind = Callable[[str, Game[Any]], Player]


@dataclass(slots=True)
class _Seated:
    """One mind in its chair."""

    mind: str
    since: int
    player: GuardedPlayer
    begun: int  # the last hand it began
    learned: int  # the last hand it was told of


@dataclass(frozen=True, slots=True)
class MindQuestion:
    """All that a mind's turn needs, taken from the state at once; it may then be asked in another thread."""

    hand: int
    at: int
    seat: Seat
    mind: str
    since: int
    secret: str
    start: View
    view: View
    news: tuple[Ended, ...]


class Minds:
    """The minds of one room."""

    def __init__(self, make_mind: MakeMind) -> None:
        self._make = make_mind
        self._seated: dict[Seat, _Seated] = {}
        self._lock = threading.Lock()

    def question(self, state: RoomState) -> MindQuestion | None:
        """What the mind whose turn it is has to be asked; None if it is no mind's turn."""
        ask, live = state.ask, state.live
        if ask is None or live is None or (chair := state.chairs[ask.view.seat]).mind is None or chair.leaving:
            return None
        seat = ask.view.seat
        seated = self._seated.get(seat)
        same = seated is not None and (seated.mind, seated.since) == (chair.mind, chair.since)
        told = seated.learned if seated is not None and same else chair.since
        return MindQuestion(
            hand=state.hand,
            at=len(ask.view.table.history),
            seat=seat,
            mind=chair.mind,
            since=chair.since,
            secret=state.settings.secret,
            start=view_at_start(ask, live),
            view=ask.view,
            news=tuple(ended for ended in state.ended if ended.hand > told),
        )

    def act(self, question: MindQuestion) -> Decision | None:
        """The mind's answer, None if it has none; slow, for a thread. One mind of a room thinks at a time."""
        with self._lock, logged(f"{question.mind} could not be seated"):
            return self._answer(question)
        return None

    def _answer(self, question: MindQuestion) -> Decision | None:
        seated = self._mind_of(question)
        for ended in question.news:
            seated.learned = ended.hand
            seated.player.learn(seen(ended, question.seat))
        secret, seat, hand = question.secret, question.seat, question.hand
        if seated.begun != hand:
            seated.player.begin(question.start, stream(secret, "begin", seat, hand))
            seated.begun = hand
        return seated.player.act(question.view, stream(secret, "act", seat, hand, question.at))

    def _mind_of(self, question: MindQuestion) -> _Seated:
        seated = self._seated.get(question.seat)
        if seated is None or (seated.mind, seated.since) != (question.mind, question.since):
            player = GuardedPlayer(self._make(question.mind, question.view.game), question.mind)
            seated = _Seated(mind=question.mind, since=question.since, player=player, begun=0, learned=question.since)
            self._seated[question.seat] = seated
        return seated


def seen(ended: Ended, seat: Seat | None) -> Seen:
    """A finished hand as a seat saw it: its own hand, and those that were shown."""
    record = Record.from_json(ended.record)
    whole = record.seen_by(game_of(record), seat)
    hands = tuple(hand if at == seat or at in ended.shown else None for at, hand in enumerate(whole.hands))
    return whole._replace(hands=hands)
