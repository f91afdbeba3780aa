"""What a page draws: the table, the seats, the choices and the end of a hand, for one viewer.

A scene contains only what the viewer may know; `room/scenes.py` makes it. Event numbers are the same for all viewers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

GameName = Literal["nlhe", "limit", "perudo"]
EventKind = Literal["seat", "deal", "act", "board", "show", "muck", "pay", "end", "chat", "notice"]
Phase = Literal["waiting", "playing", "between", "paused", "over"]
SeatState = Literal["empty", "in", "folded", "all-in", "out", "sitting out", "next hand"]


@dataclass(frozen=True, slots=True)
class Event:
    """An event: `text` for the log, the other fields for drawing it. Cards are `As`, dice `1` to `6`."""

    number: int
    hand: int
    kind: EventKind
    seat: int | None
    words: str
    cards: tuple[str, ...] = ()
    chips: int = 0  # chips bet or paid, or dice won and lost
    at: int | None = None  # for an act: index of the action in the hand


@dataclass(frozen=True, slots=True)
class SeatScene:
    """One chair as the viewer sees it. `hand`: known cards or dice; `hidden`: number of unknown ones."""

    seat: int
    name: str
    mind: str | None  # the bot's id; None for a person
    state: SeatState
    here: bool  # connected; always true for bots
    chips: int  # or dice
    bet: int
    last: str  # last action in this hand, in words
    hand: tuple[str, ...]
    hidden: int
    lit: tuple[int, ...] = ()  # indices in `hand`: cards of the best five, dice that count for the bid
    made: str = ""  # the hand in words, once it is shown
    equity: float | None = None  # equity, if all hands are open and cards are to come


@dataclass(frozen=True, slots=True)
class ScenePot:
    chips: int
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HoldemScene:
    """The table of a hold'em game."""

    TYPE: ClassVar = "holdem"
    board: tuple[str, ...]
    street: Literal["preflop", "flop", "turn", "river", "over"]
    button: int
    blinds: tuple[int, ...]
    pot: int  # all chips in the pot
    pots: tuple[ScenePot, ...]  # pots of previous streets, the main pot first; bets of this street are at the seats
    bet: int  # the highest bet of this street
    lit: tuple[int, ...] = ()  # indices on the board: cards of the best five


@dataclass(frozen=True, slots=True)
class Bid:
    """A bid: count and face; `action` is the number to send in `Act`."""

    action: int
    count: int
    face: int
    seat: int | None = None  # the seat that made it


@dataclass(frozen=True, slots=True)
class PerudoScene:
    """The table of a round of Perudo."""

    TYPE: ClassVar = "perudo"
    total: int  # dice in play
    wild: bool  # aces are wild; not in palifico
    palifico: bool
    standing: Bid | None
    bids: tuple[Bid, ...]  # bids of this round, oldest first
    found: int | None = None  # dice that count for the bid under the cups lifted so far; None if no cup is lifted


@dataclass(frozen=True, slots=True)
class Size:
    """A named raise: `half pot` and the total to raise to."""

    name: str
    to: int


@dataclass(frozen=True, slots=True)
class HoldemChoices:
    """What a seat may do in hold'em."""

    TYPE: ClassVar = "holdem"
    fold: bool
    call: int  # price of a call; 0: a check
    call_all_in: bool
    least: int | None  # raise to; None: no raise
    most: int | None
    sizes: tuple[Size, ...]


@dataclass(frozen=True, slots=True)
class PerudoChoices:
    """What a seat may do in Perudo."""

    TYPE: ClassVar = "perudo"
    dudo: int | None  # the action number; None without a bid
    calza: int | None
    bids: tuple[Bid, ...]  # all legal bids, lowest first


TableScene = HoldemScene | PerudoScene
Choices = HoldemChoices | PerudoChoices


@dataclass(frozen=True, slots=True)
class Turn:
    """The seat to act, the action's index, and the milliseconds left when this was sent; None without a clock."""

    seat: int
    at: int
    left: int | None  # left before the time bank
    whole: int | None  # total before the time bank
    bank: int  # left in the time bank
    grace: int  # extra time after a lost connection, once per hand; 0: none, or not running


@dataclass(frozen=True, slots=True)
class News:
    """The headline in the middle of the table at the end of a hand."""

    words: str  # "Ana wins 240"
    detail: str  # "a pair of aces, king kicker"
    seats: tuple[int, ...]  # the seats it is about
    paid: tuple[int, ...]  # payout of each seat at this moment; in Perudo dice, negative if lost


@dataclass(frozen=True, slots=True)
class Standing:
    """One player of a finished match; the winner has place 1."""

    seat: int
    name: str
    place: int
    words: str  # "out in round 7"


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A finished match with its placings."""

    words: str  # "Ana wins the match"
    winner: int
    rounds: int
    standings: tuple[Standing, ...]
    again: bool  # a rematch was requested and comes next


@dataclass(frozen=True, slots=True)
class BanLine:
    """A ban in force, for the host to lift. `address`: also by address, not only by the person's token."""

    ban: int
    name: str
    address: bool


@dataclass(frozen=True, slots=True)
class SealedDeck:
    """The sealed deck of the next hand: it can no longer change, and seeds may be revealed."""

    hand: int
    commitment: str
    seeds: tuple[str | None, ...]  # by seat, the hash of its seed in the commitment


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything to draw, for one viewer."""

    room: str
    title: str
    game: GameName
    hand: int  # number of the hand, 0 before the first
    phase: Phase
    why: str  # what the room waits for, in words, if no hand is played
    host: int | None
    you: int | None  # your seat; None: you watch
    seats: tuple[SeatScene, ...]
    table: TableScene | None  # None before the first hand
    turn: Turn | None
    choices: Choices | None  # only on your turn
    muck: bool  # your own setting
    may_rebuy: bool
    commitment: str  # commitment of this hand's deck or dice; see the fairness page
    news: News | None = None  # at the end of a hand
    match: FinishedMatch | None = None  # Perudo: the match is over, and no new one has started
    bans: tuple[BanLine, ...] = ()  # only for the host
    seed_for: int | None = None  # the hand for which the room accepts the hash of a seed from you now
    sealed: SealedDeck | None = None  # between the sealing of a deck and its deal


@dataclass(frozen=True, slots=True)
class EndStep:
    """A moment of a hand's end: the scene, its last event, and how long it is shown."""

    number: int
    milliseconds: int
    scene: Scene
