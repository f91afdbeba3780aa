"""What an option is worth in chips, against folding, by a reckoning simple enough to be said in a line.

A call wins its equity of the pot it makes. A check is a call that costs nothing. A bet or raise is called by one seat
or by nobody: each opponent is taken to fold `STUBBORN` times as often as would let a bluff of that size break even,
independently, and who calls has the better hands, so that the equity falls by half of what folded.
"""

from __future__ import annotations

from typing import Final

from tahur.players.bounded.situation import Situation

STUBBORN: Final = 0.75  # people call more than they should


def call_worth(situation: Situation) -> float:
    """Of a call, or of a check if calling is free, in chips."""
    return situation.equity * (situation.pot + situation.cost) - situation.cost


def folds_to(situation: Situation, raise_to: int) -> float:
    """How often everybody is taken to fold to a bet or raise to that."""
    risked = _at_stake(situation, raise_to) - situation.bet
    if risked <= 0:
        return 0.0
    own = risked + situation.cost
    alone = STUBBORN * own / (situation.pot + own)
    return alone ** max(1, situation.opponents)


def raise_worth(situation: Situation, raise_to: int, folds: float) -> float:
    """Of a bet or raise to that, in chips, if everybody folds so often and else one seat calls."""
    reached = _at_stake(situation, raise_to)
    adds, called = reached - situation.street_bet, max(0, reached - situation.bet)
    equity = situation.equity * (1 - folds / 2)
    return folds * situation.pot + (1 - folds) * (equity * (situation.pot + adds + called) - adds)


def _at_stake(situation: Situation, raise_to: int) -> int:
    """Of a raise to more than anybody can call, what is really played for."""
    return min(raise_to, max(situation.reach, situation.bet))
