"""Whether a room's log is what was written, and whether what it says can have happened.

The chain of hashes shows that no entry was changed, added or taken out in the middle. Replaying shows that every action
was legal and every pot paid by the rules; each deal is held against the commitment that was told before it. The room's
snapshot must be the state that the log makes up to there.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass

from tahur.core.errors import TahurError
from tahur.room.deck import Seal, commitment, seals
from tahur.room.facts import Dealt, Ended
from tahur.room.kind import kind_of
from tahur.room.log import Entry, LogError, StoredSnapshot, checked
from tahur.room.rest import Fairness
from tahur.room.snapshot import FORMAT, snapshot_of
from tahur.room.state import State


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found in one room: how far it is sound, and what is wrong after that."""

    room: str
    entries: int
    hands: int
    last: str  # the hash of the last sound entry: note it, and a log cut short later will not have it
    fault: str | None
    snapshot: str | None = None  # what is wrong with the room's snapshot


def verify(
    room: str, entries: Iterable[Entry], snapshot: StoredSnapshot | None = None
) -> Generator[int, None, Verdict]:
    """Yields how many entries were looked at."""
    state, hands, number, last = State(), 0, 0, ""
    wrong = None if snapshot is None else f"its snapshot stands at entry {snapshot.number}, which is not in the log"
    try:
        for entry in checked(room, entries):
            fact = entry.fact
            if isinstance(fact, Dealt):
                check_deal(fact)
            state.apply(entry)
            hands += isinstance(fact, Ended)
            number, last = entry.number, entry.digest
            if snapshot is not None and number == snapshot.number:
                wrong = check_snapshot(snapshot, state)
            yield number
    except TahurError as error:
        return Verdict(room, number, hands, last, str(error), wrong)
    except Exception as error:  # a forged entry can break the replay anywhere; none of that is sound
        fault = f"room {room}: entry {number + 1} cannot be replayed ({type(error).__name__}: {error})"
        return Verdict(room, number, hands, last, fault, wrong)
    return Verdict(room, number, hands, last, None, wrong)


def check_snapshot(snapshot: StoredSnapshot, state: State) -> str | None:
    """What is wrong with a snapshot of that state; one of another version is no fault: it is not read."""
    if snapshot.format != FORMAT or snapshot == snapshot_of(state):
        return None
    return f"its snapshot at entry {snapshot.number} is not what the log makes"


def check_deal(dealt: Dealt) -> None:
    """The deck or dice of a hand against the commitment that was told before it."""
    kind = kind_of(dealt.game)
    sealed = seals(dealt.hand, [kind.value_text(value) for value in dealt.values], dealt.key)
    if commitment([seal.digest for seal in sealed]) != dealt.commitment:
        raise LogError(f"hand {dealt.hand} was not dealt as it was committed to")


def check_fairness(told: Fairness, noted: str | None = None) -> list[str]:
    """What is wrong with the proof that a player was given; `noted` is the commitment as the player wrote it down."""
    faults = []
    if noted is not None and noted != told.commitment:
        faults.append("the commitment is not the one that was told before the deal")
    if commitment(told.digests) != told.commitment:
        faults.append("the seals do not make up the commitment")
    for opening in told.openings:
        seal = Seal(told.hand, opening.place, opening.value, opening.salt)
        if not 0 <= opening.place < len(told.digests) or told.digests[opening.place] != seal.digest:
            faults.append(f"{opening.value} of {opening.whose} is not what was sealed at place {opening.place}")
    values = [opening.value for opening in told.openings if not opening.value.isdigit()]
    faults += [f"{value} is there twice" for value in sorted({each for each in values if values.count(each) > 1})]
    return faults
