"""External sampling over a limit betting tree with card buckets: one board, several pairs of hands on it.

A walk lists the nodes it visits, all actions of the walking seat and one sampled action of the other, and then
processes the list backwards to compute values. Random numbers come from one 64-bit word that the caller seeds and
stores (splitmix64).
"""

# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls

from __future__ import annotations

from typing import Any

import numpy as np

from tahur.cards.kernels import HANDS, ranks_on, sort_by_rank, sweep
from tahur.core.kernels import inline_kernel, kernel, lean_kernel
from tahur.solvers.kernels.sampled import uniform

SLOTS = 3
STREETS = 4


@kernel
def sample(boards, pairs, tree: Any, cards: Any, tables: Any, combos: Any, regrets, sums, rng_state) -> int:
    """Sample `boards` boards with `pairs` pairs of hands on each, both seats walking each; returns the nodes
    visited."""
    ranks, held = np.empty(HANDS, np.int64), np.empty(HANDS, np.int64)
    spare_ranks, spare_held = np.empty(HANDS, np.int64), np.empty(HANDS, np.int64)
    strength, rank = np.empty(HANDS, np.float32), np.empty(HANDS, np.int64)
    board = np.empty(5, np.int64)
    hands = np.empty(2, np.int64)
    bucket = np.empty((2, STREETS), np.int64)
    nodes = len(tree.kind)
    listed, pending, chosen = np.empty(nodes, np.int64), np.empty(nodes, np.int64), np.empty(nodes, np.int64)
    value = np.empty(nodes)
    visited = 0
    for _ in range(boards):
        deal_board(board, rng_state)
        count = ranks_on(board, combos, tables, ranks, held)
        for at in range(count):
            rank[held[at]] = ranks[at]
        sort_by_rank(count, ranks, held, spare_ranks, spare_held)
        strength[:] = -1.0
        sweep(count, ranks, held, combos, strength)
        for _ in range(pairs):
            deal_hands(strength, combos, hands, rng_state)
            for seat in range(2):
                look_up(board, hands[seat], strength[hands[seat]], cards, combos, bucket[seat])
            sign = np.sign(rank[hands[0]] - rank[hands[1]])
            for me in range(2):
                visited += walk(me, sign, tree, bucket, regrets, sums, listed, pending, chosen, value, rng_state)
    return visited


@lean_kernel
def deal_board(board, rng_state) -> None:
    """Draw five different cards into `board`. rng_state: (1,) the state of the random generator, which advances."""
    mask, at = 0, 0
    while at < 5:
        card = int(uniform(rng_state) * 52)
        if mask >> card & 1 == 0:
            mask |= 1 << card
            board[at] = card
            at += 1


@lean_kernel
def deal_hands(strength, combos: Any, hands, rng_state) -> None:
    """Two disjoint hands that are possible on the board; impossible ones have a strength below 0."""
    while True:
        hands[0], hands[1] = int(uniform(rng_state) * HANDS), int(uniform(rng_state) * HANDS)
        open_to_both = strength[hands[0]] >= 0.0 and strength[hands[1]] >= 0.0
        if open_to_both and combos.mask[hands[0]] & combos.mask[hands[1]] == 0:
            return


@lean_kernel
def look_up(board, hand, strength, cards: Any, combos: Any, out) -> None:
    """The bucket of a hand on each street of a board."""
    out[0] = cards.preflop[hand]
    flop = board_index(board, 3, cards.choose)
    out[1] = cards.flop[cards.flop_number[flop], combos.image[cards.flop_label[flop], hand]]
    turn = board_index(board, 4, cards.choose)
    out[2] = cards.turn[cards.turn_number[turn], combos.image[cards.turn_label[turn], hand]]
    out[3] = np.searchsorted(cards.river, strength, "right")


@inline_kernel
def board_index(board, size, choose) -> int:
    """The index of the set of the first `size` cards (cards/buckets.py)."""
    number = 0
    for at in range(size):
        below = 0
        for other in range(size):
            below += board[other] < board[at]
        number += choose[board[at], below + 1]
    return number


@lean_kernel
def walk(me, sign, tree: Any, bucket, regrets, sums, listed, pending, chosen, value, rng_state) -> int:
    """One seat's walk; returns the number of nodes visited."""
    count, waiting = 0, 1
    pending[0] = 0
    while waiting:
        waiting -= 1
        node = pending[waiting]
        listed[count] = node
        count += 1
        if node >= len(tree.children):
            continue
        if tree.seat[node] == me:
            for slot in range(SLOTS):
                if tree.children[node, slot] >= 0:
                    pending[waiting] = tree.children[node, slot]
                    waiting += 1
        else:
            chosen[node] = draw(node, tree, bucket, regrets, sums, rng_state)
            pending[waiting] = chosen[node]
            waiting += 1
    for at in range(count - 1, -1, -1):
        back_up(listed[at], me, sign, tree, bucket, regrets, chosen, value)
    return count


@inline_kernel
def back_up(node, me, sign, tree: Any, bucket, regrets, chosen, value) -> None:
    """A node's value to the walking seat, from the values below it; at its own decisions, update the regrets."""
    if node >= len(tree.children):
        pays = tree.pays[node] * (1.0 if tree.folded[node] else sign)
        value[node] = pays if me == 0 else -pays
    elif tree.seat[node] != me:
        value[node] = value[chosen[node]]
    else:
        at = block(node, tree, bucket)
        fold, call, bet = matched(node, at, tree, regrets)
        worth = 0.0
        for slot in range(SLOTS):
            if tree.children[node, slot] >= 0:
                worth += (fold if slot == 0 else call if slot == 1 else bet) * value[tree.children[node, slot]]
        for slot in range(SLOTS):
            if tree.children[node, slot] >= 0:
                regrets[at + slot] += value[tree.children[node, slot]] - worth
        value[node] = worth


@inline_kernel
def draw(node, tree: Any, bucket, regrets, sums, rng_state) -> int:
    """The child that the other seat's strategy samples; its average grows by that strategy."""
    at = block(node, tree, bucket)
    fold, call, bet = matched(node, at, tree, regrets)
    sums[at] += fold
    sums[at + 1] += call
    sums[at + 2] += bet
    drawn = uniform(rng_state)
    if drawn < fold:
        return tree.children[node, 0]
    return tree.children[node, 1 if drawn < fold + call or bet == 0.0 else 2]


@inline_kernel
def block(node, tree: Any, bucket) -> int:
    """The offset of the numbers of a decision and a bucket."""
    street = tree.street[node]
    return tree.first[node] + SLOTS * bucket[tree.seat[node], street]


@inline_kernel
def matched(node, at, tree: Any, regrets):
    """Regret matching over the legal slots; uniform if no regret is positive."""
    fold, call, bet = max(regrets[at], 0.0), max(regrets[at + 1], 0.0), max(regrets[at + 2], 0.0)
    total = fold + call + bet
    if total > 0.0:
        return fold / total, call / total, bet / total
    part = 1.0 / tree.moves[node]
    return (
        part if tree.children[node, 0] >= 0 else 0.0,
        part,
        part if tree.children[node, 2] >= 0 else 0.0,
    )
