"""The log of a room: a hash chain of entries, and how a running room adds to it: on disk first, then to its state."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Final, Protocol

from tahur.core.errors import TahurError
from tahur.room.facts import Fact, Opened, fact_of, fact_text
from tahur.room.facts import LogError as LogError

START: Final = "0" * 64  # the hash before the first entry
CHECKS, CHECK_SECONDS = 3, 0.3  # number of checks for entries whose write failed, and seconds between them


class StoreError(TahurError, RuntimeError):
    """A database that cannot be opened or written."""


class RoomChanged(TahurError, RuntimeError):
    """The log of a room has entries that this server did not write."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A fact to be written, and the request that it answers, if any."""

    fact: Fact
    person: str | None = None
    request: str | None = None


@dataclass(frozen=True, slots=True)
class LogEntry:
    """Fact number `number` of a room, with the hash that chains it to the previous ones."""

    room: str
    number: int
    time: float  # seconds since 1970
    person: str | None
    request: str | None
    kind: str  # the fact's `TYPE`; it and `hand` repeat what is in `text`, as columns to search by
    hand: int | None
    text: str  # the fact as JSON
    digest: str  # SHA-256 of this entry and, through the previous digest, of all before it
    _fact: Fact | None = field(default=None, repr=False, compare=False)  # the fact in `text`, if it was just written

    @property
    def fact(self) -> Fact:
        return fact_of(self.text) if self._fact is None else self._fact


@dataclass(frozen=True, slots=True)
class StoredSnapshot:
    """A room's state after entry `number`, stored so that the log need not be replayed from the start."""

    room: str
    number: int
    format: str  # the version that wrote it; other versions ignore it
    digest: str  # hash of the entry, and so of the whole log up to it
    text: str  # JSON
    checksum: str


def digest_of(before: str, room: str, number: int, time: float, draft: Draft, text: str) -> str:
    """The hash of an entry and, through `before`, of all previous entries."""
    row = json.dumps([before, room, number, time, draft.person, draft.request, text], separators=(",", ":"))
    return hashlib.sha256(row.encode()).hexdigest()


def chain_entries(room: str, last: LogEntry | None, drafts: Iterable[Draft], time: float) -> list[LogEntry]:
    """The drafts as numbered entries with hashes, to follow the entry `last` (None: the log is empty)."""
    number, before = (last.number, last.digest) if last else (0, START)
    entries = []
    for draft in drafts:
        number += 1
        text = fact_text(draft.fact)
        before = digest_of(before, room, number, time, draft, text)
        kind, hand = draft.fact.TYPE, getattr(draft.fact, "hand", None)
        entries.append(
            LogEntry(
                room=room,
                number=number,
                time=time,
                person=draft.person,
                request=draft.request,
                kind=kind,
                hand=hand,
                text=text,
                digest=before,
                _fact=draft.fact,
            )
        )
    return entries


def check_chain(room: str, entries: Iterable[LogEntry]) -> Iterator[LogEntry]:
    """Yield the entries, checking the chain; raises `LogError` at the first invalid entry."""
    before = START
    for number, entry in enumerate(entries, start=1):
        if entry.room != room or entry.number != number:
            raise LogError(f"room {room}: entry {number} is missing; after {number - 1} comes {entry.number}")
        draft = Draft(entry.fact, entry.person, entry.request)
        before = digest_of(before, room, number, entry.time, draft, entry.text)
        if entry.digest != before or (entry.kind, entry.hand) != (draft.fact.TYPE, getattr(draft.fact, "hand", None)):
            raise LogError(f"room {room}: entry {number} is not what was written; its hash does not match")
        if (number == 1) != isinstance(draft.fact, Opened):
            raise LogError(
                f"room {room}: entry {number} is {draft.fact.TYPE!r}; the first entry, and no other, must open the room"
            )
        yield entry


# ---- the log of a running room -------------------------------------------------------------------


class LogStore(Protocol):
    """Where entries are kept: `Store`."""

    def append(self, entries: Sequence[LogEntry]) -> Future[None]: ...

    def tail(self, room: str, after: int) -> list[LogEntry]: ...


class RoomLog:
    """Adds to the log of a running room; calls `apply` with entries once they are on disk."""

    def __init__(self, last: LogEntry, store: LogStore, apply: Callable[[Sequence[LogEntry]], None]) -> None:
        self._last = last
        self._store = store
        self._apply = apply
        self._unsure: list[LogEntry] = []  # sent to the store; not known whether they were written

    async def write(self, drafts: Sequence[Draft], time: float) -> None:
        """Write facts, then apply them; raises `StoreError` if they are not written."""
        if self._unsure:
            await self._settle()
            raise StoreError("the log could not be written a moment ago; send it again")
        self._unsure = chain_entries(self._last.room, self._last, drafts, time)
        try:
            await asyncio.wrap_future(self._store.append(self._unsure))
        except StoreError:
            if not await self._settle():
                raise
        else:
            self._confirm()

    async def _settle(self) -> bool:
        """After a failed write: read the end of the log, and apply the entries if they are there after all.

        A database may have committed although its answer was lost. Entries of another writer mean that this room's
        state is outdated.
        """
        written: list[LogEntry] = []
        for _ in range(CHECKS):  # a commit in flight when the connection was lost may still arrive
            written = await asyncio.to_thread(self._store.tail, self._last.room, self._last.number)
            if written:
                break
            await asyncio.wait([asyncio.get_running_loop().create_future()], timeout=CHECK_SECONDS)
        if [entry.digest for entry in written] == [entry.digest for entry in self._unsure]:
            self._confirm()
            return True
        if written:
            raise RoomChanged(f"entry {written[0].number} was written by another server")
        self._unsure = []
        return False

    def _confirm(self) -> None:
        """The pending entries are on disk: apply them."""
        entries, self._unsure = self._unsure, []
        self._last = entries[-1]
        self._apply(entries)
