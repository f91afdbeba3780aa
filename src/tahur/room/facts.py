"""The entries of a room's log: facts, each a frozen value. A room's state is a function of its facts alone.

Secrets are facts too (the deck, the key of its salts, hashes of tokens), so a log never leaves the server; `scenes`
decides what a seat may know.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal

from tahur.core.errors import TahurError
from tahur.room.codec import parse_text, read_as, text_of
from tahur.room.scene import GameName

MOST_BYTES: Final = 1 << 24

# In facts and messages a `mind` is the name of any bot, not only of a Perudo mind.
PERSONA: Final = "persona:"
MODEL: Final = "llm:"  # a persona for which a language model chooses

Pace = Literal["calm", "usual", "quick", "brisk", "instant"]


class LogError(TahurError, ValueError):
    """A log that was changed, truncated or cannot be read; the message names room and entry."""


@dataclass(frozen=True, slots=True)
class RoomSettings:
    """The settings of a new room. `secret` seeds the bots' randomness and delays, never the cards."""

    title: str
    game: GameName
    rules: str  # name of a preset, or ""
    seats: int
    stack: int
    blinds: tuple[int, ...]
    dice: int
    seconds: int  # seconds to decide; 0: no clock
    bank: int  # seconds of time bank, for the whole session
    grace: int  # extra seconds after a lost connection, once per hand
    pace: Pace
    open_cards: bool
    listed: bool
    secret: str
    llm: bool = False  # a language model chooses for the personas


def mind_in(settings: RoomSettings, mind: str) -> str:
    """The bot's player name in this room: with a language model, `llm:duelist` for `persona:duelist`."""
    return MODEL + mind.removeprefix(PERSONA) if settings.llm and mind.startswith(PERSONA) else mind


@dataclass(frozen=True, slots=True)
class Opened:
    """The first fact of every room: its name and its settings."""

    TYPE: ClassVar = "opened"
    room: str
    settings: RoomSettings


@dataclass(frozen=True, slots=True)
class Joined:
    """A person took a seat; the first is the host. `token` is the hash of the person's token."""

    TYPE: ClassVar = "joined"
    seat: int
    person: str
    name: str
    token: str


@dataclass(frozen=True, slots=True)
class MindSat:
    """A bot took a seat; `mind` is its name in the gallery."""

    TYPE: ClassVar = "mind sat"
    seat: int
    mind: str
    name: str


@dataclass(frozen=True, slots=True)
class SeedOffered:
    """A seat sent the hash of a seed that it will reveal for this hand."""

    TYPE: ClassVar = "seed offered"
    seat: int
    hand: int
    digest: str


@dataclass(frozen=True, slots=True)
class Sealed:
    """The deck of a hand is fixed but not dealt yet: the room waits for seeds. No other deck can be used."""

    TYPE: ClassVar = "sealed"
    hand: int
    game: str
    settings: str  # JSON
    names: tuple[str, ...]
    values: tuple[int, ...]  # in sealed order, before mixing
    key: str  # of the salts
    digests: tuple[str | None, ...]  # hashes of the seats' seeds
    header: str
    commitment: str


@dataclass(frozen=True, slots=True)
class SeedRevealed:
    """A seat sent the seed itself, after the deck was sealed."""

    TYPE: ClassVar = "seed revealed"
    seat: int
    hand: int
    seed: str


@dataclass(frozen=True, slots=True)
class Dealt:
    """A hand begins: the game with its settings, and the deck or dice in dealing order."""

    TYPE: ClassVar = "dealt"
    hand: int
    game: str
    settings: str  # JSON
    names: tuple[str, ...]
    values: tuple[int, ...]
    key: str  # of the salts
    commitment: str
    header: str = ""  # "": an older deal, whose commitment covers only the digests
    seeds: tuple[str | None, ...] = ()  # seeds of the seats that mixed the deck; (): none


@dataclass(frozen=True, slots=True)
class Acted:
    """Decision number `at` of a hand: the action, with the thought and the chat that came with it."""

    TYPE: ClassVar = "acted"
    hand: int
    at: int
    seat: int
    action: int
    thought: str
    say: str
    by: Literal[
        "person", "mind", "clock", "failure"
    ]  # failure: the bot raised an exception or returned an invalid answer
    bank: int  # milliseconds left in the seat's time bank


@dataclass(frozen=True, slots=True)
class Ended:
    """The hand is over: its record, the hands shown, and the stacks after it."""

    TYPE: ClassVar = "ended"
    hand: int
    record: str  # JSON
    shown: tuple[int, ...]
    chips: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Said:
    """A line of chat."""

    TYPE: ClassVar = "said"
    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class SatOut:
    """A player sits out from the next hand on, or is back."""

    TYPE: ClassVar = "sat out"
    seat: int
    out: bool
    missed: bool  # because the clock ran out, not by request


@dataclass(frozen=True, slots=True)
class Rebought:
    """A player buys chips up to the buy-in, with the next hand."""

    TYPE: ClassVar = "rebought"
    seat: int


@dataclass(frozen=True, slots=True)
class Rematched:
    """A player asked for another match."""

    TYPE: ClassVar = "rematched"
    seat: int


@dataclass(frozen=True, slots=True)
class MuckSet:
    """A player set whether losing hands are mucked."""

    TYPE: ClassVar = "muck set"
    seat: int
    auto: bool


@dataclass(frozen=True, slots=True)
class Gone:
    """A player left, or was removed by the host."""

    TYPE: ClassVar = "gone"
    seat: int
    removed: bool


@dataclass(frozen=True, slots=True)
class Banned:
    """The host banned a person, who loses the seat: hashes of the token and of addresses, if any."""

    TYPE: ClassVar = "banned"
    seat: int
    person: str
    name: str
    token: str
    addresses: tuple[str, ...]  # keyed with the room's secret; empty if others at the table share them


@dataclass(frozen=True, slots=True)
class BanLifted:
    TYPE: ClassVar = "ban lifted"
    ban: int  # its number, counted from 1 in each room


@dataclass(frozen=True, slots=True)
class Paused:
    TYPE: ClassVar = "paused"
    paused: bool


@dataclass(frozen=True, slots=True)
class Interrupted:
    """The server was down during a decision, for this many milliseconds; they do not count against any clock."""

    TYPE: ClassVar = "interrupted"
    away: int


@dataclass(frozen=True, slots=True)
class Closed:
    TYPE: ClassVar = "closed"


Fact = (
    Opened
    | Joined
    | MindSat
    | SeedOffered
    | Sealed
    | SeedRevealed
    | Dealt
    | Acted
    | Ended
    | Said
    | SatOut
    | Rebought
    | Rematched
    | MuckSet
    | Gone
    | Banned
    | BanLifted
    | Paused
    | Interrupted
    | Closed
)

KINDS: Final[dict[str, type]] = {kind.TYPE: kind for kind in Fact.__args__}


def fact_text(fact: Fact) -> str:
    """One line of JSON."""
    return text_of(fact)


def fact_of(text: str) -> Fact:
    """Parse a fact written by `fact_text`."""
    body: dict[str, Any] = parse_text(text, MOST_BYTES)
    kind = body.pop("type", None)
    if kind not in KINDS:
        raise LogError(f"a fact of type {kind!r}, which this version does not know; a newer version wrote it")
    return read_as(KINDS[kind], body, "fact")  # type: ignore[no-any-return]
