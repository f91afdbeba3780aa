"""Bans from a room: by the person's token and, if no one else at the table shares it, by the address.

Neither is stored in plain text. A token is stored as its hash, an address as a hash keyed with the room's secret: bans
of two rooms cannot be linked, and no address can be recovered from the log.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from tahur.room.facts import Banned

MOST_ADDRESSES: Final = 8  # addresses remembered for one person
BANNED: Final = "the host has banned you from this room"


@dataclass(frozen=True, slots=True)
class Visitor:
    """A visitor of a room: hashes of token and address, "" if unknown."""

    token: str = ""
    address: str = ""


@dataclass(slots=True)
class Bans:
    """The bans of one room that are in force, by number."""

    made: int = 0  # including lifted ones
    by_number: dict[int, Banned] = field(default_factory=dict)

    def add(self, ban: Banned) -> None:
        self.made += 1
        self.by_number[self.made] = ban

    def lift(self, number: int) -> Banned:
        return self.by_number.pop(number)

    def has_person(self, person: str) -> bool:
        return any(ban.person == person for ban in self.by_number.values())

    def refuses(self, visitor: Visitor, seated: Iterable[str]) -> bool:
        """Whether the visitor is banned. `seated`: tokens at the table, which are exempt from bans by address."""
        bans = self.by_number.values()
        if any(hmac.compare_digest(ban.token, visitor.token) for ban in bans):
            return True
        if not visitor.address or (visitor.token and visitor.token in seated):
            return False
        return any(visitor.address in ban.addresses for ban in bans)


class Addresses:
    """Recent addresses of the people of a room, as hashes. Supplied by the server; not part of the log."""

    def __init__(self) -> None:
        self._of: dict[str, list[str]] = {}  # by person, newest last

    def note(self, person: str, address: str) -> None:
        if address:
            known = [earlier for earlier in self._of.get(person, []) if earlier != address]
            self._of[person] = [*known, address][-MOST_ADDRESSES:]

    def only_of(self, person: str, others: Iterable[str]) -> tuple[tuple[str, ...], bool]:
        """The person's addresses that no one else has, and whether some are shared with others."""
        taken = {address for other in others for address in self._of.get(other, [])}
        known = self._of.get(person, [])
        return tuple(address for address in known if address not in taken), any(address in taken for address in known)


def address_hash(secret: str, address: str) -> str:
    """The stored form of an address: HMAC-SHA256 with the room's secret."""
    return hmac.new(secret.encode(), address.encode(), hashlib.sha256).hexdigest() if address else ""
