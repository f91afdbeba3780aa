"""No-limit and limit hold'em in a room: the next deal from the stacks, the drawn table, and event texts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, Final

from tahur.cards.cards import DECK_SIZE, Card, cards_of, cards_text
from tahur.cards.evaluator import evaluate
from tahur.core.game import CHANCE, OVER, Dealer, Game, Hand, Seat
from tahur.core.record import Record
from tahur.games.holdem.rules import NO_HAND, Holdem
from tahur.games.holdem.stakes import FLOP, MOST_SEATS, RIVER, Limit
from tahur.games.holdem.table import CALL, FOLD, HoldemTable, pots_of
from tahur.games.registry import make
from tahur.room.adapter import NO_LOOK, Beat, Draws, Happening, Look, Sitting, TableSeat
from tahur.room.deck import DeckDealer, Randomness, Seeds, places_of, shuffled, unshuffled
from tahur.room.facts import RoomSettings
from tahur.room.rest import GameCard, Rules, StreetOdds
from tahur.room.scene import HoldemChoices, HoldemScene, ScenePot, Size
from tahur.room.showdown import showdown

STREETS: Final = ("preflop", "flop", "turn", "river")
_BOARDS: Final = {3: "The flop", 4: "The turn", 5: "The river"}


@dataclass(frozen=True, slots=True)
class HoldemAdapter:
    """Two to nine seats, no-limit or limit."""

    limit: bool = False
    has_rebuys: ClassVar = True
    has_menus: ClassVar = True
    has_histories: ClassVar = True
    plays_for_away_seats: ClassVar = False

    def card(self) -> GameCard:
        title = "Limit hold'em" if self.limit else "No-limit hold'em"
        rules = Rules("limit", title, _LIMIT) if self.limit else Rules("no-limit", title, _NO_LIMIT)
        return GameCard(
            game="limit" if self.limit else "nlhe", title=title, least_seats=2, most_seats=MOST_SEATS, rules=(rules,)
        )

    def buy_in(self, settings: RoomSettings) -> int:
        return settings.stack

    def chips_on_joining(self, settings: RoomSettings) -> int:
        return settings.stack

    def blinds(self, settings: RoomSettings) -> tuple[int, ...]:
        return settings.blinds

    def can_be_dealt(self, sitting: Sitting) -> bool:
        return sitting.chips > 0

    def next_game(
        self, settings: RoomSettings, sittings: Sequence[Sitting], last: tuple[Game[Any], Record] | None
    ) -> Holdem | None:
        """The next deal; the button moves to the next active seat."""
        stacks = [sitting.chips if sitting.plays and not sitting.away else 0 for sitting in sittings]
        if sum(map(bool, stacks)) < 2:
            return None
        last_button = last[0].start().stakes.button if last else -1
        seats_after_button = ((last_button + step) % len(stacks) for step in range(1, len(stacks) + 1))
        game_settings: dict[str, Any] = {
            "stacks": stacks,
            "blinds": list(settings.blinds),
            "button": next(seat for seat in seats_after_button if stacks[seat]),
        }
        if self.limit:
            game_settings["bets"] = [settings.blinds[1], 2 * settings.blinds[1]]
        game = make(settings.game, game_settings)
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

    def scene(self, table: HoldemTable, look: Look = NO_LOOK) -> HoldemScene:
        """The board, the pots and the highlighted cards; a `look` with its own pots replaces the table's."""
        over = table.turn == OVER
        collected = [paid - bet for paid, bet in zip(table.committed, table.bets, strict=True)]
        pots = tuple(ScenePot(pot.chips, pot.seats) for pot in pots_of(collected, table.live) if pot.chips)
        board = tuple(str(Card(card)) for card in table.board)
        return HoldemScene(
            board=board,
            street="over" if over else STREETS[table.street],
            button=table.stakes.button,
            blinds=table.stakes.blinds,
            pot=table.pot if look.pots is None else sum(pot.chips for pot in look.pots),
            pots=pots if look.pots is None else look.pots,
            bet=table.bet,
            lit=tuple(place for place, card in enumerate(board) if card in (look.lit or ())),
        )

    def lit(self, table: HoldemTable) -> tuple[str, ...]:
        return ()

    def choices(self, table: HoldemTable) -> HoldemChoices:
        """What the seat to act may do: fold, the price of a call, and the range of raises."""
        raises, owed = table.raises, table.to_call
        return HoldemChoices(
            fold=FOLD in table.actions(),
            call=owed,
            call_all_in=0 < owed == table.stacks[table.turn],
            least=raises[0] if raises else None,
            most=raises[-1] if raises else None,
            sizes=sizes(table),
        )

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
        """`Anna raises to 60`, `The flop: Ah Kd 2c`; None for the first two cards of the flop."""
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

    def odds(
        self, game: Game[Any], record: Record, known: Sequence[Hand | None], seat: Seat | None
    ) -> tuple[tuple[StreetOdds, ...], str]:
        """The equities of the hands known to the seat, street by street."""
        hands = {at: hand for at, hand in enumerate(known) if hand is not None and hand >= 0}
        if len(hands) < 2:
            return (), "No other hand was shown, so there is nothing to compare yours with."
        return tuple(_street_odds(game, record, hands)), "The share of the pot each hand could expect."

    def _place(self, table: HoldemTable, seat: Seat) -> TableSeat:
        if not table.stakes.stacks[seat]:
            return TableSeat("out", 0, 0, 0)
        in_hand = seat in table.live
        state: Any = "folded" if not in_hand else "in" if table.stacks[seat] else "all-in"
        return TableSeat(state, table.stacks[seat], table.bets[seat], 2 if in_hand else 0)


def sizes(table: HoldemTable) -> tuple[Size, ...]:
    """Up to five named raises (to these totals), the smallest first, all-in last; in limit games the single size."""
    raises = table.raises
    if not raises:
        return ()
    if isinstance(table.stakes.structure, Limit):
        return (Size("bet" if table.bet == 0 else "raise", raises[0]),)
    big, pot = table.stakes.blinds[1], table.pot + table.to_call
    if not table.board and table.bet == big:  # nobody has raised yet; fractions are rounded half up
        named = [("2.5 bb", (5 * big + 1) // 2), ("3 bb", 3 * big)]
    else:
        named = [("half pot", table.bet + (pot + 1) // 2), ("two thirds", table.bet + (4 * pot + 3) // 6)]
    names: dict[int, str] = {}
    for name, chips in [("least", raises[0]), *named, ("pot", table.bet + pot)]:
        names.setdefault(chips, name)
    kept = [Size(name, chips) for chips, name in sorted(names.items()) if chips in raises and chips < raises[-1]]
    return (*kept, Size("all-in", raises[-1]))


def _show_order(tables: Sequence[HoldemTable]) -> tuple[Seat, ...]:
    """Seats in showdown order: first the last to bet or raise on the last street with betting, else left of the button.

    `tables` are the public states of the whole hand.
    """
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
    for pot in table.pots:
        if seat in pot.seats and all(ranks[other] <= ranks[seat] for other in pot.seats if other in shown):
            return True
    return False


def _street_odds(game: Game[Any], record: Record, hands: dict[Seat, Hand]) -> Iterator[StreetOdds]:
    """The equities of these hands on each street, as long as two of them are in the hand."""
    from tahur.cards.equity.ask import equity  # loads the kernels

    names = {0: "preflop", 3: "flop", 4: "turn", 5: "river"}
    done = set()
    for table in record.replay(game):
        board = table.board
        if len(board) not in names or board in done:
            continue
        done.add(board)
        seats = tuple(seat for seat in hands if seat in table.live)
        if len(seats) < 2:
            return
        texts = [cards_text(cards_of(hands[seat])) for seat in seats]
        shares = equity(*texts, board=tuple(map(Card, board)))
        yield StreetOdds(
            street=names[len(board)],
            board=tuple(str(Card(card)) for card in board),
            seats=seats,
            hands=tuple(texts),
            equities=tuple(round(share.equity, 4) for share in shares.players),
        )


_DEAL: Final = """\
Each seat is dealt two cards that only it sees. Five more are dealt face up in the middle: three (the flop), one (the \
turn), one (the river). The best five of your two and those five win.
Before the flop and after each deal there is a round of betting, in turn: fold, call what others have bet (check if it \
is nothing), or raise.
The two seats left of the button post the blinds; between two seats the button posts the small one. The button moves \
on after every hand."""
_END: Final = """\
When all others have folded you win the pot without showing. At the showdown the last to bet or raise shows first; who \
is beaten may throw the hand away unseen, and does so unless set otherwise.
A seat with all its chips in can win from each other seat no more than it put in itself; the rest is a side pot.
Out of time: you check if it costs nothing, else you fold."""
_NO_LIMIT: Final = f"""{_DEAL}
You may raise to any amount up to all your chips, but by no less than the last bet or raise.
{_END}"""
_LIMIT: Final = f"""{_DEAL}
Bets and raises are of one size: the big blind before and on the flop, twice that on the turn and the river. There are \
at most three raises before the flop and four bets and raises on each later street.
{_END}"""
