"""A room for tests, without tasks and threads: facts go to a list, time is a number, cards come from a seed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tahur.core.game import Game
from tahur.core.player import Player
from tahur.players.registry import make_player
from tahur.room import facts, wire
from tahur.room.bots import RoomBots
from tahur.room.facts import RoomSettings
from tahur.room.gallery import Gallery
from tahur.room.keeper import Keeper, RequestRefused, may_rebuy
from tahur.room.log import Draft, LogEntry, chain_entries
from tahur.room.scenes import Scenes
from tahur.room.state import RoomState
from tahur.room.task import Newcomer, joining_fact, token_hash


class Dice:
    """Randomness from a seed."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)

    def deck(self) -> tuple[int, ...]:
        return tuple(int(card) for card in self._rng.permutation(52))

    def dice(self, count: int) -> tuple[int, ...]:
        return tuple(int(die) for die in self._rng.integers(1, 7, count))

    def key(self) -> str:
        return self._rng.bytes(32).hex()


class Stacked(Dice):
    """What the test says, deal after deal; salts from a seed."""

    def __init__(self, deals: Sequence[Sequence[int]], seed: int = 0) -> None:
        super().__init__(seed)
        self._deals = [tuple(deal) for deal in deals]

    def deck(self) -> tuple[int, ...]:
        return self._deals.pop(0)

    def dice(self, count: int) -> tuple[int, ...]:
        deal = self._deals.pop(0)
        assert len(deal) == count
        return deal


def settings(game: str = "nlhe", seats: int = 3, **changes: Any) -> RoomSettings:
    usual: dict[str, Any] = {
        "title": "a test",
        "game": game,
        "rules": "",
        "seats": seats,
        "stack": 200,
        "blinds": (1, 2),
        "dice": 3,
        "seconds": 30,
        "bank": 60,
        "grace": 20,
        "pace": "instant",
        "open_cards": False,
        "listed": True,
        "secret": "5ec2e7",
    }
    return RoomSettings(**(usual | changes))


def bot_name(mind: str, game: str) -> str:
    make_player(mind)
    return mind.rpartition(":")[2].capitalize()


def make_bot(mind: str, game: Game[Any]) -> Player:
    return make_player(mind, game)


class Desk:
    """One room; people are `p0`, `p1`, ... in their seats, and connected unless a test says otherwise."""

    def __init__(
        self,
        chosen: RoomSettings,
        minds: Sequence[str | None] = (),
        randomness: Any = None,
        gallery: Gallery | None = None,
    ) -> None:
        self.now = 1000.0
        self.log: list[LogEntry] = []
        self.state = RoomState()
        self.minds = RoomBots(gallery.make if gallery else make_bot)
        name_of = gallery.name_of if gallery else bot_name
        self._settings = chosen
        self.write([Draft(facts.Opened("test-room", chosen))])
        self.keeper = Keeper(self.state, randomness or Dice(1), name_of, self.now)
        for seat in range(chosen.seats):
            mind = minds[seat] if seat < len(minds) else None
            if mind is not None:
                self.write([Draft(facts.MindSat(seat, mind, name_of(mind, chosen.game)))])
            else:
                self.join(f"p{seat}", seat)

    def join(self, person: str, seat: int | None = None) -> None:
        newcomer = Newcomer(person, f"Person {person[1:]}", token_hash(person), seat)
        self.write([Draft(joining_fact(self.state, newcomer))])
        self.keeper.connected(person, 1, self.now)

    def write(self, drafts: Sequence[Draft]) -> None:
        entries = chain_entries("test-room", self.state.last_entry, drafts, self.now)
        for entry in entries:
            self.log.append(entry)
            self.state.apply(entry)
        if hasattr(self, "keeper"):
            self.keeper.facts_applied(self.now)

    def ask(self, person: str, message: wire.Request) -> wire.Ack | wire.Refused:
        """As a room's task answers a request."""
        known = self.state.answered.get((person, message.id))
        try:
            if known is None:
                self.write(self.keeper.request(person, message, self.now))
                known = self.state.answered[person, message.id]
        except RequestRefused as error:
            return wire.Refused(message.id, str(error))
        return wire.Ack(message.id, known)

    def run(self, seconds: float = 0.0, *, one_hand: bool = False) -> None:
        """Do what is due, minds' turns too, until a person has to act, nothing is due, time is up or a hand is over."""
        until = self.now + seconds
        for _ in range(10_000):
            question = None if self.state.paused else self.minds.question(self.state)
            if question is not None and self.keeper.thinking is not None and self.keeper.thinking.answer is None:
                self.keeper.bot_answered(question.hand, question.at, self.minds.act(question))
            due = self.keeper.due()
            if due is None or due > until:
                self.now = until
                return
            self.now = max(self.now, due)
            self.write(self.keeper.tick(self.now))
            if one_hand and self.state.live is not None and self.state.live.ended:
                return
        raise AssertionError("the room never rests")

    def act(self, action: int, *, id: str | None = None) -> wire.Ack | wire.Refused:
        """The person whose turn it is acts."""
        ask = self.state.ask
        assert ask is not None
        at = len(ask.view.table.history)
        person = self.state.chairs[ask.view.seat].person
        assert person is not None
        return self.ask(person, wire.Act(id or f"{self.state.hand}-{at}", self.state.hand, at, action))

    def frame(self, person: str | None, seen: int = 0) -> wire.Frame:
        return Scenes(self.keeper).frame(self.state.seat_of(person), seen, self.now)

    def random_hand(self, rng: np.random.Generator) -> None:
        """Play to the end of the hand, people acting at random; raises are small more often than large."""
        hand = self.state.hand + (0 if self.state.playing else 1)
        for _ in range(2000):
            self.run(one_hand=True)
            if self.state.live is not None and self.state.live.ended and self.state.hand == hand:
                return
            self._buy_chips()
            ask = self.state.ask
            if ask is None or self.state.chairs[ask.view.seat].mind:
                self.run(10, one_hand=True)
                continue
            legal = ask.view.table.actions()
            at = min(int(rng.integers(0, 3) + rng.integers(0, 2) * rng.integers(0, 5)), len(legal) - 1)
            assert isinstance(self.act(legal[at]), wire.Ack)
        raise AssertionError("the hand never ends")

    def _buy_chips(self) -> None:
        for chair in self.state.chairs:
            if chair.person and not chair.chips and not self.state.playing and may_rebuy(self.state, chair):
                self.ask(chair.person, wire.Rebuy(f"rebuy {self.state.hand}"))
