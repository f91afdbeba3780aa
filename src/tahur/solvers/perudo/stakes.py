"""The stakes of a round: the opener's payoff for each way in which it can end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from tahur.games.perudo.round import Round
from tahur.games.perudo.rules import PerudoRules

Pair = tuple[float, float]
State = tuple[int, int]  # of a match between two seats: the opener's dice, the other's


@dataclass(frozen=True, slots=True)
class RoundStakes:
    """Payoffs to the opener, when the caller is the opener and when it is the other seat."""

    dudo: tuple[Pair, Pair]  # (met, not met)
    calza: tuple[Pair, Pair]  # (exact, not exact)

    def table(self, seat: int, dtype: DTypeLike) -> NDArray[Any]:
        """As the kernels read it: payoffs to that seat, [caller][call][outcome]."""
        flat = [number for caller in (0, 1) for call in (self.dudo, self.calza) for number in call[caller]]
        return np.array(flat, dtype) * (1 - 2 * seat)


def round_stakes(round_: Round) -> RoundStakes:
    """The stakes of a single round: a die, lost or won. A correct calza with a full cup wins nothing."""
    opener, other = (float(round_.cups[seat] < round_.rules.dice) for seat in round_.order)
    return RoundStakes(((-1.0, 1.0), (1.0, -1.0)), ((opener, -1.0), (-other, 1.0)))


def even_chances(dice: int) -> dict[State, float]:
    """The probability of winning from every state if each seat lost each round equally often: an initial guess."""
    return {
        (mine, yours): sum(comb(mine + yours - 1, won) for won in range(yours, mine + yours)) / 2 ** (mine + yours - 1)
        for mine in range(1, dice + 1)
        for yours in range(1, dice + 1)
    }


def match_stakes(
    rules: PerudoRules,
    state: State,
    as_opener: Mapping[State, float],
    as_other: Mapping[State, float] | None = None,
    *,
    opener: bool = True,
) -> RoundStakes:
    """The opener's payoffs: a seat's probabilities of winning from the states that follow.

    `as_opener` and `as_other` are the probabilities of the seat in question when it opens and when it does not; without
    the second, each is one minus the other. If the seat in question is the other one, the opener is paid one minus it.
    """
    mine, yours = state if opener else state[::-1]

    def chance(me: int, you: int, *, opens: bool) -> float:
        if me == 0 or you == 0:
            return float(you == 0)
        if opens:
            return as_opener.get((me, you), 0.0)
        return 1 - as_opener.get((you, me), 0.0) if as_other is None else as_other.get((you, me), 0.0)

    lose = chance(mine - 1, yours, opens=mine > 1)
    win = chance(mine, yours - 1, opens=False)
    right = chance(min(mine + 1, rules.dice), yours, opens=True)
    theirs = chance(mine, min(yours + 1, rules.dice), opens=False)
    if opener:
        return RoundStakes(((lose, win), (win, lose)), ((right, lose), (theirs, win)))
    lost, won = 1 - lose, 1 - win  # to the opener, who is the other seat
    return RoundStakes(((won, lost), (lost, won)), ((1 - theirs, won), (1 - right, lost)))
