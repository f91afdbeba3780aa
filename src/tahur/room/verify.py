"""Whether a room's log is what was written, and whether what it says can have happened.

The chain of hashes shows that no entry was changed, added or taken out in the middle. Replaying shows that every action
was legal and every pot paid by the rules, and that each deal follows from its sealed deck and the seeds; each deck is
held against the commitment that was told before it. The room's snapshot must be the state that the log makes up to
there.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass

from tahur.core.errors import TahurError
from tahur.room.facts import Dealt, Ended, Sealed
from tahur.room.log import LogEntry, StoredSnapshot, checked
from tahur.room.sealing import check_deal, dealt
from tahur.room.snapshot import FORMAT, snapshot_of
from tahur.room.state import RoomState


@dataclass(frozen=True, slots=True)
class LogVerdict:
    """What was found in one room: how far it is sound, and what is wrong after that."""

    room: str
    entries: int
    hands: int
    last: str  # the hash of the last sound entry: note it, and a log cut short later will not have it
    fault: str | None
    snapshot: str | None = None  # what is wrong with the room's snapshot


def verify(
    room: str, entries: Iterable[LogEntry], snapshot: StoredSnapshot | None = None
) -> Generator[int, None, LogVerdict]:
    """Yields how many entries were looked at."""
    state, hands, number, last = RoomState(), 0, 0, ""
    wrong = None if snapshot is None else f"its snapshot stands at entry {snapshot.number}, which is not in the log"
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
            if snapshot is not None and number == snapshot.number:
                wrong = check_snapshot(snapshot, state)
            yield number
    except TahurError as error:
        return LogVerdict(room=room, entries=number, hands=hands, last=last, fault=str(error), snapshot=wrong)
    except Exception as error:  # a forged entry can break the replay anywhere; none of that is sound
        fault = f"room {room}: entry {number + 1} cannot be replayed ({type(error).__name__}: {error})"
        return LogVerdict(room=room, entries=number, hands=hands, last=last, fault=fault, snapshot=wrong)
    return LogVerdict(room=room, entries=number, hands=hands, last=last, fault=None, snapshot=wrong)


def check_snapshot(snapshot: StoredSnapshot, state: RoomState) -> str | None:
    """What is wrong with a snapshot of that state; one of another version is no fault: it is not read."""
    if snapshot.format != FORMAT or snapshot == snapshot_of(state):
        return None
    return f"its snapshot at entry {snapshot.number} is not what the log makes"
