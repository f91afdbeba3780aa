"""Perudo in a room: rounds of a match, a new match when one is won, the table, the words."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from tahur.core.game import Action, Dealer, Game, Hand, Seat
from tahur.core.player import View
from tahur.core.record import Record
from tahur.games.perudo.bids import CALZA, DUDO, FIRST_BID, action_text, count_of, face_of, matching
from tahur.games.perudo.cups import dice_of
from tahur.games.perudo.game import Perudo
from tahur.games.perudo.table import PerudoTable
from tahur.games.registry import make
from tahur.players.perudo.timeout import TimeoutMind
from tahur.room.deck import CupsDealer, Randomness
from tahur.room.facts import RoomSettings
from tahur.room.kind import Happening, Place, Sitting
from tahur.room.wire import Bid, HoldemChoices, HoldemScene, PerudoChoices, PerudoScene


class PerudoKind:
    """Two to eight cups."""

    def buy_in(self, settings: RoomSettings) -> int:
        return settings.dice

    def next_game(
        self, settings: RoomSettings, sittings: Sequence[Sitting], last: tuple[Game[Any], Record] | None
    ) -> Perudo | None:
        """The round after the last, without the dice of who left; if the match is won, the first of another."""
        goes_on = last[0].next(last[1]) if last else None
        if isinstance(goes_on, Perudo):
            cups = [dice if each.plays else 0 for dice, each in zip(goes_on.round.cups, sittings, strict=True)]
            if sum(map(bool, cups)) >= 2:
                return _with_cups(goes_on, cups)
        cups = [settings.dice if each.plays and not each.away else 0 for each in sittings]
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

    def whose(self, game: Game[Any], table: PerudoTable, place: int) -> Seat | str | None:
        for seat, dice in enumerate(table.cups):
            if place < dice:
                return seat
            place -= dice
        return None

    def places(self, game: Game[Any], table: PerudoTable) -> tuple[Place, ...]:
        return tuple(Place("in" if dice else "out", dice, 0, dice) for dice in table.cups)

    def hand_texts(self, hand: Hand) -> tuple[str, ...]:
        return tuple(map(str, dice_of(hand)))

    def scene(self, table: PerudoTable) -> tuple[HoldemScene | None, PerudoScene | None]:
        said = [(at, each) for at, each in enumerate(table.history) if each >= FIRST_BID]
        bids = tuple(_bid(each, table.seat_at(at)) for at, each in said)
        palifico = table.round.palifico
        return None, PerudoScene(table.round.total, table.wild, palifico, bids[-1] if bids else None, bids)

    def choices(self, table: PerudoTable) -> tuple[HoldemChoices | None, PerudoChoices | None]:
        legal = table.actions()
        bids = tuple(_bid(each, None) for each in legal if each >= FIRST_BID)
        return None, PerudoChoices(DUDO if DUDO in legal else None, CALZA if CALZA in legal else None, bids)

    def out_of_time(self, view: View) -> Action:
        """What the timeout mind does; it draws nothing from its generator."""
        return TimeoutMind().act(view, np.random.default_rng(0)).action

    def shown(self, game: Game[Any], record: Record, mucks: Collection[Seat]) -> tuple[Seat, ...]:
        """Every cup is lifted."""
        *_, last = record.replay(game)
        return game.revealed(last)

    def opening_words(self, game: Game[Any], hand: int, names: Sequence[str]) -> str:
        table = game.start()
        palifico = "; palifico: aces are not wild" if table.round.palifico else ""
        return f"Round {hand}. {table.round.total} dice under the cups; {names[table.turn]} opens{palifico}"

    def told(self, game: Game[Any], before: PerudoTable, after: PerudoTable, names: Sequence[str]) -> Happening | None:
        action = after.history[-1]
        verb = "bids" if action >= FIRST_BID else "says"
        words = f"{names[before.turn]} {verb} {action_text(action)}"
        return Happening("act", words, before.turn, at=len(before.history))

    def ending(
        self, game: Game[Any], record: Record, shown: Sequence[Seat], names: Sequence[str], hand: int
    ) -> list[Happening]:
        *_, last = record.replay(game)
        face, count = face_of(last.standing), count_of(last.standing)
        told, found = [], 0
        for seat in shown:
            dice = dice_of(record.hands[seat])
            match = matching(dice, face, wild=last.wild)
            found += match
            words = f"{names[seat]} had {' '.join(map(str, dice))}: {match} count"
            told.append(Happening("show", words, seat, tuple(map(str, dice))))
        verdict = "exactly" if found == count else "met" if found > count else "not met"
        told.append(Happening("notice", f"{action_text(last.standing)} were bid, {found} are there: {verdict}"))
        for seat, change in enumerate(record.payoffs):
            if change:
                verb = "loses" if change < 0 else "wins"
                told.append(Happening("pay", f"{names[seat]} {verb} a die", seat, chips=int(change)))
        told.append(Happening("end", f"Round {hand} is over"))
        return told + _winner(record, last, names)


def _winner(record: Record, last: PerudoTable, names: Sequence[str]) -> list[Happening]:
    left = [seat for seat, dice in enumerate(last.cups) if dice + record.payoffs[seat] > 0]
    return [Happening("notice", f"{names[left[0]]} wins the match", left[0])] if len(left) == 1 else []


def _with_cups(game: Perudo, cups: Sequence[int]) -> Perudo:
    """The same round with some cups taken away; if the opener's is, the next seat opens."""
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
