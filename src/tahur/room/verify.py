"""Whether a room's log is what was written, and whether what it says can have happened.

The chain of hashes shows that no entry was changed, added or taken out in the middle. Replaying shows that every action
was legal and every pot paid by the rules, and that each deal follows from its sealed deck and the seeds; each deck is
held against the commitment that was told before it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass

from tahur.core.errors import TahurError
from tahur.room.facts import Dealt, Ended, Sealed
from tahur.room.log import Entry, checked
from tahur.room.sealing import check_deal, dealt
from tahur.room.state import State


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found in one room: how far it is sound, and what is wrong after that."""

    room: str
    entries: int
    hands: int
    last: str  # the hash of the last sound entry: note it, and a log cut short later will not have it
    fault: str | None


def verify(room: str, entries: Iterable[Entry]) -> Generator[int, None, Verdict]:
    """Yields how many entries were looked at."""
    state, hands, number, last = State(), 0, 0, ""
    try:
        for entry in checked(room, entries):
            fact = entry.fact
            if isinstance(fact, Dealt):
                check_deal(fact)
            elif isinstance(fact, Sealed):
                check_deal(dealt(fact, {}))
            state.apply(entry)
            hands += isinstance(fact, Ended)
            number, last = entry.number, entry.digest
            yield number
    except TahurError as error:
        return Verdict(room, number, hands, last, str(error))
    except Exception as error:  # a forged entry can break the replay anywhere; none of that is sound
        fault = f"room {room}: entry {number + 1} cannot be replayed ({type(error).__name__}: {error})"
        return Verdict(room, number, hands, last, fault)
    return Verdict(room, number, hands, last, None)
