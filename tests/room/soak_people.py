"""People of a soak: they sit in a room of this process and do, by a seed, whatever people do at a table."""

from __future__ import annotations

import asyncio
import json
import os
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path

import numpy as np

from tahur.games.perudo.bids import DUDO
from tahur.room import wire
from tahur.room.facts import RoomSettings
from tahur.room.keeper import RequestRefused, may_rebuy
from tahur.room.lobby import Lobby
from tahur.room.task import RoomTask

CHAT, SIT_OUT, MUCK, LEAVE, REMOVE = 0.02, 0.02, 0.03, 0.01, 0.02  # how often between two hands
PATIENCE = 0.02  # seconds
NEVER = -1


@dataclass(slots=True)
class Slot:
    """A table of the soak: its settings, who sits there, and the room that is played in now."""

    settings: RoomSettings
    minds: list[str]
    people: int
    room: str = ""
    tokens: tuple[str, ...] = ()
    remote: bool = False  # played over a socket, by another process


@dataclass(slots=True)
class Slots:
    """All tables of one server, kept in a file so that the next server goes on with them."""

    path: Path
    each: list[Slot]

    def save(self) -> None:
        kept = [{"room": slot.room, "tokens": slot.tokens} for slot in self.each]
        fresh = self.path.with_suffix(".new")
        fresh.write_text(json.dumps(kept))
        os.replace(fresh, self.path)

    def load(self) -> None:
        if self.path.exists():
            for slot, kept in zip(self.each, json.loads(self.path.read_text()), strict=True):
                slot.room, slot.tokens = kept["room"], tuple(kept["tokens"])


class Table:
    """Keeps one slot going: opens its room, lets people play, closes it after so many hands and opens another."""

    def __init__(self, lobby: Lobby, slots: Slots, slot: Slot, hands: int, seed: int) -> None:
        self._lobby, self._slots, self._slot, self._hands = lobby, slots, slot, hands
        self._rng = np.random.default_rng(seed)
        self.task: RoomTask | None = None

    async def run(self) -> None:
        while True:
            if not self._slot.room:
                await self._open()
            self.task = task = await self._lobby.room(self._slot.room)
            if self._slot.remote:
                return
            people = [Person(self._lobby, task, token, self._rng, at) for at, token in enumerate(self._slot.tokens)]
            watcher = Watcher(task)
            playing = [asyncio.create_task(person.play(self._hands)) for person in people]
            watching = asyncio.create_task(watcher.watch())
            await asyncio.gather(*playing)
            watching.cancel()
            self._slot.room, self._slot.tokens = "", ()
            self._slots.save()

    async def _open(self) -> None:
        slot = self._slot
        empty: list[str | None] = [None] * (slot.people - 1)
        opened = await self._lobby.open(slot.settings, "Person 1", [*slot.minds, *empty])
        tokens = [opened.token]
        for at in range(1, slot.people):
            tokens.append((await self._lobby.join(opened.room, f"Person {at + 1}", None)).token)
        slot.room, slot.tokens = opened.room, tuple(tokens)
        self._slots.save()


class Person:
    """One person; the first of a room is its host, as long as nobody else becomes it."""

    def __init__(self, lobby: Lobby, task: RoomTask, token: str, rng: np.random.Generator, at: int) -> None:
        self._lobby, self._task, self._token, self._rng, self._at = lobby, task, token, rng, at
        self._person = task.person_of(token) or ""
        self._wake = asyncio.Event()
        self._numbers = count()
        self._start = f"{os.getpid()}-{at}"
        self._hand, self._seen = NEVER, 0

    async def play(self, hands: int) -> None:
        """Until the room has had so many hands and is closed."""
        left = self._task.listen(self._wake.set, self._person)
        try:
            while not (self._task.state.closed and not self._task.state.playing):
                self._wake.clear()
                await self._turn(hands)
                try:
                    async with asyncio.timeout(PATIENCE if self._idle else None):
                        await self._wake.wait()
                except TimeoutError:
                    pass
        finally:
            left()

    @property
    def _idle(self) -> bool:
        """Whether nobody else may ever wake this person: it sits out, has no seat, or is the one to start again."""
        state = self._task.state
        seat = state.seat_of(self._person)
        return seat is None or state.chairs[seat].away or not state.playing

    async def _turn(self, hands: int) -> None:
        state = self._task.state
        if state.seat_of(self._person) is None:
            return await self._sit_down()
        if not state.playing and state.hand != self._hand:
            self._hand = state.hand
            await self._between(hands)
        elif not state.playing:
            await self._go_on()
        ask = state.ask
        if ask is not None and state.chairs[ask.view.seat].person == self._person:
            frame = self._task.frame(self._person, self._seen)  # what the page would be sent
            self._seen = frame.number
            at = len(ask.view.table.history)
            action = self._choice(list(ask.view.table.actions()))
            await self._ask(wire.Act(self._id(), state.hand, at, action))
        return None

    async def _go_on(self) -> None:
        """Nothing was dealt since this person last looked: perhaps it waits for this one to come back, or to buy."""
        state = self._task.state
        chair = state.chairs[state.seat_of(self._person) or 0]
        if chair.person == self._person and chair.away:
            await self._ask(wire.SitOut(self._id(), False))
        elif chair.person == self._person and not chair.chips and may_rebuy(state, chair):
            await self._ask(wire.Rebuy(self._id()))

    async def _sit_down(self) -> None:
        if not self._task.state.closed:
            try:
                await self._lobby.join(self._task.state.room, f"Person {self._at + 1}", None, self._token)
            except RequestRefused:
                return

    async def _between(self, hands: int) -> None:
        """What people do between two hands."""
        state, rng = self._task.state, self._rng
        seat = state.seat_of(self._person)
        assert seat is not None
        chair, host = state.chairs[seat], state.host == self._person
        if host and state.hand >= hands and not state.closed:
            await self._ask(wire.CloseRoom(self._id()))
            return
        if chair.away:
            await self._ask(wire.SitOut(self._id(), False))
        elif may_rebuy(state, chair) and (not chair.chips or rng.random() < 0.3):
            await self._ask(wire.Rebuy(self._id()))
        if rng.random() < CHAT:
            await self._ask(wire.Say(self._id(), f"nice hand, {state.hand}"))
        if rng.random() < MUCK:
            await self._ask(wire.Muck(self._id(), bool(rng.integers(2))))
        if rng.random() < SIT_OUT:
            await self._ask(wire.SitOut(self._id(), True))
        if self._at and rng.random() < LEAVE:
            await self._ask(wire.Leave(self._id()))
        if host and rng.random() < REMOVE:
            await self._change_mind()

    async def _change_mind(self) -> None:
        """A bot leaves, and the same one sits down again as a new one; nobody may be asked to leave in mid-hand."""
        chairs = self._task.state.chairs
        minds = [at for at, chair in enumerate(chairs) if chair.mind and not chair.leaving]
        if minds:
            seat = int(self._rng.choice(minds))
            mind = chairs[seat].mind
            await self._ask(wire.Remove(self._id(), seat))
            await self._ask(wire.PutMind(self._id(), seat, mind or "caller"))

    def _choice(self, legal: list[int]) -> int:
        """Fold or doubt, check or call, sometimes raise, now and then all of it."""
        draw = float(self._rng.random())
        if self._task.state.settings.game == "perudo":
            return DUDO if DUDO in legal and draw < 0.4 else legal[min(len(legal) - 1, int(draw * 4))]
        if draw < 0.35:
            return legal[0]
        if draw < 0.9 or len(legal) < 3:
            return 1
        return legal[-1] if draw > 0.96 else legal[2 + int((draw - 0.9) * 40)] if len(legal) > 5 else legal[2]

    async def _ask(self, message: wire.Request) -> None:
        """A refusal is an answer too: the hand may have been dealt meanwhile."""
        await self._task.request(self._person, message)

    def _id(self) -> str:
        return f"{self._start}-{next(self._numbers)}"


class Watcher:
    """A spectator that is sent every few changes, as a slow page is."""

    def __init__(self, task: RoomTask) -> None:
        self._task, self._wake, self._seen = task, asyncio.Event(), 0

    async def watch(self) -> None:
        left = self._task.listen(self._wake.set, None)
        try:
            while True:
                for _ in range(25):
                    self._wake.clear()
                    await self._wake.wait()
                self._seen = self._task.frame(None, self._seen).number
        finally:
            left()


def told(slot: Slot) -> dict[str, object]:
    """A table that another process plays at."""
    return {"room": slot.room, "token": slot.tokens[0], "settings": asdict(slot.settings)}
