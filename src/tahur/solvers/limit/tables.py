"""The arrays that the kernels read, as named tuples, which Numba supports directly.

Each of the seven betting lines that lead to the flop is one *lane* of a SIMD vector; the eighth lane stays empty. Rows
of lanes are stored in pairs: row r of a flop with n hands has hand k at `r // 2 * 16 * n + 16 * k + 8 * (r % 2)`.
"""

from __future__ import annotations

from typing import NamedTuple

from tahur.core.arrays import Array


class FlopClasses(NamedTuple):
    """Every class of flops with its classes of hands, the weakest first; hands of one class are suit-isomorphic.

    Cards that the flop's own symmetries map to each other form an *orbit*: sums over cards are stored by orbit.
    """

    start: Array  # (flops + 1,) int64 where a flop's hands begin
    weight: Array  # (flops,) float64 how many flops it represents
    orbits: Array  # (flops,) int64 number of orbits
    share: Array  # (flops, cards) float32 one over the number of cards in each orbit
    low_orbit: Array  # (hands,) uint8 of the lower card
    high_orbit: Array  # (hands,) uint8
    many: Array  # (hands,) float32 combos of the class
    tied: Array  # (hands,) int32 the flop's first hand that is stronger
    start_class: Array  # (hands,) uint8 the class of the hand before the flop


class Flow(NamedTuple):
    """The betting on the flop for one seat, `me`. Parents are numbered before children.

    The other seat's reach is stored in rows; my own moves add none. A value comes from a *source*, also a row, times a
    factor for each lane. Sources are, in order: for each row of reach, the weight I beat minus the weight that beats
    me; for each row, the weight of all hands that the other may hold; the values of the decisions.
    """

    seat: int
    mine: Array  # (decisions,) int8 whether I act
    moves: Array  # (decisions,) int64
    data: Array  # (decisions,) int64 the first of its rows among the acting seat's rows of data
    row: Array  # (decisions,) int64 the row of reach there
    below: Array  # (decisions, 3) int64 the row of reach after each move
    source: Array  # (decisions, 3) int64 the source of the value of each move
    factor: Array  # (decisions * 3 * 8,) float32
    value: Array  # (decisions,) int64 the source where its value is stored
    rows: int  # of reach, an even number
    swept: int  # rows of reach that lead to a showdown, an even number; these come first
    summed: int  # rows of reach that lead to any terminal, an even number
    data_rows: int  # of each seat


class FlopScratch(NamedTuple):
    """One thread's scratch space, float32."""

    reach: Array
    value: Array
    by_orbit: Array
    by_orbit_all: Array
