"""Perudo in a room: rounds of a match, a new match when one is won, the drawn table, and event texts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from tahur.core.game import OVER, Action, Dealer, Game, Hand, Seat
from tahur.core.record import Record
from tahur.games.perudo.bids import CALZA, DUDO, FIRST_BID, action_text, chance_of, count_of, face_of, matching
from tahur.games.perudo.card import rule_card
from tahur.games.perudo.game import Perudo
from tahur.games.perudo.rules import MOST_SEATS, PRESETS
from tahur.games.perudo.table import PerudoTable, dice_of
from tahur.games.registry import make
from tahur.players.perudo.odds import at_least
from tahur.players.perudo.situation import matches_of
from tahur.room.adapter import NO_LOOK, Beat, Draws, Happening, Look, Sitting, TableSeat
from tahur.room.deck import CupsDealer, Randomness, Seeds, turned
from tahur.room.facts import RoomSettings
from tahur.room.rest import GameCard, Rules, StreetOdds
from tahur.room.scene import Bid, News, PerudoChoices, PerudoScene


class PerudoAdapter:
    """Two to eight cups. Dice are dealt when a match begins, and a seat that sits out stays in its match."""

    has_rebuys: ClassVar = False
    has_menus: ClassVar = False
    has_histories: ClassVar = False
    plays_for_away_seats: ClassVar = True

    def card(self) -> GameCard:
        rules = tuple(
            Rules(preset.name, f"Perudo, {preset.name} rules", rule_card(preset)) for preset in PRESETS.values()
        )
        return GameCard(game="perudo", title="Perudo", least_seats=2, most_seats=MOST_SEATS, rules=rules)

    def buy_in(self, settings: RoomSettings) -> int:
        return settings.dice

    def chips_on_joining(self, settings: RoomSettings) -> int:
        return 0

    def blinds(self, settings: RoomSettings) -> tuple[int, ...]:
        return ()

    def can_be_dealt(self, sitting: Sitting) -> bool:
        return True

    def next_game(
        self, settings: RoomSettings, sittings: Sequence[Sitting], last: tuple[Game[Any], Record] | None
    ) -> Perudo | None:
        """The next round, without the dice of players who left; after a match is won, the first round of a new one."""
        goes_on = last[0].next(last[1]) if last else None
        if isinstance(goes_on, Perudo):
            cups = [dice if sitting.plays else 0 for dice, sitting in zip(goes_on.round.cups, sittings, strict=True)]
            if sum(map(bool, cups)) >= 2:
                return _with_cups(goes_on, cups)
        cups = [settings.dice if sitting.plays and not sitting.away else 0 for sitting in sittings]
        if sum(map(bool, cups)) < 2:
            return None
        opener = next(seat for seat, dice in enumerate(cups) if dice)
        rules = settings.rules or "faroleo"
        return _perudo({"rules": rules, "dice": settings.dice, "cups": cups, "opener": opener})

    def chips_at_deal(self, game: Game[Any], chips: Sequence[int]) -> tuple[int, ...]:
        cups: tuple[int, ...] = game.start().cups
        return cups

    def draw(self, game: Game[Any], randomness: Randomness) -> tuple[int, ...]:
        return randomness.dice(sum(game.start().cups))

    def value_text(self, value: int) -> str:
        return str(value)

    def dealer(self, values: Sequence[int]) -> Dealer:
        return CupsDealer(values)

    def mixed(self, sealed: Sequence[int], seeds: Seeds) -> tuple[int, ...]:
        return turned(sealed, seeds)

    def unmixed(self, dealt: Sequence[int], seeds: Seeds) -> tuple[int, ...]:
        return turned(dealt, seeds, back=True)

    def places_of(self, seeds: Seeds, count: int) -> tuple[int, ...]:
        return tuple(range(count))

    def draws(self, game: Game[Any]) -> Draws:
        """As many consecutive dice for each seat as its cup holds, seat 0 first."""
        seats, top = [], 0
        for seat, dice in enumerate(game.start().cups):
            if dice:
                seats.append((seat, range(top, top + dice)))
                top += dice
        return Draws("dice", top, tuple(seats), range(0))

    def whose(self, game: Game[Any], table: PerudoTable, draw: int) -> Seat | str | None:
        return next((seat for seat, draws in self.draws(game).seats if draw in draws), None)

    def places(self, game: Game[Any], table: PerudoTable) -> tuple[TableSeat, ...]:
        return tuple(TableSeat("in" if dice else "out", dice, 0, dice) for dice in table.cups)

    def hand_texts(self, hand: Hand) -> tuple[str, ...]:
        return tuple(map(str, dice_of(hand)))

    def scene(self, table: PerudoTable, look: Look = NO_LOOK) -> PerudoScene:
        """The bids so far, the number of dice in play, and those that count so far when cups are lifted."""
        bid_actions = [(at, action) for at, action in enumerate(table.history) if action >= FIRST_BID]
        bids = tuple(_bid(action, table.seat_at(at)) for at, action in bid_actions)
        return PerudoScene(
            total=table.round.total,
            wild=table.wild,
            palifico=table.round.palifico,
            standing=bids[-1] if bids else None,
            bids=bids,
            found=look.found,
        )

    def lit(self, table: PerudoTable) -> tuple[str, ...]:
        return _counting(table)

    def choices(self, table: PerudoTable) -> PerudoChoices:
        legal = table.actions()
        bids = tuple(_bid(action, None) for action in legal if action >= FIRST_BID)
        return PerudoChoices(DUDO if DUDO in legal else None, CALZA if CALZA in legal else None, bids)

    def shown(self, game: Game[Any], record: Record, mucks: Collection[Seat]) -> tuple[Seat, ...]:
        """Every cup is lifted."""
        *_, last = record.replay(game)
        return game.revealed(last)

    def opening_words(self, game: Game[Any], hand: int, names: Sequence[str]) -> str:
        table = game.start()
        palifico = "; palifico: aces are not wild" if table.round.palifico else ""
        return f"Round {hand}. {table.round.total} dice under the cups; {names[table.turn]} opens{palifico}"

    def happening_of(
        self, game: Game[Any], before: PerudoTable, after: PerudoTable, names: Sequence[str]
    ) -> Happening | None:
        action = after.history[-1]
        verb = "bids" if action >= FIRST_BID else "says"
        words = f"{names[before.turn]} {verb} {action_text(action)}"
        return Happening("act", words, before.turn, at=len(before.history))

    def ending(
        self, game: Game[Any], record: Record, shown: Sequence[Seat], names: Sequence[str], hand: int
    ) -> list[Beat]:
        """The steps: each cup is lifted, the verdict on the bid, the dice lost or won, the end."""
        *_, last = record.replay(game)
        beats = list(_cups(last, record, shown, names))
        longer, look = 1 + self.stake(game, record), beats[-1].look
        beats.append(_verdict(last.standing, look, longer))
        changes = [(seat, int(change)) for seat, change in enumerate(record.payoffs) if change]
        for seat, change in changes:
            beats.append(_payment(last, look, (seat, change), names, longer))
        over = [Happening("end", f"Round {hand} is over")]
        if (winner := self.winner(game, record)) is not None:
            over.append(Happening("notice", f"{names[winner]} wins the match", winner))
        return [*beats, Beat(tuple(over), beats[-1].look, END)]

    def stake(self, game: Game[Any], record: Record) -> float:
        """1 if the loser has no die left, less the more there are."""
        *_, last = record.replay(game)
        left = [dice + change for dice, change in zip(last.cups, record.payoffs, strict=True) if change < 0]
        return 1 / (1 + min(left)) if left else 0.5

    def winner(self, game: Game[Any], record: Record) -> Seat | None:
        *_, last = record.replay(game)
        left = [seat for seat, dice in enumerate(last.cups) if dice + record.payoffs[seat] > 0]
        return left[0] if len(left) == 1 else None

    def odds(
        self, game: Game[Any], record: Record, known: Sequence[Hand | None], seat: Seat | None
    ) -> tuple[tuple[StreetOdds, ...], str]:
        """The odds of each bid, for a seat that knows its own dice."""
        return tuple(_bid_odds(game, record, seat)), "How likely each bid was, by your own dice."


CUP, VERDICT, PAY, END = 1.1, 1.8, 1.6, 0.6  # seconds, at normal pace with nothing at stake


def _cups(last: PerudoTable, record: Record, shown: Sequence[Seat], names: Sequence[str]) -> Iterator[Beat]:
    """The steps in which the cups are lifted one after another and the dice are counted."""
    assert last.standing is not None
    face, count = face_of(last.standing), count_of(last.standing)
    look = Look(found=0, lit=_counting(last))
    for seat in shown:
        dice = dice_of(record.hands[seat])
        match = matching(dice, face, wild=last.wild)
        found = (look.found or 0) + match
        news = News(f"{names[seat]} has {match}", f"{found} so far, of {count} bid", (seat,), (0,))
        look = replace(look, up=(*look.up, seat), found=found, news=news)
        words = f"{names[seat]} had {' '.join(map(str, dice))}: {match} {'counts' if match == 1 else 'count'}"
        yield Beat((Happening("show", words, seat, tuple(map(str, dice))),), look, CUP)


def _verdict(bid: Action, look: Look, longer: float) -> Beat:
    count, found = count_of(bid), look.found or 0
    verdict = "exactly met" if found == count else "met" if found > count else "not met"
    was, is_there = "was" if count == 1 else "were", "is" if found == 1 else "are"
    words = f"{action_text(bid)} {was} bid, {found} {is_there} there"
    news = News(words, f"the bid is {verdict}", (), ())
    return Beat((Happening("notice", f"{words}: {verdict}"),), replace(look, news=news), VERDICT * longer)


def _payment(last: PerudoTable, look: Look, paid: tuple[Seat, int], names: Sequence[str], longer: float) -> Beat:
    """The step in which a die is lost, or won by calza."""
    seat, change = paid
    chips = list(last.cups)
    chips[seat] += change
    words = f"{names[seat]} {'loses' if change < 0 else 'wins'} a die"
    left = chips[seat]
    detail = f"{left} {'is' if left == 1 else 'are'} left" if left else "none is left: out of the match"
    news = News(words, detail, (seat,), (change,))
    event = Happening("pay", words, seat, chips=change)
    return Beat((event,), replace(look, chips=tuple(chips), news=news), PAY * longer)


def _counting(table: PerudoTable) -> tuple[str, ...]:
    """The faces that count for the standing bid."""
    if table.standing is None:
        return ()
    face = face_of(table.standing)
    return tuple(str(die) for die in range(1, 7) if matching((die,), face, wild=table.wild))


def _with_cups(game: Perudo, cups: Sequence[int]) -> Perudo:
    """The same round with some cups removed; if the opener's is, the next seat opens."""
    if tuple(cups) == game.round.cups:
        return game
    around = ((game.round.opener + step) % len(cups) for step in range(len(cups)))
    opener = next(seat for seat in around if cups[seat])
    settings = {key: value for key, value in game.settings.items() if key != "palifico_round"}
    return _perudo(settings | {"cups": list(cups), "opener": opener})


def _perudo(settings: dict[str, Any]) -> Perudo:
    game = make("perudo", settings)
    assert isinstance(game, Perudo)
    return game


def _bid(action: Action, seat: Seat | None) -> Bid:
    return Bid(action, count_of(action), face_of(action), seat)


def _bid_odds(game: Game[Any], record: Record, seat: Seat | None) -> Iterator[StreetOdds]:
    """The probability of each bid of the round for a seat that knew only its own dice."""
    if seat is None or not game.start().cups[seat]:
        return
    for table in record.replay(game):
        if table.turn == OVER or not table.history or table.history[-1] < FIRST_BID:
            continue
        bid = table.history[-1]
        count, face, hand = count_of(bid), face_of(bid), record.hands[seat]
        unknown = table.round.total - table.cups[seat]
        chance = at_least(count - matches_of(hand, table.wild)[face], unknown, chance_of(face, wild=table.wild))
        who = table.seat_at(len(table.history) - 1)
        yield StreetOdds(
            street=f"{record.names[who]}: {action_text(bid)}",
            board=(),
            seats=(who,),
            hands=(game.hand_text(hand),),
            equities=(round(chance, 4),),
        )
