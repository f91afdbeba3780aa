"""A seat's best response, in the full round, to a strategy with imperfect recall: two bounds for each hand.

The strategy depends on nodes only, so for a given hand of the other, what follows a node does not depend on the history
that led to it. Two tables can therefore be computed in advance, for each node and each pair of hands: what the seat
would win if it saw the other's hand (`clear`), an upper bound, and what it wins with its own strategy (`blind`), a
lower bound. Summed over the hands that the other may hold after a history, they bound a best response from there.

So histories are walked with the other's reach, one by one, and skipped as soon as the bounds suffice: an action is not
explored for hands that win at least as much otherwise, and a subtree is skipped where the total that could still be
gained is less than `least`. Tables are float32, everything else is float64.
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
    """The best of our actions, if we see the other's hand; otherwise our strategy."""
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
    """Store in the last row of both tables the payoff of a dudo (call 0) or calza (1) for each of our hands."""
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
    """Store the bounds of each relevant hand in the rows of `depth`, which already have the other's reach."""
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
    """What is known of one of our decisions at once: its calls, and rare bids, which the other doubts."""
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
    """Store in `walk.worth` the payoff of a call by our number of matching dice, against the other's reach."""
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
    """Raise the lower bound to the value of our own strategy; returns whether the upper bound is close enough."""
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
    """Find the other's hands with enough reach to matter, and the reach of the remaining ones."""
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
    """Store in `walk.hope` a table's value of a node, summed over the other's hands; for the rest, `otherwise`."""
    for hand in range(walk.hope.shape[1]):
        walk.hope[depth, hand] = otherwise * walk.rest[depth]
    for number in range(walk.counts[depth]):
        other = walk.held[depth, number]
        reach = walk.reach[depth, other]
        for hand in range(walk.hope.shape[1]):
            walk.hope[depth, hand] += reach * table[node, other, hand]


@inline_kernel
def has_hope(tables, walk, depth, child):
    """Prepare to explore a raise, for the hands that might win more by it; returns whether there are any."""
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
    """Use the bounds of a raise that was explored; the table's bound on it still holds."""
    for hand in range(walk.lower.shape[1]):
        if walk.matters[depth + 1, hand]:
            walk.lower[depth, hand] = max(walk.lower[depth, hand], walk.lower[depth + 1, hand])
            upper = min(walk.hope[depth, hand], walk.upper[depth + 1, hand])
            walk.upper[depth, hand] = max(walk.upper[depth, hand], upper)


@inline_kernel
def pass_on(chances, walk, depth, row):
    """The other's reach after one of its actions, and the relevant hands, one row below; returns whether any hand is
    left."""
    total = 0.0
    for other in range(walk.reach.shape[1]):
        walk.reach[depth + 1, other] = walk.reach[depth, other] * chances[row, other]
        total += walk.reach[depth + 1, other]
    for hand in range(walk.matters.shape[1]):
        walk.matters[depth + 1, hand] = walk.matters[depth, hand]
    return total > 0.0
