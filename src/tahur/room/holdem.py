"""No-limit and limit hold'em in a room: the next deal from the stacks, the drawn table, and event texts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, Final

from tahur.cards.cards import DECK_SIZE, Card, cards_of
from tahur.cards.evaluator import evaluate
from tahur.core.game import CHANCE, OVER, Dealer, Game, Hand, Seat
from tahur.core.record import Record
from tahur.games.holdem.pots import pots_of
from tahur.games.holdem.rules import NO_HAND, Holdem
from tahur.games.holdem.stakes import FLOP, RIVER, Limit
from tahur.games.holdem.table import CALL, FOLD, HoldemTable
from tahur.games.registry import make
from tahur.room.deck import DeckDealer, Randomness, Seeds, places_of, shuffled, unshuffled
from tahur.room.facts import RoomSettings
from tahur.room.kind import NO_LOOK, Beat, Draws, Happening, Look, Sitting, TableSeat
from tahur.room.scene import HoldemChoices, HoldemScene, PerudoChoices, PerudoScene, ScenePot, Size
from tahur.room.showdown import showdown

STREETS: Final = ("preflop", "flop", "turn", "river")
_BOARDS: Final = {3: "The flop", 4: "The turn", 5: "The river"}


class HoldemRoomGame:
    """Two to nine seats."""

    def buy_in(self, settings: RoomSettings) -> int:
        return settings.stack

    def next_game(
        self, settings: RoomSettings, sittings: Sequence[Sitting], last: tuple[Game[Any], Record] | None
    ) -> Holdem | None:
        """The next deal; the button moves to the next active seat."""
        stacks = [each.chips if each.plays and not each.away else 0 for each in sittings]
        if sum(map(bool, stacks)) < 2:
            return None
        before = last[0].start().stakes.button if last else -1
        around = ((before + step) % len(stacks) for step in range(1, len(stacks) + 1))
        wanted: dict[str, Any] = {
            "stacks": stacks,
            "blinds": list(settings.blinds),
            "button": next(seat for seat in around if stacks[seat]),
        }
        if settings.game == "limit":
            wanted["bets"] = [settings.blinds[1], 2 * settings.blinds[1]]
        game = make(settings.game, wanted)
        assert isinstance(game, Holdem)
        return game

    def chips_at_deal(self, game: Game[Any], chips: Sequence[int]) -> tuple[int, ...]:
        return tuple(chips)

    def draw(self, game: Game[Any], randomness: Randomness) -> tuple[int, ...]:
        return randomness.deck()

    def value_text(self, value: int) -> str:
        return str(Card(value))

    def dealer(self, values: Sequence[int]) -> Dealer:
        return DeckDealer(values)

    def mixed(self, sealed: Sequence[int], seeds: Seeds) -> tuple[int, ...]:
        return shuffled(sealed, seeds)

    def unmixed(self, dealt: Sequence[int], seeds: Seeds) -> tuple[int, ...]:
        return unshuffled(dealt, seeds)

    def places_of(self, seeds: Seeds, count: int) -> tuple[int, ...]:
        return places_of(seeds, count)

    def draws(self, game: Game[Any]) -> Draws:
        """Two consecutive cards for each seat with chips, seat 0 first, then five for the board; no burn cards."""
        dealt = [seat for seat, stack in enumerate(game.start().stakes.stacks) if stack]
        seats = tuple((seat, range(2 * at, 2 * at + 2)) for at, seat in enumerate(dealt))
        return Draws("cards", DECK_SIZE, seats, range(2 * len(dealt), 2 * len(dealt) + RIVER))

    def whose(self, game: Game[Any], table: HoldemTable, draw: int) -> Seat | str | None:
        order = self.draws(game)
        if draw in order.board[: len(table.board)]:
            return "board"
        return next((seat for seat, draws in order.seats if draw in draws), None)

    def places(self, game: Game[Any], table: HoldemTable) -> tuple[TableSeat, ...]:
        return tuple(self._place(table, seat) for seat in range(game.seats))

    def hand_texts(self, hand: Hand) -> tuple[str, ...]:
        return () if hand == NO_HAND else tuple(str(card) for card in cards_of(hand))

    def scene(self, table: HoldemTable, look: Look = NO_LOOK) -> tuple[HoldemScene | None, PerudoScene | None]:
        over = table.turn == OVER
        collected = [paid - bet for paid, bet in zip(table.committed, table.bets, strict=True)]
        pots = tuple(ScenePot(pot.chips, pot.seats) for pot in pots_of(collected, table.live) if pot.chips)
        board = tuple(str(Card(card)) for card in table.board)
        scene = HoldemScene(
            board=board,
            street="over" if over else STREETS[table.street],
            button=table.stakes.button,
            blinds=table.stakes.blinds,
            pot=table.pot if look.pots is None else sum(pot.chips for pot in look.pots),
            pots=pots if look.pots is None else look.pots,
            bet=table.bet,
            lit=tuple(place for place, card in enumerate(board) if card in (look.lit or ())),
        )
        return scene, None

    def lit(self, table: HoldemTable) -> tuple[str, ...]:
        return ()

    def choices(self, table: HoldemTable) -> tuple[HoldemChoices | None, PerudoChoices | None]:
        raises, owed = table.raises, table.to_call
        choices = HoldemChoices(
            fold=FOLD in table.actions(),
            call=owed,
            call_all_in=0 < owed == table.stacks[table.turn],
            least=raises[0] if raises else None,
            most=raises[-1] if raises else None,
            sizes=sizes(table),
        )
        return choices, None

    def shown(self, game: Game[Any], record: Record, mucks: Collection[Seat]) -> tuple[Seat, ...]:
        """The seats that show, in order: the last to bet or raise on the last street first; losers may muck.

        A seat that no shown hand beats must show. If no more betting was possible when the last card was dealt, all
        hands are open.
        """
        tables: list[HoldemTable] = list(record.replay(game))
        last = tables[-1]
        if len(last.live) < 2:
            return ()
        order = _show_order(tables)
        if tables[-2].turn == CHANCE:
            return order
        ranks = {seat: evaluate((*cards_of(record.hands[seat]), *last.board)) for seat in order}
        shown: list[Seat] = []
        for seat in order:
            if seat not in mucks or _wins_something(last, seat, shown, ranks):
                shown.append(seat)
        return tuple(shown)

    def opening_words(self, game: Game[Any], hand: int, names: Sequence[str]) -> str:
        stakes = game.start().stakes
        posts = zip(stakes.blind_seats, stakes.blinds, strict=True)
        posted = ", ".join(f"{names[seat]} posts {min(blind, stakes.stacks[seat])}" for seat, blind in posts)
        return f"Hand {hand}. {names[stakes.button]} has the button; {posted}"

    def happening_of(
        self, game: Game[Any], before: HoldemTable, after: HoldemTable, names: Sequence[str]
    ) -> Happening | None:
        if before.turn == CHANCE:
            if len(after.board) < FLOP:
                return None
            cards = tuple(str(Card(card)) for card in after.board)
            return Happening("board", f"{_BOARDS[len(cards)]}: {' '.join(cards)}", cards=cards)
        action = after.history[-1]
        verb, _, rest = game.label(before, action).partition(" ")
        words = f"{names[before.turn]} {verb}s {rest}".replace(" all-in", ", all-in").rstrip()
        paid = before.stacks[before.turn] - after.stacks[before.turn]
        return Happening("act", words, before.turn, chips=max(paid, 0), at=len(before.history))

    def ending(
        self, game: Game[Any], record: Record, shown: Sequence[Seat], names: Sequence[str], hand: int
    ) -> list[Beat]:
        return showdown(game, record, shown, names, hand, self.stake(game, record))

    def stake(self, game: Game[Any], record: Record) -> float:
        """The largest amount at stake of any seat, in hundreds of big blinds."""
        *_, last = record.replay(game)
        most = max(last.committed[seat] for seat in last.live)
        return min(1.0, float(most / (100 * last.stakes.blinds[1])))

    def winner(self, game: Game[Any], record: Record) -> Seat | None:
        return None

    def _place(self, table: HoldemTable, seat: Seat) -> TableSeat:
        if not table.stakes.stacks[seat]:
            return TableSeat("out", 0, 0, 0)
        in_hand = seat in table.live
        state: Any = "folded" if not in_hand else "in" if table.stacks[seat] else "all-in"
        return TableSeat(state, table.stacks[seat], table.bets[seat], 2 if in_hand else 0)


def sizes(table: HoldemTable) -> tuple[Size, ...]:
    """Up to five named raises, the smallest first, all-in last; in limit games the single size."""
    raises = table.raises
    if not raises:
        return ()
    if isinstance(table.stakes.structure, Limit):
        return (Size("bet" if table.bet == 0 else "raise", raises[0]),)
    big, pot = table.stakes.blinds[1], table.pot + table.to_call
    unopened = not table.board and table.bet == big
    named = (
        [("2.5 bb", Fraction(5, 2) * big), ("3 bb", Fraction(3 * big))]
        if unopened
        else [("half pot", table.bet + Fraction(pot, 2)), ("two thirds", table.bet + Fraction(2 * pot, 3))]
    )
    wanted = [("least", Fraction(raises[0])), *named, ("pot", Fraction(table.bet + pot))]
    found: dict[int, str] = {}
    for name, chips in wanted:
        found.setdefault(int(chips + Fraction(1, 2)), name)
    kept = [Size(name, chips) for chips, name in sorted(found.items()) if chips in raises and chips < raises[-1]]
    return (*kept, Size("all-in", raises[-1]))


def _show_order(tables: Sequence[HoldemTable]) -> tuple[Seat, ...]:
    """Seats in showdown order: from the last aggressor of the last street with betting, or left of the button."""
    live = tables[-1].live
    raiser: Seat | None = None
    for before, after in pairwise(tables):
        if before.turn == CHANCE:
            raiser = None if after.turn >= 0 else raiser
        elif after.history[-1] > CALL:
            raiser = before.turn
    first = live.index(raiser) if raiser in live else 0
    return (*live[first:], *live[:first])


def _wins_something(table: HoldemTable, seat: Seat, shown: Sequence[Seat], ranks: dict[Seat, int]) -> bool:
    """Whether this hand is unbeaten, by the hands shown so far, in at least one of its pots."""
    rivals = [[other for other in pot.seats if other in shown] for pot in table.pots if seat in pot.seats]
    return any(all(ranks[other] <= ranks[seat] for other in others) for others in rivals)
