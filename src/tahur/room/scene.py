"""What a page draws: the table, the seats, the choices and the end of a hand, for one viewer.

A scene holds what that viewer may know, and nothing else; `room/scenes.py` makes it. An event's number is the same for
everybody in the room.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

EventKind = Literal["seat", "deal", "act", "board", "show", "muck", "pay", "end", "chat", "notice"]
Phase = Literal["waiting", "playing", "between", "paused", "over"]
SeatState = Literal["empty", "in", "folded", "all-in", "out", "sitting out", "next hand"]


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, in words for the log; the rest is for drawing it. Cards are `As`, dice `1` to `6`."""

    number: int
    hand: int
    kind: EventKind
    seat: int | None
    words: str
    cards: tuple[str, ...] = ()
    chips: int = 0  # put in, paid, or dice won and lost
    at: int | None = None  # of an act: which action of the hand


@dataclass(frozen=True, slots=True)
class SeatScene:
    """One chair as the viewer sees it. `hand` is known cards or dice, `hidden` how many more there are."""

    seat: int
    name: str
    mind: str | None  # which mind, None for a person
    state: SeatState
    here: bool  # connected; minds always are
    chips: int  # or dice
    bet: int
    last: str  # what it did last in this hand, in words
    hand: tuple[str, ...]
    hidden: int
    lit: tuple[int, ...] = ()  # places in `hand`: cards of the best five, dice that count for the bid
    made: str = ""  # the hand in words, once it is shown
    equity: float | None = None  # where all hands lie open and cards are to come: the share of the pot to expect


@dataclass(frozen=True, slots=True)
class ScenePot:
    chips: int
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HoldemScene:
    board: tuple[str, ...]
    street: Literal["preflop", "flop", "turn", "river", "over"]
    button: int
    blinds: tuple[int, ...]
    pot: int  # every chip in the middle
    pots: tuple[
        ScenePot, ...
    ]  # of the streets before this one, the main pot first; this street's bets lie before the seats
    bet: int  # the highest of this street
    lit: tuple[int, ...] = ()  # places on the board: cards of the best five


@dataclass(frozen=True, slots=True)
class Bid:
    """So many dice of a face; `action` is what `Act` says to bid it."""

    action: int
    count: int
    face: int
    seat: int | None = None  # who said it


@dataclass(frozen=True, slots=True)
class PerudoScene:
    total: int  # dice in play
    wild: bool  # aces count for every face; not in palifico
    palifico: bool
    standing: Bid | None
    bids: tuple[Bid, ...]  # of this round, the first first
    found: int | None = None  # how many count for the bid under the cups that were lifted so far; None: none was


@dataclass(frozen=True, slots=True)
class Size:
    """A raise with a name: `half pot`, raise to so many chips."""

    name: str
    to: int


@dataclass(frozen=True, slots=True)
class HoldemChoices:
    fold: bool
    call: int  # what it costs; 0: a check
    call_all_in: bool
    least: int | None  # raise to; None: no raise
    most: int | None
    sizes: tuple[Size, ...]


@dataclass(frozen=True, slots=True)
class PerudoChoices:
    dudo: int | None  # the action; None: there is no bid to doubt
    calza: int | None
    bids: tuple[Bid, ...]  # every legal one, the lowest first


@dataclass(frozen=True, slots=True)
class Turn:
    """Whose turn it is, for which action, and the milliseconds left when this was sent; None: no clock."""

    seat: int
    at: int
    left: int | None  # of the clock, before the time bank
    whole: int | None  # of the clock when it began
    bank: int  # of the time bank
    grace: int  # for who lost the connection, once a hand; 0: none, or not running


@dataclass(frozen=True, slots=True)
class News:
    """What the table says at the end of a hand, large, in its middle."""

    words: str  # "Ana wins 240"
    detail: str  # "a pair of aces, king kicker"
    seats: tuple[int, ...]  # whom it is about
    paid: tuple[int, ...]  # what each of them is paid at this moment; in Perudo dice, lost ones below 0


@dataclass(frozen=True, slots=True)
class Standing:
    """One player of a finished match; the winner has place 1."""

    seat: int
    name: str
    place: int
    words: str  # "out in round 7"


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A match that is over: who won it, and who came where."""

    words: str  # "Ana wins the match"
    winner: int
    rounds: int
    standings: tuple[Standing, ...]
    again: bool  # a rematch was asked for, and comes next


@dataclass(frozen=True, slots=True)
class BanLine:
    """A ban in force, for the host to lift. `address`: by address too, not by the person's token alone."""

    ban: int
    name: str
    address: bool


@dataclass(frozen=True, slots=True)
class SealedDeck:
    """The deck of the coming hand, sealed: from now on it cannot be changed, and seeds may be revealed."""

    hand: int
    commitment: str
    seeds: tuple[str | None, ...]  # of each seat, the hash that is in the commitment


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything there is to draw, for one viewer."""

    room: str
    title: str
    game: Literal["nlhe", "limit", "perudo"]
    hand: int  # its number, 0 before the first
    phase: Phase
    why: str  # what is waited for, in words, when nobody plays
    host: int | None
    you: int | None  # your seat; None: you watch
    seats: tuple[SeatScene, ...]
    holdem: HoldemScene | None
    perudo: PerudoScene | None
    turn: Turn | None
    holdem_choices: HoldemChoices | None  # on your turn only
    perudo_choices: PerudoChoices | None
    muck: bool  # your own setting
    may_rebuy: bool
    commitment: str  # of this hand's deck or dice; see the fairness page
    news: News | None = None  # at the end of a hand
    match: FinishedMatch | None = None  # Perudo: the match is over, and no other has begun
    bans: tuple[BanLine, ...] = ()  # for the host alone
    seed_for: int | None = None  # the hand for which the room would take the hash of a seed from you now
    sealed: SealedDeck | None = None  # between the sealing of a deck and its deal


@dataclass(frozen=True, slots=True)
class EndStep:
    """A moment of a hand's end: the table then, the last event that it tells, and how long it is shown."""

    number: int
    milliseconds: int
    scene: Scene
