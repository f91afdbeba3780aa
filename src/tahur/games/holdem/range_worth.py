"""The value of a heads-up table to the first seat, averaged over the ranges of both seats: the reference by which
luck is measured where strategies are known for all hands.

The pot is divided by equity as if both seats checked from here on, times a factor for the bets that will probably still
be made (`GROWTH`): the better range wins more than its equity of the pot. A seat that owes chips calls with each hand
the likelier, the more the call gains by the same measure, and otherwise folds. It need not resemble real play; see
`core/scoring.py` for what must hold so that adjusted results keep their mean. In particular, the growth of a table
where cards are to come is that of the next street, so that the value there is the mean of the values after the cards.

A product with the equity matrix of the board takes about 0.1 ms; the matrix of a flop takes about 0.07 s, that of a
turn or a river 0.005 s.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log1p
from typing import Final

import numpy as np

from tahur.cards.equity.hand import equity_matrix
from tahur.cards.equity.removal import meeting
from tahur.core.arrays import Float64s
from tahur.core.game import CHANCE, Seat
from tahur.games.holdem.table import HoldemTable

GROWTH: Final = (0.3, 0.3, 0.15, 0.0)  # by street: how the logarithm of the stacks in pots multiplies the value
SOFTNESS: Final = 0.4  # of the pot: a call that gains that much is e times as likely as a fold
_CLEAR: Final = 50.0  # logits beyond which a call is certain

Board = tuple[int, ...]


def range_worth(table: HoldemTable, ranges: Sequence[Float64s]) -> float:
    """The mean payoff of seat 0 over all pairs of hands; the ranges have no hands that share a card with the board."""
    if len(table.live) == 1:
        lost = min(table.committed)
        return float(lost if table.live[0] == 0 else -lost)
    pairs = float(ranges[0] @ meeting(ranges[1]))
    called = _chips_if_called(table)
    if not table.to_call:
        return called * _growth(table) * float(ranges[0] @ _leads(table.board, ranges[1])) / pairs
    answered = _answered(table, ranges, called)
    return (answered if table.turn == 0 else -answered) / pairs


def range_luck_of_deal(table: HoldemTable, ranges: Sequence[Float64s]) -> float:
    """What the hands of the ranges are worth to seat 0 at the first table if the blinds are called and nobody bets."""
    lead = float(ranges[0] @ _leads(table.board, ranges[1])) / float(ranges[0] @ meeting(ranges[1]))
    return _chips_if_called(table) * _growth(table) * lead


def _answered(table: HoldemTable, ranges: Sequence[Float64s], called: int) -> float:
    """The value to the seat that owes chips, as a sum over pairs of hands: it calls or folds with each hand."""
    seat: Seat = table.turn
    own, theirs = ranges[seat], ranges[1 - seat]
    met, lead = meeting(theirs), _leads(table.board, theirs)
    folded = -float(table.committed[seat])
    gain = np.divide(called * lead, met, out=np.zeros_like(met), where=met > 0) - folded
    calls = 1 / (1 + np.exp(-np.clip(gain / (SOFTNESS * 2 * called), -_CLEAR, _CLEAR)))
    return float(own @ (calls * called * _growth(table) * lead + (1 - calls) * folded * met))


def _leads(board: Board, theirs: Float64s) -> Float64s:
    """(1326,) how much more often each hand wins than loses against a range if the board is dealt out, as a sum."""
    won = equity_matrix(board) @ theirs.astype(np.float32)
    return 2 * won.astype(np.float64) - meeting(theirs)


def _chips_if_called(table: HoldemTable) -> int:
    """What each seat has put in once the highest bet is matched as far as the shorter stack can."""
    stacks = table.stakes.stacks
    return min(max(table.committed), *stacks)


def _growth(table: HoldemTable) -> float:
    """The factor for later bets; 1 if there can be none."""
    called = _chips_if_called(table)
    left = min(table.stakes.stacks) - called
    street = table.street + (table.turn == CHANCE)
    return 1 + GROWTH[street] * log1p(left / (2 * called))
