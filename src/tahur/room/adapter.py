"""The interface between a room and its game, `GameAdapter`; implemented by `holdem` and `perudo`.

Everything that depends on the game is asked of its adapter: no other module of the room compares the game's name.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final, Literal, Protocol

from tahur.core.errors import UnknownName
from tahur.core.game import Dealer, Game, Hand, Seat
from tahur.core.record import Record
from tahur.room.deck import Randomness, Seeds
from tahur.room.facts import RoomSettings
from tahur.room.rest import GameCard, StreetOdds
from tahur.room.scene import Choices, Event, EventKind, GameName, News, ScenePot, SeatState, TableScene


@dataclass(frozen=True, slots=True)
class Happening:
    """An event before it has a number; the fields are those of `Event`."""

    kind: EventKind
    words: str
    seat: Seat | None = None
    cards: tuple[str, ...] = ()
    chips: int = 0
    at: int | None = None  # for an action: the number of actions before it in the hand

    def event(self, number: int, hand: int) -> Event:
        """The event with its number, in this hand."""
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
    """What a moment at the end of a hand adds to the table: open hands, highlights, payouts."""

    up: tuple[Seat, ...] = ()  # seats whose hands are open
    made: tuple[tuple[Seat, str], ...] = ()  # by seat: its hand in words, "a pair of aces"
    lit: tuple[str, ...] | None = None  # highlighted cards or dice; None: as on the table
    chips: tuple[int, ...] | None = None  # stacks at that moment; None: as on the table
    pots: tuple[ScenePot, ...] | None = None  # chips not paid out yet; None: as on the table
    found: int | None = None  # Perudo: dice that count, under the cups lifted so far
    equities: bool = False  # cards are to come, so open hands have equities
    news: News | None = None
    own_details: tuple[tuple[Seat, str], ...] = ()  # the headline for one seat, which knows its own hand

    def news_for(self, viewer: Seat | None) -> News | None:
        """The headline for this viewer."""
        own = dict(self.own_details).get(viewer) if viewer is not None else None
        return replace(self.news, detail=own) if self.news and own else self.news


NO_LOOK: Final = Look()


@dataclass(frozen=True, slots=True)
class Beat:
    """One step of a hand's end: its events, what the table looks like, and how long it is shown at normal pace."""

    happenings: tuple[Happening, ...]
    look: Look
    seconds: float


@dataclass(frozen=True, slots=True)
class Sitting:
    """A chair when the next deal is made: its stack, whether it is taken, and whether the player sits out."""

    chips: int
    plays: bool
    away: bool = False


@dataclass(frozen=True, slots=True)
class TableSeat:
    """A seat on a table, as everyone sees it."""

    state: SeatState
    chips: int
    bet: int
    hidden: int  # cards or dice


@dataclass(frozen=True, slots=True)
class Draws:
    """The dealing order: the draws of each seat that is dealt in, and those of the board."""

    unit: Literal["cards", "dice"]
    total: int
    seats: tuple[tuple[Seat, range], ...]
    board: range


class GameAdapter(Protocol):
    """A game as a room uses it."""

    @property
    def has_rebuys(self) -> bool:
        """Whether a seat can buy chips between hands."""
        ...

    @property
    def has_menus(self) -> bool:
        """Whether personas choose from menus; only then language models can play."""
        ...

    @property
    def has_histories(self) -> bool:
        """Whether hands can be written as hand histories (PHH, PokerStars)."""
        ...

    @property
    def plays_for_away_seats(self) -> bool:
        """Whether the room acts at once for a seat that sits out in the middle of a hand."""
        ...

    def card(self) -> GameCard:
        """The game in the list of games, with its presets in words."""
        ...

    def buy_in(self, settings: RoomSettings) -> int:
        """What a seat starts with: chips or dice."""
        ...

    def chips_on_joining(self, settings: RoomSettings) -> int:
        """The stack of a new player before the next deal."""
        ...

    def blinds(self, settings: RoomSettings) -> tuple[int, ...]:
        """The blinds, if the game has any."""
        ...

    def can_be_dealt(self, sitting: Sitting) -> bool:
        """Whether a player with this stack can take part in the next deal."""
        ...

    def next_game(
        self, settings: RoomSettings, sittings: Sequence[Sitting], last: tuple[Game[Any], Record] | None
    ) -> Game[Any] | None:
        """The next deal; None if there are too few players."""
        ...

    def chips_at_deal(self, game: Game[Any], chips: Sequence[int]) -> tuple[int, ...]:
        """The stacks at the start of the deal; seats that are not dealt in keep theirs."""
        ...

    def draw(self, game: Game[Any], randomness: Randomness) -> tuple[int, ...]:
        """A whole deck, or all dice, in dealing order."""
        ...

    def value_text(self, value: int) -> str:
        """A card or die as it is written and sealed."""
        ...

    def mixed(self, sealed: Sequence[int], seeds: Seeds) -> tuple[int, ...]:
        """Sealed values mixed by the seeds, in dealing order."""
        ...

    def unmixed(self, dealt: Sequence[int], seeds: Seeds) -> tuple[int, ...]:
        """The dealt values in sealed order."""
        ...

    def places_of(self, seeds: Seeds, count: int) -> tuple[int, ...]:
        """For each draw, its place in the sealed values."""
        ...

    def dealer(self, values: Sequence[int]) -> Dealer:
        """A dealer that deals these cards or dice in order."""
        ...

    def draws(self, game: Game[Any]) -> Draws:
        """The dealing order."""
        ...

    def whose(self, game: Game[Any], table: Any, draw: int) -> Seat | str | None:
        """The owner of a draw: a seat, `board` once it is dealt, or none yet."""
        ...

    def places(self, game: Game[Any], table: Any) -> tuple[TableSeat, ...]:
        """Each seat as everyone sees it."""
        ...

    def hand_texts(self, hand: Hand) -> tuple[str, ...]:
        """The cards or dice of a hand, as they are written."""
        ...

    def scene(self, table: Any, look: Look = NO_LOOK) -> TableScene:
        """The middle of the table (board and pots, or bids) for the page."""
        ...

    def lit(self, table: Any) -> tuple[str, ...]:
        """The cards or dice that matter now: in Perudo those that count for the bid."""
        ...

    def choices(self, table: Any) -> Choices:
        """The legal actions of the seat to act, for the page's buttons."""
        ...

    def shown(self, game: Game[Any], record: Record, mucks: Collection[Seat]) -> tuple[Seat, ...]:
        """The seats that show at the end, in order; seats set to muck do so if they may."""
        ...

    def opening_words(self, game: Game[Any], hand: int, names: Sequence[str]) -> str:
        """The text of the event that begins a hand."""
        ...

    def happening_of(self, game: Game[Any], before: Any, after: Any, names: Sequence[str]) -> Happening | None:
        """The event of one action, by a seat or by chance; None if there is nothing to report yet."""
        ...

    def ending(
        self, game: Game[Any], record: Record, shown: Sequence[Seat], names: Sequence[str], hand: int
    ) -> list[Beat]:
        """The events at the end: hands shown, amounts won and lost, the end."""
        ...

    def stake(self, game: Game[Any], record: Record) -> float:
        """How much was at stake in a hand, 0 to 1: the end is shown more slowly for more."""
        ...

    def winner(self, game: Game[Any], record: Record) -> Seat | None:
        """The winner of the match after this hand; None if it goes on, or the game has no matches."""
        ...

    def odds(
        self, game: Game[Any], record: Record, known: Sequence[Hand | None], seat: Seat | None
    ) -> tuple[tuple[StreetOdds, ...], str]:
        """The odds during a finished hand for a seat that knows these hands, and what they mean in words."""
        ...


def happenings_of(beats: Sequence[Beat]) -> list[Happening]:
    """The events of the steps of a hand's end."""
    return [happening for beat in beats for happening in beat.happenings]


@cache
def adapters() -> Mapping[GameName, GameAdapter]:
    """The adapters of all games of the card room, by name."""
    from tahur.room.holdem import HoldemAdapter
    from tahur.room.perudo import PerudoAdapter

    return {"nlhe": HoldemAdapter(), "limit": HoldemAdapter(limit=True), "perudo": PerudoAdapter()}


def adapter_of(game: str) -> GameAdapter:
    """The adapter of the game of this name."""
    for name, adapter in adapters().items():
        if name == game:
            return adapter
    raise UnknownName(f"the card room has no game '{game[:40]}'; games: {', '.join(adapters())}")
