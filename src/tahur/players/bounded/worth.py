"""The chip EV of an option relative to folding, by a simple formula.

A call wins its equity of the resulting pot. A check is a call that costs nothing. A bet or raise is called by one seat
or by none: each opponent is assumed to fold, independently, `STUBBORN` times as often as would let a bluff of that size
break even, and a caller has better hands, so the equity falls by half of the folding probability.
"""

from __future__ import annotations

from typing import Final

from tahur.players.bounded.situation import Situation

STUBBORN: Final = 0.75  # people call more often than they should


def call_worth(situation: Situation) -> float:
    """The chip EV of a call, or of a check if calling is free."""
    return situation.equity * (situation.pot + situation.cost) - situation.cost


def folds_to(situation: Situation, raise_to: int) -> float:
    """The assumed probability that everybody folds to a bet or raise to `raise_to`."""
    risked = _at_stake(situation, raise_to) - situation.bet
    if risked <= 0:
        return 0.0
    own = risked + situation.cost
    alone = STUBBORN * own / (situation.pot + own)
    return alone ** max(1, situation.opponents)


def raise_worth(situation: Situation, raise_to: int, folds: float) -> float:
    """The chip EV of a bet or raise, if everybody folds with probability `folds` and else one seat calls."""
    reached = _at_stake(situation, raise_to)
    adds, called = reached - situation.street_bet, max(0, reached - situation.bet)
    equity = situation.equity * (1 - folds / 2)
    return folds * situation.pot + (1 - folds) * (equity * (situation.pot + adds + called) - adds)


def _at_stake(situation: Situation, raise_to: int) -> int:
    """The total that is actually at stake if a raise is more than anybody can call."""
    return min(raise_to, max(situation.reach, situation.bet))
