"""The requests and responses of the REST API, as frozen dataclasses; the page's types are generated from these.

GET  /api/house                            -> House: whether there is a password, games, bots
POST /api/enter                   Enter    -> Entered     (where there is a password; the token comes as a cookie too)
GET  /api/rooms                            -> RoomList
POST /api/rooms                   NewRoom  -> Seated      (the token comes as a cookie too)
GET  /api/rooms/ROOM                       -> RoomCard
POST /api/rooms/ROOM/join         Join     -> Seated
POST /api/rooms/ROOM/watch        Watch    -> Seated      (seat null)
GET  /api/rooms/ROOM/hands                 -> HandList    (as your seat saw them, the newest first; ?before=N pages on)
GET  /api/rooms/ROOM/hands/N               -> Replay
GET  /api/rooms/ROOM/hands/N/thoughts      -> Thoughts    (403 while the hand goes on)
GET  /api/rooms/ROOM/hands/N/odds          -> Odds        (403 while the hand goes on)
GET  /api/rooms/ROOM/hands/N/fairness      -> Fairness    (403 while the hand goes on)
GET  /api/rooms/ROOM/export?format=phh|pokerstars|json    (a file; &hand=N for one hand)
WS   /api/rooms/ROOM/socket                   room/wire.py

If there is a password, only `House.password` is visible until it is given here or with a request that contains it.
Errors are `{"error": "one sentence"}` with 400, 401, 403, 404, 409, 413, 429 or 503.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from tahur.room.codec import Bounds
from tahur.room.scene import Event, GameName, Scene
from tahur.room.wire import Name, SeatNumber

MindName = Annotated[str, Bounds(1, 80)]
Password = Annotated[str, Bounds(0, 128)]

# ---- requests ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NewRoom:
    """A room to open; its opener is the host and takes seat 0. `minds`: for each other seat a bot, or null."""

    name: Name  # yours
    title: Annotated[str, Bounds(0, 60)] = ""
    game: GameName = "nlhe"
    rules: Annotated[str, Bounds(0, 40)] = ""  # name of a preset; "": the first
    minds: Annotated[tuple[MindName | None, ...], Bounds(1, 8)] = (None,)
    stack: Annotated[int, Bounds(2, 1_000_000)] = 200  # chips
    blinds: Annotated[tuple[int, ...], Bounds(2, 2)] = (1, 2)
    dice: Annotated[int, Bounds(1, 10)] = 5
    seconds: Annotated[int, Bounds(0, 600)] = 30  # seconds to decide; 0: no clock
    bank: Annotated[int, Bounds(0, 600)] = 60  # seconds of time bank
    # Delay of bots, and how long the end of a hand is shown; instant has no pauses at all, for programs.
    pace: Literal["calm", "usual", "quick", "brisk", "instant"] = "usual"
    open_cards: bool = False  # for study: all hands are open; only without other people
    listed: bool = True  # in the list of open rooms
    llm: bool = False  # a language model chooses for the personas; hold'em only, if the server has a model
    wait: bool = False  # no hand is dealt until the host starts the game
    password: Password = ""  # the server's


@dataclass(frozen=True, slots=True)
class Join:
    name: Name
    seat: SeatNumber | None = None  # None: any empty one
    password: Password = ""


@dataclass(frozen=True, slots=True)
class Watch:
    password: Password = ""


@dataclass(frozen=True, slots=True)
class Enter:
    password: Password


# ---- responses -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RadarFigure:
    """One axis of a style radar chart, from 0 to 1."""

    name: str
    value: float


@dataclass(frozen=True, slots=True)
class Mind:
    """A bot that can be seated: `mind` is its id in requests."""

    mind: str
    name: str
    summary: str
    games: tuple[GameName, ...]
    figures: tuple[RadarFigure, ...]  # empty: unknown
    lines: tuple[str, ...]  # sample lines


@dataclass(frozen=True, slots=True)
class Rules:
    """A preset: its name, and its rules in words."""

    name: str
    title: str
    card: str


@dataclass(frozen=True, slots=True)
class GameCard:
    game: GameName
    title: str
    least_seats: int
    most_seats: int
    rules: tuple[Rules, ...]


@dataclass(frozen=True, slots=True)
class House:
    version: str
    password: bool  # a password is needed to open, join or watch
    games: tuple[GameCard, ...]
    minds: tuple[Mind, ...]
    quick: NewRoom  # what "Play a hand now" opens
    llm: str | None  # name of the configured language model, or None
    address: str | None  # address for other machines; None: the server listens only on this machine
    entered: bool = True  # False: the password was not given yet, and the other fields are empty


@dataclass(frozen=True, slots=True)
class RoomCard:
    """A room in a list."""

    room: str
    title: str
    game: GameName
    rules: Rules
    seats: int
    empty: int
    people: tuple[str, ...]
    minds: tuple[str, ...]
    stack: int  # chips or dice
    blinds: tuple[int, ...]
    seconds: int
    hand: int  # number of the last hand dealt
    finished: int  # finished hands
    yours: int  # finished hands in which you had a seat
    over: bool
    listed: bool
    llm: bool  # a language model chooses for the personas
    you: int | None  # your seat, if you have one
    played: int | None  # chips or dice won in your hands; None without hands


@dataclass(frozen=True, slots=True)
class RoomList:
    rooms: tuple[RoomCard, ...]


@dataclass(frozen=True, slots=True)
class Seated:
    room: str
    seat: int | None
    token: str  # also set as a cookie; clients without cookies send `Authorization: Bearer TOKEN`


@dataclass(frozen=True, slots=True)
class Entered:
    token: str  # also set as a cookie; clients without cookies send `Authorization: Bearer TOKEN`


@dataclass(frozen=True, slots=True)
class HandLine:
    """A finished hand in a list."""

    hand: int
    result: float | None  # chips or dice, of your seat
    total: float | None  # your total up to this hand
    words: str
    board: tuple[str, ...]
    cards: tuple[str, ...]  # yours


@dataclass(frozen=True, slots=True)
class HandList:
    hands: tuple[HandLine, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class ReplayStep:
    event: Event
    scene: Scene


@dataclass(frozen=True, slots=True)
class Replay:
    hand: int
    steps: tuple[ReplayStep, ...]


@dataclass(frozen=True, slots=True)
class ThoughtLine:
    at: int
    seat: int
    name: str
    did: str
    words: str  # the thought in sentences
    thought: str  # the thought as the bot wrote it


@dataclass(frozen=True, slots=True)
class Thoughts:
    hand: int
    thoughts: tuple[ThoughtLine, ...]


@dataclass(frozen=True, slots=True)
class StreetOdds:
    """Equities on a street, of your own and the shown hands."""

    street: str
    board: tuple[str, ...]
    seats: tuple[int, ...]
    hands: tuple[str, ...]
    equities: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Odds:
    hand: int
    streets: tuple[StreetOdds, ...]
    words: str  # why there are no odds, or what they mean


@dataclass(frozen=True, slots=True)
class Opening:
    """A card or die that you may see, with the salt that opens its digest."""

    place: int  # in the sealed deck
    whose: str
    value: str
    salt: str


@dataclass(frozen=True, slots=True)
class UsedSeed:
    """The seed that a seat revealed."""

    seat: int
    seed: str


@dataclass(frozen=True, slots=True)
class Fairness:
    """The proof of a deal, available when the hand is over; docs/room.md explains the check.

    SHA-256 of `header` and all `digests`, one per line, is `commitment`; SHA-256 of `hand:place:value:salt` is the
    digest at that place. Deals of older versions have no header: their commitment is SHA-256 of all digests in a row.
    """

    hand: int
    commitment: str
    digests: tuple[str, ...]
    openings: tuple[Opening, ...]
    words: str
    header: str = ""
    seeds: tuple[UsedSeed, ...] = ()


# ---- stored by the player ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SeenHand:
    seat: int
    cards: tuple[str, ...]  # or dice


@dataclass(frozen=True, slots=True)
class DealNotes:
    """A player's notes during a hand, to check the proof against."""

    commitment: str  # as announced before the deal
    seat: int | None = None  # the player's; None: a spectator
    seed: str | None = None  # revealed for this hand; None: none
    hands: tuple[SeenHand, ...] = ()  # the player's own and the shown ones
    board: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DealFile:
    """A proof and the player's notes, as the page saves them for `tahur room fair` and docs/verify_deal.py."""

    proof: Fairness
    notes: DealNotes
