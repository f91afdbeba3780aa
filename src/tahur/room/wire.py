"""What goes over the wire between a page and its room: two sum types, `ToServer` and `ToClient`, version 1.

The page opens the socket and sends `Hello` with the number of the last event it has seen. The room answers with a
`Frame`: the events since, numbered without a gap, and the scene after them; every later change is a frame too. Frames
are made when the reader is ready, so a slow one gets fewer with more events in each. What a person does carries an id
of the page's making: the room applies each id once, and answers every copy with the same `Ack`; after a lost
connection the page sends again, with the same id, whatever was not acknowledged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final

from tahur.room.codec import Bounds, WireError, body_of, parse_text, read_as, text_of
from tahur.room.scene import EndStep, Event, Scene

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
