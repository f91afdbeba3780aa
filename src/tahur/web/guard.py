"""Who is let in: where a request comes from, whose token it shows, how often it asks, whether it knows the password."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final
from urllib.parse import urlsplit

from tahur.room.buckets import Limits, TokenBucket, TokenBuckets, seconds_words
from tahur.web.clock import SystemClock

LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")


class NotAllowed(Exception):
    """A request that is turned away: the status, why in a sentence, and when to try again, in seconds."""

    def __init__(self, status: int, why: str, again: int | None = None) -> None:
        super().__init__(why)
        self.status = status
        self.again = again


MESSAGES: Final = Limits(40, 15)  # of one connection
CALLS: Final = Limits(120, 20)  # of one address, over plain HTTP
ENTRIES: Final = Limits(12, 0.5)  # rooms opened, seats taken, passwords tried, of one address
ROOMS: Final = Limits(20, 1 / 60)  # rooms opened from one address: a household, or friends behind one router
ROOMS_OF_PASS: Final = Limits(10, 1 / 120)  # rooms opened by one browser, where there is a password
WRONG: Final = Limits(6, 1 / 60)  # wrong passwords from one address
WRONG_IN_ALL: Final = Limits(60, 1 / 6)  # wrong passwords from everywhere
HOUSE_COOKIE: Final = "tahur-house"


@dataclass(slots=True)
class Guard:
    """One server's door. `hosts`: the names it goes by; empty: any, for a server that is open to the network."""

    password: str = ""
    hosts: tuple[str, ...] = LOOPBACK
    limited: bool = True
    clock: SystemClock = field(default_factory=SystemClock)
    _calls: dict[Limits, TokenBuckets] = field(default_factory=dict)
    _wrong_of: TokenBuckets = field(default_factory=lambda: TokenBuckets(WRONG))
    _wrong: TokenBucket = field(default_factory=lambda: TokenBucket(WRONG_IN_ALL, 0.0))

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
        buckets = self._calls.setdefault(limits, TokenBuckets(limits))
        now = self.clock.now()
        if not buckets.of(client, now).take(now):
            again = max(1, round(1 / limits.rate))
            raise NotAllowed(429, "too many requests from this address; wait a moment", again)

    def check_new_room(self, address: str, house_pass: str) -> None:
        """How many rooms one address, and one browser, may open."""
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
        """Wrong ones slow down, those of one address and all together; who has a pass or a seat is not asked."""
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
        """What shows that its owner knew the password; good until the password is another."""
        nonce = secrets.token_urlsafe(12)
        return f"{nonce}.{self._signed(nonce)}"

    def pass_of(self, headers: Mapping[str, str], cookies: Mapping[str, str]) -> str:
        """The pass that a request shows, as a cookie or as a bearer; "" if it shows none that is good."""
        bearer = token_of(headers, {}, "")[0]
        for text in (cookies.get(HOUSE_COOKIE, ""), bearer):
            nonce, _, signed = text.partition(".")
            if nonce and hmac.compare_digest(signed.encode(errors="replace"), self._signed(nonce).encode()):
                return text
        return ""

    def lets_in(self, headers: Mapping[str, str], cookies: Mapping[str, str]) -> bool:
        """Whether the request may see the house: there is no password, or it was given before."""
        return not self.password or bool(self.pass_of(headers, cookies))

    def _signed(self, nonce: str) -> str:
        return hmac.new(_stretched(self.password), nonce.encode(errors="replace"), hashlib.sha256).hexdigest()


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode(errors="replace")).digest()


@cache
def _stretched(password: str) -> bytes:
    """A key for passes: who stole one must not find the password by trying words, at least not quickly."""
    return hashlib.scrypt(password.encode(), salt=b"tahur house pass", n=1 << 14, r=8, p=1)


def place_of(address: str) -> str:
    """What counts as one address: an IPv4 address, or the /64 of an IPv6 one, which is one household's."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)


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
