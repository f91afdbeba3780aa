"""Seeds of the players for the next deck: who is asked, what is accepted, and how long a deal waits.

The room waits only for pages that offer seeds, at most a second for the hash and again for the seed. No one loses a
turn: a hand is dealt without missing seeds.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from tahur.core.game import Seat
from tahur.room import wire
from tahur.room.facts import SeedOffered, SeedRevealed
from tahur.room.state import RoomState

SEED_WAIT: Final = 1.0  # seconds
WAIT_AFTER_RESTART: Final = 5.0  # pages reconnect within this time
_HASH: Final = re.compile("[0-9a-f]{64}")

SeedMessage = wire.OfferSeed | wire.RevealSeed


class Seeding:
    """Works on a room's state like a `Keeper`, which notifies it of connections and applied facts."""

    def __init__(self, state: RoomState, now: float) -> None:
        self.on = state.settings.pace != "instant"  # instant pace is for programs, and waits for nothing
        self._state = state
        self._pages: Counter[str] = Counter()  # open connections of each person that offer seeds
        self._since: dict[str, float] = {}
        self._sealed = state.next_hand.hand if state.next_hand.sealed else 0
        self._until = now + WAIT_AFTER_RESTART

    def connected(self, person: str, change: int, now: float) -> None:
        """A connection of a page that offers seeds was opened (+1) or lost (-1)."""
        self._pages[person] += change
        if change > 0:
            self._since[person] = now

    def facts_applied(self, now: float) -> None:
        """Facts were applied: if they sealed a deck, the wait for seeds starts now."""
        next_hand = self._state.next_hand
        if next_hand.sealed and self._sealed != next_hand.hand:
            self._sealed, self._until = next_hand.hand, now + SEED_WAIT

    def offers_due(self, deal_at: float) -> float:
        """When the next deck is sealed: at the time of the deal, or after waiting for hashes of seeds."""
        return max((max(deal_at, since) + SEED_WAIT for since in self._waiting_since()), default=deal_at)

    def reveals_due(self) -> float:
        """When a sealed deck is dealt: when all seeds have arrived, or after the wait."""
        return self._until if self._state.next_hand.missing else 0.0

    def asks(self, seat: Seat | None) -> int | None:
        """The hand for which the room accepts the hash of a seed from this seat."""
        next_hand = self._state.next_hand
        if seat is None or not self.on or self._state.closed or next_hand.sealed or seat in next_hand.offers:
            return None
        return next_hand.hand

    def refusal(self, seat: Seat, message: SeedMessage) -> str:
        """Why a message is refused; empty if it is accepted."""
        next_hand = self._state.next_hand
        if isinstance(message, wire.OfferSeed):
            if self.asks(seat) != message.hand:
                return "the room does not ask for a seed from you for that hand now"
            return "" if _HASH.fullmatch(message.digest) else "the hash of a seed is 64 hexadecimal digits"
        if not next_hand.sealed or next_hand.hand != message.hand or seat not in next_hand.missing:
            return "the room does not wait for a seed of yours now"
        is_right = _HASH.fullmatch(message.seed) and next_hand.is_promised(seat, message.seed)
        return "" if is_right else "that is not the seed whose hash you offered"

    def fact_of(self, seat: Seat, message: SeedMessage) -> SeedOffered | SeedRevealed:
        """The fact of an accepted message."""
        if isinstance(message, wire.OfferSeed):
            return SeedOffered(seat, message.hand, message.digest)
        return SeedRevealed(seat, message.hand, message.seed)

    def _waiting_since(self) -> list[float]:
        """Since when the seats are connected that offer seeds but have not sent a hash yet."""
        people = [chair.person for seat, chair in enumerate(self._state.chairs) if self.asks(seat) and not chair.away]
        return [self._since[person] for person in people if person is not None and self._pages[person] > 0]
