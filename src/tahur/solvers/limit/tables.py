"""What the kernels read: named tuples of arrays, since Numba takes those as they are.

A *lane* is a line of betting before the flop. Seven lines lead to it; an eighth lane stays empty. Rows of lanes stand
in pairs: row r of a flop with n hands has hand k at `r // 2 * 16 * n + 16 * k + 8 * (r % 2)`.
"""

from __future__ import annotations

from typing import NamedTuple

from tahur.core.arrays import Array


class FlopClasses(NamedTuple):
    """Every flop class with its classes of hands, the weakest first; hands of one class differ only by names of suits.

    Cards that the flop's own symmetries turn into each other are a *orbit*: sums over cards are kept by orbit.
    """

    start: Array  # (flops + 1,) int64 where a flop's hands begin
    weight: Array  # (flops,) float64 how many flops it stands for
    orbits: Array  # (flops,) int64
    share: Array  # (flops, cards) float32 one over the cards of each orbit
    low_orbit: Array  # (hands,) uint8 of the lower card
    high_orbit: Array  # (hands,) uint8
    many: Array  # (hands,) float32 combos of the class
    tied: Array  # (hands,) int32 the flop's first hand that is stronger
    start_class: Array  # (hands,) uint8 the hand before the flop, suits aside


class Flow(NamedTuple):
    """The betting on the flop for one seat, `me`. Decisions are numbered parents first.

    The other seat's reach is kept in rows; my own moves change none. A value comes from a *source*, a row too, times a
    factor of each lane. Sources are, first to last: what I beat less what beats me for each row of reach; all that the
    other may hold for each row; the values of the decisions.
    """

    seat: int
    mine: Array  # (decisions,) int8 whether I decide
    moves: Array  # (decisions,) int64
    data: Array  # (decisions,) int64 the first of its rows among the deciding seat's rows of data
    row: Array  # (decisions,) int64 the row of reach there
    below: Array  # (decisions, 3) int64 the row of reach after each move
    source: Array  # (decisions, 3) int64 where the value of each move comes from
    factor: Array  # (decisions * 3 * 8,) float32
    value: Array  # (decisions,) int64 the source that its value is
    rows: int  # of reach, an even number
    swept: int  # of them lead to a showdown, an even number; these come first
    summed: int  # of them lead to any end, an even number
    data_rows: int  # of each seat


class FlopScratch(NamedTuple):
    """One worker's scratch space, float32."""

    reach: Array
    value: Array
    by_orbit: Array
    by_orbit_all: Array
