"""Writing a hand history in the text format of PokerStars, which most trackers and replayers read.

Only the hole cards of the seat that wrote it down (`History.hero`) are listed as dealt, as in PokerStars files; others
appear if they were shown. Without a currency the table is a play money table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time
from typing import Final, assert_never

from tahur.cards.cards import Card
from tahur.cards.evaluator import evaluate, rank_name
from tahur.core.game import Seat
from tahur.games.holdem.history import History, hole_cards, won_pots
from tahur.games.holdem.rules import NO_HAND
from tahur.games.holdem.stakes import FLOP, Limit
from tahur.games.holdem.story import StoryEvent, StoryEventKind, currency_symbol, money_text, player_names, story

STREETS: Final = {3: "Flop", 4: "Turn", 5: "River"}
_RANKS: Final = (
    "Deuce", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen", "King", "Ace",
)  # fmt: skip


def pokerstars_text(history: History, *, number: int = 1, when: datetime | None = None) -> str:
    """The hand as PokerStars would write it; `number` and `when` are used if the history has none of its own."""
    return "\n".join(_Writer(history).lines(number, when)) + "\n"


class _Writer:
    """Writes one history, line by line."""

    def __init__(self, history: History) -> None:
        self.history = history
        self.events = list(story(history))
        self.names = player_names(history)

    def lines(self, number: int, when: datetime | None) -> Iterator[str]:
        """The lines of the hand; `number` and `when` are used if the record has no hand number or time of its own."""
        yield from self._heading(number, when)
        forced = [
            event
            for event in self.events
            if event.kind in (StoryEventKind.ANTE, StoryEventKind.SMALL_BLIND, StoryEventKind.BIG_BLIND)
        ]
        yield from map(self._words, forced)
        yield "*** HOLE CARDS ***"
        hero = self.history.hero
        if hero is not None and self.history.hands[hero] != NO_HAND:
            yield f"Dealt to {self.names[hero]} {self._hand(hero)}"
        at_showdown = len(self.history.table.live) > 1
        for event in self.events[len(forced) :]:
            if at_showdown and event.kind in (StoryEventKind.SHOW, StoryEventKind.MUCK):
                at_showdown = False
                yield "*** SHOW DOWN ***"
            yield self._words(event)
        yield "*** SUMMARY ***"
        yield from self._summary()

    def _heading(self, number: int, when: datetime | None) -> Iterator[str]:
        """The title, the table and the seats with their stacks."""
        stakes, fields = self.history.game.stakes, self.history.fields
        structure = stakes.structure
        limit = isinstance(structure, Limit)
        sizes = (structure.small_bet, structure.big_bet) if isinstance(structure, Limit) else stakes.blinds
        currency = fields.get("currency")
        amounts = "/".join(money_text(self.history, size) for size in sizes)
        paid_in = f" {currency}" if isinstance(currency, str) and currency.isalpha() else ""
        own = fields.get("hand")
        moment = _moment(self.history) or when
        stamp = f" - {moment:%Y/%m/%d %H:%M:%S} {fields.get('time_zone_abbreviation') or 'UTC'}" if moment else ""
        title = f"Hold'em {'' if limit else 'No '}Limit"
        yield f"PokerStars Hand #{own if type(own) is int else number}:  {title} ({amounts}{paid_in}){stamp}"
        money = "" if currency_symbol(self.history) else " (Play Money)"
        table = " ".join(str(fields.get("table", "tahur")).split()).replace("'", "")
        yield f"Table '{table}' {len(stakes.stacks)}-max{money} Seat #{stakes.button + 1} is the button"
        for seat in sorted(stakes.order):
            yield f"Seat {seat + 1}: {self.names[seat]} ({money_text(self.history, stakes.stacks[seat])} in chips)"

    def _words(self, event: StoryEvent) -> str:
        """The line of one event."""
        name = self.names[event.seat]
        chips = money_text(self.history, event.chips)
        all_in = " and is all-in" if event.all_in else ""
        match event.kind:
            case StoryEventKind.ANTE:
                return f"{name}: posts the ante {chips}{all_in}"
            case StoryEventKind.SMALL_BLIND:
                return f"{name}: posts small blind {chips}{all_in}"
            case StoryEventKind.BIG_BLIND:
                return f"{name}: posts big blind {chips}{all_in}"
            case StoryEventKind.FOLD:
                return f"{name}: folds"
            case StoryEventKind.CHECK:
                return f"{name}: checks"
            case StoryEventKind.CALL:
                return f"{name}: calls {chips}{all_in}"
            case StoryEventKind.BET:
                return f"{name}: bets {chips}{all_in}"
            case StoryEventKind.RAISE:
                return f"{name}: raises {chips} to {money_text(self.history, event.to)}{all_in}"
            case StoryEventKind.RETURN:
                return f"Uncalled bet ({chips}) returned to {name}"
            case StoryEventKind.BOARD:
                return _street(event.board)
            case StoryEventKind.SHOW:
                return f"{name}: shows {self._hand(event.seat)} ({self._phrase(event.seat)})"
            case StoryEventKind.MUCK:
                return f"{name}: mucks hand"
            case StoryEventKind.COLLECT:
                return f"{name} collected {chips} from {self._pot_name(event.pot)}"
        assert_never(event.kind)

    def _pot_name(self, number: int) -> str:
        side_pots = len(won_pots(self.history)) - 1
        if not side_pots:
            return "pot"
        if not number:
            return "main pot"
        return f"side pot-{number}" if side_pots > 1 else "side pot"

    def _summary(self) -> Iterator[str]:
        """The lines after `*** SUMMARY ***`: pots, board, and the result of each seat."""
        history = self.history
        pots = [pot.chips for pot, _ in won_pots(history)]
        parts = [
            f" {self._pot_name(number).capitalize()} {money_text(self.history, chips)}."
            for number, chips in enumerate(pots)
        ]
        split = "".join(parts) if len(pots) > 1 else ""
        yield f"Total pot {money_text(self.history, sum(pots))}{split} | Rake {money_text(self.history, 0)}"
        if history.table.board:
            yield f"Board {_cards(history.table.board)}"
        for seat in sorted(history.game.stakes.order):
            yield f"Seat {seat + 1}: {self.names[seat]}{self._position(seat)} {self._fate(seat)}"

    def _position(self, seat: Seat) -> str:
        stakes = self.history.game.stakes
        small, big = stakes.blind_seats
        positions = ((stakes.button, "button"), (small, "small blind"), (big, "big blind"))
        return "".join(f" ({position})" for at, position in positions if at == seat)

    def _fate(self, seat: Seat) -> str:
        """A seat's result in the summary: folded, collected, mucked, or showed and won or lost."""
        history = self.history
        won = sum(event.chips for event in self.events if event.kind is StoryEventKind.COLLECT and event.seat == seat)
        if seat not in history.table.live:
            return self._fold(seat)
        if len(history.table.live) == 1:
            return f"collected ({money_text(self.history, won)})"
        if seat in history.mucked:
            return f"mucked {self._hand(seat)}".rstrip()
        if history.hands[seat] == NO_HAND:
            return f"collected ({money_text(self.history, won)})"
        result = f"won ({money_text(self.history, won)})" if won else "lost"
        return f"showed {self._hand(seat)} and {result} with {self._phrase(seat)}"

    def _fold(self, seat: Seat) -> str:
        end = self.events.index(StoryEvent(StoryEventKind.FOLD, seat))
        cards = max(len(event.board) for event in self.events[: end + 1])
        if cards:
            return f"folded on the {STREETS[cards]}"
        paid = any(event.seat == seat and event.kind is not StoryEventKind.ANTE for event in self.events[:end])
        return "folded before Flop" + ("" if paid else " (didn't bet)")

    def _hand(self, seat: Seat) -> str:
        hand = self.history.hands[seat]
        return "" if hand == NO_HAND else _cards(hole_cards(hand))

    def _phrase(self, seat: Seat) -> str:
        return hand_phrase(evaluate((*hole_cards(self.history.hands[seat]), *self.history.table.board)))


def hand_phrase(rank: int) -> str:
    """`a full house, Kings full of Fours`: the name of a rank in the wording of PokerStars."""
    category, _, detail = rank_name(rank).partition(", ")
    words = detail.title().split() or [category.split()[-1].title()]
    first, last = words[0], words[-1]
    match category:
        case "royal flush":
            return "a Royal Flush"
        case "straight flush" | "straight":
            return f"a {category}, {_RANKS[_RANKS.index(first) - 4]} to {first}"  # the ace is also below the deuce
        case "flush":
            return f"a flush, {first} high"
        case "full house":
            return f"a full house, {first} full of {last}"
        case "four of a kind" | "three of a kind":
            return f"{category}, {first}"
        case "two pair":
            return f"two pair, {first} and {last}"
        case "high card":
            return f"high card {first}"
        case _:
            return f"a pair of {last}"


def _street(board: Sequence[int]) -> str:
    if len(board) == FLOP:
        return f"*** FLOP *** {_cards(board)}"
    return f"*** {STREETS[len(board)].upper()} *** {_cards(board[:-1])} {_cards(board[-1:])}"


def _cards(cards: Iterable[int]) -> str:
    return f"[{' '.join(str(Card(card)) for card in cards)}]"


def _moment(history: History) -> datetime | None:
    """When the hand was dealt, if its source gives the day."""
    fields = history.fields
    at = fields.get("time")
    try:
        day = date(fields["year"], fields["month"], fields["day"])
    except (KeyError, TypeError, ValueError):
        return None
    return datetime.combine(day, at if isinstance(at, time) else time())
