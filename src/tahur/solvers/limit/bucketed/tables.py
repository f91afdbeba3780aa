"""The arrays that the kernels of bucketed limit hold'em read, as named tuples, which Numba supports directly."""

from __future__ import annotations

from typing import NamedTuple

from tahur.core.arrays import Array


class BucketTree(NamedTuple):
    """A limit betting tree, decisions before terminals, with the offset of each decision's numbers."""

    kind: Array  # (nodes,) int8
    seat: Array  # (nodes,) int8
    street: Array  # (nodes,) int8
    children: Array  # (decisions, 3) int32, -1 where not legal
    moves: Array  # (decisions,) int64 number of legal slots
    first: Array  # (decisions,) int64 where its block [bucket][slot] begins
    pays: Array  # (nodes,) float64 to seat 0 at a fold, or if it wins the showdown
    folded: Array  # (nodes,) bool


class BucketCards(NamedTuple):
    """The buckets of all boards, as stored by `cards/buckets`."""

    preflop: Array
    flop: Array
    flop_number: Array
    flop_label: Array
    turn: Array
    turn_number: Array
    turn_label: Array
    river: Array
    choose: Array  # (53, 5) binomial coefficients
