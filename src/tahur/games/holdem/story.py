"""A hand history as a sequence of events, from the antes to the last pot, for text output."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import pairwise
from unicodedata import category

from tahur.core.game import CHANCE, Seat
from tahur.games.holdem.history import Chips, History, won_pots
from tahur.games.holdem.rules import NO_HAND
from tahur.games.holdem.stakes import FLOP, Stakes
from tahur.games.holdem.table import CALL, FOLD, HoldemTable


class StoryEventKind(Enum):
    """The kinds of events."""

    ANTE = auto()
    SMALL_BLIND = auto()
    BIG_BLIND = auto()
    FOLD = auto()
    CHECK = auto()
    CALL = auto()
    BET = auto()
    RAISE = auto()
    RETURN = auto()  # an uncalled bet is returned
    BOARD = auto()  # the flop, the turn or the river
    SHOW = auto()
    MUCK = auto()
    COLLECT = auto()


@dataclass(frozen=True, slots=True)
class StoryEvent:
    """One event of a hand."""

    kind: StoryEventKind
    seat: Seat = CHANCE
    chips: int = 0  # put in, returned or collected; for a raise, the increase; for a board card, the pot
    to: int = 0  # the total of a raise
    all_in: bool = False
    board: tuple[int, ...] = ()  # the whole board so far
    pot: int = 0  # which pot is collected: 0 is the main pot


def story(history: History) -> Iterator[StoryEvent]:
    """All events of the hand, in order."""
    opening = history.game.start()
    yield from _posts(opening)
    raiser: Seat | None = None  # the last one shows first
    for before, after in pairwise(history.tables()):
        event = _event(before, after)
        if event is not None:
            yield event
        yield from _return_uncalled(before.stacks, after.stacks)
        if event is not None and event.kind is StoryEventKind.BOARD and after.turn >= 0:
            raiser = None
        elif event is not None and event.kind in (StoryEventKind.BET, StoryEventKind.RAISE):
            raiser = event.seat
    yield from _showdown(history, raiser)
    for number, (pot, winners) in reversed(list(enumerate(won_pots(history)))):
        share, odd = divmod(pot.chips, len(winners))
        for index, seat in enumerate(winners):
            yield StoryEvent(StoryEventKind.COLLECT, seat, share + (0 if index else odd), pot=number)


def player_names(history: History) -> tuple[str, ...]:
    """A distinct, printable, single-line name for each seat."""
    names = history.names or ("",) * history.game.seats
    plain = [" ".join("".join(sign if sign.isprintable() else " " for sign in name).split()) for name in names]
    named = [name or f"Player{seat}" for seat, name in enumerate(plain, start=1)]
    return tuple([name if named.count(name) == 1 else f"{name} ({seat})" for seat, name in enumerate(named, start=1)])


def money_text(history: History, chips: int) -> str:
    """An amount as players write it: `200`, `$12.50`, `$3`."""
    whole, rest = divmod(abs(chips), history.scale)
    places = len(str(history.scale)) - 1
    decimals = f".{rest:0{places}}".ljust(3, "0") if rest else ""
    return f"{'-' if chips < 0 else ''}{currency_symbol(history)}{whole}{decimals}"


def currency_symbol(history: History) -> str:
    """The currency sign, empty for chips."""
    symbol = history.fields.get("currency_symbol")
    return symbol if isinstance(symbol, str) and len(symbol) == 1 and category(symbol) == "Sc" else ""


def posts(stakes: Stakes) -> tuple[Chips, Chips]:
    """The antes and the blinds that the seats post, as far as their stacks allow. An unmatched ante is reduced."""
    antes = [min(stakes.ante, stack) for stack in stakes.stacks]
    matched = sorted(antes)[-2]
    antes = [min(ante, matched) for ante in antes]
    blinds = [0] * len(antes)
    for seat, blind in zip(stakes.blind_seats, stakes.blinds, strict=True):
        blinds[seat] = min(blind, stakes.stacks[seat] - antes[seat])
    return tuple(antes), tuple(blinds)


def _posts(opening: HoldemTable) -> Iterator[StoryEvent]:
    """The antes and blinds, and chips returned because no opponent can match them."""
    stakes = opening.stakes
    antes, blinds = posts(stakes)
    left = [stack - ante for stack, ante in zip(stakes.stacks, antes, strict=True)]
    for seat in stakes.order:
        if antes[seat]:
            yield StoryEvent(StoryEventKind.ANTE, seat, antes[seat], all_in=not left[seat])
    for seat, kind in zip(stakes.blind_seats, (StoryEventKind.SMALL_BLIND, StoryEventKind.BIG_BLIND), strict=True):
        if blinds[seat]:
            yield StoryEvent(kind, seat, blinds[seat], all_in=left[seat] == blinds[seat])
    posted = tuple([chips - blind for chips, blind in zip(left, blinds, strict=True)])
    yield from _return_uncalled(posted, opening.stacks)


def _event(before: HoldemTable, after: HoldemTable) -> StoryEvent | None:
    """What happened between two tables; None for a card of an incomplete flop."""
    action, seat = after.history[-1], before.turn
    if seat == CHANCE:
        return (
            StoryEvent(StoryEventKind.BOARD, chips=after.pot, board=after.board) if len(after.board) >= FLOP else None
        )
    if action == FOLD:
        return StoryEvent(StoryEventKind.FOLD, seat)
    stack = before.stacks[seat]
    if action == CALL:
        owed = before.to_call
        return (
            StoryEvent(StoryEventKind.CALL, seat, owed, all_in=owed == stack)
            if owed
            else StoryEvent(StoryEventKind.CHECK, seat)
        )
    chips = action - 1
    kind = StoryEventKind.RAISE if before.bet else StoryEventKind.BET
    return StoryEvent(kind, seat, chips - before.bet, chips, all_in=chips == before.bets[seat] + stack)


def _return_uncalled(before: Chips, after: Chips) -> Iterator[StoryEvent]:
    """The uncalled bet returned at the end of a street: the only way for a stack to grow."""
    for seat, (had, has) in enumerate(zip(before, after, strict=True)):
        if has > had:
            yield StoryEvent(StoryEventKind.RETURN, seat, has - had)


def _showdown(history: History, raiser: Seat | None) -> Iterator[StoryEvent]:
    """Who shows and who mucks, from the last raiser on; nothing if only one seat is left."""
    live: Sequence[Seat] = history.table.live
    if len(live) == 1:
        return
    first = live.index(raiser) if raiser in live else 0
    for seat in (*live[first:], *live[:first]):
        if seat in history.mucked:
            yield StoryEvent(StoryEventKind.MUCK, seat)
        elif history.hands[seat] != NO_HAND:  # unknown: all others mucked, and it need not show
            yield StoryEvent(StoryEventKind.SHOW, seat)
