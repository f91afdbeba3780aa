"""A running room: one asyncio task that handles requests in order, drives the referee, and writes before it answers.

All changes to a room go through its inbox. Frames and scenes are made between two steps of the task, so they are always
consistent.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import threading
from collections import Counter, deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass
from typing import Final, Protocol

from tahur.core.game import Seat
from tahur.core.player import Decision
from tahur.room import facts, wire
from tahur.room.bans import BANNED, Visitor, address_hash
from tahur.room.bots import BotQuestion, RoomBots
from tahur.room.figures import REQUEST, ROOM, Figures
from tahur.room.keeper import Keeper, RequestRefused
from tahur.room.log import Draft, LogEntry, RoomChanged, RoomLog
from tahur.room.names import free_name
from tahur.room.scenes import Scenes
from tahur.room.snapshot import EVERY, snapshot_of
from tahur.room.state import RoomState
from tahur.room.store import Store, StoreError

MOST_WAITING: Final = 256  # maximum requests in the inbox
UNLOADED: Final = "the room is being unloaded; connect again"
RETRY_SECONDS: Final = 1.0  # between retries when the log cannot be written
STOP_SECONDS: Final = 2.0  # for a room to finish its writes when it is stopped
ANSWER_SECONDS: Final = 5.0  # after which a request is answered in any case
MAY_COUNT: Final = "the log cannot be written now, so your request may or may not count; look at the table"

NOTABLE: Final = frozenset(  # facts that the server's log shows at level INFO; others at DEBUG
    kind.TYPE for kind in (facts.Joined, facts.MindSat, facts.Gone, facts.Paused, facts.Interrupted, facts.Closed)
)

_log: Final = logging.getLogger(__name__)


class Clock(Protocol):
    """A clock in seconds: `now` is monotonic, for waiting; `wall` counts from 1970, for the log."""

    def now(self) -> float: ...

    def wall(self) -> float: ...


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A visitor who wants a seat; `token` is already hashed."""

    person: str
    name: str
    token: str
    seat: Seat | None
    address: str = ""  # hashed too


@dataclass(frozen=True, slots=True)
class _BotAnswer:
    """A bot's decision for action number `at` of a hand; None if it failed."""

    hand: int
    at: int
    decision: Decision | None


_Answer = wire.Ack | wire.Refused
_WaitingRequest = tuple[str, wire.Request] | Newcomer
_Command = tuple[_WaitingRequest, "asyncio.Future[_Answer]"] | _BotAnswer | None


class RoomTask:
    """A running room. Construct it with the state from its log, then call `start`."""

    def __init__(
        self,
        keeper: Keeper,
        bots: RoomBots,
        store: Store,
        clock: Clock,
        threads: Executor,
        figures: Figures | None = None,
        *,
        snapshot_entry: int = 0,
    ) -> None:
        """`threads` run the bots; `snapshot_entry` is the number of the log entry of the last snapshot, 0 if none."""
        self.state: RoomState = keeper.state
        self.keeper = keeper
        self.scenes = Scenes(keeper)
        self.changes = 0  # number of changes to what viewers see
        self._bots = bots
        self._store = store
        assert self.state.last_entry is not None  # a room's first entry opens it
        self._room_log = RoomLog(self.state.last_entry, store, self._apply)
        self._clock = clock
        self._threads = threads
        self._figures = figures or Figures()
        self._inbox: deque[_Command] = deque()
        self._wake = asyncio.Event()
        self._asked: tuple[int, int] | None = None  # the decision that a bot was last asked for: hand, action number
        self._listeners: set[Callable[[], None]] = set()
        self._task: asyncio.Task[None] | None = None
        self.sockets: Counter[str] = Counter()  # open connections (accepted or not): by token, by address, total
        self.lost = False  # the log has entries that this room did not write: it must be reloaded
        self.touched = clock.now()  # time of the last request
        self._snapshot_entry = snapshot_entry

    # ---- from outside ----------------------------------------------------------------------------

    def start(self) -> None:
        """Start the room's task on the running event loop."""
        self.keep_snapshot()  # for a long log without a snapshot
        self._task = asyncio.create_task(self._run_steps(), name=f"room {self.state.room}")

    async def stop(self) -> None:
        """Stop after pending writes, unless they take too long."""
        if self._task is not None:
            self._enqueue(None)
            done, _ = await asyncio.wait([self._task], timeout=STOP_SECONDS)
            if not done:
                self._task.cancel()
            self._task = None

    def keep_snapshot(self, every: int | None = None) -> None:
        """Store a snapshot if the last one is at least this many entries old; does not wait for it."""
        last = self.state.last_entry
        if last is None or last.number - self._snapshot_entry < (EVERY if every is None else every):
            return
        self._snapshot_entry = last.number
        try:
            self._store.keep(snapshot_of(self.state)).add_done_callback(self._log_snapshot_error)
        except Exception:  # only a cache: the game goes on without it
            _log.exception("no snapshot could be made", extra={"room": self.state.room})

    def _log_snapshot_error(self, done: Future[None]) -> None:
        if error := done.exception():
            _log.warning("snapshot not kept: %s", error, extra={"room": self.state.room})

    def now(self) -> float:
        """The time on the room's monotonic clock, in seconds."""
        return self._clock.now()

    async def request(self, person: str, message: wire.Request) -> _Answer:
        """Apply a person's request once; returns when it is on disk."""
        return await self._submit((person, message), message.id)

    async def join(self, newcomer: Newcomer) -> Seat:
        """Seat a newcomer and return the seat; raises `RequestRefused` with the reason if there is none."""
        answer = await self._submit(newcomer, "")
        if isinstance(answer, wire.Refused):
            raise RequestRefused(answer.why)
        seat = self.state.seat_of(newcomer.person)
        assert seat is not None
        return seat

    def frame(self, person: str | None, seen: int) -> wire.Frame:
        """The frame for this person (None: a spectator) after event `seen`."""
        return self.scenes.frame(self.state.seat_of(person), seen, self._clock.now())

    def listen(
        self, wake: Callable[[], None], person: str | None, address: str = "", *, seeds: bool = False
    ) -> Callable[[], None]:
        """Call `wake` whenever there is something new; returns a function that stops this.

        While it lasts, the person (None: a spectator) counts as connected. `address` is hashed; `seeds`: the page
        offers seeds for the shuffle.
        """
        self._listeners.add(wake)
        if person is not None:
            self.keeper.addresses.note(person, address)
        self._count_connection(person, 1, seeds)

        def stop_listening() -> None:
            self._listeners.discard(wake)
            self._count_connection(person, -1, seeds)

        return stop_listening

    @property
    def listening(self) -> int:
        """The number of connections."""
        return len(self._listeners)

    @property
    def idle(self) -> bool:
        return not self._listeners

    def visitor(self, token: str, address: str) -> Visitor:
        """The visitor with this token and address, hashed as in this room."""
        return Visitor(token_hash(token) if token else "", address_hash(self.state.settings.secret, address))

    def person_of(self, token: str) -> str | None:
        """The person with this token, among all who have ever had a seat here."""
        hashed = token_hash(token)
        people = [stay.person for stay in self.state.stays if hmac.compare_digest(stay.token, hashed)]
        return people[-1] if people else None

    # ---- the task --------------------------------------------------------------------------------

    async def _submit(self, request: _WaitingRequest, id: str) -> _Answer:
        """Put a request into the inbox, and wait for its answer, for a limited time."""
        began = self.touched = self._clock.now()
        if self._task is None or self._task.done():
            return wire.Refused(id, UNLOADED)
        if len(self._inbox) >= MOST_WAITING:
            return wire.Refused(id, "the room is busy; send it again in a moment")
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[_Answer] = loop.create_future()
        self._enqueue((request, answer))
        late = wire.Refused(id, MAY_COUNT)
        expiry = loop.call_later(ANSWER_SECONDS, lambda: None if answer.done() else answer.set_result(late))
        try:
            result = await answer
        finally:
            expiry.cancel()
        if isinstance(result, wire.Ack):
            self._figures.acknowledged.add(self._clock.now() - began)
        else:
            self._figures.refused["log" if result is late else "room"] += 1
        return result

    async def _run_steps(self) -> None:
        """The task: take steps until the room is stopped, or its log turns out to have another writer."""
        ROOM.set(self.state.room)  # in the context of this task
        REQUEST.set(None)
        try:
            await self._steps()
        except RoomChanged as error:
            _log.error("room is loaded again: %s", error)
            self.lost = True
            self._refuse_waiting()
            self._notify()

    async def _steps(self) -> None:
        """Until the room is stopped: write what is due, ask a bot, handle the next request."""
        while True:
            if drafts := self.keeper.tick(self._clock.now()):
                await self._write_or_wait(drafts)
                continue
            self._ask_bot()
            if not self._inbox:
                await self._rest()
                continue
            command = self._inbox.popleft()
            if command is None:
                self._refuse_waiting()
                return
            await self._handle(command)

    async def _rest(self) -> None:
        """Wait for a request in the inbox, or until something is due."""
        due = self.keeper.due()
        self._wake.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(None if due is None else max(0.0, due - self._clock.now())):
                await self._wake.wait()

    def _enqueue(self, command: _Command) -> None:
        self._inbox.append(command)
        self._wake.set()

    async def _handle(self, command: tuple[_WaitingRequest, asyncio.Future[_Answer]] | _BotAnswer) -> None:
        """Pass a bot's answer to the keeper, or carry out a request and set its answer."""
        if isinstance(command, _BotAnswer):
            self.keeper.bot_answered(command.hand, command.at, command.decision)
            return
        request, answer = command
        id = "" if isinstance(request, Newcomer) else request[1].id
        result: _Answer = wire.Refused(id, UNLOADED)
        try:
            result = await self._carry_out(request)
        except (RequestRefused, StoreError) as error:
            result = wire.Refused(id, str(error))
        finally:
            if not answer.done():
                answer.set_result(result)

    async def _carry_out(self, request: _WaitingRequest) -> wire.Ack:
        """Write and apply the facts of a request; a copy of an earlier request is only acknowledged again."""
        if isinstance(request, Newcomer):
            await self._write([Draft(joining_fact(self.state, request))])
            self.keeper.addresses.note(request.person, request.address)
            return wire.Ack("", self.state.number)
        person, message = request
        event = self.state.answered.get((person, message.id))
        if event is None:
            await self._write(self.keeper.request(person, message, self._clock.now()))
            event = self.state.answered[person, message.id]
        return wire.Ack(message.id, event, self.keeper.chat.note_for(person, message.id))

    async def _write(self, drafts: Sequence[Draft]) -> None:
        """Write facts; returns when they are on disk and `_apply` was called."""
        await self._room_log.write(drafts, self._clock.wall())

    def _apply(self, entries: Sequence[LogEntry]) -> None:
        """The entries are on disk: apply them to the state, and notify everyone."""
        for entry in entries:
            self.state.apply(entry)
            self._count_and_log(entry)
        self.keeper.facts_applied(self._clock.now())
        self._notify()
        self.keep_snapshot()

    def _count_and_log(self, entry: LogEntry) -> None:
        """Count a fact, and write it to the server's log without its content: cards, chat and tokens stay out of it."""
        if isinstance(entry.fact, facts.Acted):
            self._figures.actions[entry.fact.by] += 1
        level = logging.INFO if entry.kind in NOTABLE else logging.DEBUG
        if _log.isEnabledFor(level):
            name = getattr(entry.fact, "name", None)
            fields = {"room": entry.room, "entry": entry.number, "hand": entry.hand, "who": name}
            _log.log(level, entry.kind, extra={key: value for key, value in fields.items() if value is not None})

    async def _write_or_wait(self, drafts: Sequence[Draft]) -> None:
        """Write facts that are due; if that fails, wait, so that the next step tries again."""
        try:
            await self._write(drafts)
        except StoreError as error:
            _log.error("room waits: %s", error)
            await asyncio.wait([asyncio.get_running_loop().create_future()], timeout=RETRY_SECONDS)

    def _ask_bot(self) -> None:
        """If it is a bot's turn and it was not asked yet, ask it in a thread."""
        question = None if self.state.paused else self._bots.question(self.state)
        if question is None or (question.hand, question.at) == self._asked:
            return
        self._asked = question.hand, question.at
        began = self._clock.now()
        self._in_thread(question).add_done_callback(lambda done: self._queue_bot_answer(question, began, done))

    def _queue_bot_answer(self, question: BotQuestion, began: float, done: asyncio.Future[Decision | None]) -> None:
        """A bot has answered: put its decision into the inbox, unless the server is closing."""
        self._figures.thinking.add(self._clock.now() - began)
        if not done.cancelled():
            self._enqueue(_BotAnswer(question.hand, question.at, done.result()))

    def _in_thread(self, question: BotQuestion) -> asyncio.Future[Decision | None]:
        """Let a bot answer in another thread.

        Bots share a few threads. A bot that uses a language model waits in its own thread, so that it delays neither
        other bots nor the shutdown of the server.
        """
        context = copy_context()  # so that log lines name the room

        def act() -> Decision | None:
            return context.run(self._bots.act, question)

        if not question.mind.startswith(facts.MODEL):
            return asyncio.get_running_loop().run_in_executor(self._threads, act)
        answer: Future[Decision | None] = Future()
        threading.Thread(target=lambda: answer.set_result(act()), name="model", daemon=True).start()
        return asyncio.wrap_future(answer)

    def _count_connection(self, person: str | None, change: int, seeds: bool) -> None:
        """A connection was opened (+1) or lost (-1): tell the keeper, and look again at what is due."""
        self.touched = self._clock.now()
        if person is not None:
            self.keeper.connected(person, change, self._clock.now(), seeds=seeds)
            self._wake.set()
            self._notify()

    def _notify(self) -> None:
        """What viewers see has changed: wake every connection."""
        self.changes += 1
        self.scenes.changed()
        for wake in tuple(self._listeners):
            wake()

    def _refuse_waiting(self) -> None:
        """Refuse all requests in the inbox: the room is being unloaded."""
        while self._inbox:
            command = self._inbox.popleft()
            if isinstance(command, tuple) and not command[1].done():
                command[1].set_result(wire.Refused("", UNLOADED))


def joining_fact(state: RoomState, newcomer: Newcomer) -> facts.Joined:
    """The fact that seats a newcomer; raises `RequestRefused` with the reason if it cannot be."""
    if state.refuses(Visitor(newcomer.token, newcomer.address)):
        raise RequestRefused(BANNED)
    empty = [seat for seat, chair in enumerate(state.chairs) if not chair.taken]
    if state.closed:
        raise RequestRefused("the room is closed")
    if not empty:
        raise RequestRefused("no seat is free; you can watch")
    if state.settings.open_cards and any(chair.person for chair in state.chairs):
        raise RequestRefused("all cards are open in this room: it is for one person only")
    if newcomer.seat is not None and newcomer.seat not in empty:
        raise RequestRefused(f"seat {newcomer.seat + 1} is not empty")
    seat = empty[0] if newcomer.seat is None else newcomer.seat
    name = free_name(newcomer.name, [chair.name for chair in state.chairs])
    return facts.Joined(seat, newcomer.person, name, newcomer.token)


def token_hash(token: str) -> str:
    """The stored hash of a token."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()
