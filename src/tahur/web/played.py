"""Finished hands of a room: lists and exports, made a few hands at a time in a separate thread.

Their cost grows with the number of hands, so they must not block the event loop or other threads. One thread does all
of it, in small parts; concurrent exports take turns, and a part is made when the reader has taken the previous one.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, ParamSpec, TypeVar

from starlette.requests import ClientDisconnect
from starlette.responses import StreamingResponse

from tahur.core.errors import RecordError
from tahur.core.record import Record
from tahur.room.facts import Ended
from tahur.room.history import Format, SeenHand, exported, hand_line
from tahur.room.log import LogEntry
from tahur.room.rest import HandLine
from tahur.room.state import RoomState
from tahur.room.store import Store
from tahur.web.guard import NotAllowed

PART: Final = 25  # hands written at once: some milliseconds of work
SUM_PART: Final = 500  # hands whose results are summed at once
MOST_OF_ONE: Final = 8  # concurrent exports of one person or address
MOST: Final = 64  # concurrent exports in total
AGAIN: Final = 5  # seconds to wait if there are too many
DEADLINE: Final = 900.0  # seconds that the reader of an export may take
SUFFIX: Final[dict[Format, str]] = {"phh": "phhs", "pokerstars": "txt", "json": "jsonl"}

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Sitter:
    """A person who requests hands of a room, and the room's state at that time."""

    store: Store
    state: RoomState
    person: str | None
    finished: int  # hands
    result: int  # total result of the person in all of them

    @classmethod
    def of(cls, store: Store, state: RoomState, person: str | None) -> Sitter:
        tally = state.tallies.get(person or "")
        return cls(store, state, person, state.finished, tally.result if tally else 0)

    def seen_hand(self, entry: LogEntry) -> SeenHand:
        """A finished hand, the person's seat in it, and when it ended."""
        fact = entry.fact
        assert isinstance(fact, Ended)
        return fact, self.state.seat_in(self.person, fact.hand), entry.time

    def ended(self, after: int, before: int, most: int, *, oldest_first: bool) -> list[SeenHand]:
        """The finished hands in a range of numbers."""
        before = min(before, self.finished + 1)
        entries = self.store.of_kind(
            self.state.room, Ended.TYPE, after=after, before=before, most=most, oldest_first=oldest_first
        )
        return [self.seen_hand(entry) for entry in entries]


@dataclass(slots=True)
class PlayedHands:
    """One server's work on finished hands."""

    _thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "played"))
    _running: Counter[str] = field(default_factory=Counter)  # running exports by person or address

    async def run(self, work: Callable[P, T], *words: P.args, **named: P.kwargs) -> T:
        """Run a function in the thread for finished hands."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, lambda: work(*words, **named))

    def close(self) -> None:
        """Stop accepting work."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    # ---- a list ----------------------------------------------------------------------------------

    async def lines(self, sitter: Sitter, before: int | None, most: int) -> tuple[tuple[HandLine, ...], bool]:
        """The hands, newest first, and whether there are more; totals cover all hands that the person played here."""
        newest = sitter.finished if before is None else min(sitter.finished, before - 1)
        total = float(sitter.result)
        for first in range(newest, sitter.finished, SUM_PART):  # the result of the hands after this list
            total -= await self.run(_result_of, sitter, first, first + SUM_PART + 1)
        return await self.run(_lines, sitter, newest, most, total)

    # ---- an export -------------------------------------------------------------------------------

    async def export(self, sitter: Sitter, to: Format, only: int | None, caller: str) -> StreamingResponse:
        """The file of all hands or of one, streamed while it is made."""
        if to != "json" and not sitter.state.adapter.has_histories:
            raise RecordError(f"{sitter.state.settings.game} has no hand history format; use json")
        if self._running[caller] >= MOST_OF_ONE or self._running.total() >= MOST:
            raise NotAllowed(429, f"too many exports at the same time; the maximum is {MOST_OF_ONE}", again=AGAIN)
        self._running[caller] += 1
        texts = self._texts(sitter, to, only)
        try:
            first = await anext(texts, "")  # a fault in the log is answered with a status
        except BaseException:
            self._release(caller)
            raise
        name = f'attachment; filename="{sitter.state.room}.{SUFFIX[to]}"'
        headers = {"Content-Disposition": name, "Cache-Control": "no-store"}
        return ExportResponse(_prepend(first, texts), headers, lambda: self._release(caller))

    def _release(self, caller: str) -> None:
        self._running[caller] -= 1
        if self._running[caller] <= 0:
            del self._running[caller]

    async def _texts(self, sitter: Sitter, to: Format, only: int | None) -> AsyncIterator[str]:
        after, before = (0, sitter.finished + 1) if only is None else (only - 1, only + 1)
        total, number = before - after - 1, 1
        while hands := await self.run(sitter.ended, after, before, PART, oldest_first=True):
            yield await self.run(exported, hands, to, first=number, total=total)
            after, number = hands[-1][0].hand, number + len(hands)


class ExportResponse(StreamingResponse):
    """A file that is made while it is sent; `ended` is called in any case."""

    def __init__(self, texts: AsyncIterator[str], headers: dict[str, str], ended: Callable[[], None]) -> None:
        super().__init__(texts, 200, headers, "text/plain")
        self._release = ended

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            with suppress(TimeoutError, ClientDisconnect):  # the connection is then closed before the end of the file
                async with asyncio.timeout(DEADLINE):
                    await super().__call__(scope, receive, send)
        finally:
            self._release()


async def _prepend(first: str, texts: AsyncIterator[str]) -> AsyncIterator[str]:
    yield first
    async for text in texts:
        yield text


def _result_of(sitter: Sitter, after: int, before: int) -> float:
    """The person's result in the hands of a range of numbers."""
    hands = sitter.ended(after, before, before - after, oldest_first=True)
    return sum(_payoff(ended, seat) for ended, seat, _ in hands)


def _payoff(ended: Ended, seat: int | None) -> float:
    return 0.0 if seat is None else float((Record.from_json(ended.record).payoffs or ())[seat])


def _lines(sitter: Sitter, newest: int, most: int, total: float) -> tuple[tuple[HandLine, ...], bool]:
    hands = sitter.ended(0, newest + 1, most + 1, oldest_first=False)
    lines = []
    for ended, seat, _ in hands[:most]:
        lines.append(hand_line(ended, seat, None if seat is None else total))
        total -= _payoff(ended, seat)
    return tuple(lines), len(hands) > most
