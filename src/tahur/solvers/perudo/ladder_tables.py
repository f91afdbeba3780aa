"""The ladder tables that kernels read: named tuples of arrays, from one seat's point of view, in one floating type."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import DTypeLike

from tahur.core.arrays import Array, Int64s
from tahur.games.perudo.ladder import Ladder
from tahur.games.perudo.table import prior
from tahur.solvers.perudo.stakes import RoundStakes
from tahur.solvers.rows import aligned, padded, padded_rows

LEAST: Final = 1e-30  # smaller weights and reach count as 0: their reciprocals would be infinite
LOWEST: Final = -1e30


class Rungs(NamedTuple):
    """See `Ladder`."""

    states: int
    calls: Int64s
    first: Int64s
    children: Int64s
    shifts: Int64s
    needed: Int64s


class LadderTables(NamedTuple):
    """One seat's tables and its scratch rows, one for each bid of the current history."""

    seat: int
    mine: int  # number of hands
    theirs: int
    widest: int  # the larger of the two, rounded up to eights: the distance between rows
    my_dice: int
    their_dice: int
    my_matches: Array  # a row for each state: how many dice of each hand count for the bid
    their_matches: Array
    pays: Array
    reach: Array
    values: Array
    scale: Array
    flat: Array
    worth: Array  # the payoff of a call by our number of matching dice
    shares: Array  # 1 / n
    nil: Array
    one: Array
    lowest: Array
    least: Array
    rungs: Int64s
    blocks: Int64s
    nexts: Int64s
    reach_at: Int64s
    branches: Array  # the values of each action of the first decision for each hand, if swept separately
    came: Int64s  # whether any hand gets there


class LadderBuffers(NamedTuple):
    """What CFR accumulates, in the ladder's layout; `forecasts` is empty unless the schedule is predictive."""

    regrets: Array
    averages: Array
    forecasts: Array


def rungs_of(ladder: Ladder) -> Rungs:
    """The arrays of a ladder that the kernels read."""
    return Rungs(
        states=ladder.states,
        calls=ladder.calls,
        first=ladder.first,
        children=ladder.children,
        shifts=ladder.shifts,
        needed=ladder.needed,
    )


def ladder_tables_of(
    ladder: Ladder, dice: tuple[int, int], stakes: RoundStakes, seat: int, dtype: DTypeLike
) -> LadderTables:
    """A seat's tables; `dice` are the opener's and the other's."""
    mine, theirs, lines = ladder.hands[seat], ladder.hands[1 - seat], ladder.depth + 3
    widest = padded(max(mine, theirs))
    reach, values, scale, flat = (aligned(lines * widest, dtype) for _ in range(4))
    reach[:theirs] = prior(dice[1 - seat])
    shares = 1 / np.maximum(np.arange(ladder.states + 3), 1)
    nil, one, lowest, least = (np.full(1, number, dtype) for number in (0, 1, LOWEST, LEAST))
    rungs, blocks, nexts, reach_at = (np.zeros(lines, np.int64) for _ in range(4))
    return LadderTables(
        seat=seat,
        mine=mine,
        theirs=theirs,
        widest=widest,
        my_dice=dice[seat],
        their_dice=dice[1 - seat],
        my_matches=padded_rows(ladder.matches[seat], widest, dtype).ravel(),
        their_matches=padded_rows(ladder.matches[1 - seat], widest, dtype).ravel(),
        pays=stakes.table(seat, dtype),
        reach=reach,
        values=values,
        scale=scale,
        flat=flat,
        worth=np.zeros(dice[seat] + 1, dtype),
        shares=shares.astype(dtype),
        nil=nil,
        one=one,
        lowest=lowest,
        least=least,
        rungs=rungs,
        blocks=blocks,
        nexts=nexts,
        reach_at=reach_at,
        branches=aligned((ladder.states + 2) * widest, dtype),
        came=np.zeros(ladder.states + 2, np.int64),
    )
