"""Verify a room's log: that it is unchanged, and that everything in it is possible.

The hash chain shows that no entry was changed, added or removed in the middle. The replay shows that every action was
legal, that every pot was paid by the rules, and that each deal follows from its sealed deck and the seeds; each deck is
compared with the commitment published before it. The room's snapshot must equal the state of the log up to its entry.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass

from tahur.core.errors import TahurError
from tahur.room.facts import Dealt, Ended, Sealed
from tahur.room.log import LogEntry, StoredSnapshot, check_chain
from tahur.room.sealing import check_deal, dealt
from tahur.room.snapshot import FORMAT, snapshot_of
from tahur.room.state import RoomState


@dataclass(frozen=True, slots=True)
class LogVerdict:
    """The result for one room: how much of the log is valid, and the first fault."""

    room: str
    entries: int
    hands: int
    last: str  # hash of the last valid entry: note it to detect a log that is truncated later
    fault: str | None
    snapshot: str | None = None  # what is wrong with the room's snapshot


def verify(
    room: str, entries: Iterable[LogEntry], snapshot: StoredSnapshot | None = None
) -> Generator[int, None, LogVerdict]:
    """Verify one room; yields the number of entries checked."""
    state, hands, number, last = RoomState(), 0, 0, ""
    wrong = None if snapshot is None else f"its snapshot stands at entry {snapshot.number}, which is not in the log"
    try:
        for entry in check_chain(room, entries):
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
    except Exception as error:  # a forged entry can raise any exception in the replay
        fault = f"room {room}: entry {number + 1} cannot be replayed ({type(error).__name__}: {error})"
        return LogVerdict(room=room, entries=number, hands=hands, last=last, fault=fault, snapshot=wrong)
    return LogVerdict(room=room, entries=number, hands=hands, last=last, fault=None, snapshot=wrong)


def check_snapshot(snapshot: StoredSnapshot, state: RoomState) -> str | None:
    """The fault of a snapshot of this state, if any; one of another version is ignored."""
    if snapshot.format != FORMAT or snapshot == snapshot_of(state):
        return None
    return f"its snapshot at entry {snapshot.number} is not what the log makes"
