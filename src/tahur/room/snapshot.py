"""Snapshots of a room's state, so that opening a room does not replay its whole log.

A snapshot is only a cache. It identifies its log entry by the hash of the log up to there; a snapshot that was written
by another version, is damaged or does not fit the log is ignored, and the log is replayed from its start. What the log
can provide quickly (the last hands) is not included.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tahur import __version__
from tahur.core.game import Seat
from tahur.core.player import Decision
from tahur.core.record import Record
from tahur.games.registry import game_of, make
from tahur.players.bounded.fallbacks import Fallbacks
from tahur.room.adapter import adapter_of
from tahur.room.bans import Bans
from tahur.room.codec import parse_text, read_as, text_of
from tahur.room.facts import MOST_BYTES, Banned, Dealt, Ended, LogError, RoomSettings, Sealed, fact_of, fact_text
from tahur.room.live import Live, advance, live_hand
from tahur.room.log import LogEntry, StoredSnapshot
from tahur.room.scene import Event
from tahur.room.sealing import NextHand
from tahur.room.state import EVENTS_KEPT, HANDS_KEPT, Chair, MatchSoFar, RoomState, Stay, Tally
from tahur.room.store import Store

EVERY: Final = 1_000  # entries between two snapshots of a room
WORTH: Final = 200  # new entries needed for another snapshot when a room is unloaded
FORMAT: Final = f"1 {__version__}"  # another version may compute another state from the same log

_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Decision:
    """`Decision` as JSON stores it."""

    action: int
    thought: str
    talk: str


@dataclass(frozen=True, slots=True)
class _Live:
    """The hand in progress: its deal and the decisions since, from which it is replayed."""

    dealt: str  # the fact, as in the log
    decisions: tuple[_Decision, ...]
    shown: tuple[int, ...]
    ended: bool
    told_from: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Out:
    """A seat that is out of a match, and the hand in which it went out."""

    seat: Seat
    name: str
    hand: int


@dataclass(frozen=True, slots=True)
class _Match:
    """The match in progress: its first hand, who is out, who won."""

    first: int
    out: tuple[_Out, ...]
    winner: Seat | None


@dataclass(frozen=True, slots=True)
class _Seed:
    """The seed of a seat, or its hash."""

    seat: Seat
    text: str


@dataclass(frozen=True, slots=True)
class _Coming:
    """The next hand: the seeds offered, the sealed deck, the seeds revealed."""

    hand: int
    offers: tuple[_Seed, ...]
    sealed: str | None  # the fact, as in the log
    revealed: tuple[_Seed, ...]


@dataclass(frozen=True, slots=True)
class _Ban:
    """A ban: its number and its fact, as in the log."""

    number: int
    fact: str


@dataclass(frozen=True, slots=True)
class _Tally:
    """A person's number of hands and their result."""

    person: str
    hands: int
    result: int


@dataclass(frozen=True, slots=True)
class _Answers:
    """Request `requests[i]` of person `people[who[i]]` made event `numbers[i]`; oldest first."""

    people: tuple[str, ...]
    who: tuple[int, ...]
    requests: tuple[str, ...]
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A room's state as JSON-compatible values."""

    room: str
    settings: RoomSettings
    chairs: tuple[Chair, ...]
    stays: tuple[Stay, ...]
    tallies: tuple[_Tally, ...]
    host: str | None
    bans: tuple[_Ban, ...]
    bans_made: int
    hand: int
    live: _Live | None
    coming: _Coming
    match: _Match
    rematch: bool
    paused: bool
    closed: bool
    number: int
    events: tuple[Event, ...]
    answers: _Answers
    decisions: int  # decisions of language models, and how many were fallbacks
    fallbacks: int
    asked_at: float
    paused_at: float


# ---- writing -------------------------------------------------------------------------------------


def snapshot_of(state: RoomState) -> StoredSnapshot:
    """The snapshot of the state after its last entry."""
    last = state.last_entry
    assert last is not None
    text = text_of(_values_of(state))
    return StoredSnapshot(
        room=state.room,
        number=last.number,
        format=FORMAT,
        digest=last.digest,
        text=text,
        checksum=checksum_of(last, text),
    )


def checksum_of(entry: LogEntry, text: str) -> str:
    """The checksum of a snapshot's text and its entry."""
    row = json.dumps([FORMAT, entry.room, entry.number, entry.digest, text], separators=(",", ":"))
    return hashlib.sha256(row.encode()).hexdigest()


def _values_of(state: RoomState) -> Snapshot:
    """A copy of the state as plain values."""
    return Snapshot(
        room=state.room,
        settings=state.settings,
        chairs=tuple(state.chairs),
        stays=tuple(state.stays),
        tallies=tuple(_Tally(person, tally.hands, tally.result) for person, tally in state.tallies.items()),
        host=state.host,
        bans=tuple(_Ban(number, fact_text(ban)) for number, ban in state.bans.by_number.items()),
        bans_made=state.bans.made,
        hand=state.hand,
        live=_live_values(state.live) if state.live else None,
        coming=_coming_values(state.next_hand),
        match=_Match(state.match.first, tuple(_Out(*out) for out in state.match.out), state.match.winner),
        rematch=state.rematch,
        paused=state.paused,
        closed=state.closed,
        number=state.number,
        events=tuple(state.events),
        answers=_answer_values(state.answered),
        decisions=state.fallbacks.decisions,
        fallbacks=state.fallbacks.fallbacks,
        asked_at=state.asked_at,
        paused_at=state.paused_at,
    )


def _live_values(live: Live) -> _Live:
    """The current or last hand as plain values: the deal and the decisions, to be replayed."""
    decisions = tuple(_Decision(*decision) for decision in live.decisions)
    return _Live(
        dealt=fact_text(live.dealt),
        decisions=decisions,
        shown=live.shown,
        ended=live.ended,
        told_from=live.first_events,
    )


def _coming_values(coming: NextHand) -> _Coming:
    offers, revealed = (tuple(_Seed(*item) for item in seeds.items()) for seeds in (coming.offers, coming.revealed))
    return _Coming(coming.hand, offers, fact_text(coming.sealed) if coming.sealed else None, revealed)


def _answer_values(answered: dict[tuple[str, str], int]) -> _Answers:
    indices: dict[str, int] = {}
    who = tuple(indices.setdefault(person, len(indices)) for person, _ in answered)
    return _Answers(tuple(indices), who, tuple(request for _, request in answered), tuple(answered.values()))


# ---- reading -------------------------------------------------------------------------------------


def load(store: Store, room: str) -> tuple[RoomState, int]:
    """Load a room from its snapshot and log: the state, and the entry of the snapshot used; 0 if none."""
    stored = store.snapshot(room)
    if stored is not None:
        try:
            return _from_snapshot(store, stored), stored.number
        except Exception as error:  # for any error in it: the log has everything
            why = (
                error if isinstance(error, LogError) else type(error).__name__
            )  # other messages may quote what people wrote
            _log.warning("snapshot ignored: %s", why, extra={"room": room, "entry": stored.number})
    state = RoomState()
    for entry in store.entries(room):
        state.apply(entry)
    return state, 0


def _from_snapshot(store: Store, stored: StoredSnapshot) -> RoomState:
    """The state of a stored snapshot, with the entries of the log after it applied."""
    entries = store.tail(stored.room, stored.number - 1)
    check(stored, entries[0] if entries else None)
    snapshot = read_as(Snapshot, parse_text(stored.text, MOST_BYTES), "snapshot")
    finished = snapshot.hand - 1 if snapshot.live and not snapshot.live.ended else snapshot.hand
    last = store.of_kind(stored.room, Ended.TYPE, after=finished - HANDS_KEPT, before=finished + 1, oldest_first=True)
    state = restored(snapshot, entries[0], [entry.fact for entry in last if isinstance(entry.fact, Ended)])
    for entry in entries[1:]:
        state.apply(entry)
    return state


def check(stored: StoredSnapshot, entry: LogEntry | None) -> None:
    """Raise `LogError` unless this version wrote the snapshot, it is intact, and it is at this entry of the log."""
    if stored.format != FORMAT:
        raise LogError(f"it has the format '{stored.format[:40]}'; this version reads '{FORMAT}'")
    if entry is None or (entry.room, entry.number, entry.digest) != (stored.room, stored.number, stored.digest):
        raise LogError(f"its log has no entry {stored.number} with its hash")
    if stored.checksum != checksum_of(entry, stored.text):
        raise LogError("its checksum does not match")


def restored(snapshot: Snapshot, entry: LogEntry, last: Sequence[Ended]) -> RoomState:
    """The state of a snapshot; `last` are the last hands that were over then."""
    state = RoomState()
    state.room, state.settings = snapshot.room, snapshot.settings
    state.adapter = adapter_of(snapshot.settings.game)
    state.chairs, state.stays = list(snapshot.chairs), list(snapshot.stays)
    state.tallies = {tally.person: Tally(tally.hands, tally.result) for tally in snapshot.tallies}
    state.host, state.hand = snapshot.host, snapshot.hand
    state.bans = _bans(snapshot)
    state.next_hand = _coming(snapshot.coming)
    state.match = MatchSoFar(
        snapshot.match.first,
        [(out.seat, out.name, out.hand) for out in snapshot.match.out],
        snapshot.match.winner,
    )
    state.rematch, state.paused, state.closed = snapshot.rematch, snapshot.paused, snapshot.closed
    state.number, state.events = snapshot.number, deque(snapshot.events, EVENTS_KEPT)
    state.answered = _answers_by_request(snapshot.answers)
    state.fallbacks = Fallbacks(snapshot.decisions, snapshot.fallbacks)
    state.asked_at, state.paused_at = snapshot.asked_at, snapshot.paused_at
    state.last_entry = entry
    _restore_hands(state, snapshot.live, last)
    return state


def _bans(snapshot: Snapshot) -> Bans:
    facts = {ban.number: fact_of(ban.fact) for ban in snapshot.bans}
    return Bans(snapshot.bans_made, {number: fact for number, fact in facts.items() if isinstance(fact, Banned)})


def _coming(copied: _Coming) -> NextHand:
    coming = NextHand(copied.hand, {seed.seat: seed.text for seed in copied.offers})
    if copied.sealed is not None:
        fact = fact_of(copied.sealed)
        assert isinstance(fact, Sealed)
        coming.seal(fact)
    coming.revealed.update({seed.seat: seed.text for seed in copied.revealed})
    return coming


def _answers_by_request(answers: _Answers) -> dict[tuple[str, str], int]:
    rows = zip(answers.who, answers.requests, answers.numbers, strict=True)
    return {(answers.people[who], request): number for who, request, number in rows}


def _restore_hands(state: RoomState, copied: _Live | None, last: Sequence[Ended]) -> None:
    """Restore the current or last hand, and the hands before it."""
    state.ended = deque(last, HANDS_KEPT)
    if last:
        record = Record.from_json(last[-1].record)
        state.last = game_of(record), record
    if copied is None:
        return
    dealt = fact_of(copied.dealt)
    assert isinstance(dealt, Dealt)
    live = live_hand(state.adapter, dealt, make(dealt.game, json.loads(dealt.settings)))
    advance(state.adapter, live, None)
    for decision in copied.decisions:
        advance(state.adapter, live, Decision(decision.action, decision.thought, decision.talk))
    first, end = copied.told_from
    live.shown, live.ended, live.first_events = copied.shown, copied.ended, (first, end)
    if live.ended:
        if live.record is None or not last or last[-1].record != live.record.to_json():
            raise LogError(f"hand {dealt.hand} did not end as the log says")
        live.beats = tuple(state.adapter.ending(live.game, live.record, live.shown, dealt.names, dealt.hand))
    state.live = live
