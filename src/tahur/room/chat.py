"""Rate limits of chat in a room, and notes sent with acknowledgements. Not stored in the log."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from tahur.room.buckets import Limits, TokenBuckets, seconds_words

CHAT: Final = Limits(6, 0.25)  # lines per person, over all tabs
MOST_NOTES: Final = 1000  # notes remembered for repeated requests
TOO_FAST: Final = "you are writing too fast; try again in"


@dataclass(slots=True)
class Chat:
    """The rate limit of each person's chat; no limit without `buckets`."""

    buckets: TokenBuckets | None = None
    _notes: dict[tuple[str, str], str] = field(default_factory=dict)

    @classmethod
    def limited(cls, limits: Limits | None) -> Chat:
        return cls(TokenBuckets(limits) if limits else None)

    def refusal(self, person: str, now: float) -> str:
        """Why the person may not write now; "" if they may (this uses up one token)."""
        if self.buckets is None:
            return ""
        bucket = self.buckets.of(person, now)
        wait = bucket.wait(now)
        bucket.take(now)
        return f"{TOO_FAST} {seconds_words(wait)}" if wait else ""

    def note(self, person: str, request: str, words: str) -> None:
        """Attach a note to the acknowledgement of the request, and to every repetition of it."""
        self._notes[person, request] = words
        while len(self._notes) > MOST_NOTES:
            del self._notes[next(iter(self._notes))]

    def note_for(self, person: str, request: str) -> str:
        return self._notes.get((person, request), "")
