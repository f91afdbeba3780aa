"""One referee for every game: asks whose turn it is, refuses what is illegal, keeps the record.

`play` is a generator, so that the arena, the terminal, the browser's room and the tests can all drive it in their own
time: it yields an `Ask`, is sent a `Decision`, and returns the `Record`.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tahur.core.errors import IllegalAction
from tahur.core.game import CHANCE, OVER, Action, Dealer, Game, Hand
from tahur.core.player import Decision, Player, View
from tahur.core.record import Record, Talk, Thought

MOST_LISTED = 12


@dataclass(frozen=True, slots=True)
class Ask:
    """The view of the seat that has to act."""

    view: View


Play = Generator[Ask, Decision, Record]
Rng = np.random.Generator


def play(game: Game[Any], dealer: Dealer, names: Sequence[str] = ()) -> Play:
    """Referee one deal from the first card to the payoffs."""
    return _referee(game, dealer, dealer.deal(game), tuple(names))


def play_out(
    game: Game[Any], dealer: Dealer, players: Sequence[Player], rngs: Sequence[Rng], names: Sequence[str] = ()
) -> Record:
    """Referee one deal between players, each with its own randomness, and let each learn what it may know of it."""
    hands = dealer.deal(game)
    start = game.start()
    for seat, player in enumerate(players):
        player.begin(View(game, start, seat, hands[seat], tuple(names)), rngs[seat])
    referee = _referee(game, dealer, hands, tuple(names))
    try:
        ask = next(referee)
        while True:
            seat = ask.view.seat
            ask = referee.send(players[seat].act(ask.view, rngs[seat]))
    except StopIteration as stop:
        record: Record = stop.value
    for seat, player in enumerate(players):
        player.learn(record.seen_by(game, seat))
    return record


def check_legal(game: Game[Any], table: Any, action: Action) -> None:
    """Refuse an action that the seat to act may not take, listing those it may."""
    legal = table.actions()
    if action in legal:
        return
    listed = ", ".join(game.label(table, each) for each in legal[:MOST_LISTED])
    more = (
        f" and {len(legal) - MOST_LISTED:,} more up to {game.label(table, legal[-1])}"
        if len(legal) > MOST_LISTED
        else ""
    )
    raise IllegalAction(f"{game.name}: seat {table.turn} cannot play action {action}; legal: {listed}{more}")


def _referee(game: Game[Any], dealer: Dealer, hands: tuple[Hand, ...], names: tuple[str, ...]) -> Play:
    table = game.start()
    talk: tuple[Talk, ...] = ()
    thoughts: tuple[Thought, ...] = ()
    while table.turn != OVER:
        if table.turn == CHANCE:
            table = table.after(dealer.chance(game, table, hands))
            continue
        seat, at = table.turn, len(table.history)
        decision = yield Ask(View(game, table, seat, hands[seat], names, talk))
        check_legal(game, table, decision.action)
        if decision.talk:
            talk = (*talk, Talk(at, seat, decision.talk))
        if decision.thought:
            thoughts = (*thoughts, Thought(at, seat, decision.thought))
        table = table.after(decision.action)
    payoffs = game.payoffs(table, hands)
    return Record(game.name, game.settings, hands, table.history, payoffs, names, talk, thoughts)
