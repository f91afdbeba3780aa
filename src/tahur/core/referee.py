"""One referee for every game: asks whose turn it is, refuses what is illegal, keeps the record.

`play` is a generator, so that the arena, the terminal, the browser's room and the tests can all drive it in their own
time: it yields an `Ask`, is sent a `Decision`, and returns the `Record`.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tahur.core.errors import IllegalAction, SettingError
from tahur.core.game import CHANCE, OVER, Action, Dealer, Game, Hand
from tahur.core.player import Decision, Player, View
from tahur.core.record import Record, Talk, Thought

MOST_LISTED = 12


@dataclass(frozen=True, slots=True)
class Ask:
    """The view of the seat that has to act."""

    view: View


Play = Generator[Ask, Decision, Record]
_Refereed = Generator[View, Decision, tuple[Record, Any]]
Rng = np.random.Generator


def play(game: Game[Any], dealer: Dealer, names: Sequence[str] = ()) -> Play:
    """Referee one deal from the first card to the payoffs."""
    referee = _referee(game, dealer, dealer.deal(game), tuple(names))
    step = _answered(referee, None)
    while isinstance(step, View):
        step = _answered(referee, (yield Ask(step)))
    return step[0]


def play_out(
    game: Game[Any], dealer: Dealer, players: Sequence[Player], rngs: Sequence[Rng], names: Sequence[str] = ()
) -> Record:
    """Referee one deal between players, each with its own randomness, and let each learn what it may know of it."""
    if not len(players) == len(rngs) == game.seats:
        raise SettingError(f"{game.name}: {len(players)} players and {len(rngs)} streams for {game.seats} seats")
    hands = dealer.deal(game)
    start, names = game.start(), tuple(names)
    doing, seat = "began the hand", 0
    try:
        for seat, player in enumerate(players):
            player.begin(View(game, start, seat, hands[seat], names), rngs[seat])
        doing = "decided"
        referee = _referee(game, dealer, hands, names)
        step = _answered(referee, None)
        while isinstance(step, View):
            seat = step.seat
            step = _answered(referee, players[seat].act(step, rngs[seat]))
        record, last = step
        doing = "learned from the hand"
        if any(getattr(player, "learns", True) for player in players):
            for seat, seen in enumerate(record.seen_at_the_end(game, last)):
                players[seat].learn(seen)
    except Exception as error:
        error.add_note(f"while {names[seat] if names else 'the player'} in seat {seat + 1} {doing}")
        raise
    return record


def check_legal(game: Game[Any], table: Any, action: Action) -> Action:
    """Refuse an action that the seat to act may not take, listing those it may; else the action, a plain integer.

    A player that asked NumPy answers with NumPy's integers, which a record cannot hold.
    """
    if table.turn < 0:
        why = "it is chance's turn" if table.turn == CHANCE else "the deal is over"
        raise IllegalAction(f"{game.name}: nobody can play action {action} after {list(table.history)}: {why}")
    legal = table.actions()
    played = action if type(action) is int else int(action) if isinstance(action, np.integer) else action
    if played in legal:
        return played
    listed = ", ".join(game.label(table, each) for each in legal[:MOST_LISTED])
    more = (
        f" and {len(legal) - MOST_LISTED:,} more up to {game.label(table, legal[-1])}"
        if len(legal) > MOST_LISTED
        else ""
    )
    raise IllegalAction(f"{game.name}: seat {table.turn} cannot play action {action}; legal: {listed}{more}")


def _answered(referee: _Refereed, decision: Decision | None) -> View | tuple[Record, Any]:
    """The next question, or the end; nothing that a player raises is taken for the end."""
    try:
        return next(referee) if decision is None else referee.send(decision)
    except StopIteration as stop:
        end: tuple[Record, Any] = stop.value
        return end


def _referee(game: Game[Any], dealer: Dealer, hands: tuple[Hand, ...], names: tuple[str, ...]) -> _Refereed:
    """As `play`, and the last table besides."""
    table = game.start()
    talk: tuple[Talk, ...] = ()
    thoughts: tuple[Thought, ...] = ()
    while table.turn != OVER:
        if table.turn == CHANCE:
            table = table.after(dealer.chance(game, table, hands))
            continue
        seat, at = table.turn, len(table.history)
        decision = yield View(game, table, seat, hands[seat], names, talk)
        action = decision.action
        if type(action) is not int or action not in table.actions():
            action = check_legal(game, table, action)
        if decision.talk:
            talk = (*talk, Talk(at, seat, decision.talk))
        if decision.thought:
            thoughts = (*thoughts, Thought(at, seat, decision.thought))
        table = table.after(action)
    payoffs = game.payoffs(table, hands)
    return Record(
        game=game.name,
        settings=game.settings,
        hands=hands,
        actions=table.history,
        payoffs=payoffs,
        names=names,
        talk=talk,
        thoughts=thoughts,
    ), table
