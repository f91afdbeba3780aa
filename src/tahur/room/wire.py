"""The WebSocket messages between a page and its room: two sum types, `ToServer` and `ToClient`, version 2.

The page opens the socket and sends `Hello` with the number of the last event it has seen. The room answers with a
`Frame`: the events since, numbered without a gap, and the scene after them; every later change is a frame too. Frames
are made when the reader is ready, so a slow reader gets fewer frames with more events in each. Every request has an id
made by the page: the room applies each id once, and answers every copy with the same `Ack`; after a lost connection the
page sends unacknowledged requests again with the same id.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final

from tahur.room.codec import Bounds, WireError, body_of, parse_text, read_as, text_of
from tahur.room.scene import EndStep, Event, Scene

VERSION: Final = 2
MOST_BYTES: Final = 4096  # maximum bytes of a message from a page

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
    """The first message: asks for the events after `seen` (0: all)."""

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
    """Sit out from the next hand on, or come back."""

    TYPE: ClassVar = "sit_out"
    id: Id
    out: bool


@dataclass(frozen=True, slots=True)
class Rebuy:
    """Buy chips up to the buy-in, with the next hand."""

    TYPE: ClassVar = "rebuy"
    id: Id


@dataclass(frozen=True, slots=True)
class Muck:
    """Whether a losing hand is mucked at the showdown (the default)."""

    TYPE: ClassVar = "muck"
    id: Id
    auto: bool


@dataclass(frozen=True, slots=True)
class Rematch:
    """Perudo, when a match is over: play another. Any player with a seat may ask."""

    TYPE: ClassVar = "rematch"
    id: Id


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the seat."""

    TYPE: ClassVar = "leave"
    id: Id


@dataclass(frozen=True, slots=True)
class Pause:
    """Host only: pause or resume the game; while paused, no clock runs and no one has to act."""

    TYPE: ClassVar = "pause"
    id: Id
    paused: bool


@dataclass(frozen=True, slots=True)
class PutMind:
    """Host only: a bot takes an empty seat with the next hand."""

    TYPE: ClassVar = "put_mind"
    id: Id
    seat: SeatNumber
    mind: Annotated[str, Bounds(1, 80)]


@dataclass(frozen=True, slots=True)
class Remove:
    """Host only: the seat becomes empty with the next hand."""

    TYPE: ClassVar = "remove"
    id: Id
    seat: SeatNumber


@dataclass(frozen=True, slots=True)
class Ban:
    """Host only: the person in this seat loses it, and may not come back, watch or chat here."""

    TYPE: ClassVar = "ban"
    id: Id
    seat: SeatNumber


@dataclass(frozen=True, slots=True)
class LiftBan:
    """Host only: lift the ban with this number, as in `Scene.bans`."""

    TYPE: ClassVar = "lift_ban"
    id: Id
    ban: Count


@dataclass(frozen=True, slots=True)
class CloseRoom:
    """Host only: no hand is dealt after this one."""

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
    """The seed itself, 64 hexadecimal digits, sent when the deck is sealed (`Scene.sealed`)."""

    TYPE: ClassVar = "reveal_seed"
    id: Id
    hand: Count
    seed: Hash


# Requests that only the host may make.
HostRequest = Pause | PutMind | Remove | Ban | LiftBan | CloseRoom
# Requests that change a room.
Request = Act | Say | SitOut | Rebuy | Muck | Rematch | Leave | OfferSeed | RevealSeed | HostRequest
ToServer = Hello | Request

# ---- to the page ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Frame:
    """Events without a gap, then the scene after the last one. `gap`: older events are no longer available.

    A frame with the end of a hand also has the moments of that end, from the last decision on, for a page to show one
    after another; the room deals the next hand after that time.
    """

    TYPE: ClassVar = "frame"
    number: int  # number of the room's last event
    gap: bool
    events: tuple[Event, ...]
    scene: Scene
    ending: tuple[EndStep, ...] = ()


@dataclass(frozen=True, slots=True)
class Ack:
    """The request was applied and is on disk; every copy of it gets the same answer."""

    TYPE: ClassVar = "ack"
    id: str
    number: int  # number of the event it made, or of the last one before it
    note: str = ""  # additional information, such as a dropped chat message


@dataclass(frozen=True, slots=True)
class Refused:
    """A refused request, with the reason; `id` is empty if the message could not be parsed."""

    TYPE: ClassVar = "refused"
    id: str
    why: str


@dataclass(frozen=True, slots=True)
class Closing:
    """The last message before the server closes the socket; `again`: the page should reconnect."""

    TYPE: ClassVar = "closing"
    why: str
    again: bool


ToClient = Frame | Ack | Refused | Closing

# ---- encoding ------------------------------------------------------------------------------------

TO_SERVER: Final[dict[str, type]] = {kind.TYPE: kind for kind in ToServer.__args__}
TO_CLIENT: Final[dict[str, type]] = {kind.TYPE: kind for kind in ToClient.__args__}


def encode(message: ToServer | ToClient) -> str:
    """`{"v": 2, "type": "act", ...}` as one line."""
    return text_of({"v": VERSION, **body_of(message)})


def decode_request(text: str | bytes) -> ToServer:
    """Parse a message of a page."""
    return _decode(parse_text(text, MOST_BYTES), TO_SERVER)  # type: ignore[no-any-return]


def decode_answer(text: str | bytes) -> ToClient:
    """Parse a message of a room; for clients in Python."""
    return _decode(parse_text(text, 1 << 24), TO_CLIENT)  # type: ignore[no-any-return]


def _decode(value: Any, kinds: dict[str, type]) -> Any:
    """Check version and type of a message, and read it as the class of that type."""
    if type(value) is not dict:
        raise WireError("a message is an object with v and type")
    body = dict(value)
    version, kind = body.pop("v", None), body.pop("type", None)
    if type(version) is not int or version != VERSION:
        raise WireError(f"version {version!r:.20}; this room speaks version {VERSION}: load the page again")
    if type(kind) is not str or kind not in kinds:
        raise WireError(f"no message of type {kind!r:.30}; types: {', '.join(kinds)}")
    return read_as(kinds[kind], body, kind)
