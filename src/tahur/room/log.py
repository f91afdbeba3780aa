"""The log of a room: a hash chain of entries. Pure values; `store` writes them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from tahur.room.facts import Fact, Opened, fact_of, fact_text
from tahur.room.facts import LogError as LogError

START: Final = "0" * 64  # the hash before the first entry


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
    kind: str  # type and hand of the fact, as an index
    hand: int | None
    text: str  # of the fact
    digest: str
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


def chained(room: str, last: LogEntry | None, drafts: Iterable[Draft], time: float) -> list[LogEntry]:
    """The drafts as entries after the last one."""
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


def checked(room: str, entries: Iterable[LogEntry]) -> Iterator[LogEntry]:
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
