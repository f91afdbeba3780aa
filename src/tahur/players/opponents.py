"""The ranges that hold'em players assign to their opponents, by what those have done.

An `OpponentRange` is the top part of all hands, by `rankings.EQUITY_ORDER`, and the number of bets made after the flop:
each, at most `MOST_BETS`, multiplies the weight of the weaker half of its hands by `HONESTY`. Two models assign them:
`CallingModel`, with one number, for the pot-odds player, and `RangeModel`, which knows positions, for personas.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tahur.core.game import Game, Seat
from tahur.core.record import decisions
from tahur.games.holdem.table import CALL, HoldemTable
from tahur.players.bounded.position import Position, position_of

HONESTY: Final = 0.6  # the weight factor of the weaker half, for each counted bet
MOST_BETS: Final = 2  # bets and raises after the flop that are counted
MOST_RAISES: Final = 2  # raises before an action that are told apart: two means two or more
HEADS_UP: Final = 2.0  # width factor with two seats

Board = tuple[int, ...]


@dataclass(frozen=True, slots=True, order=True)
class OpponentRange:
    """A range in two numbers: the top part of all hands, and the number of bets it has made after the flop."""

    width: float
    bets: int = 0


@dataclass(slots=True)
class SeatActions:
    """What a seat has done in this deal, without checks and folds."""

    preflop: list[tuple[int, bool]] = field(
        default_factory=list
    )  # the raises before each action, and whether it is one
    bets: int = 0  # bets and raises after the flop, as far as they are counted


def seat_actions(game: Game[Any], table: HoldemTable) -> dict[Seat, SeatActions]:
    """The actions of each seat so far."""
    actions = {seat: SeatActions() for seat in table.stakes.order}
    for before, action in decisions(game, table.history):
        seat, raised = actions[before.turn], action > CALL
        if before.street:
            seat.bets = min(seat.bets + raised, MOST_BETS)
        elif raised or (action == CALL and before.to_call):
            seat.preflop.append((min(MOST_RAISES, before.raised), raised))
    return actions


# ---- one number ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CallingModel:
    """Before the flop a seat that has put in nothing voluntarily holds any hand, and one that has called the top
    `called` of all hands; each raise halves that, down to `tightest`."""

    called: float
    tightest: float = 0.1  # of all hands

    def opponents(self, game: Game[Any], table: HoldemTable) -> tuple[OpponentRange, ...]:
        """The ranges that the seat to act has to beat, the tightest first; at least one.

        Before the flop, the part `called` of the seats that have not decided yet is expected to call, with the hands
        they call with. After the flop it is every live seat.
        """
        actions = seat_actions(game, table)
        others = [seat for seat in table.live if seat != table.turn]
        if table.street:
            return tuple(sorted(self._range(actions[seat]) for seat in others))
        decided = [seat for seat in others if actions[seat].preflop or not table.stacks[seat]]
        coming = int(self.called * (len(others) - len(decided)) + 0.5)
        expected = [OpponentRange(self.called)] * max(coming, 0 if decided else 1)
        return tuple(sorted([self._range(actions[seat]) for seat in decided] + expected))

    def _range(self, actions: SeatActions) -> OpponentRange:
        """All hands if the seat has not acted voluntarily before the flop; else the top `called`, halved by each of its
        raises, but not to less than `tightest`."""
        if not actions.preflop:
            return OpponentRange(1.0, actions.bets)
        raises = sum(raised for _, raised in actions.preflop)
        return OpponentRange(max(self.called * 0.5**raises, min(self.called, self.tightest)), actions.bets)


# ---- by position ---------------------------------------------------------------------------------

OPENS: Final[Mapping[Position, float]] = {
    Position.EARLY: 0.15,
    Position.MIDDLE: 0.20,
    Position.LATE: 0.28,
    Position.BUTTON: 0.42,
    Position.BLINDS: 0.35,
}
"""The part of all hands that a seat raises first with, by position."""

FACTORS: Final[Mapping[tuple[int, bool], float]] = {
    (0, False): 1.5,  # called the blind
    (0, True): 1.0,  # raised first
    (1, False): 0.75,  # called a raise
    (1, True): 0.35,  # raised a raise
    (2, False): 0.25,  # called after two or more raises
    (2, True): 0.15,  # raised after two or more raises
}
"""By the number of raises before (2 means two or more), and whether the seat raised."""


@dataclass(frozen=True, slots=True)
class RangeModel:
    """Before the flop a seat holds what it opens in its position (twice as much with two seats) times the factor of
    the tightest thing it has done; a big blind that checked holds any hand."""

    opens: Mapping[Position, float] = field(default_factory=lambda: OPENS)
    factors: Mapping[tuple[int, bool], float] = field(default_factory=lambda: FACTORS)
    tightest: float = 0.025  # of all hands: aces to queens and ace-king

    def opponents(self, game: Game[Any], table: HoldemTable) -> tuple[OpponentRange, ...]:
        """The ranges that the seat to act has to beat, the tightest first; at least one.

        Seats that have not acted before the flop are not all counted, or aces would look weak at a table of nine: only
        as many as are expected to call, with their calling ranges, and at least one.
        """
        actions = seat_actions(game, table)
        others = [seat for seat in table.live if seat != table.turn]
        known = [seat for seat in others if table.street or actions[seat].preflop or seat not in table.pending]
        waiting = [seat for seat in others if seat not in known]
        calling = self.factors[min(MOST_RAISES, table.raised), False]
        coming = sorted((self._width(table, seat, calling) for seat in waiting), reverse=True)
        expected = max(int(sum(coming) + 0.5), 0 if known else 1)
        ranges = [self._range(table, seat, actions[seat]) for seat in known]
        return tuple(sorted(ranges + [OpponentRange(width) for width in coming[:expected]]))

    def stated(self, board: Board, seats: int, street_raises: int) -> tuple[OpponentRange, ...]:
        """The ranges in a situation given by numbers: one opponent made all raises, the rest called, or may yet call.

        Positions are unknown, so all are assumed to be in late position.
        """
        late = self.opens[Position.LATE] * (HEADS_UP if seats == 2 else 1.0)
        came = min(1.0, late * self.factors[0, False])
        if board:
            bettor = OpponentRange(came, min(street_raises, MOST_BETS))
            return tuple(sorted([bettor, *[OpponentRange(came)] * (seats - 2)]))
        raiser = late * self.factors[min(MOST_RAISES, street_raises - 1), True] if street_raises else 1.0
        coming = max(self.tightest, late * self.factors[min(MOST_RAISES, street_raises), False])
        rest = int(coming * (seats - 2) + 0.5)
        first = OpponentRange(min(1.0, max(self.tightest, raiser)))
        return tuple(sorted([first, *[OpponentRange(min(1.0, coming))] * rest]))

    def _range(self, table: HoldemTable, seat: Seat, actions: SeatActions) -> OpponentRange:
        factors = [self.factors[action] for action in actions.preflop]
        return OpponentRange(self._width(table, seat, min(factors)) if factors else 1.0, actions.bets)

    def _width(self, table: HoldemTable, seat: Seat, factor: float) -> float:
        width = self.opens[position_of(table.stakes, seat)] * factor
        if len(table.stakes.order) == 2:
            width *= HEADS_UP
        return round(min(1.0, max(self.tightest, width)), 4)  # rounded for the cache


USUAL: Final = RangeModel()
