"""What can stand in a room's log: facts, one frozen value each. A room is what its facts make of it, and nothing else.

Secrets are facts too (the deck, the key of its salts, hashes of tokens), so a log is the server's alone; what a seat
may know of it is decided in `scenes`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal

from tahur.core.errors import TahurError
from tahur.room.codec import parse_text, read_as, text_of

MOST_BYTES: Final = 1 << 24

PERSONA: Final = "persona:"
MODEL: Final = "llm:"  # a persona for which a language model chooses

GameName = Literal["nlhe", "limit", "perudo"]
Pace = Literal["calm", "usual", "quick", "brisk", "instant"]


class LogError(TahurError, ValueError):
    """A log that was changed, cut or cannot be read: in which room, at which entry."""


@dataclass(frozen=True, slots=True)
class RoomSettings:
    """How a room was opened. `secret` feeds the minds' own randomness and their delays, never the cards."""

    title: str
    game: GameName
    rules: str  # a preset's name, or ""
    seats: int
    stack: int
    blinds: tuple[int, ...]
    dice: int
    seconds: int  # to decide; 0: no clock
    bank: int  # seconds of time bank, for the whole sitting
    grace: int  # seconds for who lost the connection, once a hand
    pace: Pace
    open_cards: bool
    listed: bool
    secret: str
    llm: bool = False  # a language model chooses for the minds that have a character


def mind_in(settings: RoomSettings, mind: str) -> str:
    """The mind as it sits in such a room: with a language model `llm:duelist` for `persona:duelist`."""
    return MODEL + mind.removeprefix(PERSONA) if settings.llm and mind.startswith(PERSONA) else mind


@dataclass(frozen=True, slots=True)
class Opened:
    TYPE: ClassVar = "opened"
    room: str
    settings: RoomSettings


@dataclass(frozen=True, slots=True)
class Joined:
    """A person took a seat; the first is the host. `token` is the hash of what the person shows to be let in again."""

    TYPE: ClassVar = "joined"
    seat: int
    person: str
    name: str
    token: str


@dataclass(frozen=True, slots=True)
class MindSat:
    TYPE: ClassVar = "mind sat"
    seat: int
    mind: str
    name: str


@dataclass(frozen=True, slots=True)
class SeedOffered:
    """The hash of a seed that a seat will reveal for that hand."""

    TYPE: ClassVar = "seed offered"
    seat: int
    hand: int
    digest: str


@dataclass(frozen=True, slots=True)
class Sealed:
    """A hand is fixed, and not dealt yet: seeds are waited for. Whatever happens now, it is dealt from this deck."""

    TYPE: ClassVar = "sealed"
    hand: int
    game: str
    settings: str  # JSON
    names: tuple[str, ...]
    values: tuple[int, ...]  # as sealed, before the seeds mix them
    key: str  # of the salts
    digests: tuple[str | None, ...]  # of the seats' seeds
    header: str
    commitment: str


@dataclass(frozen=True, slots=True)
class SeedRevealed:
    TYPE: ClassVar = "seed revealed"
    seat: int
    hand: int
    seed: str


@dataclass(frozen=True, slots=True)
class Dealt:
    """A hand begins: the game with its settings, and the deck or dice in the order in which they are dealt."""

    TYPE: ClassVar = "dealt"
    hand: int
    game: str
    settings: str  # JSON
    names: tuple[str, ...]
    values: tuple[int, ...]
    key: str  # of the salts
    commitment: str
    header: str = ""  # "": an older deal, whose commitment is of the digests alone
    seeds: tuple[str | None, ...] = ()  # of the seats, that mixed the deck; (): none did


@dataclass(frozen=True, slots=True)
class Acted:
    TYPE: ClassVar = "acted"
    hand: int
    at: int
    seat: int
    action: int
    thought: str
    say: str
    by: Literal["person", "mind", "clock", "failure"]  # failure: the bot raised an error or answered nonsense
    bank: int  # milliseconds the seat has left


@dataclass(frozen=True, slots=True)
class Ended:
    """The hand is over: its record, who showed, and what every seat then has."""

    TYPE: ClassVar = "ended"
    hand: int
    record: str  # JSON
    shown: tuple[int, ...]
    chips: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Said:
    TYPE: ClassVar = "said"
    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class SatOut:
    TYPE: ClassVar = "sat out"
    seat: int
    out: bool
    missed: bool  # because the clock ran out


@dataclass(frozen=True, slots=True)
class Rebought:
    TYPE: ClassVar = "rebought"
    seat: int


@dataclass(frozen=True, slots=True)
class Rematched:
    """Somebody asked for another match."""

    TYPE: ClassVar = "rematched"
    seat: int


@dataclass(frozen=True, slots=True)
class MuckSet:
    TYPE: ClassVar = "muck set"
    seat: int
    auto: bool


@dataclass(frozen=True, slots=True)
class Gone:
    """A seat was given up, or taken away by the host."""

    TYPE: ClassVar = "gone"
    seat: int
    removed: bool


@dataclass(frozen=True, slots=True)
class Banned:
    """The host took a person's seat away and lets them in no more: hashes of the token, and of addresses if any."""

    TYPE: ClassVar = "banned"
    seat: int
    person: str
    name: str
    token: str
    addresses: tuple[str, ...]  # keyed with the room's secret; none: others at the table share them


@dataclass(frozen=True, slots=True)
class BanLifted:
    TYPE: ClassVar = "ban lifted"
    ban: int  # its number: the first ban of a room is 1


@dataclass(frozen=True, slots=True)
class Paused:
    TYPE: ClassVar = "paused"
    paused: bool


@dataclass(frozen=True, slots=True)
class Interrupted:
    """The server was away in the middle of a decision, for so many milliseconds: they are nobody's."""

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
    """The fact that `fact_text` wrote."""
    body: dict[str, Any] = parse_text(text, MOST_BYTES)
    kind = body.pop("type", None)
    if kind not in KINDS:
        raise LogError(f"a fact of type {kind!r}, which this version does not know; a newer version wrote it")
    return read_as(KINDS[kind], body, "fact")  # type: ignore[no-any-return]
