"""A room's state as a function of its log: chairs, the current hand, and the events.

`RoomState.apply` applies one fact; it uses no clock, no randomness and no disk. Replaying the facts of a log gives the
same room, with the same event numbers.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Final, assert_never

from tahur.core.game import Game, Seat
from tahur.core.player import Decision
from tahur.core.record import Record
from tahur.core.referee import Ask
from tahur.players.bounded.fallbacks import Fallbacks
from tahur.room import facts
from tahur.room.adapter import GameAdapter, Happening, adapter_of, happenings_of
from tahur.room.bans import Bans, Visitor
from tahur.room.facts import Fact, RoomSettings
from tahur.room.live import Live, advance, live_hand
from tahur.room.log import LogEntry, LogError
from tahur.room.scene import Event
from tahur.room.sealing import NextHand

EVENTS_KEPT: Final = 400  # events kept for pages that reconnect; a page that missed more gets a gap and the scene
ANSWERS_KEPT: Final = 4_000  # requests remembered in a room; copies of older ones are refused by the database
HANDS_KEPT: Final = 100  # hands kept for bots that are made again after a restart
REMARKS: Final = {  # by the source of the decision
    "clock": "no answer in time",
    "failure": "this bot could not decide; the error is in the server's log",
}


@dataclass(slots=True)
class Chair:
    """One seat: its player and its stack. A person is identified by `person`, a bot by `mind`."""

    person: str | None = None
    mind: str | None = None
    name: str = ""
    token: str = ""
    chips: int = 0
    bank: int = 0  # milliseconds
    result: int = 0  # total of chips or dice won
    away: bool = False  # sits out
    leaving: bool = False  # leaves after this hand
    rebuys: bool = False  # with the next hand
    muck: bool = True
    missed: int = 0  # times the clock ran out, in a row
    since: int = 0  # the last hand before the player sat down

    @property
    def taken(self) -> bool:
        return self.person is not None or self.mind is not None


@dataclass(slots=True)
class Stay:
    """A person in a seat, from the hand after `first` to `last` (None: still there); they may review these hands."""

    person: str
    token: str
    seat: Seat
    first: int
    last: int | None = None


@dataclass(slots=True)
class Tally:
    """A person's totals in this room, over all seats they had."""

    hands: int = 0
    result: int = 0  # chips or dice won


@dataclass(slots=True)
class MatchSoFar:
    """A match of several deals, as in Perudo: eliminated seats in order, and the winner."""

    first: int  # its first hand
    out: list[tuple[Seat, str, int]] = field(default_factory=list)  # seat, name and hand of each elimination
    winner: Seat | None = None

    def note(self, live: Live, adapter: GameAdapter) -> None:
        """Add the seats that this hand eliminated, and the winner if the match is over."""
        assert live.record is not None
        left = live.beats[-1].look.chips or ()
        before = adapter.chips_at_deal(live.game, left)
        for seat in range(len(left)):
            if before[seat] and not left[seat]:
                self.out.append((seat, live.dealt.names[seat], live.dealt.hand))
        self.winner = adapter.winner(live.game, live.record)


class RoomState:
    """The state of a room; only `apply` changes it. `snapshot` copies it: add new fields there too."""

    def __init__(self) -> None:
        """A room before its first fact, `Opened`."""
        self.room = ""
        self.settings: RoomSettings = _UNOPENED
        self.adapter: GameAdapter = adapter_of("nlhe")
        self.chairs: list[Chair] = []
        self.stays: list[Stay] = []
        self.tallies: dict[str, Tally] = {}  # by person
        self.host: str | None = None
        self.bans = Bans()
        self.hand = 0
        self.live: Live | None = None
        self.last: tuple[Game[Any], Record] | None = None
        self.next_hand = NextHand(1)
        self.match = MatchSoFar(1)
        self.rematch = False  # another match was requested
        self.paused = False
        self.closed = False
        self.number = 0  # number of the last event
        self.events: deque[Event] = deque(maxlen=EVENTS_KEPT)
        self.answered: dict[tuple[str, str], int] = {}  # (person, request) -> the event it made
        self.ended: deque[facts.Ended] = deque(maxlen=HANDS_KEPT)
        self.fallbacks = Fallbacks()  # decisions of language models since the room was opened
        self.last_entry: LogEntry | None = None
        self.asked_at = 0.0  # when the open decision started, by the log's clock
        self.paused_at = 0.0  # when the game was paused

    # ---- queries ---------------------------------------------------------------------------------

    @property
    def ask(self) -> Ask | None:
        """The referee's open question."""
        return self.live.ask if self.live else None

    @property
    def playing(self) -> bool:
        return self.live is not None and not self.live.ended

    @property
    def settling(self) -> bool:
        """Whether the last action of a hand is taken but its end is not written yet: both are shown together."""
        return self.playing and self.ask is None

    def seat_of(self, person: str | None) -> Seat | None:
        if person is None:
            return None
        return next((seat for seat, chair in enumerate(self.chairs) if chair.person == person), None)

    def refuses(self, visitor: Visitor) -> bool:
        """Whether the visitor is banned."""
        return bool(self.bans.by_number) and self.bans.refuses(
            visitor, {chair.token for chair in self.chairs if chair.person}
        )

    def seat_in(self, person: str | None, hand: int) -> Seat | None:
        """The seat of a person in this hand; None if they had none."""
        stays = (stay for stay in self.stays if stay.person == person and stay.first < hand)
        return next((stay.seat for stay in stays if stay.last is None or hand <= stay.last), None)

    @property
    def finished(self) -> int:
        """The number of finished hands."""
        return self.hand - 1 if self.playing else self.hand

    @property
    def begun(self) -> int:
        """The number of the last hand that is dealt or whose deck is sealed: no one can join it any more."""
        return self.hand + bool(self.next_hand.sealed)

    def is_dealt_in(self, seat: Seat) -> bool:
        """Whether the seat plays in the current hand, or in one about to be dealt from a sealed deck."""
        game = self.live.game if self.live is not None and self.playing else self.next_hand.game
        return game is not None and self.adapter.places(game, game.start())[seat].state != "out"

    def events_after(self, number: int) -> tuple[tuple[Event, ...], bool]:
        """The events after event `number`, and whether some of them are no longer available."""
        missing = max(0, self.number - number)
        kept = min(missing, len(self.events))
        return tuple(self.events[at] for at in range(-kept, 0)), missing > kept

    def spent(self, time: float) -> float:
        """Seconds that the open decision has taken until `time` of the log's clock, without pauses and downtime."""
        return max(0.0, (self.paused_at if self.paused else time) - self.asked_at)

    # ---- changes ---------------------------------------------------------------------------------

    def apply(self, entry: LogEntry) -> None:
        """Apply the fact of an entry: change the state, add its events, and remember the request that it answers."""
        fact, open_before = entry.fact, self._decision()
        if isinstance(fact, facts.Paused):
            self._mark_pause(fact, entry.time)
        for happening in self._happenings(fact):
            self.number += 1
            self.events.append(happening.event(self.number, self.hand))
        if entry.person is not None and entry.request is not None:
            self.answered[entry.person, entry.request] = self.number
            if len(self.answered) > ANSWERS_KEPT:
                del self.answered[next(iter(self.answered))]
        if self._decision() != open_before:
            self.asked_at = entry.time
        self.last_entry = entry

    def _decision(self) -> tuple[int, int] | None:
        """The open decision: the hand, and the number of actions before it."""
        return (self.hand, len(self.ask.view.table.history)) if self.ask else None

    def _mark_pause(self, fact: facts.Paused, time: float) -> None:
        if fact.paused:
            self.paused_at = time
        else:
            self.asked_at += time - self.paused_at

    def _happenings(self, fact: Fact) -> Iterable[Happening]:
        """Change the state by a fact, and return what happened, for the events; one case for each kind of fact."""
        match fact:
            case facts.Opened():
                return self._apply_opened(fact)
            case facts.Joined() | facts.MindSat():
                return self._apply_joined(fact)
            case facts.SeedOffered() | facts.SeedRevealed():
                self.next_hand.take_seed(fact)
                return []
            case facts.Sealed():
                self._fix_chips(self.next_hand.seal(fact))
                return []
            case facts.Dealt():
                return self._apply_dealt(fact)
            case facts.Acted():
                return self._apply_acted(fact)
            case facts.Ended():
                return self._apply_ended(fact)
            case facts.Said():
                return [Happening("chat", f"{self.chairs[fact.seat].name}: {fact.text}", fact.seat)]
            case facts.SatOut():
                return self._apply_sat_out(fact)
            case facts.Rebought():
                self.chairs[fact.seat].rebuys = True
                return [Happening("seat", f"{self.chairs[fact.seat].name} buys chips", fact.seat)]
            case facts.Rematched():
                self.rematch = True
                return [Happening("notice", f"{self.chairs[fact.seat].name} asks for a rematch", fact.seat)]
            case facts.MuckSet():
                self.chairs[fact.seat].muck = fact.auto
                return []
            case facts.Gone():
                return self._leave(fact.seat, "is asked to leave" if fact.removed else "leaves")
            case facts.Banned():
                self.bans.add(fact)
                return [Happening("notice", f"The host bans {fact.name}"), *self._leave(fact.seat, "has to leave")]
            case facts.BanLifted():
                return [Happening("notice", f"The host lifts the ban of {self.bans.lift(fact.ban).name}")]
            case facts.Paused():
                self.paused = fact.paused
                return [Happening("notice", _pause_words(fact.paused, begun=self.hand > 0))]
            case facts.Interrupted():
                self.asked_at += fact.away / 1000
                return [Happening("notice", "The server was away. Nothing is lost; the clock goes on where it stood")]
            case facts.Closed():
                self.closed = True
                self.next_hand = NextHand(self.hand + 1)
                return [Happening("notice", "The host closes the room: no other hand is dealt")]
            case _:
                assert_never(fact)

    def _apply_opened(self, fact: facts.Opened) -> list[Happening]:
        self.room, self.settings = fact.room, fact.settings
        self.adapter = adapter_of(fact.settings.game)
        self.chairs = [Chair() for _ in range(fact.settings.seats)]
        return [Happening("notice", f"The room is open: {fact.settings.title}")]

    def _apply_joined(self, fact: facts.Joined | facts.MindSat) -> list[Happening]:
        """A person or a bot takes a seat; the first person in the room becomes the host."""
        bank = 1000 * self.settings.bank
        chips = self.adapter.chips_on_joining(self.settings)
        chair = Chair(name=fact.name, chips=chips, bank=bank, since=self.begun)
        if isinstance(fact, facts.Joined):
            chair.person, chair.token = fact.person, fact.token
            self.host = self.host or fact.person
            self.stays.append(Stay(fact.person, fact.token, fact.seat, self.begun))
        else:
            chair.mind = fact.mind
        self.chairs[fact.seat] = chair
        return [Happening("seat", f"{fact.name} sits down", fact.seat)]

    def _fix_chips(self, game: Game[Any]) -> None:
        """A hand begins: add the chips that were bought, then set the stacks to those of the deal."""
        for chair in self.chairs:
            if chair.rebuys:
                chair.chips, chair.rebuys = max(chair.chips, self.adapter.buy_in(self.settings)), False
        for chair, chips in zip(self.chairs, self.adapter.chips_at_deal(game, self._chips()), strict=True):
            chair.chips = chips

    def _apply_dealt(self, fact: facts.Dealt) -> list[Happening]:
        """Start the hand: fix the stacks, deal, and advance to the first question."""
        game = self.next_hand.check_dealt(fact)
        if not self.next_hand.sealed:
            self._fix_chips(game)
        self.hand, self.next_hand = fact.hand, NextHand(fact.hand + 1)
        if self.match.winner is not None or self.last is None:
            self.match = MatchSoFar(fact.hand)
        self.rematch = False
        self.live = live_hand(self.adapter, fact, game)
        self.live.first_events = self.number + 1, 0
        happenings = [Happening("deal", self.adapter.opening_words(game, fact.hand, fact.names))]
        return happenings + advance(self.adapter, self.live, None)

    def _apply_acted(self, fact: facts.Acted) -> list[Happening]:
        """Pass an action to the referee; the chat sent with it comes first."""
        live, chair = self.live, self.chairs[fact.seat]
        if live is None or live.ask is None or live.ask.view.seat != fact.seat or fact.hand != self.hand:
            raise LogError(f"room {self.room}: seat {fact.seat} acts in hand {fact.hand}, out of turn")
        chair.bank = fact.bank
        chair.missed = chair.missed + 1 if fact.by == "clock" else 0
        live.first_events = self.number + 1 + bool(fact.say), 0
        happenings = advance(self.adapter, live, Decision(fact.action, fact.thought, fact.say))
        if remark := REMARKS.get(fact.by):
            happenings[0] = replace(happenings[0], words=f"{happenings[0].words} ({remark})")
        chat = [Happening("chat", f"{live.dealt.names[fact.seat]}: {fact.say}", fact.seat)] if fact.say else []
        return chat + happenings

    def _apply_ended(self, fact: facts.Ended) -> list[Happening]:
        """Pay the hand, check it against the fact, and empty the chairs of those who leave."""
        live = self.live
        if live is None or live.record is None or live.record.to_json() != fact.record:
            raise LogError(f"room {self.room}: hand {fact.hand} did not end as its log says")
        live.shown, live.ended = fact.shown, True
        for seat, chair in enumerate(self.chairs):
            won = int(live.record.payoffs[seat])
            chair.chips += won
            chair.result += won
            if chair.person is not None and chair.since < fact.hand:
                tally = self.tallies.setdefault(chair.person, Tally())
                tally.hands += 1
                tally.result += won
        if tuple(self._chips()) != fact.chips:
            raise LogError(f"room {self.room}: after hand {fact.hand} the chips are {self._chips()}, not {fact.chips}")
        self.last = live.game, live.record
        self.ended.append(fact)
        live.beats = tuple(self.adapter.ending(live.game, live.record, fact.shown, live.dealt.names, fact.hand))
        live.first_events = live.first_events[0], self.number + 1
        self.match.note(live, self.adapter)
        happenings = happenings_of(live.beats) + self._fallbacks_of(live.record)
        for seat, chair in enumerate(self.chairs):
            if chair.leaving:
                happenings.append(self._empty_chair(seat))
        return happenings

    def _fallbacks_of(self, record: Record) -> list[Happening]:
        """An event if a language model did not decide itself in this hand."""
        missed = Fallbacks.of_record(record)
        self.fallbacks += missed
        if not missed.fallbacks:
            return []
        words = f"{missed.text}; in this room so far {self.fallbacks.fallbacks:,} of {self.fallbacks.decisions:,}"
        return [Happening("notice", f"Warning: {words}" if self.fallbacks.many else words)]

    def _apply_sat_out(self, fact: facts.SatOut) -> list[Happening]:
        chair = self.chairs[fact.seat]
        chair.away, chair.missed = fact.out, 0
        why = ", not answering" if fact.missed else ""
        return [Happening("seat", f"{chair.name} {'sits out' + why if fact.out else 'is back'}", fact.seat)]

    def _leave(self, seat: Seat, how: str) -> list[Happening]:
        """A player leaves (`how`, in words): at once, or after the hand if dealt in."""
        chair = self.chairs[seat]
        if not self.is_dealt_in(seat):
            return [self._empty_chair(seat)]
        chair.leaving = chair.away = True
        return [Happening("seat", f"{chair.name} {how} after this hand", seat)]

    def _empty_chair(self, seat: Seat) -> Happening:
        """Empty a chair; if the host had it, the next person becomes the host."""
        name = self.chairs[seat].name
        if self.chairs[seat].person == self.host:
            people = (chair.person for at, chair in enumerate(self.chairs) if at != seat and chair.person)
            self.host = next(people, None)
        for stay in self.stays:
            if stay.seat == seat and stay.last is None:
                stay.last = self.hand
        self.chairs[seat] = Chair()
        self.next_hand.offers.pop(seat, None)
        return Happening("seat", f"{name} has left", seat)

    def _chips(self) -> list[int]:
        return [chair.chips for chair in self.chairs]


def replay_log(entries: Iterable[LogEntry]) -> RoomState:
    """The state after replaying a log."""
    state = RoomState()
    for entry in entries:
        state.apply(entry)
    return state


_UNOPENED: Final = RoomSettings(
    title="",
    game="nlhe",
    rules="",
    seats=0,
    stack=0,
    blinds=(),
    dice=0,
    seconds=0,
    bank=0,
    grace=0,
    pace="usual",
    open_cards=False,
    listed=False,
    secret="",
)


def _pause_words(paused: bool, *, begun: bool) -> str:
    if not begun:
        return "The room waits for friends" if paused else "The host starts the game"
    return "The host pauses the game" if paused else "The game goes on"
