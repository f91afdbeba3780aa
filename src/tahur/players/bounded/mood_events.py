"""What touched a seat in a hand, read off what it saw of it: big pots, bad beats, bluffs, cold cards, a nemesis.

Two things take memory: for how many hands nothing could be played, and who has won a big pot from it before.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

from tahur.cards.cards import cards_of
from tahur.cards.evaluator import evaluate
from tahur.core.game import Action, Hand, Seat
from tahur.core.record import Seen
from tahur.games.holdem.habits import is_weak
from tahur.games.holdem.rules import NO_HAND
from tahur.games.holdem.table import CALL, HoldemTable
from tahur.games.registry import make
from tahur.players.bounded.mood import Event
from tahur.players.bounded.starting import strength_of

BIG: Final = 0.15  # of the stack at the start of the hand, won or lost: fifteen big blinds of a hundred
LEAST_BIG: Final = 5  # big blinds, however short the stack
COLD: Final = 12  # hands in a row without a chip of one's own will
COLD_AGAIN: Final = 6  # more of them, and it is felt again
NEMESIS: Final = 2  # big pots lost to the same one
FAR_AHEAD: Final = 3  # before the flop: in a part of all hands so many times smaller than the winner's


@dataclass(frozen=True, slots=True)
class _Turn:
    """One of the seat's own decisions."""

    table: HoldemTable
    action: Action

    @property
    def raises(self) -> bool:
        return self.action > CALL

    @property
    def pays(self) -> bool:
        return self.raises or (self.action == CALL and self.table.to_call > 0)


@dataclass(frozen=True, slots=True)
class _Heard:
    """A finished hand from the chair of one seat that was dealt in."""

    seat: Seat
    hand: Hand
    seen: Seen
    payoffs: tuple[float, ...]
    last: HoldemTable
    turns: tuple[_Turn, ...]

    @property
    def big(self) -> float:
        """What is a big pot to the seat, in chips."""
        stakes = self.last.stakes
        return max(BIG * stakes.stacks[self.seat], LEAST_BIG * stakes.blinds[1])

    @property
    def won(self) -> float:
        return self.payoffs[self.seat]


class Listener:
    """Hears hand after hand from one seat's chair."""

    def __init__(self) -> None:
        self._idle = 0
        self._beaten_by: Counter[str] = Counter()

    def events(self, seen: Seen) -> tuple[Event, ...]:
        """What happened to the seat in this hand, in the order of `Event`."""
        heard = _heard(seen)
        if heard is None:
            return ()
        lost_big, bluffed = heard.won <= -heard.big, _bluffed(heard)
        found = {
            Event.WON_BIG: heard.won >= heard.big,
            Event.LOST_BIG: lost_big,
            Event.BAD_BEAT: lost_big and _was_ahead(heard),
            Event.BLUFF_CAUGHT: bluffed and heard.won < 0 and heard.seat in heard.last.live,
            Event.BLUFF_WORKED: bluffed and heard.won > 0 and heard.last.live == (heard.seat,),
            Event.COLD_CARDS: self._is_cold(heard),
            Event.NEMESIS: self._meets_nemesis(heard),
        }
        return tuple(event for event, happened in found.items() if happened)

    def _is_cold(self, heard: _Heard) -> bool:
        self._idle = 0 if any(turn.pays for turn in heard.turns) else self._idle + 1
        return self._idle >= COLD and (self._idle - COLD) % COLD_AGAIN == 0

    def _meets_nemesis(self, heard: _Heard) -> bool:
        """Whoever wins most is to blame for a big loss; a big pot won settles all scores."""
        if heard.won >= heard.big:
            self._beaten_by.clear()
        if heard.won > -heard.big:
            return False
        winner = max(range(len(heard.payoffs)), key=lambda seat: heard.payoffs[seat])
        name = heard.seen.names[winner] if heard.seen.names else str(winner)
        self._beaten_by[name] += 1
        return self._beaten_by[name] >= NEMESIS


def _heard(seen: Seen) -> _Heard | None:
    """The hand told again; None to a spectator, to a seat without chips, and before the end."""
    hand = None if seen.seat is None else seen.hands[seen.seat]
    if seen.seat is None or seen.payoffs is None or hand is None or hand == NO_HAND:
        return None
    table: HoldemTable = make(seen.game, seen.settings).start()
    turns = []
    for action in seen.actions:
        if table.turn == seen.seat:
            turns.append(_Turn(table, action))
        table = table.after(action)
    return _Heard(seen.seat, hand, seen, seen.payoffs, table, tuple(turns))


def _was_ahead(heard: _Heard) -> bool:
    """Whether, when it last put chips in before the last board, the seat held the better hand than who won."""
    last, hands = heard.last, heard.seen.hands
    boards = [turn.table.board for turn in heard.turns if turn.pays]
    boards = [board for board in boards if len(board) < last.stakes.showdown_board]
    shown = [(heard.payoffs[seat], hand) for seat in last.live if (hand := hands[seat]) is not None]
    if not boards or len(shown) < 2:
        return False
    return _beats(heard.hand, max(shown)[1], boards[-1])


def _beats(hand: Hand, other: Hand, board: tuple[int, ...]) -> bool:
    if board:
        return evaluate((*cards_of(hand), *board)) > evaluate((*cards_of(other), *board))
    return FAR_AHEAD * strength_of(cards_of(hand)) <= strength_of(cards_of(other))


def _bluffed(heard: _Heard) -> bool:
    """Whether the seat's last act was a bet or raise after the flop with a weak hand."""
    if not heard.turns or not heard.turns[-1].raises or not heard.turns[-1].table.board:
        return False
    return is_weak(heard.hand, heard.turns[-1].table.board)
