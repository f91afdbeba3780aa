"""Bots at a room's table: made when first needed, shown the hands they were in, run in a thread.

A bot gets a view and its own random generator, nothing else of the room. After a restart it is made again and shown the
last hands, so that it remembers what it had learned.
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
from tahur.room.clocks import stream
from tahur.room.facts import Ended
from tahur.room.live import view_at_start
from tahur.room.state import RoomState

MakeBot = Callable[[str, Game[Any]], Player]


@dataclass(slots=True)
class _Seated:
    """One bot in its chair; `mind` is its name in the gallery, `since` the last hand before it sat down."""

    mind: str
    since: int
    player: GuardedPlayer
    begun: int  # the last hand it started
    learned: int  # the last hand it was shown


@dataclass(frozen=True, slots=True)
class BotQuestion:
    """Everything a bot's turn needs, copied from the state, so that it can be used in another thread."""

    hand: int
    at: int
    seat: Seat
    mind: str
    since: int
    secret: str
    start: View  # at the start of the hand
    view: View  # now
    news: tuple[Ended, ...]  # finished hands that it was not shown yet


class RoomBots:
    """The bots of one room."""

    def __init__(self, make_bot: MakeBot) -> None:
        self._make = make_bot
        self._seated: dict[Seat, _Seated] = {}
        self._lock = threading.Lock()

    def question(self, state: RoomState) -> BotQuestion | None:
        """The question for the bot to act; None if it is not a bot's turn."""
        ask, live = state.ask, state.live
        if ask is None or live is None or (chair := state.chairs[ask.view.seat]).mind is None or chair.leaving:
            return None
        seat = ask.view.seat
        seated = self._seated.get(seat)
        same = seated is not None and (seated.mind, seated.since) == (chair.mind, chair.since)
        last_shown = seated.learned if seated is not None and same else chair.since
        return BotQuestion(
            hand=state.hand,
            at=len(ask.view.table.history),
            seat=seat,
            mind=chair.mind,
            since=chair.since,
            secret=state.settings.secret,
            start=view_at_start(ask, live),
            view=ask.view,
            news=tuple(ended for ended in state.ended if ended.hand > last_shown),
        )

    def act(self, question: BotQuestion) -> Decision | None:
        """The bot's answer, None if it fails. Slow: call it in a thread. One bot of a room thinks at a time."""
        with self._lock, logged(f"{question.mind} could not be seated"):
            return self._answer(question)
        return None

    def _answer(self, question: BotQuestion) -> Decision | None:
        """Show the bot the hands that it has not seen, begin the hand if it is new, and ask for the action."""
        seated = self._bot_of(question)
        for ended in question.news:
            seated.learned = ended.hand
            seated.player.learn(seen(ended, question.seat))
        secret, seat, hand = question.secret, question.seat, question.hand
        if seated.begun != hand:
            seated.player.begin(question.start, stream(secret, "begin", seat, hand))
            seated.begun = hand
        return seated.player.act(question.view, stream(secret, "act", seat, hand, question.at))

    def _bot_of(self, question: BotQuestion) -> _Seated:
        """The bot in the seat; a new one if another bot had the seat before, or none."""
        seated = self._seated.get(question.seat)
        if seated is None or (seated.mind, seated.since) != (question.mind, question.since):
            player = GuardedPlayer(self._make(question.mind, question.view.game), question.mind)
            seated = _Seated(mind=question.mind, since=question.since, player=player, begun=0, learned=question.since)
            self._seated[question.seat] = seated
        return seated


def seen(ended: Ended, seat: Seat | None) -> Seen:
    """A finished hand as a seat saw it: its own hand and the shown ones."""
    record = Record.from_json(ended.record)
    whole = record.seen_by(game_of(record), seat)
    hands = tuple(hand if at == seat or at in ended.shown else None for at, hand in enumerate(whole.hands))
    return whole._replace(hands=hands)
