"""How hands change a persona's mood: events of a hand, the axes they push, and the drift back to the baseline.

`events_of` uses only what a seat may know of a finished hand; it sees no hand that was not shown. A `Heart` is the
state carried from hand to hand: the axes, the number of unplayable hands in a row, and who keeps winning.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from tahur.cards.cards import cards_of
from tahur.cards.evaluator import evaluate
from tahur.core.game import CHANCE, Action, Game, Hand, Seat
from tahur.core.record import Seen, decisions
from tahur.games.holdem.table import CALL, HoldemTable
from tahur.players.bounded.mood import Axes, Mood, MoodEvent, drift, mood_of, pushed
from tahur.players.bounded.position import strength_of
from tahur.players.bounded.reading import percentile_of

BIG: Final = 20  # big blinds won or lost; half the stack, if that is less
WEAK: Final = 0.40  # a bet with a hand that beats a smaller share of the others is a bluff
PLAYABLE: Final = 0.30  # the best part of all hands; a hand outside it is a cold one
COLD: Final = 8  # cold hands in a row
RIVALRY: Final = 2  # big pots lost to the same player make it a nemesis


@dataclass(frozen=True, slots=True)
class Heart:
    """The emotional state between two hands."""

    axes: Axes
    cold: int = 0  # hands since the last playable one
    losses: tuple[tuple[str, int], ...] = ()  # names of players who won big pots, and how many

    @property
    def mood(self) -> Mood:
        return mood_of(self.axes)


def after_hand(
    heart: Heart, game: Game[Any], seen: Seen, *, home: Axes, resilience: float
) -> tuple[Heart, tuple[MoodEvent, ...]]:
    """The heart one hand later, and the events that changed it; it drifts first, so that events count in full."""
    events = list(events_of(game, seen))
    hand = seen.hands[_seat(seen)]
    cold = heart.cold + 1 if hand is not None and strength_of(cards_of(hand)) > PLAYABLE else 0
    if cold and cold % COLD == 0:
        events.append(MoodEvent.COLD_CARDS)
    losses = dict(heart.losses)
    if MoodEvent.LOST_BIG in events:
        winner = _winner(seen)
        losses[winner] = losses.get(winner, 0) + 1
        if losses[winner] >= RIVALRY:
            events.append(MoodEvent.NEMESIS)
    axes = drift(heart.axes, home, resilience)
    for event in events:
        axes = pushed(axes, event, resilience)
    return Heart(axes, cold, tuple(losses.items())), tuple(events)


def events_of(game: Game[Any], seen: Seen) -> Iterator[MoodEvent]:
    """What happened to the seat in one finished hand of hold'em."""
    seat = _seat(seen)
    if seen.payoffs is None or seen.hands[seat] is None or seen.hands[seat] < 0:  # type: ignore[operator]
        return
    last, bet = _course(game, seen.actions)  # type: ignore[arg-type]  # games are frozen values, so they can be hashed
    won, big = seen.payoffs[seat], _big(last, seat)
    if won >= big:
        yield MoodEvent.WON_BIG
    if won <= -big:
        yield MoodEvent.LOST_BIG
    shown = len(last.live) > 1 and seat in last.live
    if shown and 2 * won <= -big and _was_ahead(game, seen, last):
        yield MoodEvent.BAD_BEAT
    if _was_a_bluff(bet, seen):
        if last.live == (seat,):
            yield MoodEvent.BLUFF_WORKED
        elif shown and won < 0:
            yield MoodEvent.BLUFF_CAUGHT


def _seat(seen: Seen) -> Seat:
    assert seen.seat is not None, "a spectator has no mood"
    return seen.seat


def _winner(seen: Seen) -> str:
    assert seen.payoffs is not None
    seat = max(range(len(seen.payoffs)), key=lambda each: seen.payoffs[each])  # type: ignore[index]
    return seen.names[seat] if seat < len(seen.names) else f"seat {seat + 1}"


@lru_cache(maxsize=2)  # every seat at the table asks in turn
def _course(game: Game[Any], actions: tuple[Action, ...]) -> tuple[HoldemTable, HoldemTable | None]:
    """The table at the end, and the one on which the last bet or raise was made."""
    table, bet = game.start(), None
    for action in actions:
        bet = table if table.turn != CHANCE and action > CALL else bet
        table = table.after(action)
    return table, bet


def _big(table: HoldemTable, seat: Seat) -> float:
    return min(BIG * table.stakes.blinds[1], table.stakes.stacks[seat] / 2)


def _was_ahead(game: Game[Any], seen: Seen, last: HoldemTable) -> bool:
    """Whether the seat had the best of the hands shown when its last chips went in."""
    seat = _seat(seen)
    board = None
    for table, action in decisions(game, seen.actions):
        if table.turn == seat and (action > CALL or (action == CALL and table.to_call)):
            board = table.board
    own = seen.hands[seat]
    if board is None or own is None:
        return False
    shown = [hand for each in last.live if each != seat and (hand := seen.hands[each]) is not None]  # others mucked
    mine = _standing(own, board)
    return bool(shown) and all(mine > _standing(hand, board) for hand in shown)


def _standing(hand: Hand, board: tuple[int, ...]) -> float:
    """How good a hand is on that board: higher is better."""
    cards = cards_of(hand)
    return float(evaluate((*cards, *board))) if board else -strength_of(cards)


def _was_a_bluff(bet: HoldemTable | None, seen: Seen) -> bool:
    """Whether the last bet or raise of the hand was this seat's, after the flop, with a weak hand."""
    seat = _seat(seen)
    hand = seen.hands[seat]
    if bet is None or bet.turn != seat or not bet.board or hand is None:
        return False
    return percentile_of(cards_of(hand), bet.board) < WEAK
