"""Access control: host and origin checks, tokens, rate limits, the password."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final
from urllib.parse import urlsplit

from tahur.room.rate_limits import Limits, TokenBucket, TokenBuckets, seconds_words


class SystemClock:
    """This machine's monotonic and wall clocks."""

    def now(self) -> float:
        return time.monotonic()

    def wall(self) -> float:
        return time.time()


LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")


class NotAllowed(Exception):
    """A rejected request: the status, the reason in a sentence, and when to retry, in seconds."""

    def __init__(self, status: int, why: str, again: int | None = None) -> None:
        super().__init__(why)
        self.status = status
        self.again = again


MESSAGES: Final = Limits(40, 15)  # messages of one connection
CALLS: Final = Limits(120, 20)  # HTTP requests of one address
ENTRIES: Final = Limits(12, 0.5)  # rooms opened, seats taken, passwords tried by one address
ROOMS: Final = Limits(20, 1 / 60)  # rooms opened from one address: a household, or friends behind one router
ROOMS_OF_PASS: Final = Limits(10, 1 / 120)  # rooms opened by one browser, with a password
WRONG: Final = Limits(6, 1 / 60)  # wrong passwords from one address
WRONG_IN_ALL: Final = Limits(60, 1 / 6)  # wrong passwords in total
HOUSE_COOKIE: Final = "tahur-house"


@dataclass(slots=True)
class Guard:
    """The access control of one server. `hosts`: accepted host names; empty: any, if open to the network."""

    password: str = ""
    hosts: tuple[str, ...] = LOOPBACK
    limited: bool = True
    clock: SystemClock = field(default_factory=SystemClock)
    _calls: dict[Limits, TokenBuckets] = field(default_factory=dict)
    _wrong_of: TokenBuckets = field(default_factory=lambda: TokenBuckets(WRONG))
    _wrong: TokenBucket = field(default_factory=lambda: TokenBucket(WRONG_IN_ALL, 0.0))

    def check_host(self, headers: Mapping[str, str]) -> None:
        """Check the Host header: another name for this machine may be a DNS rebinding attack."""
        name = _name(headers.get("host", ""))
        if self.hosts and name not in self.hosts:
            raise NotAllowed(403, f"the host names of this server are {', '.join(self.hosts)}, not '{name[:60]}'")

    def check_origin(self, headers: Mapping[str, str], *, needed: bool) -> None:
        """Check the Origin header: only pages of this server. Programs send no origin, but a bearer token."""
        origin = headers.get("origin")
        if origin is None:
            if needed:
                raise NotAllowed(403, "a connection without an origin must show its token as a bearer")
            return
        if _place(origin) != headers.get("host", "").lower() or "://" not in origin:
            raise NotAllowed(403, "a page of another server may not do this")

    def check_pace(self, client: str, limits: Limits) -> None:
        """Check the rate limit of an address or of a token."""
        if not self.limited:
            return
        buckets = self._calls.setdefault(limits, TokenBuckets(limits))
        now = self.clock.now()
        if not buckets.of(client, now).take(now):
            again = max(1, round(1 / limits.rate))
            raise NotAllowed(429, "too many requests from this address; wait a moment", again)

    def check_new_room(self, address: str, house_pass: str) -> None:
        """Check how many rooms one address and one browser may open."""
        if not self.limited:
            return
        now = self.clock.now()
        buckets = [self._calls.setdefault(ROOMS, TokenBuckets(ROOMS)).of(address, now)]
        if house_pass:
            buckets.append(self._calls.setdefault(ROOMS_OF_PASS, TokenBuckets(ROOMS_OF_PASS)).of(house_pass, now))
        if wait := max(bucket.wait(now) for bucket in buckets):
            raise NotAllowed(429, f"too many new rooms; open another in {seconds_words(wait)}")
        for bucket in buckets:
            bucket.take(now)

    # ---- the password ----------------------------------------------------------------------------

    def check_password(self, given: str, address: str = "") -> None:
        """Check the password. Wrong ones are limited by address and in total; a pass or a seat suffices."""
        if not self.password:
            return
        if not given:
            raise NotAllowed(401, "this server asks for a password")
        now = self.clock.now()
        buckets = (self._wrong_of.of(address, now), self._wrong)
        wait = max(bucket.wait(now) for bucket in buckets) if self.limited else 0.0
        if wait:
            raise NotAllowed(429, f"too many wrong passwords; try again in {seconds_words(wait)}")
        if not hmac.compare_digest(_digest(given), _digest(self.password)):
            for bucket in buckets:
                bucket.take(now)
            raise NotAllowed(401, "that is not the password")

    def new_pass(self) -> str:
        """A pass: proof that the password was given; valid until the password changes."""
        nonce = secrets.token_urlsafe(12)
        return f"{nonce}.{self._sign(nonce)}"

    def pass_of(self, headers: Mapping[str, str], cookies: Mapping[str, str]) -> str:
        """The pass of a request, from a cookie or a bearer token; "" if it has no valid one."""
        bearer = token_of(headers, {}, "")[0]
        for text in (cookies.get(HOUSE_COOKIE, ""), bearer):
            nonce, _, signed = text.partition(".")
            if nonce and hmac.compare_digest(signed.encode(errors="replace"), self._sign(nonce).encode()):
                return text
        return ""

    def lets_in(self, headers: Mapping[str, str], cookies: Mapping[str, str]) -> bool:
        """Whether the request has access: there is no password, or it was given before."""
        return not self.password or bool(self.pass_of(headers, cookies))

    def _sign(self, nonce: str) -> str:
        return hmac.new(_derive_key(self.password), nonce.encode(errors="replace"), hashlib.sha256).hexdigest()


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode(errors="replace")).digest()


@cache
def _derive_key(password: str) -> bytes:
    """The key for passes: slow to compute, so that the password cannot be guessed quickly from a stolen pass."""
    return hashlib.scrypt(password.encode(), salt=b"tahur house pass", n=1 << 14, r=8, p=1)


def place_of(address: str) -> str:
    """What counts as one address: an IPv4 address, or the /64 prefix of an IPv6 one, which is one household."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is not None:
            return str(ip.ipv4_mapped)
        return str(ipaddress.ip_network((ip, 64), strict=False))
    return str(ip)


def token_of(headers: Mapping[str, str], cookies: Mapping[str, str], room: str) -> tuple[str, bool]:
    """The token of a request, empty if there is none, and whether it is a bearer token."""
    scheme, _, bearer = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and bearer:
        return bearer.strip(), True
    return cookies.get(cookie_name(room), ""), False


def cookie_name(room: str) -> str:
    return f"tahur-{room}"


FORWARDING: Final = ("x-forwarded-for", "forwarded", "x-real-ip", "via")  # headers that proxies add


def is_operator(headers: Mapping[str, str], address: str) -> bool:
    """Whether a request comes from a browser on the server's own machine, not through a proxy on it."""
    local = is_loopback(address) and _name(headers.get("host", "")) in LOOPBACK
    return local and not any(name in headers for name in FORWARDING)


def is_loopback(host: str) -> bool:
    """Whether an address to listen on is reachable only from this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _place(origin: str) -> str:
    """Name and port in an Origin header; empty if there is none."""
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
