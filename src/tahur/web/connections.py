"""Limits on connections, before any request is read: how many there are, and how long a request may take to arrive.

Clients that send half a request hold connections at no cost to them, so hundreds of them are an attack. Each request
has a deadline for its headers and body. Of the connections of one address without a complete request only the newest
are kept: a browser needs milliseconds and is never the oldest.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, OrderedDict
from dataclasses import dataclass, field
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

ARRIVING: Final = 10.0  # seconds for a request to arrive, headers and body
MOST_ARRIVING: Final = 64  # connections of one address without a complete request
MOST_OF_ONE: Final = 256  # connections of one address; a trusted proxy has no such limit
MOST: Final = 4_000  # connections in all, if the system allows it
SPARE: Final = 100  # file descriptors reserved for everything else
QUIET: Final = 60.0  # seconds between log lines about refused connections

_log: Final = logging.getLogger(__name__)


@dataclass(slots=True)
class Gate:
    """The connections of one server."""

    trusted: frozenset[str] = frozenset()
    most: int = MOST
    seconds: float = ARRIVING
    _open: Counter[str] = field(default_factory=Counter)
    _arriving: dict[str, OrderedDict[GuardedProtocol, None]] = field(default_factory=dict)
    _refused: int = 0
    _said: float = float("-inf")

    def admit(self, address: str, now: float) -> bool:
        """Whether one more connection is accepted; each accepted one must later call `gone`."""
        many = self._open.total() >= self.most
        if many or (self._open[address] >= MOST_OF_ONE and address not in self.trusted):
            self._say(now)
            return False
        self._open[address] += 1
        return True

    def gone(self, address: str) -> None:
        self._open[address] -= 1
        if self._open[address] <= 0:
            del self._open[address]

    def arriving(self, address: str, connection: GuardedProtocol) -> None:
        """A request has started; the oldest one of its address is dropped if there are too many."""
        waiting = self._arriving.setdefault(address, OrderedDict())
        waiting[connection] = None
        if len(waiting) > MOST_ARRIVING and address not in self.trusted:
            oldest, _ = waiting.popitem(last=False)
            oldest.drop()

    def arrived(self, address: str, connection: GuardedProtocol) -> None:
        """A request is complete, or its connection is closed."""
        waiting = self._arriving.get(address)
        if waiting is not None:
            waiting.pop(connection, None)
            if not waiting:
                del self._arriving[address]

    def _say(self, now: float) -> None:
        self._refused += 1
        if now - self._said >= QUIET:
            _log.warning("too many connections", extra={"refused": self._refused})
            self._said = now


class GuardedProtocol(H11Protocol):
    """uvicorn's protocol with a gate; `guarded` sets the gate."""

    gate: Gate

    def __init__(self, *words: Any, **named: Any) -> None:
        super().__init__(*words, **named)
        self._address = ""
        self._admitted = False
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._address = self.client[0] if self.client else "?"
        self._admitted = self.gate.admit(self._address, self.loop.time())
        if self._admitted:
            self._wait()
        else:
            self.drop()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.transport.get_protocol() is not self:  # now a WebSocket, which has its own pings
            self._rest()
        elif self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self._wait()
        else:
            self._rest()

    def handle_websocket_upgrade(self, event: Any) -> None:
        """The connection switches to another protocol, which reports its end to the gate instead of this one."""
        super().handle_websocket_upgrade(event)
        self._rest()
        other: Any = self.transport.get_protocol()
        if other is self or not self._admitted:
            return
        self._admitted = False
        address, gate, lost = self._address, self.gate, other.connection_lost

        def ended(exc: Exception | None) -> None:
            gate.gone(address)
            lost(exc)

        other.connection_lost = ended

    def connection_lost(self, exc: Exception | None) -> None:
        self._rest()
        if self._admitted:
            self._admitted = False
            self.gate.gone(self._address)
        super().connection_lost(exc)

    def drop(self) -> None:
        """Close the connection without an answer."""
        self._rest()
        self.transport.abort()

    def _wait(self) -> None:
        """A request has started: it must be complete by the deadline, however fast its bytes arrive."""
        if self._deadline is None:
            self._deadline = self.loop.call_later(self.gate.seconds, self.drop)
            self.gate.arriving(self._address, self)

    def _rest(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
            self.gate.arrived(self._address, self)


def guarded(gate: Gate) -> type[GuardedProtocol]:
    """The protocol class for a server with this gate."""
    return type("GatedProtocol", (GuardedProtocol,), {"gate": gate})


def most_connections() -> int:
    """The number of connections that the system allows, after raising its limit as far as possible."""
    if resource is None:
        return 400
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST + SPARE if hard == resource.RLIM_INFINITY else min(MOST + SPARE, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return MOST if soft == resource.RLIM_INFINITY else max(32, min(MOST, soft - SPARE))
