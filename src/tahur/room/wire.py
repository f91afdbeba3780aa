"""What goes over the wire between a page and its room: two sum types, `ToServer` and `ToClient`, version 1.

The page opens the socket and sends `Hello` with the number of the last event it has seen. The room answers with a
`Frame`: the events since, numbered without a gap, and the scene after them; every later change is a frame too. Frames
are made when the reader is ready, so a slow one gets fewer with more events in each. What a person does carries an id
of the page's making: the room applies each id once, and answers every copy with the same `Ack`; after a lost
connection the page sends again, with the same id, whatever was not acknowledged.

An event's number is the same for everybody in the room. A scene is what one seat may know, a spectator's nobody's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final, Literal

from tahur.room.codec import Bounds, WireError, body_of, parse_text, read_as, text_of

VERSION: Final = 1
MOST_BYTES: Final = 4096  # of a message from a page

Id = Annotated[str, Bounds(1, 64)]
SeatNumber = Annotated[int, Bounds(0, 8)]
Count = Annotated[int, Bounds(0, 10**12)]
Line = Annotated[str, Bounds(1, 280)]
MaybeLine = Annotated[str, Bounds(0, 280)]
Name = Annotated[str, Bounds(1, 24)]
Hash = Annotated[str, Bounds(64, 64)]

# ---- from the page -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Hello:
    """The first message: send me what came after event `seen` (0: I know nothing)."""

    TYPE: ClassVar = "hello"
    seen: Count


@dataclass(frozen=True, slots=True)
class Act:
    """Action number `at` of hand `hand`. Hold'em: 0 folds, 1 checks or calls, x + 1 raises to x. Perudo: see `Bid`."""

    TYPE: ClassVar = "act"
    id: Id
    hand: Count
    at: Count
    action: Count
    say: MaybeLine = ""


@dataclass(frozen=True, slots=True)
class Say:
    """Chat."""

    TYPE: ClassVar = "say"
    id: Id
    text: Line


@dataclass(frozen=True, slots=True)
class SitOut:
    """From the next hand on, until taken back."""

    TYPE: ClassVar = "sit_out"
    id: Id
    out: bool


@dataclass(frozen=True, slots=True)
class Rebuy:
    """Chips up to the buy-in, with the next hand."""

    TYPE: ClassVar = "rebuy"
    id: Id


@dataclass(frozen=True, slots=True)
class Muck:
    """Whether a losing hand is thrown away unseen at the showdown (it is, unless asked otherwise)."""

    TYPE: ClassVar = "muck"
    id: Id
    auto: bool


@dataclass(frozen=True, slots=True)
class Rematch:
    """Perudo, when a match is over: play another. Anybody with a seat may ask."""

    TYPE: ClassVar = "rematch"
    id: Id


@dataclass(frozen=True, slots=True)
class Leave:
    """Give the seat up."""

    TYPE: ClassVar = "leave"
    id: Id


@dataclass(frozen=True, slots=True)
class Pause:
    """The host alone: no clock runs and nobody is asked until it goes on."""

    TYPE: ClassVar = "pause"
    id: Id
    paused: bool


@dataclass(frozen=True, slots=True)
class PutMind:
    """The host alone: a mind takes an empty seat with the next hand."""

    TYPE: ClassVar = "put_mind"
    id: Id
    seat: SeatNumber
    mind: Annotated[str, Bounds(1, 80)]


@dataclass(frozen=True, slots=True)
class Remove:
    """The host alone: the seat is empty from the next hand on."""

    TYPE: ClassVar = "remove"
    id: Id
    seat: SeatNumber


@dataclass(frozen=True, slots=True)
class Ban:
    """The host alone: the person in that seat loses it, and may not come back, watch or talk here."""

    TYPE: ClassVar = "ban"
    id: Id
    seat: SeatNumber


@dataclass(frozen=True, slots=True)
class LiftBan:
    """The host alone: the ban of that number, as in `Scene.bans`, ends."""

    TYPE: ClassVar = "lift_ban"
    id: Id
    ban: Count


@dataclass(frozen=True, slots=True)
class CloseRoom:
    """The host alone: after this hand no other is dealt."""

    TYPE: ClassVar = "close"
    id: Id


@dataclass(frozen=True, slots=True)
class OfferSeed:
    """SHA-256 of a seed for the hand that `Scene.seed_for` names: the seeds shuffle its deck; see docs/room.md."""

    TYPE: ClassVar = "offer_seed"
    id: Id
    hand: Count
    digest: Hash


@dataclass(frozen=True, slots=True)
class RevealSeed:
    """The seed itself, 64 hexadecimal digits, once the deck is sealed (`Scene.sealed`) and its commitment noted."""

    TYPE: ClassVar = "reveal_seed"
    id: Id
    hand: Count
    seed: Hash


# What only the host may ask for.
HostRequest = Pause | PutMind | Remove | Ban | LiftBan | CloseRoom
# What changes a room.
Request = Act | Say | SitOut | Rebuy | Muck | Rematch | Leave | OfferSeed | RevealSeed | HostRequest
ToServer = Hello | Request

# ---- to the page ---------------------------------------------------------------------------------

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
class Pot:
    chips: int
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HoldemScene:
    board: tuple[str, ...]
    street: Literal["preflop", "flop", "turn", "river", "over"]
    button: int
    blinds: tuple[int, ...]
    pot: int  # every chip in the middle
    pots: tuple[Pot, ...]  # of the streets before this one, the main pot first; this street's bets lie before the seats
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
class Match:
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
    match: Match | None = None  # Perudo: the match is over, and no other has begun
    bans: tuple[BanLine, ...] = ()  # for the host alone
    seed_for: int | None = None  # the hand for which the room would take the hash of a seed from you now
    sealed: SealedDeck | None = None  # between the sealing of a deck and its deal


@dataclass(frozen=True, slots=True)
class EndStep:
    """A moment of a hand's end: the table then, the last event that it tells, and how long it is shown."""

    number: int
    milliseconds: int
    scene: Scene


@dataclass(frozen=True, slots=True)
class Frame:
    """Events without a gap, then the scene after the last one. `gap`: older ones than these are not kept here.

    A frame that tells the end of a hand has the moments of that end too, from the last decision on, for a page to show
    one after another; the room deals the next hand after that time.
    """

    TYPE: ClassVar = "frame"
    number: int  # of the last event of the room
    gap: bool
    events: tuple[Event, ...]
    scene: Scene
    ending: tuple[EndStep, ...] = ()


@dataclass(frozen=True, slots=True)
class Ack:
    """The request was applied and is on disk; every copy of it gets the same answer."""

    TYPE: ClassVar = "ack"
    id: str
    number: int  # of the event it made, or of the last before it
    note: str = ""  # what the person should know besides, such as words that were dropped


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing was changed, and why; `id` is empty for what could not be read."""

    TYPE: ClassVar = "refused"
    id: str
    why: str


@dataclass(frozen=True, slots=True)
class Closing:
    """The last message before the server closes the socket; `again`: open another."""

    TYPE: ClassVar = "closing"
    why: str
    again: bool


ToClient = Frame | Ack | Refused | Closing

# ---- there and back ------------------------------------------------------------------------------

TO_SERVER: Final[dict[str, type]] = {kind.TYPE: kind for kind in ToServer.__args__}
TO_CLIENT: Final[dict[str, type]] = {kind.TYPE: kind for kind in ToClient.__args__}


def encode(message: ToServer | ToClient) -> str:
    """`{"v": 1, "type": "act", ...}` as one line."""
    return text_of({"v": VERSION, **body_of(message)})


def decode_request(text: str | bytes) -> ToServer:
    """What a page sent."""
    return _decode(parse_text(text, MOST_BYTES), TO_SERVER)  # type: ignore[no-any-return]


def decode_answer(text: str | bytes) -> ToClient:
    """What a room sent; for clients in Python."""
    return _decode(parse_text(text, 1 << 24), TO_CLIENT)  # type: ignore[no-any-return]


def _decode(value: Any, kinds: dict[str, type]) -> Any:
    if type(value) is not dict:
        raise WireError("a message is an object with v and type")
    body = dict(value)
    version, kind = body.pop("v", None), body.pop("type", None)
    if type(version) is not int or version != VERSION:
        raise WireError(f"version {version!r:.20}; this room speaks version {VERSION}: load the page again")
    if type(kind) is not str or kind not in kinds:
        raise WireError(f"no message of type {kind!r:.30}; there are {', '.join(kinds)}")
    return read_as(kinds[kind], body, kind)
