"""Sampled walks over a flat tree: one deal, one outcome per chance node, and all or one of the other seat's actions.

Hands are two indices here, not vectors. A walk has a stack of the decisions it is inside of: the actions already
walked, their values and the strategy. Random numbers come from one 64-bit word that the caller seeds and stores
(splitmix64), so that a run can be resumed.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from typing import Any

import numpy as np

from tahur.core.kernels import inline_kernel, lean_kernel

CHANCE_NODE = 2
MATRIX = 3
FOLD = 4
SHOWDOWN = 5


@lean_kernel
def sample(
    nodes: Any,
    seat_tables: Any,
    cumulative: Any,
    possible: Any,
    iterations: int,
    whole: bool,
    buffers: Any,
    stack: Any,
    word: Any,
) -> None:
    """Run the iterations, each one deal for seat 0 and one for seat 1. `whole`: walk all actions of both seats."""
    for _ in range(iterations):
        for me in range(2):
            one, other = dealt(cumulative, possible, word)
            seat = seat_tables[0] if me == 0 else seat_tables[1]
            mine, theirs = (one, other) if me == 0 else (other, one)
            walk(nodes, seat, mine, theirs, whole, buffers, stack, word)


@inline_kernel
def uniform(word):
    """A random number in [0, 1); advances the word."""
    word[0] += np.uint64(0x9E3779B97F4A7C15)
    mixed = word[0]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed = mixed ^ (mixed >> np.uint64(31))
    return (mixed >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@inline_kernel
def dealt(cumulative, possible, word):
    """Two hands that can be dealt together, by rejection sampling, which leaves relative probabilities unchanged."""
    while True:
        one, other = pick(cumulative[0], uniform(word)), pick(cumulative[1], uniform(word))
        if possible[one, other]:
            return one, other


@inline_kernel
def pick(cumulative, draw):
    """The first index whose cumulative probability is above `draw`; the last one is 1 (binary search)."""
    low, high = 0, len(cumulative) - 1
    while low < high:
        middle = (low + high) // 2
        if cumulative[middle] > draw:
            high = middle
        else:
            low = middle + 1
    return low


@lean_kernel
def walk(nodes, seat, mine, theirs, whole, buffers, stack, word):
    """Update one seat's regrets on one deal; averages grow where it acts or, if actions are sampled, the other does."""
    depth = -1
    node = 0
    own_reach = other_reach = 1.0
    while True:
        node = descend(nodes, seat, mine, theirs, whole, node, buffers, stack, word)
        value = 0.0
        if nodes.kind[node] >= MATRIX:
            value = worth(seat, nodes.kind[node], nodes.first[node], nodes.second[node], mine, theirs)
        else:
            depth += 1
            enter(nodes, seat, mine, theirs, node, depth, own_reach, other_reach, whole, buffers, stack)
        while nodes.kind[node] >= MATRIX or stack.at[depth] == nodes.children[stack.node[depth]]:
            if nodes.kind[node] < MATRIX:
                value = leave(nodes, seat, mine, depth, whole, buffers, stack)
                depth -= 1
            if depth < 0:
                return
            stack.values[depth, stack.at[depth]] = value
            stack.at[depth] += 1
            stack.child[depth] = nodes.end[stack.child[depth]]
            node = stack.node[depth]
        node = stack.child[depth]
        own_reach, other_reach = stack.own[depth], stack.other[depth]
        if nodes.kind[stack.node[depth]] == seat.seat:
            own_reach *= stack.played[depth, stack.at[depth]]
        else:
            other_reach *= stack.played[depth, stack.at[depth]]


@inline_kernel
def descend(nodes, seat, mine, theirs, whole, node, buffers, stack, word):
    """Sample down to a terminal, or to a decision all of whose actions are walked."""
    while nodes.kind[node] == CHANCE_NODE or (not whole and nodes.kind[node] == 1 - seat.seat):
        count = nodes.children[node]
        place = 0
        if nodes.kind[node] == CHANCE_NODE:
            while True:  # the outcomes that both hands leave possible are equally likely
                place = int(uniform(word) * count)
                mask = seat.mask[nodes.dealing[child_of(nodes, node, place)]]
                if seat.my_open[mask, mine] > 0 and seat.their_open[mask, theirs] > 0:
                    break
        else:
            played(buffers.regrets, nodes.block[node], count, seat.across, theirs, stack.sampled)
            left = uniform(word)
            for action in range(count):
                buffers.averages[nodes.block[node] + action * seat.across + theirs] += stack.sampled[action]
            while place < count - 1 and left >= stack.sampled[place]:
                left -= stack.sampled[place]
                place += 1
        node = child_of(nodes, node, place)
    return node


@inline_kernel
def child_of(nodes, node, place):
    child = node + 1
    for _ in range(place):
        child = nodes.end[child]
    return child


@inline_kernel
def played(regrets, block, count, width, hand, out):
    """Regret matching for one hand."""
    total = 0.0
    for action in range(count):
        out[action] = max(regrets[block + action * width + hand], 0.0)
        total += out[action]
    for action in range(count):
        out[action] = out[action] / total if total > 0 else 1.0 / count


@inline_kernel
def enter(nodes, seat, mine, theirs, node, depth, own_reach, other_reach, whole, buffers, stack):
    """Push a decision on the stack; in whole walks the average of the walking seat grows by its reach."""
    own = nodes.kind[node] == seat.seat
    width, hand = (seat.width, mine) if own else (seat.across, theirs)
    block, count = nodes.block[node], nodes.children[node]
    stack.node[depth], stack.at[depth], stack.child[depth] = node, 0, node + 1
    stack.own[depth], stack.other[depth] = own_reach, other_reach
    played(buffers.regrets, block, count, width, hand, stack.sampled)
    for action in range(count):
        stack.played[depth, action] = stack.sampled[action]
        if own and whole:
            buffers.averages[block + action * width + hand] += own_reach * stack.sampled[action]


@inline_kernel
def leave(nodes, seat, mine, depth, whole, buffers, stack):
    """The value of a decision whose actions are all walked; if it is the walking seat's, its regrets are updated."""
    node = stack.node[depth]
    count = nodes.children[node]
    value = 0.0
    for action in range(count):
        value += stack.played[depth, action] * stack.values[depth, action]
    if nodes.kind[node] == seat.seat:
        weight = stack.other[depth] if whole else 1.0
        for action in range(count):
            gain = weight * (stack.values[depth, action] - value)
            buffers.regrets[nodes.block[node] + action * seat.width + mine] += gain
    return value


@inline_kernel
def worth(seat, kind, entry, row, mine, theirs):
    """The payoff of a terminal to the walking seat for two hands."""
    if kind == MATRIX:
        return seat.matrices[entry, theirs, mine] * seat.pays[row, 0]
    if kind == FOLD:
        return seat.pays[row, 0]
    if kind == SHOWDOWN:
        lead = seat.my_strength[entry, mine] - seat.their_strength[entry, theirs]
        return seat.pays[row, 0] if lead > 0 else seat.pays[row, 1] if lead < 0 else seat.pays[row, 2]
    return seat.pays[row, seat.my_match[entry, mine] + seat.their_match[entry, theirs]]
