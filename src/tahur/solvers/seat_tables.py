"""The tables that kernels read: named tuples of arrays, from one seat's point of view, in one floating-point type.

`SeatTables` calls everything *mine* and *theirs*, so that a kernel needs no case distinction by seat.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from tahur.core.arrays import Array, Int32s
from tahur.core.game import NOT_HERE
from tahur.solvers.rows import aligned, padded, padded_rows
from tahur.solvers.tree import Tree


class SeatTables(NamedTuple):
    """One seat's tables. `width` is the number of its hands, `across` that of the other seat's."""

    seat: int
    width: int
    across: int
    at_mine: NDArray[np.int64]  # start of each node's row of own reach,
    at_theirs: NDArray[np.int64]  # of the other seat's reach,
    at_values: NDArray[np.int64]  # of values and strategy
    their_prior: Array
    chance: Array
    mask: Int32s
    my_open: Array
    their_open: Array
    renaming_start: Int32s
    renaming_rows: Int32s
    renamings: Int32s
    pays: Array
    matrices: Array  # (entries, theirs, mine), with padded rows
    deck: int  # entries of `WalkScratch.cards` that are cards
    my_cards: Int32s
    their_cards: Int32s
    same: Int32s  # which of their hands has the same two cards, or -1
    my_strength: Int32s
    their_strength: Int32s
    my_order: Int32s
    their_order: Int32s
    my_count: Int32s
    their_count: Int32s
    counts: int  # possible numbers of matching dice, 0 included
    my_match: Int32s
    their_match: Int32s


class Buffers(NamedTuple):
    """What CFR accumulates; `forecasts` is empty unless the schedule is predictive."""

    regrets: Array
    averages: Array
    forecasts: Array


class WalkScratch(NamedTuple):
    """Scratch space of one walk; concurrent walks need one each."""

    mine: Array
    theirs: Array
    values: Array
    played: Array
    cards: Array


def seat_tables_of(tree: Tree, seat: int, dtype: DTypeLike) -> SeatTables:
    """The tables of one seat."""
    other = 1 - seat
    dealings, terminals = tree.dealings, tree.terminals
    places = [
        _cards_places(terminals.cards[side], terminals.cards[1 - side], spare)
        for side, spare in ((seat, 1), (other, 2))
    ]
    route = _route(tree, seat)
    orders = [_sorted(terminals.strengths[side]) for side in (seat, other)]
    return SeatTables(
        seat=seat,
        width=tree.hands[seat],
        across=tree.hands[other],
        at_mine=route[0],
        at_theirs=route[1],
        at_values=route[2],
        their_prior=tree.priors[other].astype(dtype),
        chance=dealings.chance.astype(dtype),
        mask=dealings.mask,
        my_open=dealings.open[seat].astype(dtype),
        their_open=dealings.open[other].astype(dtype),
        renaming_start=dealings.renaming_start,
        renaming_rows=dealings.renaming_rows,
        renamings=dealings.renamings[seat],
        pays=terminals.pays_to(seat).astype(dtype),
        matrices=padded_rows(
            terminals.matrices if seat else terminals.matrices.transpose(0, 2, 1), padded(tree.hands[seat]), dtype
        ),
        deck=_deck(tree),
        my_cards=places[0],
        their_cards=places[1],
        same=_same(terminals.cards[seat], terminals.cards[other]),
        my_strength=terminals.strengths[seat],
        their_strength=terminals.strengths[other],
        my_order=orders[0][0],
        their_order=orders[1][0],
        my_count=orders[0][1],
        their_count=orders[1][1],
        counts=_counts(tree),
        my_match=terminals.matching[seat],
        their_match=terminals.matching[other],
    )


def buffers_of(tree: Tree, dtype: DTypeLike, *, forecasts: bool = False) -> Buffers:
    return Buffers(*(np.zeros(size, dtype) for size in (tree.size, tree.size, tree.size * forecasts)))


def scratch_of(tree: Tree, dtype: DTypeLike) -> WalkScratch:
    mine, theirs, values, played = (aligned(tree.rows * padded(max(tree.hands)), dtype) for _ in range(4))
    cards = aligned(padded(max(_deck(tree), 2 * _counts(tree))), dtype)
    return WalkScratch(mine=mine, theirs=theirs, values=values, played=played, cards=cards)


def _route(tree: Tree, seat: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Where each node's rows start. Row 0 is the root's; an action gets new rows only where it changes something."""
    kinds, parents, places, counts, dealings = (
        column.tolist()
        for column in (
            tree.nodes.kind,
            tree.nodes.parent,
            tree.nodes.child_number,
            tree.nodes.children,
            tree.nodes.dealing,
        )
    )
    rows = [(0, 0, 0)]
    free = [(1, 1, 1)]  # the next free rows below each node: own reach, the other's reach, values
    for node in range(len(kinds)):
        if node:
            row, place = list(rows[parents[node]]), places[node]
            below = free[parents[node]]
            turn = kinds[parents[node]]
            if turn == seat:
                row[0], row[2] = below[0] - counts[parents[node]] + place, below[2] - counts[parents[node]] + place
            elif turn == 1 - seat:
                row[1] = below[1] - counts[parents[node]] + place
            elif dealings[node] >= 0:
                row[1], row[2] = below[1], below[2]
                below = below[0], below[1] + 1, below[2] + 1
            rows.append((row[0], row[1], row[2]))
            free.append(below)
        own, theirs = (counts[node] * (kinds[node] == side) for side in (seat, 1 - seat))
        free[node] = free[node][0] + own, free[node][1] + theirs, free[node][2] + own
    mine, other, values = np.array(rows, np.int64).T
    own, theirs = padded(tree.hands[seat]), padded(tree.hands[1 - seat])
    return mine * own, other * theirs, values * own


def _deck(tree: Tree) -> int:
    """One entry for each card, and two spare ones."""
    return max(int(cards.max(initial=-1)) for cards in tree.terminals.cards) + 3


def _cards_places(cards: Int32s, others: Int32s, spare: int) -> Int32s:
    """The entry of each card; hands with fewer than two cards use a spare entry, a different one for each seat."""
    deck = max(int(cards.max(initial=-1)), int(others.max(initial=-1))) + 3
    return np.where(cards < 0, deck - spare, cards).astype(np.int32)


def _same(mine: Int32s, theirs: Int32s) -> Int32s:
    where = {tuple(sorted(cards)): place for place, cards in enumerate(theirs.tolist()) if min(cards) >= 0}
    return np.array([where.get(tuple(sorted(cards)), -1) for cards in mine.tolist()], np.int32)


def _sorted(strengths: Int32s) -> tuple[Int32s, Int32s]:
    """Hands from weakest to strongest, without those that the board rules out, and how many there are."""
    absent = strengths == NOT_HERE
    last = np.where(absent, np.iinfo(np.int32).max, strengths)
    order = np.argsort(last, axis=1, kind="stable").astype(np.int32)
    return order, (~absent).sum(axis=1).astype(np.int32)


def _counts(tree: Tree) -> int:
    return max(int(matching.max(initial=0)) for matching in tree.terminals.matching) + 1
