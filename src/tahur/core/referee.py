"""The referee of every game: asks the seat to act, rejects illegal actions and writes the record.

`play` is a generator, so the arena, the terminal, the card room and the tests can each drive it at their own pace: it
yields an `Ask`, is sent a `Decision`, and returns the `Record`.
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
    """A request for a decision: the view of the seat to act."""

    view: View


Play = Generator[Ask, Decision, Record]
_Refereed = Generator[View, Decision, tuple[Record, Any]]
Rng = np.random.Generator


def play(game: Game[Any], dealer: Dealer, names: Sequence[str] = ()) -> Play:
    """Referee one deal from the first card to the payoffs."""
    referee = _referee(game, dealer, dealer.deal(game), tuple(names))
    step = _send_decision(referee, None)
    while isinstance(step, View):
        step = _send_decision(referee, (yield Ask(step)))
    return step[0]


def play_out(
    game: Game[Any], dealer: Dealer, players: Sequence[Player], rngs: Sequence[Rng], names: Sequence[str] = ()
) -> Record:
    """Referee one deal between players, each with its own random stream, and let each learn what it may know of it."""
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
        step = _send_decision(referee, None)
        while isinstance(step, View):
            seat = step.seat
            step = _send_decision(referee, players[seat].act(step, rngs[seat]))
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
    """Return the action as a plain `int`, or raise `IllegalAction` listing the legal ones.

    Players that compute with NumPy may return NumPy integers, which a record cannot hold.
    """
    if table.turn < 0:
        why = "it is chance's turn" if table.turn == CHANCE else "the deal is over"
        raise IllegalAction(f"{game.name}: nobody can play action {action} after {list(table.history)}: {why}")
    legal = table.actions()
    played = action if type(action) is int else int(action) if isinstance(action, np.integer) else action
    if played in legal:
        return played
    listed = ", ".join(game.label(table, action) for action in legal[:MOST_LISTED])
    more = (
        f" and {len(legal) - MOST_LISTED:,} more up to {game.label(table, legal[-1])}"
        if len(legal) > MOST_LISTED
        else ""
    )
    raise IllegalAction(f"{game.name}: seat {table.turn} cannot play action {action}; legal: {listed}{more}")


def _send_decision(referee: _Refereed, decision: Decision | None) -> View | tuple[Record, Any]:
    """The next view to ask, or the finished record and table; a player's own StopIteration is not mistaken for it."""
    try:
        return next(referee) if decision is None else referee.send(decision)
    except StopIteration as stop:
        end: tuple[Record, Any] = stop.value
        return end


def _referee(game: Game[Any], dealer: Dealer, hands: tuple[Hand, ...], names: tuple[str, ...]) -> _Refereed:
    """Like `play`, but returns the last table as well."""
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
