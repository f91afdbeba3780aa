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
    """One seat's tables. Fields without a comment are those of `Nodes`, `Dealings` and `Terminals` for this seat."""

    seat: int
    width: int  # number of this seat's hands
    across: int  # number of the other seat's hands
    at_mine: NDArray[np.int64]  # (nodes,) start of the node's row of own reach in `WalkScratch.mine`
    at_theirs: NDArray[np.int64]  # (nodes,) start of its row of the other seat's reach in `WalkScratch.theirs`
    at_values: NDArray[np.int64]  # (nodes,) start of its row in `WalkScratch.values` and `WalkScratch.played`
    their_prior: Array  # (across,) weights of the other seat's hands
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
    my_cards: Int32s  # (width, 2) the entry of each of a hand's cards in `WalkScratch.cards`
    their_cards: Int32s
    same: Int32s  # which of their hands has the same two cards, or -1
    my_strength: Int32s  # (entries, width) strength of each hand at a showdown
    their_strength: Int32s
    my_order: Int32s  # (entries, width) possible hands from weakest to strongest, then impossible ones
    their_order: Int32s
    my_count: Int32s  # (entries,) number of possible hands
    their_count: Int32s
    counts: int  # possible numbers of matching dice, 0 included
    my_match: Int32s  # (entries, width) number of matching dice of each hand
    their_match: Int32s


class Buffers(NamedTuple):
    """What CFR accumulates; `forecasts` is empty unless the schedule is predictive."""

    regrets: Array
    averages: Array
    forecasts: Array


class WalkScratch(NamedTuple):
    """Scratch space of one walk; concurrent walks need one each. All but `cards` are padded rows of hands."""

    mine: Array  # own reach
    theirs: Array  # the other seat's reach
    values: Array
    played: Array  # the strategy of the actions whose values are in the same rows of `values`
    cards: Array  # sums by card, or by number of matching dice


def seat_tables_of(tree: Tree, seat: int, dtype: DTypeLike) -> SeatTables:
    """The tables of one seat."""
    other = 1 - seat
    dealings, terminals = tree.dealings, tree.terminals
    my_cards, their_cards = (
        _card_entries(terminals.cards[side], terminals.cards[1 - side], spare)
        for side, spare in ((seat, 1), (other, 2))
    )
    at_mine, at_theirs, at_values = _row_starts(tree, seat)
    my_order, my_count = _sorted_by_strength(terminals.strengths[seat])
    their_order, their_count = _sorted_by_strength(terminals.strengths[other])
    return SeatTables(
        seat=seat,
        width=tree.hands[seat],
        across=tree.hands[other],
        at_mine=at_mine,
        at_theirs=at_theirs,
        at_values=at_values,
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
        my_cards=my_cards,
        their_cards=their_cards,
        same=_same_cards(terminals.cards[seat], terminals.cards[other]),
        my_strength=terminals.strengths[seat],
        their_strength=terminals.strengths[other],
        my_order=my_order,
        their_order=their_order,
        my_count=my_count,
        their_count=their_count,
        counts=_counts(tree),
        my_match=terminals.matching[seat],
        their_match=terminals.matching[other],
    )


def buffers_of(tree: Tree, dtype: DTypeLike, *, forecasts: bool = False) -> Buffers:
    """Buffers of zeros for a tree; `forecasts` is empty unless requested."""
    return Buffers(*(np.zeros(size, dtype) for size in (tree.size, tree.size, tree.size * forecasts)))


def scratch_of(tree: Tree, dtype: DTypeLike) -> WalkScratch:
    """Scratch space for a walk of the tree by either seat."""
    mine, theirs, values, played = (aligned(tree.rows * padded(max(tree.hands)), dtype) for _ in range(4))
    cards = aligned(padded(max(_deck(tree), 2 * _counts(tree))), dtype)
    return WalkScratch(mine=mine, theirs=theirs, values=values, played=played, cards=cards)


def _row_starts(tree: Tree, seat: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """(nodes,) three times: where each node's row of own reach, of the other seat's reach, and of values starts.

    A node shares its parent's row where the action between them changes nothing: the other seat's actions do not change
    own reach or values, own actions do not change the other's reach. Otherwise the children of a decision get adjacent
    rows below all rows in use on the path from the root.
    """
    nodes = tree.nodes
    kinds, parents, child_numbers, counts, dealings = (
        column.tolist() for column in (nodes.kind, nodes.parent, nodes.child_number, nodes.children, nodes.dealing)
    )
    rows = [(0, 0, 0)]  # of each node: own reach, the other's reach, values
    free = [(1, 1, 1)]  # the next free rows below each node
    for node in range(len(kinds)):
        if node:
            parent, child_number = parents[node], child_numbers[node]
            mine, theirs, values = rows[parent]
            free_mine, free_theirs, free_values = free[parent]
            if kinds[parent] == seat:
                mine = free_mine - counts[parent] + child_number
                values = free_values - counts[parent] + child_number
            elif kinds[parent] == 1 - seat:
                theirs = free_theirs - counts[parent] + child_number
            elif dealings[node] >= 0:
                theirs, values = free_theirs, free_values
                free_theirs, free_values = free_theirs + 1, free_values + 1
            rows.append((mine, theirs, values))
            free.append((free_mine, free_theirs, free_values))
        own_actions, their_actions = (counts[node] * (kinds[node] == side) for side in (seat, 1 - seat))
        free_mine, free_theirs, free_values = free[node]
        free[node] = free_mine + own_actions, free_theirs + their_actions, free_values + own_actions
    at_mine, at_theirs, at_values = np.array(rows, np.int64).T
    my_width, their_width = padded(tree.hands[seat]), padded(tree.hands[1 - seat])
    return at_mine * my_width, at_theirs * their_width, at_values * my_width


def _deck(tree: Tree) -> int:
    """The number of card entries in `WalkScratch.cards`: one for each card, and two spare ones."""
    return max(int(cards.max(initial=-1)) for cards in tree.terminals.cards) + 3


def _card_entries(cards: Int32s, others: Int32s, spare: int) -> Int32s:
    """(hands, 2) the entry of each card; a missing card has spare entry 1 or 2, counted from the last."""
    deck = max(int(cards.max(initial=-1)), int(others.max(initial=-1))) + 3
    return np.where(cards < 0, deck - spare, cards).astype(np.int32)


def _same_cards(mine: Int32s, theirs: Int32s) -> Int32s:
    """(own hands,) the index of the other seat's hand with the same two cards, or -1."""
    index = {tuple(sorted(cards)): hand for hand, cards in enumerate(theirs.tolist()) if min(cards) >= 0}
    return np.array([index.get(tuple(sorted(cards)), -1) for cards in mine.tolist()], np.int32)


def _sorted_by_strength(strengths: Int32s) -> tuple[Int32s, Int32s]:
    """(entries, hands) the hands from weakest to strongest, impossible ones last; (entries,) how many are possible."""
    impossible = strengths == NOT_HERE
    keys = np.where(impossible, np.iinfo(np.int32).max, strengths)
    order = np.argsort(keys, axis=1, kind="stable").astype(np.int32)
    return order, (~impossible).sum(axis=1).astype(np.int32)


def _counts(tree: Tree) -> int:
    """The number of different counts of matching dice that a hand can have, 0 included."""
    return max(int(matching.max(initial=0)) for matching in tree.terminals.matching) + 1
