"""A seat's best response, in the whole round, to a strategy that remembers in part: between two numbers for each hand.

The strategy looks at nodes only, so for a given hand of the other, what follows a node does not depend on how it was
come to. Two things can therefore be reckoned beforehand, for each node and each pair of hands: what the seat would win
if it saw the other's hand (`clear`), which is more than it can win, and what it wins by its own strategy (`blind`),
which is no more. Summed over the hands that the other may hold after some bids, they bound a best response from there.

So histories are walked with the other's reach, one after the other, and left alone as soon as the bounds say enough:
an action is not looked into for hands that win at least as much otherwise, and nobody walks on where all that could
still be found out is less than `least`. Tables are float32, all else is float64.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from typing import Any

import numpy as np

from tahur.core.kernels import inline_kernel, lean_kernel


@lean_kernel
def foresee(graph: Any, pair: Any, tables: Any, rare: Any, seat: int, other: int) -> None:
    """The tables for one hand of the other, from the last nodes to the first."""
    clear, blind = tables.clear, tables.blind
    for node in range(len(graph.seats) - 1, -1, -1):
        mine, calls, first = graph.seats[node] == seat, graph.calls[node], graph.first[node]
        for hand in range(clear.shape[2]):
            clear[node, other, hand] = np.float32(-1e30) if mine else np.float32(0)
            blind[node, other, hand] = np.float32(0)
        for action in range(calls + graph.first[node + 1] - first):
            row, below = graph.rows[node] + action, len(graph.seats)
            if not mine and not pair.chances[1 - seat][row, other] > 0:
                continue
            if action < calls:
                pay(graph, pair, tables, seat, other, graph.standing[node], seat if mine else 1 - seat, action)
            else:
                below = graph.children[first + action - calls]
            if mine:
                choose(pair.chances[seat], tables, node, below, row, other)
            else:
                answer(pair.chances[1 - seat][row, other], tables, node, below, other)
        if mine:
            for number in range(rare.first[graph.standing[node] + 1], rare.first[graph.standing[node] + 2]):
                pay(graph, pair, tables, seat, other, rare.bids[number], 1 - seat, 0)
                for hand in range(clear.shape[2]):
                    clear[node, other, hand] = max(clear[node, other, hand], clear[len(graph.seats), other, hand])


@inline_kernel
def choose(chances, tables, node, below, row, other):
    """Of all our actions the best, if we see the other's hand; else by our strategy."""
    clear, blind = tables.clear, tables.blind
    for hand in range(clear.shape[2]):
        clear[node, other, hand] = max(clear[node, other, hand], clear[below, other, hand])
    for hand in range(clear.shape[2]):
        blind[node, other, hand] += chances[row, hand] * blind[below, other, hand]


@inline_kernel
def answer(chance, tables, node, below, other):
    clear, blind = tables.clear, tables.blind
    for hand in range(clear.shape[2]):
        clear[node, other, hand] += chance * clear[below, other, hand]
    for hand in range(clear.shape[2]):
        blind[node, other, hand] += chance * blind[below, other, hand]


@inline_kernel
def pay(graph, pair, tables, seat, other, bid, caller, call):
    """Leave in the last row of both tables what a dudo (call 0) or calza (1) pays each hand of ours."""
    clear, blind, last = tables.clear, tables.blind, len(graph.seats)
    lacking = graph.needed[bid] - pair.matches[1 - seat][bid, other]
    yes, no = pair.pays[seat][4 * caller + 2 * call], pair.pays[seat][4 * caller + 2 * call + 1]
    for hand in range(clear.shape[2]):
        held = pair.matches[seat][bid, hand]
        met = held >= lacking if call == 0 else held == lacking
        clear[last, other, hand] = blind[last, other, hand] = yes if met else no


@lean_kernel
def respond(
    graph: Any, pair: Any, tables: Any, walk: Any, rare: Any, seat: int, least: float, depth: int, node: int
) -> None:
    """Leave the bounds of each hand that matters in the rows of `depth`, which have the other's reach beforehand."""
    calls, first = graph.calls[node], graph.first[node]
    raises = graph.first[node + 1] - first
    if graph.seats[node] == seat:
        weigh_calls(graph, pair, walk, rare, seat, depth, node)
        if raises == 0 or is_enough(tables, walk, depth, node, least):
            return
        for raised in range(raises):
            child = graph.children[first + raised]
            if has_hope(tables, walk, depth, child):
                respond(graph, pair, tables, walk, rare, seat, least, depth + 1, child)
                take_best(walk, depth)
        return
    for hand in range(walk.lower.shape[1]):
        walk.lower[depth, hand] = walk.upper[depth, hand] = 0.0
    for action in range(calls + raises):
        if not pass_on(pair.chances[1 - seat], walk, depth, graph.rows[node] + action):
            continue
        if action < calls:
            weigh(graph, pair, walk, seat, depth + 1, graph.standing[node], 1 - seat, action)
            add_call(pair.matches[seat], walk, depth, graph.standing[node])
        else:
            respond(graph, pair, tables, walk, rare, seat, least, depth + 1, graph.children[first + action - calls])
            for hand in range(walk.lower.shape[1]):
                walk.lower[depth, hand] += walk.lower[depth + 1, hand]
                walk.upper[depth, hand] += walk.upper[depth + 1, hand]


@inline_kernel
def weigh_calls(graph, pair, walk, rare, seat, depth, node):
    """What is known of a decision of ours at once: its calls, and rare bids, which the other doubts."""
    bid = graph.standing[node]
    for hand in range(walk.lower.shape[1]):
        walk.lower[depth, hand] = walk.upper[depth, hand] = -1e30
    for call in range(graph.calls[node]):
        weigh(graph, pair, walk, seat, depth, bid, seat, call)
        take_call(pair.matches[seat], walk, depth, bid)
    for number in range(rare.first[bid + 1], rare.first[bid + 2]):
        weigh(graph, pair, walk, seat, depth, rare.bids[number], 1 - seat, 0)
        take_call(pair.matches[seat], walk, depth, rare.bids[number])


@inline_kernel
def weigh(graph, pair, walk, seat, depth, bid, caller, call):
    """Leave in `walk.worth` what a call pays by how many dice of ours count, against the other's reach."""
    theirs, bins, worth = pair.matches[1 - seat], walk.bins, walk.worth
    yes, no = pair.pays[seat][4 * caller + 2 * call], pair.pays[seat][4 * caller + 2 * call + 1]
    for count in range(len(bins)):
        bins[count] = 0.0
    for other in range(theirs.shape[1]):
        bins[theirs[bid, other]] += walk.reach[depth, other]
    for count in range(len(worth)):
        worth[count] = 0.0
        for other in range(len(bins)):
            met = count + other >= graph.needed[bid] if call == 0 else count + other == graph.needed[bid]
            worth[count] += bins[other] * (yes if met else no)


@inline_kernel
def take_call(matches, walk, depth, bid):
    for hand in range(matches.shape[1]):
        value = walk.worth[matches[bid, hand]]
        walk.lower[depth, hand] = max(walk.lower[depth, hand], value)
        walk.upper[depth, hand] = max(walk.upper[depth, hand], value)


@inline_kernel
def add_call(matches, walk, depth, bid):
    for hand in range(matches.shape[1]):
        value = walk.worth[matches[bid, hand]]
        walk.lower[depth, hand] += value
        walk.upper[depth, hand] += value


@inline_kernel
def is_enough(tables, walk, depth, node, least):
    """Raise what we win to what our own strategy wins; whether the best that could be is hardly more."""
    narrow(walk, depth)
    foretell(tables.blind, walk, depth, node, -walk.most)
    for hand in range(walk.lower.shape[1]):
        walk.lower[depth, hand] = max(walk.lower[depth, hand], walk.hope[depth, hand])
    foretell(tables.clear, walk, depth, node, walk.most)
    unknown = 0.0
    for hand in range(walk.lower.shape[1]):
        if walk.matters[depth, hand]:
            unknown += walk.likely[hand] * max(0.0, walk.hope[depth, hand] - walk.lower[depth, hand])
    if unknown >= least:
        return False
    for hand in range(walk.lower.shape[1]):
        walk.upper[depth, hand] = max(walk.upper[depth, hand], walk.hope[depth, hand])
    return True


@inline_kernel
def narrow(walk, depth):
    """Note which hands the other holds likely enough to be reckoned with, and how likely it holds another one."""
    total, rest, count = 0.0, 0.0, 0
    for other in range(walk.reach.shape[1]):
        total += walk.reach[depth, other]
    for other in range(walk.reach.shape[1]):
        if walk.reach[depth, other] > 1e-5 * total:
            walk.held[depth, count] = other
            count += 1
        else:
            rest += walk.reach[depth, other]
    walk.counts[depth], walk.rest[depth] = count, rest


@inline_kernel
def foretell(table, walk, depth, node, otherwise):
    """Leave in `walk.hope` what a table says of a node, summed over the other's hands; for the rest, `otherwise`."""
    for hand in range(walk.hope.shape[1]):
        walk.hope[depth, hand] = otherwise * walk.rest[depth]
    for number in range(walk.counts[depth]):
        other = walk.held[depth, number]
        reach = walk.reach[depth, other]
        for hand in range(walk.hope.shape[1]):
            walk.hope[depth, hand] += reach * table[node, other, hand]


@inline_kernel
def has_hope(tables, walk, depth, child):
    """Get ready to look into a raise, for the hands that might win more by it; whether there are any."""
    for other in range(walk.reach.shape[1]):
        walk.reach[depth + 1, other] = walk.reach[depth, other]
    foretell(tables.clear, walk, depth, child, walk.most)
    some = False
    for hand in range(walk.lower.shape[1]):
        hopes = walk.matters[depth, hand] and walk.hope[depth, hand] > walk.lower[depth, hand]
        walk.matters[depth + 1, hand] = hopes
        some = some or hopes
        if not hopes:
            walk.upper[depth, hand] = max(walk.upper[depth, hand], walk.hope[depth, hand])
    return some


@inline_kernel
def take_best(walk, depth):
    """Take the bounds of a raise that was looked into; what was foretold of it still holds."""
    for hand in range(walk.lower.shape[1]):
        if walk.matters[depth + 1, hand]:
            walk.lower[depth, hand] = max(walk.lower[depth, hand], walk.lower[depth + 1, hand])
            upper = min(walk.hope[depth, hand], walk.upper[depth + 1, hand])
            walk.upper[depth, hand] = max(walk.upper[depth, hand], upper)


@inline_kernel
def pass_on(chances, walk, depth, row):
    """The other's reach after an action of its own, and the hands that matter, a row below; whether any hand comes."""
    total = 0.0
    for other in range(walk.reach.shape[1]):
        walk.reach[depth + 1, other] = walk.reach[depth, other] * chances[row, other]
        total += walk.reach[depth + 1, other]
    for hand in range(walk.matters.shape[1]):
        walk.matters[depth + 1, hand] = walk.matters[depth, hand]
    return total > 0.0
