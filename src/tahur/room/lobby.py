"""All rooms of a server: opens them, loads them from their logs on demand, and unloads idle ones."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

from tahur.core.errors import TahurError, UnknownName
from tahur.core.game import Seat
from tahur.room.bans import BANNED
from tahur.room.bots import MakeBot, RoomBots
from tahur.room.deck import Randomness, SecureRandomness
from tahur.room.facts import Interrupted, MindSat, Opened, Paused, RoomSettings
from tahur.room.figures import Figures
from tahur.room.keeper import MOST_BOT_NAME, BotNames, Keeper, RequestRefused
from tahur.room.log import Draft, chain_entries
from tahur.room.names import check_name, free_name
from tahur.room.rate_limits import Limits
from tahur.room.snapshot import WORTH, load
from tahur.room.state import RoomState, replay_log
from tahur.room.store import Store, StoreError
from tahur.room.task import Clock, Newcomer, RoomTask, token_hash

IDLE: Final = 900.0  # seconds without a connection before a room is unloaded
UNUSED: Final = 120.0  # the same for a room in which no hand was dealt yet
MOST_ROOMS: Final = 500  # rooms loaded at once
MOST_OF_ONE: Final = 40  # running at once that were opened from one address
MOST_WATCHERS: Final = 200  # tokens of spectators per room
THREADS: Final = 4  # for bots

DAY: Final = 86_400.0
MOST_LOADED: Final = 10  # for a list
LOOK_AGAIN: Final = 5.0  # seconds for which the list of the last day's rooms is cached: it reads the whole log

_log: Final = logging.getLogger(__name__)
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"


@dataclass(frozen=True, slots=True)
class Pass:
    """A seat in a room, and the token that proves it."""

    room: str
    seat: Seat | None
    token: str


class RoomUnreadable(TahurError, RuntimeError):
    """A room whose log cannot be replayed."""


class Lobby:
    """The rooms of a server by name."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        make_bot: MakeBot,
        bot_names: BotNames,
        randomness: Randomness | None = None,
        *,
        chat: Limits | None = None,
    ) -> None:
        """`chat`: rate limit of one person's chat in a room; None for no limit."""
        self._store = store
        self._clock = clock
        self._make_bot = make_bot
        self._bot_names = bot_names
        self._randomness = randomness or SecureRandomness()
        self._chat = chat
        self._threads = ThreadPoolExecutor(THREADS, "mind")
        self._rooms: dict[str, RoomTask] = {}
        self._known = set(store.rooms())
        self._recent: list[str] = []
        self._looked = float("-inf")
        self._last_beat = store.last_beat() or 0.0  # last sign of life of the previous server
        self.figures = Figures()
        self._unreadable: set[str] = set()  # unreadable rooms, reported once
        self._left: dict[str, float] = {}  # when a room was unloaded
        self._loading: dict[str, asyncio.Lock] = {}
        self._opened_from: dict[str, str] = {}  # by loaded room: the address it was opened from
        self._watchers: dict[str, dict[str, None]] = {}  # by room: hashes of tokens, oldest first

    @property
    def store(self) -> Store:
        return self._store

    @property
    def running(self) -> tuple[RoomTask, ...]:
        """The rooms that are loaded."""
        return tuple(self._rooms.values())

    def write_beat(self) -> Future[None]:
        """Write the server's heartbeat; done when it is on disk."""
        return self._store.beat(self._clock.wall())

    def has(self, room: str) -> bool:
        """Whether a room of this name exists or existed."""
        return room in self._known

    def listed(self) -> list[str]:
        """The loaded rooms, and recent rooms that are not loaded yet (loading takes a while)."""
        now = self._clock.now()
        if now - self._looked >= LOOK_AGAIN:
            self._looked = now
            self._recent = self._store.recent(self._clock.wall() - DAY, MOST_LOADED)
        return [*self._rooms, *self._recent]

    async def open(
        self,
        settings: RoomSettings,
        host: str,
        minds: Sequence[str | None],
        *,
        wait: bool = False,
        address: str = "",
    ) -> Pass:
        """A new room with its host in seat 0 and bots; if `wait`, the host must start the game."""
        host = check_name(host)
        await self._make_space(address)
        room = next(name for _ in range(100) if (name := _room_name()) not in self._known)
        drafts = [Draft(Opened(room, settings)), *self._seat_bots(settings.game, host, minds)]
        if wait:
            drafts.append(Draft(Paused(True)))
        entries = chain_entries(room, None, drafts, self._clock.wall())
        await asyncio.wrap_future(self._store.append(entries))
        self._known.add(room)
        self._opened_from[room] = address
        self._start(room, replay_log(entries))
        _log.info("room opened", extra={"room": room, "game": settings.game, "seats": settings.seats})
        return await self.join(room, host, 0, address=address)

    def _seat_bots(self, game: str, host: str, minds: Sequence[str | None]) -> list[Draft]:
        """The bots of a new room, with unique names."""
        names, drafts = [host], []
        for seat, mind in enumerate(minds, start=1):
            if mind is not None:
                name = check_name(self._bot_names(mind, game), "bot's name", most=MOST_BOT_NAME)
                names.append(free_name(name, names))
                drafts.append(Draft(MindSat(seat, mind, names[-1])))
        return drafts

    async def _make_space(self, address: str) -> None:
        """Unload rooms without a connection: only rooms in use count towards the limits."""
        own = [name for name in self._rooms if address and self._opened_from.get(name) == address]
        if len(own) >= MOST_OF_ONE and not await self._unload_one(own):
            raise RequestRefused(f"{MOST_OF_ONE} rooms opened from your address are in use; close one first")
        if len(self._rooms) >= MOST_ROOMS and not await self._unload_one(list(self._rooms)):
            raise RequestRefused(f"{MOST_ROOMS} rooms are in use, the maximum; try again later")

    async def _unload_one(self, names: Sequence[str]) -> bool:
        """Unload the least recently used room without a connection; returns whether there was one."""
        idle = [name for name in names if self._rooms[name].idle]
        if not idle:
            return False
        await self._unload(min(idle, key=lambda name: self._rooms[name].touched))
        return True

    async def join(self, room: str, name: str, seat: Seat | None, token: str = "", *, address: str = "") -> Pass:
        """Take a seat, or any empty one; a visitor with a valid token gets a seat as the same person."""
        name = check_name(name)
        task = await self.room(room)
        visitor = task.visitor(token, address)
        if task.state.refuses(visitor):
            raise RequestRefused(BANNED)
        person = task.person_of(token) if token else None
        if person is None:
            token, person = secrets.token_urlsafe(24), secrets.token_hex(8)
        taken = await task.join(
            Newcomer(person=person, name=name, token=token_hash(token), seat=seat, address=visitor.address)
        )
        return Pass(room, taken, token)

    async def watch(self, room: str, token: str = "", *, address: str = "") -> Pass:
        """A token for a spectator, or the existing one; valid until the server stops."""
        task = await self.room(room)
        if task.state.refuses(task.visitor(token, address)):
            raise RequestRefused(BANNED)
        if token and self.watches(room, token):
            return Pass(room, None, token)
        watchers = self._watchers.setdefault(room, {})
        while len(watchers) >= MOST_WATCHERS:
            del watchers[next(iter(watchers))]
        token = secrets.token_urlsafe(24)
        watchers[token_hash(token)] = None
        return Pass(room, None, token)

    def recognises(self, room: str, token: str) -> bool:
        """Whether the token belongs to a person or spectator in a loaded room."""
        running = self._rooms.get(room)
        return self.watches(room, token) or (running is not None and running.person_of(token) is not None)

    def watches(self, room: str, token: str) -> bool:
        """Whether the token is of a spectator in this room."""
        return token_hash(token) in self._watchers.get(room, {})

    async def room(self, name: str) -> RoomTask:
        """The room of this name, loaded if necessary."""
        if name not in self._known:
            raise UnknownName(f"no room '{name}'")
        async with self._loading.setdefault(name, asyncio.Lock()):
            running = self._rooms.get(name)
            if running is None or running.lost:
                began = self._clock.now()
                state, snapshot_entry = await self._load_room(name)
                await self._note_absence(name, state)
                running = self._start(name, state, snapshot_entry)
                fields = {
                    "snapshot": snapshot_entry,
                    "hand": state.hand,
                    "seconds": round(self._clock.now() - began, 3),
                }
                _log.info("room loaded", extra={"room": name, **fields})
        return running

    async def _load_room(self, name: str) -> tuple[RoomState, int]:
        """Load a room: its state, and the entry of its snapshot. A broken log does not affect other rooms."""
        try:
            return await asyncio.to_thread(load, self._store, name)
        except StoreError:
            raise
        except Exception as error:
            if name not in self._unreadable:
                self._unreadable.add(name)
                _log.exception("room cannot be read", extra={"room": name})
            raise RoomUnreadable(f"room {name} cannot be read: {error}; see: tahur room verify {name}") from None

    async def _note_absence(self, room: str, state: RoomState) -> None:
        """Downtime does not count against the clock of the seat to act."""
        ask, last = state.ask, state.last_entry
        if ask is None or last is None or state.paused or not state.settings.seconds:
            return
        wall = self._clock.wall()
        served = max(last.time, self._left.get(room, self._last_beat))
        entries = chain_entries(room, last, [Draft(Interrupted(max(0, int(1000 * (wall - served)))))], wall)
        await asyncio.wrap_future(self._store.append(entries))
        for entry in entries:
            state.apply(entry)

    def beat(self) -> None:
        """Write a heartbeat while a player's clock runs."""
        turns = (room.keeper.turn for room in self._rooms.values())
        if any(turn is not None and turn.seconds for turn in turns):
            self._store.beat(self._clock.wall())

    async def sweep(self) -> None:
        """Unload the rooms that have been idle for a while; their logs contain everything."""
        now = self._clock.now()
        for name, room in list(self._rooms.items()):
            if room.idle and now - room.touched > (IDLE if room.state.hand else UNUSED):
                await self._unload(name)

    async def _unload(self, name: str) -> None:
        """Stop a room that has no connections, and keep a snapshot of it."""
        async with self._loading.setdefault(name, asyncio.Lock()):
            room = self._rooms.get(name)
            if room is not None and room.idle:
                await room.stop()
                room.keep_snapshot(WORTH)
                del self._rooms[name]
                self._opened_from.pop(name, None)
                self._left[name] = self._clock.wall()
                _log.info("room unloaded", extra={"room": name})

    async def close(self) -> None:
        """Stop all rooms; accepted requests are on disk. A log that cannot be written does not block this."""
        await asyncio.gather(*(room.stop() for room in self._rooms.values()))
        self._rooms.clear()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _start(self, name: str, state: RoomState, snapshot_entry: int = 0) -> RoomTask:
        """Start the task of a room; `snapshot_entry`: the entry of its last snapshot."""
        spent = state.spent(self._clock.wall())
        keeper = Keeper(state, self._randomness, self._bot_names, self._clock.now(), spent=spent, chat=self._chat)
        task = RoomTask(
            keeper=keeper,
            bots=RoomBots(self._make_bot),
            store=self._store,
            clock=self._clock,
            threads=self._threads,
            figures=self.figures,
            snapshot_entry=snapshot_entry,
        )
        self._rooms[name] = task
        task.start()
        return task


def _room_name() -> str:
    """A room name that is easy to read aloud and hard to guess."""
    return "-".join("".join(secrets.choice(_LETTERS) for _ in range(4)) for _ in range(2))
