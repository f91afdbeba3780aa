"""The coarse tree of `tahur postflop solve --quick`: the flop as given, and one bet on the turn and on the river.

Its solution answers how the flop is played, with the exploitability in the coarse tree. How far the answer is from that
of the whole tree is measured by tools/postflop_quick.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from tahur.cards.cards import cards_text
from tahur.cards.equity.ask import equity
from tahur.core.errors import SolverError
from tahur.solvers.postflop.engine import Engine
from tahur.solvers.postflop.line import meeting_weights, node_at, strategy_at, walk
from tahur.solvers.postflop.sizes import BetSize, BetSizes, Street, Unit
from tahur.solvers.postflop.spot import Spot, Thresholds
from tahur.solvers.postflop.tree import Move

TARGET: Final = 1.0  # % of the pot
ENOUGH: Final = 44  # iterations before the first measurement,
EVERY: Final = 11  # and between two later ones
LATER_BET: Final = BetSize(Unit.POT, 75)
RAISES: Final = 2  # a bet and a raise on the flop


@dataclass(frozen=True, slots=True)
class QuickSpot:
    """A spot with a coarse tree, and in words what was left out."""

    spot: Spot
    about: str


def quick_spot(spot: Spot) -> QuickSpot:
    """The spot with at most one raise on the flop, and one bet without raises on the turn and the river.

    A seat out of position with less than half of the equity does not bet first on the flop: it rarely does.
    """
    if len(spot.board) != 3:
        raise SolverError(
            f"a quick answer is for flops, and the board {cards_text(spot.board)} has {len(spot.board)} cards; "
            "solve it without --quick"
        )
    flop = spot.streets[0]
    later = Street(*(BetSizes((LATER_BET,)) for _ in range(2)))
    about = [f"one bet of {LATER_BET} and no raises on the turn and the river"]
    if flop.oop.bets and _equity(spot) < 0.5:
        flop = replace(flop, oop=replace(flop.oop, bets=()))
        about.append("out of position does not bet first on the flop")
    if spot.raise_cap != 1:
        about.append("at most one raise on the flop")
    coarse = replace(
        spot,
        streets=(flop, later, later),
        donks=(None, None),
        thresholds=Thresholds(),
        raise_cap=min(spot.raise_cap or RAISES, RAISES),
    )
    return QuickSpot(coarse, "; ".join(about))


def _equity(spot: Spot) -> float:
    """The share of the pot that the range out of position wins without betting."""
    return equity(spot.ranges[0], spot.ranges[1], board=spot.board).players[0].equity


def until_measured(iteration: int) -> int:
    """For `run`: the number of iterations of which each multiple is measured."""
    return ENOUGH if iteration < ENOUGH else EVERY


def after_check(engine: Engine) -> tuple[tuple[Move, float], ...]:
    """How often in position makes each move after a check, over all pairs of hands that can meet."""
    state = walk(engine, "check")
    seat = node_at(engine, state).seat
    weights = meeting_weights(state.reach[seat], state.reach[1 - seat])
    often = strategy_at(engine, state) @ weights / weights.sum()
    return tuple(zip(node_at(engine, state).moves, map(float, often), strict=True))


def moves_text(moves: Iterable[tuple[Move, float]]) -> str:
    """`check 67.8%   bet100 32.2%`."""
    return "   ".join(f"{move} {part:.1%}" for move, part in moves)
