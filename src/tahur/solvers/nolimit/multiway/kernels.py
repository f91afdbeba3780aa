"""Opponent-public chance sampling (Johanson et al. 2012) for two to six seats, over card buckets.

A deal samples a board and a hand for each seat. Each seat in turn walks the tree with one combo of each of the 169
classes of starting hands at once, against the sampled hands of the others: at its own decisions it follows every
action, at another seat's one action, drawn from the strategy of that seat's hand. A class counts by the number of its
combos that the other cards leave. Before the flop classes are not merged; on later streets hands share buckets.

Random numbers come from one 64-bit word that the caller seeds and stores (splitmix64).
"""

# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tahur.cards.kernels import ranks_on, sort_by_rank, sweep
from tahur.core.arrays import Array
from tahur.core.kernels import kernel, lean_kernel
from tahur.solvers.kernels.sampled import uniform
from tahur.solvers.nolimit.kernels import board_index, descend

CLASSES = 169
COMBOS = 1326
STREETS = 4
MOST_MOVES = 3
DECISION, FOLDED, SHOWDOWN, ALL_IN_TWO = 0, 1, 2, 3


class MultiwayCards(NamedTuple):
    """What the kernels know about cards besides the tables of buckets."""

    class_of: Array  # (1326,) int64 the class of each combo
    starts: Array  # (170,) int64 where the combos of each class begin in `members`
    members: Array  # (1326,) int64 the combos, class by class
    equity: Array  # (169, 169) float32 of each class against each, all-in before the flop


class MultiwayDeal(NamedTuple):
    """A sampled board and the sampled hands; by combo, what follows from the board."""

    board: Array  # (5,) int64
    hand: Array  # (seats,) int64 the combo of each seat
    rank: Array  # (1326,) int64
    bucket: Array  # (4, 1326) int64
    free: Array  # (169,) float32 combos of each class that the walking seat may hold
    mine: Array  # (169,) int64 one of them; 0 if there is none
    ranks: Array  # (169,) int64 their ranks
    buckets: Array  # (4, 169) int64 their buckets; before the flop the class


class MultiwayScratch(NamedTuple):
    """Scratch space of one walk; the first axis is the depth in the tree."""

    reach: Array  # (depth, 169) float32 of the walking seat's own actions
    value: Array  # (depth, 3, 169) float32 values of the actions at a decision of the walking seat
    mix: Array  # (depth, 3, 169) float32 its strategy there
    node: Array  # (depth,) int64 the path from the root
    begun: Array  # (depth,) int64 the actions of each node that were begun
    to: Array  # (depth,) int64 where the values of each node belong: `value[to, slot]`, or nowhere if -1
    slot: Array  # (depth,) int64
    out: Array  # (169,) float32 the values of the root
    ranks: Array  # for sorting the hands on a board
    held: Array
    spare_ranks: Array
    spare_held: Array
    strength: Array  # (1326,) float32


class MultiwayTotals(NamedTuple):
    """What the walks add up."""

    regrets: Array  # (cells,) float32
    sums: Array  # (preflop cells,) float32 strategies, weighted with the seat's own reach
    worth: Array  # (preflop cells,) float64 values of the actions, in big blinds
    weight: Array  # (nodes before the flop, 169) float64 what the values are divided by
    arrivals: Array  # (nodes before the flop,) float64 how often play came to each decision


@kernel
def train(deals, tree: Any, tables: Any, buckets: Any, combos: Any, cards: Any, deal: Any, work: Any, totals: Any,
          word) -> int:  # fmt: skip
    """Walk for every seat on `deals` random deals; returns the number of nodes visited."""
    visited = 0
    for _ in range(deals):
        draw(deal, combos, word)
        describe(tables, buckets, combos, cards, deal, work)
        for me in range(len(deal.hand)):
            choose_hands(me, combos, cards, deal, word)
            visited += walk(me, tree, cards, deal, work, totals, word)
    return visited


@kernel
def draw(deal: Any, combos: Any, word) -> None:
    """Draw the board and the hands."""
    mask = 0
    for at in range(5):
        card = int(uniform(word) * 52)
        while mask >> card & 1:
            card = int(uniform(word) * 52)
        mask |= 1 << card
        deal.board[at] = card
    for seat in range(len(deal.hand)):
        hand = int(uniform(word) * COMBOS)
        while combos.mask[hand] & mask:
            hand = int(uniform(word) * COMBOS)
        mask |= combos.mask[hand]
        deal.hand[seat] = hand


@kernel
def describe(tables: Any, buckets: Any, combos: Any, cards: Any, deal: Any, work: Any) -> None:
    """The rank and the buckets of every hand on the board."""
    board = deal.board
    count = ranks_on(board, combos, tables, work.ranks, work.held)
    sort_by_rank(count, work.ranks, work.held, work.spare_ranks, work.spare_held)
    sweep(count, work.ranks, work.held, combos, work.strength)
    flop, turn = board_index(board, 3, buckets.choose), board_index(board, 4, buckets.choose)
    flop_row, flop_label = buckets.flop_number[flop], buckets.flop_label[flop]
    turn_row, turn_label = buckets.turn_number[turn], buckets.turn_label[turn]
    for at in range(count):
        hand = work.held[at]
        deal.rank[hand] = work.ranks[at]
        deal.bucket[0, hand] = cards.class_of[hand]
        deal.bucket[1, hand] = buckets.flop[flop_row, combos.image[flop_label, hand]]
        deal.bucket[2, hand] = buckets.turn[turn_row, combos.image[turn_label, hand]]
        deal.bucket[3, hand] = np.searchsorted(buckets.river, work.strength[hand], "right")


@kernel
def choose_hands(me, combos: Any, cards: Any, deal: Any, word) -> None:
    """Draw one combo of each class that the board and the other seats' hands leave to a seat."""
    mask = 0
    for card in deal.board:
        mask |= 1 << card
    for seat in range(len(deal.hand)):
        if seat != me:
            mask |= combos.mask[deal.hand[seat]]
    for number in range(CLASSES):
        free, chosen = 0, -1
        for at in range(cards.starts[number], cards.starts[number + 1]):
            free += combos.mask[cards.members[at]] & mask == 0
        pick = int(uniform(word) * free)
        for at in range(cards.starts[number], cards.starts[number + 1]):
            if combos.mask[cards.members[at]] & mask == 0:
                if pick == 0:
                    chosen = cards.members[at]
                pick -= 1
        deal.free[number] = free
        deal.mine[number] = max(chosen, 0)
        deal.ranks[number] = deal.rank[chosen] if free else 0
        deal.buckets[0, number] = number
        for street in range(1, STREETS):
            deal.buckets[street, number] = deal.bucket[street, chosen] if free else 0


@kernel
def walk(me, tree: Any, cards: Any, deal: Any, work: Any, totals: Any, word) -> int:
    """Update one seat's regrets and sums on a deal; returns the number of nodes visited.

    A loop with a stack and not a recursion: Numba cannot load recursive kernels from its cache.
    """
    depth, visited = 0, 0
    work.reach[0, :] = 1.0
    descend(-1, 0, -1, 0, work)
    while depth >= 0:
        node = work.node[depth]
        target = out_of(depth, work)
        if tree.kind[node] != DECISION:
            visited += 1
            pay(node, me, tree, cards, deal, target)
            depth -= 1
            continue
        street, actions = tree.street[node], tree.moves[node]
        if tree.seat[node] != me:
            visited += 1
            action = follow(node, street, actions, tree, deal, totals.regrets, word)
            work.reach[depth + 1] = work.reach[depth]
            work.node[depth] = tree.child[node, action]  # its value is the child's
            continue
        action = work.begun[depth]
        if action == 0:
            visited += 1
            match(node, street, actions, tree, deal, totals.regrets, work.mix[depth])
        if action < actions:
            work.begun[depth] = action + 1
            if street == 0:
                work.reach[depth + 1] = work.reach[depth] * work.mix[depth, action]
            descend(depth, tree.child[node, action], depth, action, work)
            depth += 1
            continue
        average(actions, work.mix[depth], work.value[depth], target)
        learn(node, street, actions, tree, deal, work.value[depth], target, totals.regrets)
        if street == 0:
            remember(node, actions, tree, deal, work.reach[depth], work.mix[depth], work.value[depth], totals)
        depth -= 1
    return visited


@kernel
def out_of(depth, work: Any) -> Array:
    """Where the values of the node at a depth belong."""
    return work.out if work.to[depth] < 0 else work.value[work.to[depth], work.slot[depth]]


@lean_kernel
def pay(node, me, tree: Any, cards: Any, deal: Any, out) -> None:
    """What each hand of the walking seat wins at a terminal, in big blinds."""
    lost = -tree.paid[node, me]
    live = tree.live[node]
    if tree.kind[node] == FOLDED or live >> me & 1 == 0:
        worth = lost + tree.won[node] if tree.kind[node] == FOLDED and tree.seat[node] == me else lost
        for at in range(CLASSES):
            out[at] = worth
        return
    best, level, other = 0, 0, 0
    for seat in range(len(deal.hand)):
        if seat != me and live >> seat & 1:
            rank = deal.rank[deal.hand[seat]]
            other = cards.class_of[deal.hand[seat]]
            if rank > best:
                best, level = rank, 1
            elif rank == best:
                level += 1
    won = tree.won[node]
    if tree.kind[node] == ALL_IN_TWO:
        for at in range(CLASSES):
            out[at] = lost + won * cards.equity[at, other]
        return
    shared = won / np.float32(level + 1)
    for at in range(CLASSES):
        rank = deal.ranks[at]
        out[at] = lost + (won if rank > best else (shared if rank == best else np.float32(0.0)))


@lean_kernel
def follow(node, street, actions, tree: Any, deal: Any, regrets, word) -> int:
    """Draw an action of another seat from the strategy of its hand: regret matching."""
    at = tree.first[node] + deal.bucket[street, deal.hand[tree.seat[node]]] * actions
    total = np.float32(0.0)
    for action in range(actions):
        total += max(regrets[at + action], np.float32(0.0))
    if total <= 0.0:
        return int(uniform(word) * actions)
    left = uniform(word) * total
    for action in range(actions - 1):
        left -= max(regrets[at + action], np.float32(0.0))
        if left < 0.0:
            return action
    return actions - 1 if regrets[at + actions - 1] > 0.0 else 0


@lean_kernel
def match(node, street, actions, tree: Any, deal: Any, regrets, mix) -> None:
    """The strategy of each hand of the walking seat: regret matching, uniform if no regret is positive."""
    for hand in range(CLASSES):
        at = tree.first[node] + deal.buckets[street, hand] * actions
        total = np.float32(0.0)
        for action in range(actions):
            positive = max(regrets[at + action], np.float32(0.0))
            mix[action, hand] = positive
            total += positive
        scale = np.float32(1.0) / total if total > 0 else np.float32(0.0)
        even = np.float32(0.0) if total > 0 else np.float32(1.0 / actions)
        for action in range(actions):
            mix[action, hand] = mix[action, hand] * scale + even


@lean_kernel
def average(actions, mix, value, out) -> None:
    """The value of each hand under its mix."""
    for hand in range(CLASSES):
        out[hand] = mix[0, hand] * value[0, hand]
    for action in range(1, actions):
        for hand in range(CLASSES):
            out[hand] += mix[action, hand] * value[action, hand]


@lean_kernel
def learn(node, street, actions, tree: Any, deal: Any, value, mean, regrets) -> None:
    """Add to the regrets what the hands would have gained by each action."""
    for hand in range(CLASSES):
        at = tree.first[node] + deal.buckets[street, hand] * actions
        for action in range(actions):
            regrets[at + action] += deal.free[hand] * (value[action, hand] - mean[hand])


@lean_kernel
def remember(node, actions, tree: Any, deal: Any, reach, mix, value, totals: Any) -> None:
    """Add the strategy, the values and the arrivals of a decision before the flop."""
    came, dealt = 0.0, 0.0
    for hand in range(CLASSES):
        count = deal.free[hand]
        at = tree.first[node] + hand * actions
        for action in range(actions):
            totals.sums[at + action] += count * reach[hand] * mix[action, hand]
            totals.worth[at + action] += count * value[action, hand]
        totals.weight[node, hand] += count
        came += count * reach[hand]
        dealt += count
    totals.arrivals[node] += came / dealt
