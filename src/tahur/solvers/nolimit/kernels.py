"""Public chance sampling (Johanson et al. 2012) with sampled public actions of the opponent, over card buckets.

A walk samples a board of five cards and processes every hand that the board leaves, as a vector, against the whole
range of the opponent. At its own decisions the walking seat follows every action; at the opponent's it follows one
action, drawn from the mix of the opponent's whole range, and the opponent's reach is divided by the probability of that
draw, so that values are unbiased. Hands are sorted by their rank at the river, which makes a showdown one pass.

Per street, hands share a bucket; only the buckets that occur on the board are touched (`DealtHands.local` numbers
them). Random numbers come from one 64-bit word that the caller seeds and stores (splitmix64).
"""

# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tahur.cards.kernels import ranks_on, sort_by_rank, sweep
from tahur.core.arrays import Array
from tahur.core.kernels import inline_kernel, kernel, lean_kernel
from tahur.solvers.kernels.sampled import uniform

STREETS = 4
ALIVE = 1081  # hands that a board of five cards leaves
OPPOSING = 990.0  # opposing hands that can meet one of them
DECISION, FOLDED = 0, 1
UNIFORM_SHARE = 0.1  # of the opponent's draw, so that no weight exceeds 10 times the number of actions
UPDATE, EVALUATE = 0, 1  # modes of a walk


class DealtHands(NamedTuple):
    """A board and the hands on it, sorted by rank."""

    board: Array  # (5,) int64
    hand: Array  # (1081,) int64 combo numbers
    low: Array  # (1081,) int64 the cards of each
    high: Array
    group: Array  # (1081,) int64 where the next higher rank begins
    local: Array  # (4, 1081) int64 the number of its bucket among those that occur on this board
    bucket: Array  # (4, 1081) int64 the buckets that occur
    locals: Array  # (4,) int64 how many occur on each street


class BlueprintScratch(NamedTuple):
    """Scratch space of one walk; the first axis is the depth in the tree."""

    reach: Array  # (depth, 1081) float32 the opponent's reach
    value: Array  # (depth, actions, 1081) float32 values of the actions at a decision of the walking seat
    mix: Array  # (depth, 1081, actions) float32 the strategy of each local bucket
    change: Array  # (1081, actions) float32 what the regrets of each local bucket change by
    by_card: Array  # (52,) float32 the reach of all hands with each card
    below: Array  # (52,) float32 the same for the hands of lower rank
    node: Array  # (depth,) int64 the path from the root
    begun: Array  # (depth,) int64 the actions of each node that were begun
    to: Array  # (depth,) int64 where the values of each node belong: `value[to, slot]`, or the result if -1
    slot: Array  # (depth,) int64


class SortScratch(NamedTuple):
    """Scratch space for ranking the hands on a board."""

    ranks: Array
    held: Array
    spare_ranks: Array
    spare_held: Array
    strength: Array  # (1326,) float32
    seen: Array  # (most buckets,) int64 the local number of each bucket, -1 if it does not occur


@kernel
def train(boards, tree: Any, cards: Any, tables: Any, combos: Any, dealt: Any, sorting: Any, work: Any,
          regrets, sums, out, word) -> int:  # fmt: skip
    """Walk for both seats on `boards` random boards; returns the number of nodes visited."""
    visited, no_worth = 0, np.zeros((2, 0), np.float64)
    for _ in range(boards):
        deal(cards, tables, combos, dealt, sorting, word)
        for me in range(2):
            visited += walk(me, UPDATE, tree, dealt, work, regrets, sums, no_worth, out, word)
    return visited


@kernel
def evaluate(boards, tree: Any, cards: Any, tables: Any, combos: Any, dealt: Any, sorting: Any, work: Any,
             strategy, worth, out, word) -> None:  # fmt: skip
    """Walk for both seats on `boards` random boards with a fixed strategy, and add to `worth` (2, preflop cells).

    Row 0 gets the values of the actions before the flop in big blinds, row 1 the weights to divide them by.
    """
    no_sums = np.zeros(0, np.float32)
    for _ in range(boards):
        deal(cards, tables, combos, dealt, sorting, word)
        for me in range(2):
            walk(me, EVALUATE, tree, dealt, work, strategy, no_sums, worth, out, word)


@kernel
def deal(cards: Any, tables: Any, combos: Any, dealt: Any, sorting: Any, word) -> None:
    """Draw a board and describe it in `dealt`."""
    draw_board(dealt.board, word)
    describe(cards, tables, combos, dealt, sorting)


@kernel
def describe(cards: Any, tables: Any, combos: Any, dealt: Any, sorting: Any) -> None:
    """The hands on `dealt.board`, sorted, with their buckets on every street."""
    board = dealt.board
    count = ranks_on(board, combos, tables, sorting.ranks, sorting.held)
    sort_by_rank(count, sorting.ranks, sorting.held, sorting.spare_ranks, sorting.spare_held)
    sweep(count, sorting.ranks, sorting.held, combos, sorting.strength)
    first = 0
    while first < count:
        after = first
        while after < count and sorting.ranks[after] == sorting.ranks[first]:
            after += 1
        for at in range(first, after):
            dealt.group[at] = after
        first = after
    flop, turn = board_index(board, 3, cards.choose), board_index(board, 4, cards.choose)
    flop_row, flop_label = cards.flop_number[flop], cards.flop_label[flop]
    turn_row, turn_label = cards.turn_number[turn], cards.turn_label[turn]
    for at in range(count):
        hand = sorting.held[at]
        dealt.hand[at] = hand
        dealt.low[at], dealt.high[at] = combos.cards[hand, 0], combos.cards[hand, 1]
        dealt.local[0, at] = cards.preflop[hand]
        dealt.local[1, at] = cards.flop[flop_row, combos.image[flop_label, hand]]
        dealt.local[2, at] = cards.turn[turn_row, combos.image[turn_label, hand]]
        dealt.local[3, at] = np.searchsorted(cards.river, sorting.strength[hand], "right")
    for street in range(STREETS):
        number_locally(street, count, dealt, sorting.seen)


@lean_kernel
def number_locally(street, count, dealt: Any, seen) -> None:
    """Replace the buckets of a street by consecutive numbers, and list the buckets that occur."""
    found = 0
    for at in range(count):
        bucket = dealt.local[street, at]
        if seen[bucket] < 0:
            seen[bucket] = found
            dealt.bucket[street, found] = bucket
            found += 1
        dealt.local[street, at] = seen[bucket]
    dealt.locals[street] = found
    for at in range(found):
        seen[dealt.bucket[street, at]] = -1


@lean_kernel
def draw_board(board, word) -> None:
    """Draw five different cards."""
    mask, at = 0, 0
    while at < 5:
        card = int(uniform(word) * 52)
        if mask >> card & 1 == 0:
            mask |= 1 << card
            board[at] = card
            at += 1


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


@kernel
def walk(me, mode, tree: Any, dealt: Any, work: Any, regrets, sums, worth, out, word) -> int:
    """The values of the root to the walking seat, for each hand, into `out`; returns the number of nodes visited.

    mode UPDATE changes regrets and sums. EVALUATE treats `regrets` as a strategy (weights of the actions, which need
    not add up to 1) and changes `worth`.
    A loop with a stack and not a recursion: Numba cannot load recursive kernels from its cache.
    """
    depth, visited = 0, 0
    work.reach[0, :] = 1.0
    work.node[0], work.begun[0], work.to[0], work.slot[0] = 0, 0, -1, 0
    while depth >= 0:
        node = work.node[depth]
        target = out if work.to[depth] < 0 else work.value[work.to[depth], work.slot[depth]]
        street, actions = tree.street[node], tree.moves[node]
        if work.begun[depth] == 0:
            visited += 1
            if tree.kind[node] != DECISION:
                pay(node, me, tree, dealt, work.reach[depth], work.by_card, work.below, target)
                depth -= 1
                continue
            match(node, street, mode, tree, dealt, regrets, work.mix[depth])
            if tree.seat[node] != me:
                action = follow(
                    node, street, mode, tree, dealt, work.mix[depth], work.change, work.reach[depth],
                    work.reach[depth + 1], sums, word,
                )  # fmt: skip
                if action < 0:
                    target[:] = 0.0
                    depth -= 1
                    continue
                work.begun[depth] = 1
                descend(depth, tree.child[node, action], work.to[depth], work.slot[depth], work)
                depth += 1
                continue
        action = work.begun[depth]
        if tree.seat[node] != me:
            depth -= 1
        elif action < actions:
            work.reach[depth + 1] = work.reach[depth]
            work.begun[depth] = action + 1
            descend(depth, tree.child[node, action], depth, action, work)
            depth += 1
        else:
            average(actions, street, dealt, work.mix[depth], work.value[depth], target)
            if mode == UPDATE:
                learn(node, street, tree, dealt, work.value[depth], target, work.change, regrets)
            elif street == 0:
                appraise(node, tree, dealt, work.value[depth], work.reach[depth], work.by_card, worth)
            depth -= 1
    return visited


@lean_kernel
def descend(depth, child, to, slot, work: Any) -> None:
    """Put a child on the stack; its values go to `work.value[to, slot]`."""
    work.node[depth + 1] = child
    work.begun[depth + 1] = 0
    work.to[depth + 1] = to
    work.slot[depth + 1] = slot


@lean_kernel
def pay(node, me, tree: Any, dealt: Any, reach, by_card, below_card, out) -> None:
    """The values of a terminal: the stake, won or lost, times the reach of all hands that can meet each hand."""
    total = np.float32(0.0)
    for card in range(52):
        by_card[card] = 0.0
        below_card[card] = 0.0
    for at in range(ALIVE):
        total += reach[at]
        by_card[dealt.low[at]] += reach[at]
        by_card[dealt.high[at]] += reach[at]
    scale = np.float32(tree.stake[node] / OPPOSING)
    if tree.kind[node] == FOLDED:
        if tree.seat[node] == me:
            scale = -scale
        for at in range(ALIVE):
            out[at] = scale * (total - by_card[dealt.low[at]] - by_card[dealt.high[at]] + reach[at])
        return
    below = np.float32(0.0)
    first = 0
    while first < ALIVE:
        after = dealt.group[first]
        for at in range(first, after):  # subtract what is below and level from what is above
            low, high = dealt.low[at], dealt.high[at]
            out[at] = (below - below_card[low] - below_card[high]) - (total - by_card[low] - by_card[high])
        for at in range(first, after):
            below += reach[at]
            below_card[dealt.low[at]] += reach[at]
            below_card[dealt.high[at]] += reach[at]
        for at in range(first, after):
            low, high = dealt.low[at], dealt.high[at]
            out[at] = scale * (out[at] + below - below_card[low] - below_card[high])
        first = after


@lean_kernel
def match(node, street, mode, tree: Any, dealt: Any, regrets, mix) -> None:
    """The strategy of each local bucket: regret matching, uniform if no regret is positive; or the given one."""
    actions = tree.moves[node]
    for local in range(dealt.locals[street]):
        at = tree.first[node] + dealt.bucket[street, local] * actions
        total = np.float32(0.0)
        for action in range(actions):
            positive = max(regrets[at + action], np.float32(0.0))
            mix[local, action] = positive
            total += positive
        for action in range(actions):
            mix[local, action] = mix[local, action] / total if total > 0 else np.float32(1.0 / actions)


@lean_kernel
def average(actions, street, dealt: Any, mix, value, out) -> None:
    """The value of each hand under its mix."""
    for at in range(ALIVE):
        out[at] = 0.0
    for action in range(actions):
        for at in range(ALIVE):
            out[at] += mix[dealt.local[street, at], action] * value[action, at]


@lean_kernel
def learn(node, street, tree: Any, dealt: Any, value, mean, change, regrets) -> None:
    """Add to the regrets of each bucket what its hands would have gained by each action."""
    actions, locals = tree.moves[node], dealt.locals[street]
    for local in range(locals):
        for action in range(actions):
            change[local, action] = 0.0
    for action in range(actions):
        for at in range(ALIVE):
            change[dealt.local[street, at], action] += value[action, at] - mean[at]
    for local in range(locals):
        first = tree.first[node] + dealt.bucket[street, local] * actions
        for action in range(actions):
            regrets[first + action] += change[local, action]


@lean_kernel
def appraise(node, tree: Any, dealt: Any, value, reach, by_card, worth) -> None:
    """Add the values of a decision before the flop, and the opposing reach that they are weighted by."""
    actions, total = tree.moves[node], np.float32(0.0)
    by_card[:] = 0.0
    for at in range(ALIVE):
        total += reach[at]
        by_card[dealt.low[at]] += reach[at]
        by_card[dealt.high[at]] += reach[at]
    for at in range(ALIVE):
        first = tree.first[node] + dealt.bucket[0, dealt.local[0, at]] * actions
        met = (total - by_card[dealt.low[at]] - by_card[dealt.high[at]] + reach[at]) / OPPOSING
        for action in range(actions):
            worth[0, first + action] += value[action, at]
            worth[1, first + action] += met


@lean_kernel
def follow(node, street, mode, tree: Any, dealt: Any, mix, weight, reach, reach_after, sums, word) -> int:
    """Draw one action of the opponent and set its reach after it; -1 if no hand of it comes here.

    weight: scratch; [local][0] is the reach of each bucket.
    """
    actions = tree.moves[node]
    for local in range(dealt.locals[street]):
        weight[local, 0] = 0.0
    total = np.float32(0.0)
    for at in range(ALIVE):
        weight[dealt.local[street, at], 0] += reach[at]
        total += reach[at]
    if total <= 0.0:
        return -1
    drawn, chosen, chance = uniform(word), actions - 1, np.float32(0.0)
    upto = 0.0
    done = False
    for action in range(actions):
        often = np.float32(0.0)
        for local in range(dealt.locals[street]):
            often += weight[local, 0] * mix[local, action]
        share = (1.0 - UNIFORM_SHARE) * often / total + UNIFORM_SHARE / actions
        upto += share
        if not done and (drawn < upto or action == actions - 1):
            chosen, chance, done = action, np.float32(share), True
    if mode == UPDATE:
        for local in range(dealt.locals[street]):
            first = tree.first[node] + dealt.bucket[street, local] * actions
            for action in range(actions):
                sums[first + action] += weight[local, 0] * mix[local, action]
    for at in range(ALIVE):
        reach_after[at] = reach[at] * mix[dealt.local[street, at], chosen] / chance
    return chosen
