"""Sweeps over the graph of a round that is remembered in part, and best responses to it in the whole round.

Many histories lead to one node, so what a seat knows there is a mixture of them. A sweep is for one hand of the other
seat and all hands of ours, a row of numbers for each node. Forward it gathers how likely node, our hand and the other's
come together; backward it reckons what each action of ours is worth, and adds that to the regrets. A regret should
weigh as much as the other seat makes it (our own way there is our own choice), so the joint chance is divided by our
own part of it, `own`: where only one history leads to a node, that leaves the other's reach, as in any CFR. A small
part of our way is even over all raises (`even`), so that nodes we never come to are still learned.

All floats of sweeps are float32, those of responses float64. Rows are flat arrays: node `n` of `hands` begins at
`n * hands`. `order` of nodes: the lower bid first, so every child stands behind its parents.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from typing import Any

import numpy as np

from tahur.core.kernels import inline_kernel, lean_kernel


@lean_kernel
def play_by(graph: Any, seat: int, hands: int, weights: Any, result: Any, totals: Any) -> None:
    """The chances of a seat in proportion to what is positive of its weights; all actions alike where nothing is."""
    nil, one = np.float32(0), np.float32(1)
    for node in range(len(graph.seats)):
        if graph.seats[node] != seat:
            continue
        rows, place = graph.calls[node] + graph.first[node + 1] - graph.first[node], graph.places[node]
        for hand in range(hands):
            totals[hand] = nil
        for row in range(place, place + rows * hands, hands):
            for hand in range(hands):
                totals[hand] += max(weights[row + hand], nil)
        alike = one / np.float32(rows)
        for hand in range(hands):
            totals[hand] = one / totals[hand] if totals[hand] > np.float32(1e-25) else nil
        for row in range(place, place + rows * hands, hands):
            for hand in range(hands):
                share = max(weights[row + hand], nil) * totals[hand]
                result[row + hand] = share if totals[hand] > nil else alike


@lean_kernel
def own_ways(graph: Any, seat: int, hands: int, chances: Any, even: Any, own: Any) -> None:
    """How likely a seat's own choices lead to each node, by hand, if the other says anything as likely as anything."""
    nil, one = np.float32(0), np.float32(1)
    for place in range(hands, len(graph.seats) * hands):
        own[place] = nil
    for hand in range(hands):
        own[hand] = one
    for node in range(len(graph.seats)):
        calls, first = graph.calls[node], graph.first[node]
        raises, at = graph.first[node + 1] - first, node * hands
        if graph.seats[node] != seat:
            share = one / np.float32(calls + raises)
            for raised in range(raises):
                to = graph.children[first + raised] * hands
                for hand in range(hands):
                    own[to + hand] += own[at + hand] * share
            continue
        for raised in range(raises):
            to, row = graph.children[first + raised] * hands, graph.places[node] + (calls + raised) * hands
            part, rest = even / np.float32(raises), one - even
            for hand in range(hands):
                own[to + hand] += own[at + hand] * (rest * chances[row + hand] + part)


@lean_kernel
def learn(graph: Any, pair: Any, seat: int, other: int, weight: Any, even: Any, update: bool) -> None:
    """One sweep for a seat against one hand of the other: its values are left in `pair.values`, its regrets changed."""
    forward(graph, pair, seat, other, weight, even)
    nil = np.float32(0)
    hands = pair.hands[seat]
    for node in range(len(graph.seats) - 1, -1, -1):
        if not pair.alive[node]:
            continue
        for place in range(node * hands, (node + 1) * hands):
            pair.values[place] = nil
        if graph.seats[node] == seat:
            choose(graph, pair, seat, node, other, update)
        else:
            answer(graph, pair, seat, node, other)


@inline_kernel
def forward(graph, pair, seat, other, weight, even):
    """The joint chance of every node that the other's hand comes to, by our hand; it marks those nodes alive."""
    nil, one = np.float32(0), np.float32(1)
    hands, others, joint, alive = pair.hands[seat], pair.hands[1 - seat], pair.joint, pair.alive
    for node in range(len(graph.seats)):
        alive[node] = node == 0
    for hand in range(hands):
        joint[hand] = weight
    for node in range(len(graph.seats)):
        if not alive[node]:
            continue
        calls, first = graph.calls[node], graph.first[node]
        raises, at = graph.first[node + 1] - first, node * hands
        for raised in range(raises):
            child = graph.children[first + raised]
            to = child * hands
            if graph.seats[node] == seat:
                open_row(joint, alive, child, to, hands)
                row, part, rest = graph.places[node] + (calls + raised) * hands, even / np.float32(raises), one - even
                for hand in range(hands):
                    joint[to + hand] += joint[at + hand] * (rest * pair.chances[row + hand] + part)
                continue
            share = pair.chances[graph.places[node] + (calls + raised) * others + other]
            if share > nil:
                open_row(joint, alive, child, to, hands)
                for hand in range(hands):
                    joint[to + hand] += joint[at + hand] * share


@inline_kernel
def open_row(joint, alive, child, to, hands):
    if not alive[child]:
        alive[child] = True
        for hand in range(hands):
            joint[to + hand] = np.float32(0)


@inline_kernel
def choose(graph, pair, seat, node, other, update):
    """Our decision: its value for every hand and, if asked, the regrets of its actions."""
    hands, values, chances, regrets, share = pair.hands[seat], pair.values, pair.chances, pair.regrets, pair.share
    calls, first, at, place = graph.calls[node], graph.first[node], node * hands, graph.places[node]
    rows = calls + graph.first[node + 1] - first
    for hand in range(hands):
        share[hand] = pair.joint[at + hand] / pair.own[at + hand]
    for action in range(rows):
        row, below = place + action * hands, pair.below
        if action < calls:
            pay(graph, pair, seat, node, seat, action, other, below)
            for hand in range(hands):
                values[at + hand] += chances[row + hand] * below[hand]
            if update:
                for hand in range(hands):
                    regrets[row + hand] += share[hand] * below[hand]
            continue
        to = graph.children[first + action - calls] * hands
        for hand in range(hands):
            values[at + hand] += chances[row + hand] * values[to + hand]
        if update:
            for hand in range(hands):
                regrets[row + hand] += share[hand] * values[to + hand]
    if update:
        for hand in range(hands):
            share[hand] *= values[at + hand]
        for row in range(place, place + rows * hands, hands):
            for hand in range(hands):
                regrets[row + hand] -= share[hand]


@inline_kernel
def answer(graph, pair, seat, node, other):
    """A decision of the other seat: what its hand's choices leave us."""
    hands, others, values, nil = pair.hands[seat], pair.hands[1 - seat], pair.values, np.float32(0)
    calls, first, at = graph.calls[node], graph.first[node], node * hands
    for action in range(calls + graph.first[node + 1] - first):
        chance = pair.chances[graph.places[node] + action * others + other]
        if not chance > nil:
            continue
        if action < calls:
            pay(graph, pair, seat, node, 1 - seat, action, other, pair.below)
            for hand in range(hands):
                values[at + hand] += chance * pair.below[hand]
            continue
        to = graph.children[first + action - calls] * hands
        for hand in range(hands):
            values[at + hand] += chance * values[to + hand]


@inline_kernel
def pay(graph, pair, seat, node, caller, call, other, result):
    """What a dudo (call 0) or calza (1) on the standing bid pays each hand of ours against the other's one."""
    hands, bid, matches = pair.hands[seat], graph.standing[node], pair.matches[seat]
    lacking = graph.needed[bid] - pair.matches[1 - seat][bid * pair.hands[1 - seat] + other]
    yes, no = pair.pays[seat][4 * caller + 2 * call], pair.pays[seat][4 * caller + 2 * call + 1]
    for hand in range(hands):
        held = matches[bid * hands + hand]
        met = held >= lacking if call == 0 else held == lacking
        result[hand] = yes if met else no


@lean_kernel
def keep(graph: Any, seat: int, hands: int, own: Any, chances: Any, weight: Any, averages: Any, regrets: Any) -> None:
    """The seat's average grows by its present chances, and no regret stays below nothing."""
    nil = np.float32(0)
    for node in range(len(graph.seats)):
        if graph.seats[node] != seat:
            continue
        rows, place, at = (
            graph.calls[node] + graph.first[node + 1] - graph.first[node],
            graph.places[node],
            node * hands,
        )
        for row in range(place, place + rows * hands, hands):
            for hand in range(hands):
                averages[row + hand] += weight * own[at + hand] * chances[row + hand]
                regrets[row + hand] = max(regrets[row + hand], nil)


@lean_kernel
def respond(graph: Any, pair: Any, walk: Any, seat: int, least: float) -> None:
    """A seat's best response in the whole round to the other's chances, between two numbers for each hand.

    Every history is walked, with the other's reach by hand. Where fewer than `least` of its hands come, nobody walks
    on: to doubt at once is something that the seat can do, and the most there is to win bounds what it could. The first
    rows of `walk.lower` and `walk.upper` are left with the bounds.
    """
    hands = pair.hands[seat]
    depth, opening = 0, True
    walk.nodes[0] = 0
    while True:
        node = walk.nodes[depth]
        mine, calls, first = graph.seats[node] == seat, graph.calls[node], graph.first[node]
        if opening:
            opening = False
            walk.nexts[depth] = 0
            for place in range(depth * hands, (depth + 1) * hands):
                walk.lower[place] = walk.upper[place] = -1e30 if mine else 0.0
            if mine:
                go_rare(graph, pair, walk, seat, depth, node)
        action = walk.nexts[depth]
        if action < calls + graph.first[node + 1] - first:
            walk.nexts[depth] = action + 1
            total = step(graph, pair, walk, seat, depth, node, action)
            if not total > 0.0:
                continue
            if action < calls:
                call_it(graph, pair, walk, seat, depth, graph.standing[node], seat if mine else 1 - seat, action)
            elif total < least:
                child = graph.children[first + action - calls]
                stop(graph, pair, walk, seat, depth, graph.standing[child], total)
            else:
                depth += 1
                walk.nodes[depth] = graph.children[first + action - calls]
                opening = True
            continue
        if depth == 0:
            return
        depth -= 1
        mine = graph.seats[walk.nodes[depth]] == seat
        up = depth * hands
        for place in range(up, up + hands):
            take(walk.lower, place, walk.lower[place + hands], mine)
            take(walk.upper, place, walk.upper[place + hands], mine)


@inline_kernel
def step(graph, pair, walk, seat, depth, node, action):
    """The other's reach after an action, one row below; the sum of it, or 1 if the action is the seat's own."""
    others = pair.hands[1 - seat]
    at, to, total = depth * others, (depth + 1) * others, 0.0
    if graph.seats[node] == seat:
        for hand in range(others):
            walk.reach[to + hand] = walk.reach[at + hand]
        return 1.0
    row = graph.places[node] + action * others
    for hand in range(others):
        walk.reach[to + hand] = walk.reach[at + hand] * pair.chances[row + hand]
        total += walk.reach[to + hand]
    return total


@inline_kernel
def take(values, place, value, best):
    """The best of our own actions; the sum of the other's."""
    if best:
        values[place] = max(values[place], value)
    else:
        values[place] += value


@inline_kernel
def weigh(graph, pair, walk, seat, depth, bid, caller, call):
    """Leave in `walk.worth` what a call pays by how many dice of ours count, against the reach one row below."""
    others, theirs = pair.hands[1 - seat], pair.matches[1 - seat]
    for count in range(len(walk.bins)):
        walk.bins[count] = 0.0
    for hand in range(others):
        walk.bins[theirs[bid * others + hand]] += walk.reach[(depth + 1) * others + hand]
    yes, no = pair.pays[seat][4 * caller + 2 * call], pair.pays[seat][4 * caller + 2 * call + 1]
    for count in range(len(walk.worth)):
        walk.worth[count] = 0.0
        for other in range(len(walk.bins)):
            met = count + other >= graph.needed[bid] if call == 0 else count + other == graph.needed[bid]
            walk.worth[count] += walk.bins[other] * (yes if met else no)


@inline_kernel
def call_it(graph, pair, walk, seat, depth, bid, caller, call):
    """A call on a bid, taken into the values of the decision."""
    hands, held = pair.hands[seat], pair.matches[seat]
    weigh(graph, pair, walk, seat, depth, bid, caller, call)
    for hand in range(hands):
        value, place = walk.worth[held[bid * hands + hand]], depth * hands + hand
        take(walk.lower, place, value, caller == seat)
        take(walk.upper, place, value, caller == seat)


@inline_kernel
def stop(graph, pair, walk, seat, depth, bid, total):
    """Walk no further after a bid of the other that few of its hands make."""
    hands, held = pair.hands[seat], pair.matches[seat]
    weigh(graph, pair, walk, seat, depth, bid, seat, 0)
    for hand in range(hands):
        walk.lower[depth * hands + hand] += walk.worth[held[bid * hands + hand]]
        walk.upper[depth * hands + hand] += walk.most * total


@inline_kernel
def go_rare(graph, pair, walk, seat, depth, node):
    """Rare bids: the other doubts them at once."""
    hands, others, held = pair.hands[seat], pair.hands[1 - seat], pair.matches[seat]
    for hand in range(others):
        walk.reach[(depth + 1) * others + hand] = walk.reach[depth * others + hand]
    first = graph.standing[node] + 1
    for number in range(walk.rare_first[first], walk.rare_first[first + 1]):
        bid = walk.rare[number]
        weigh(graph, pair, walk, seat, depth, bid, 1 - seat, 0)
        for hand in range(hands):
            value, place = walk.worth[held[bid * hands + hand]], depth * hands + hand
            take(walk.lower, place, value, True)
            take(walk.upper, place, value, True)
