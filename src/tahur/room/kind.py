"""What a room asks of each kind of game: the next deal, what to draw, what to say. Two kinds: `holdem` and `perudo`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, Protocol

from tahur.core.game import Dealer, Game, Hand, Seat
from tahur.core.record import Record
from tahur.room.deck import Randomness, Seeds
from tahur.room.facts import RoomSettings
from tahur.room.scene import (
    Event,
    EventKind,
    HoldemChoices,
    HoldemScene,
    News,
    PerudoChoices,
    PerudoScene,
    ScenePot,
    SeatState,
)


@dataclass(frozen=True, slots=True)
class Happening:
    """An event before it has a number."""

    kind: EventKind
    words: str
    seat: Seat | None = None
    cards: tuple[str, ...] = ()
    chips: int = 0
    at: int | None = None

    def event(self, number: int, hand: int) -> Event:
        return Event(
            number=number,
            hand=hand,
            kind=self.kind,
            seat=self.seat,
            words=self.words,
            cards=self.cards,
            chips=self.chips,
            at=self.at,
        )


@dataclass(frozen=True, slots=True)
class Look:
    """What a moment of a hand's end adds to its table: which hands lie open, what is lit, what was paid."""

    up: tuple[Seat, ...] = ()
    made: tuple[tuple[Seat, str], ...] = ()  # hands in words
    lit: tuple[str, ...] | None = None  # cards or dice; None: those that the table itself lights
    chips: tuple[int, ...] | None = None  # what each seat has by then; None: as on the table
    pots: tuple[ScenePot, ...] | None = None  # not paid yet; None: as on the table
    found: int | None = None  # Perudo: dice that count, under the cups lifted so far
    equities: bool = False  # cards are to come: the open hands have equities
    news: News | None = None
    own_details: tuple[tuple[Seat, str], ...] = ()  # what the news says to that seat alone, which knows its own hand

    def news_for(self, viewer: Seat | None) -> News | None:
        """The news as the viewer may hear it."""
        own = dict(self.own_details).get(viewer) if viewer is not None else None
        return replace(self.news, detail=own) if self.news and own else self.news


NO_LOOK: Final = Look()


@dataclass(frozen=True, slots=True)
class Beat:
    """One step of a hand's end: what happens, how it looks, and for how many seconds at the usual pace."""

    happenings: tuple[Happening, ...]
    look: Look
    seconds: float


@dataclass(frozen=True, slots=True)
class Sitting:
    """A chair when the next deal is made: what it has, whether somebody plays there, and whether that one sits out."""

    chips: int
    plays: bool
    away: bool = False


@dataclass(frozen=True, slots=True)
class TableSeat:
    """A seat on a table, as everybody sees it."""

    state: SeatState
    chips: int
    bet: int
    hidden: int  # cards or dice


@dataclass(frozen=True, slots=True)
class Draws:
    """The dealing order: which draws each seat that is dealt in gets, and which are the board's."""

    unit: Literal["cards", "dice"]
    total: int
    seats: tuple[tuple[Seat, range], ...]
    board: range


class RoomGame(Protocol):
    """One kind of game in a room."""

    def buy_in(self, settings: RoomSettings) -> int:
        """What a seat starts with: chips or dice."""
        ...

    def next_game(
        self, settings: RoomSettings, sittings: Sequence[Sitting], last: tuple[Game[Any], Record] | None
    ) -> Game[Any] | None:
        """The next deal, None while there are too few to play."""
        ...

    def chips_at_deal(self, game: Game[Any], chips: Sequence[int]) -> tuple[int, ...]:
        """What each seat has as the deal begins; those not dealt in keep theirs."""
        ...

    def draw(self, game: Game[Any], randomness: Randomness) -> tuple[int, ...]:
        """A whole deck, or all dice, in the order in which they are dealt."""
        ...

    def value_text(self, value: int) -> str:
        """A card or die as it is written and sealed."""
        ...

    def mixed(self, sealed: Sequence[int], seeds: Seeds) -> tuple[int, ...]:
        """Sealed values as the seeds mix them, in the order in which they are dealt."""
        ...

    def unmixed(self, dealt: Sequence[int], seeds: Seeds) -> tuple[int, ...]:
        """The values as they were sealed."""
        ...

    def places_of(self, seeds: Seeds, count: int) -> tuple[int, ...]:
        """For each draw, the place of the sealed values that it comes from."""
        ...

    def dealer(self, values: Sequence[int]) -> Dealer: ...

    def draws(self, game: Game[Any]) -> Draws:
        """The dealing order."""
        ...

    def whose(self, game: Game[Any], table: Any, draw: int) -> Seat | str | None:
        """Whose that draw is: a seat's, `board` once it lies there, nobody's yet."""
        ...

    def places(self, game: Game[Any], table: Any) -> tuple[TableSeat, ...]: ...

    def hand_texts(self, hand: Hand) -> tuple[str, ...]: ...

    def scene(self, table: Any, look: Look = NO_LOOK) -> tuple[HoldemScene | None, PerudoScene | None]: ...

    def lit(self, table: Any) -> tuple[str, ...]:
        """The cards or dice that matter now: in Perudo those that count for the bid."""
        ...

    def choices(self, table: Any) -> tuple[HoldemChoices | None, PerudoChoices | None]: ...

    def shown(self, game: Game[Any], record: Record, mucks: Collection[Seat]) -> tuple[Seat, ...]:
        """Who shows at the end, in order; those who muck if they may do not."""
        ...

    def opening_words(self, game: Game[Any], hand: int, names: Sequence[str]) -> str: ...

    def told(self, game: Game[Any], before: Any, after: Any, names: Sequence[str]) -> Happening | None:
        """What one action, a seat's or chance's, comes to; None: nothing to tell yet."""
        ...

    def ending(
        self, game: Game[Any], record: Record, shown: Sequence[Seat], names: Sequence[str], hand: int
    ) -> list[Beat]:
        """Hands shown, what was won and lost, and the end."""
        ...

    def stake(self, game: Game[Any], record: Record) -> float:
        """How much was at stake in a hand, from 0 to 1: what is shown of its end takes longer for more."""
        ...

    def winner(self, game: Game[Any], record: Record) -> Seat | None:
        """Who won the match with that hand; None: it goes on, or there are no matches."""
        ...


def told(beats: Sequence[Beat]) -> list[Happening]:
    """What the steps of a hand's end come to in the log."""
    return [happening for beat in beats for happening in beat.happenings]


def kind_of(game: str) -> RoomGame:
    """The kind of that game."""
    if game == "perudo":
        from tahur.room.perudo import PerudoRoomGame

        return PerudoRoomGame()
    from tahur.room.holdem import HoldemRoomGame

    return HoldemRoomGame()
