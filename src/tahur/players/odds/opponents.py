"""A small model of each opponent's range, based on its actions.

Before the flop a seat that has put in nothing voluntarily holds any hand; one that has called holds the top `called` of
all hands; each raise halves that, down to `TIGHTEST`. A bet or raise after the flop multiplies the weight of the weaker
half of its hands by `HONESTY`; two or more of them do so twice. Hands are ordered by `rankings.EQUITY_ORDER` before the
flop and by their rank on the board after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from tahur.core.game import Action, Game, Seat
from tahur.core.record import decisions
from tahur.games.holdem.table import CALL, HoldemTable

TIGHTEST: Final = 0.1  # of all hands
HONESTY: Final = 0.6  # the weight factor of the weaker half, for each counted bet
MOST_BETS: Final = 2  # bets and raises after the flop that are counted


@dataclass(frozen=True, slots=True, order=True)
class OpponentRange:
    """A range in two numbers: the top part of all hands, and the number of bets it has made after the flop."""

    width: float
    bets: int = 0


@dataclass(slots=True)
class _DealActs:
    """A seat's actions in this deal."""

    calls: int = 0  # before the flop, without checks
    raises: int = 0  # before the flop
    bets: int = 0  # bets and raises after it


def opponents_of(game: Game[Any], table: HoldemTable, *, called: float) -> tuple[OpponentRange, ...]:
    """The ranges that the seat to act has to beat, the tightest first; at least one.

    Before the flop, the part `called` of the seats that have not decided yet is expected to call, with the hands they
    call with. After the flop it is every live seat.
    """
    acts = _acts(game, table.history)
    others = [seat for seat in table.live if seat != table.turn]
    if table.street:
        return tuple(sorted(_opponent(acts[seat], called) for seat in others))
    decided = [seat for seat in others if acts[seat].calls or acts[seat].raises or not table.stacks[seat]]
    coming = int(called * (len(others) - len(decided)) + 0.5)
    expected = [OpponentRange(called)] * max(coming, 0 if decided else 1)
    return tuple(sorted([_opponent(acts[seat], called) for seat in decided] + expected))


def _acts(game: Game[Any], history: Sequence[Action]) -> dict[Seat, _DealActs]:
    acts = {seat: _DealActs() for seat in range(game.seats)}
    for table, action in decisions(game, history):
        done = acts[table.turn]
        if action > CALL:
            if table.street:
                done.bets += 1
            else:
                done.raises += 1
        elif action == CALL and not table.street and table.to_call:
            done.calls += 1
    return acts


def _opponent(done: _DealActs, called: float) -> OpponentRange:
    if not (done.calls or done.raises):
        return OpponentRange(1.0, min(done.bets, MOST_BETS))
    width = max(called * 0.5**done.raises, min(called, TIGHTEST))
    return OpponentRange(width, min(done.bets, MOST_BETS))
