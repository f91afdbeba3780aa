"""What a room asks of each kind of game: the next deal, what to draw, what to say. Two kinds: `holdem` and `perudo`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from tahur.core.game import Action, Dealer, Game, Hand, Seat
from tahur.core.player import View
from tahur.core.record import Record
from tahur.room.deck import Randomness
from tahur.room.facts import RoomSettings
from tahur.room.wire import Event, EventKind, HoldemChoices, HoldemScene, PerudoChoices, PerudoScene, SeatState


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
        return Event(number, hand, self.kind, self.seat, self.words, self.cards, self.chips, self.at)


@dataclass(frozen=True, slots=True)
class Sitting:
    """A chair when the next deal is made: what it has, whether somebody plays there, and whether that one sits out."""

    chips: int
    plays: bool
    away: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """A seat on a table, as everybody sees it."""

    state: SeatState
    chips: int
    bet: int
    hidden: int  # cards or dice


class Kind(Protocol):
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

    def dealer(self, values: Sequence[int]) -> Dealer: ...

    def whose(self, game: Game[Any], table: Any, place: int) -> Seat | str | None:
        """Whose the value at that place of the deck is: a seat's, `board` once it lies there, nobody's yet."""
        ...

    def places(self, game: Game[Any], table: Any) -> tuple[Place, ...]: ...

    def hand_texts(self, hand: Hand) -> tuple[str, ...]: ...

    def scene(self, table: Any) -> tuple[HoldemScene | None, PerudoScene | None]: ...

    def choices(self, table: Any) -> tuple[HoldemChoices | None, PerudoChoices | None]: ...

    def out_of_time(self, view: View) -> Action:
        """What is done for a seat that does nothing."""
        ...

    def shown(self, game: Game[Any], record: Record, mucks: Collection[Seat]) -> tuple[Seat, ...]:
        """Who shows at the end, in order; those who muck if they may do not."""
        ...

    def opening_words(self, game: Game[Any], hand: int, names: Sequence[str]) -> str: ...

    def told(self, game: Game[Any], before: Any, after: Any, names: Sequence[str]) -> Happening | None:
        """What one action, a seat's or chance's, comes to; None: nothing to tell yet."""
        ...

    def ending(
        self, game: Game[Any], record: Record, shown: Sequence[Seat], names: Sequence[str], hand: int
    ) -> list[Happening]:
        """Hands shown, what was won and lost, and the end."""
        ...


def kind_of(game: str) -> Kind:
    """The kind of that game."""
    if game == "perudo":
        from tahur.room.perudo import PerudoKind

        return PerudoKind()
    from tahur.room.holdem import HoldemKind

    return HoldemKind()
