"""Who is let in: where a request comes from, whose token it shows, how often it asks, whether it knows the password."""

from __future__ import annotations

import hmac
import ipaddress
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from tahur.web.clock import SystemClock

LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
MOST_CLIENTS: Final = 10_000  # addresses whose pace is remembered


class NotAllowed(Exception):
    """A request that is turned away: the status, why in a sentence, and when to try again, in seconds."""

    def __init__(self, status: int, why: str, again: int | None = None) -> None:
        super().__init__(why)
        self.status = status
        self.again = again


@dataclass(frozen=True, slots=True)
class Limits:
    """So many at once, and so many a second."""

    burst: float
    rate: float


MESSAGES: Final = Limits(40, 15)  # of one connection
CALLS: Final = Limits(120, 20)  # of one address, over plain HTTP
ENTRIES: Final = Limits(12, 0.5)  # rooms opened, seats taken, passwords tried, of one address


class Bucket:
    """A token bucket."""

    __slots__ = ("_left", "_limits", "_when")

    def __init__(self, limits: Limits, now: float) -> None:
        self._limits = limits
        self._left = limits.burst
        self._when = now

    def take(self, now: float) -> bool:
        """Whether one more is allowed now."""
        self._left = min(self._limits.burst, self._left + (now - self._when) * self._limits.rate)
        self._when = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


@dataclass(slots=True)
class Guard:
    """One server's door. `hosts`: the names it goes by; empty: any, for a server that is open to the network."""

    password: str = ""
    hosts: tuple[str, ...] = LOOPBACK
    limited: bool = True
    clock: SystemClock = field(default_factory=SystemClock)
    _calls: OrderedDict[tuple[str, str], Bucket] = field(default_factory=OrderedDict)

    def check_host(self, headers: Mapping[str, str]) -> None:
        """A page of another name that leads to this machine (DNS rebinding) is not ours."""
        name = _name(headers.get("host", ""))
        if self.hosts and name not in self.hosts:
            raise NotAllowed(403, f"this server goes by {', '.join(self.hosts)}, not by '{name[:60]}'")

    def check_origin(self, headers: Mapping[str, str], *, needed: bool) -> None:
        """A browser says which page asks: only pages of this server may. Programs say nothing, and show a token."""
        origin = headers.get("origin")
        if origin is None:
            if needed:
                raise NotAllowed(403, "a connection without an origin must show its token as a bearer")
            return
        if _place(origin) != headers.get("host", "").lower() or "://" not in origin:
            raise NotAllowed(403, "a page of another server may not do this")

    def check_pace(self, client: str, limits: Limits) -> None:
        """How often an address, or somebody with a token, may ask."""
        if not self.limited:
            return
        key = client, str(limits)
        bucket = self._calls.pop(key, None) or Bucket(limits, self.clock.now())
        self._calls[key] = bucket  # the last asked last
        while len(self._calls) > MOST_CLIENTS:
            self._calls.popitem(last=False)
        if not bucket.take(self.clock.now()):
            again = max(1, round(1 / limits.rate))
            raise NotAllowed(429, "too many requests from this address; wait a moment", again)

    def check_password(self, given: str) -> None:
        if self.password and not hmac.compare_digest(given.encode(), self.password.encode()):
            raise NotAllowed(401, "this server asks for a password" if not given else "that is not the password")


def token_of(headers: Mapping[str, str], cookies: Mapping[str, str], room: str) -> tuple[str, bool]:
    """The token that a request shows, and whether as a bearer."""
    scheme, _, bearer = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and bearer:
        return bearer.strip(), True
    return cookies.get(cookie_name(room), ""), False


def cookie_name(room: str) -> str:
    return f"tahur-{room}"


def is_loopback(host: str) -> bool:
    """Whether an address to listen at is this machine alone."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _place(origin: str) -> str:
    """Name and port in an Origin header; empty if it has none."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def _name(host: str) -> str:
    """The name in a Host header, without its port."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""
