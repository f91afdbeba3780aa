"""An iteration of CFR over the graph of a round that is remembered in part, for one seat.

Many histories lead to one node, so what a seat knows there is a mixture of them, and has to be gathered for each pair
of hands, ours and the other's. Forward a sweep gathers how likely a node and both hands come together; backward it
reckons what each action of ours is worth, and adds that to the regrets. A regret should weigh as much as the other
seat makes it (our own way there is our own choice), so the joint chance is divided by our own part of it, `own`: where
only one history leads to a node, that leaves the other's reach, as in any CFR. A small part of our way is even over
all raises (`even`), so that nodes we never come to are still learned.

Pairs are taken in tiles, a few dozen hands of ours times a few of the other's, so that what a sweep works in stays near
the processor. A *tile* is a row of our hands, the *lanes*; no lane ever looks at another, so tiles may be shared out to
threads, to the same bits. Rows of tables are `[tile, row, lane]`, those to work in `[node, of a batch, lane]`.

Loops over lanes run to a number that the compiler does not know, and rows are not flat: of a loop that it knows to be
short it writes out every turn, and of a place that might be negative it looks at every one, instead of eight at once.

All floats are float32. Nodes stand in the order of their standing bids, so every child stands behind its parents.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from typing import Any

import numpy as np

from tahur.core.kernels import inline_kernel, lean_kernel


@lean_kernel
def improve(graph: Any, mine: Any, theirs: Any, work: Any, seat: int, tile: int, even: Any, weight: Any) -> None:
    """Learn against all batches of the other's hands, then play by the new regrets; the average grows by `weight`."""
    come_by(graph, mine.chances, work.own, seat, tile, even)
    for batch in range(len(theirs.likely)):
        gather(graph, mine, theirs, work, seat, tile, batch, even)
        for node in range(len(graph.seats) - 1, -1, -1):
            if work.alive[node] and graph.seats[node] == seat:
                choose(graph, mine, theirs, work, seat, tile, batch, node)
            elif work.alive[node]:
                answer(graph, mine, theirs, work, seat, tile, batch, node)
    play_by(graph, mine.regrets, mine.chances, work.sums, seat, tile)
    come_by(graph, mine.chances, work.own, seat, tile, np.float32(0))
    keep(graph, mine, work, seat, tile, weight)


@lean_kernel
def play_by(graph: Any, weights: Any, chances: Any, sums: Any, seat: int, tile: int) -> None:
    """The chances of a seat in proportion to what is positive of its weights; all actions alike where nothing is."""
    nil, one, lanes = np.float32(0), np.float32(1), len(sums)
    for node in range(len(graph.seats)):
        if graph.seats[node] != seat:
            continue
        first, count = graph.rows[node], graph.calls[node] + graph.first[node + 1] - graph.first[node]
        for lane in range(lanes):
            sums[lane] = nil
        for row in range(first, first + count):
            for lane in range(lanes):
                sums[lane] += max(weights[tile, row, lane], nil)
        alike = one / np.float32(count)
        for lane in range(lanes):
            sums[lane] = one / sums[lane] if sums[lane] > np.float32(1e-25) else nil
        for row in range(first, first + count):
            for lane in range(lanes):
                share = max(weights[tile, row, lane], nil) * sums[lane]
                chances[tile, row, lane] = share if sums[lane] > nil else alike


@inline_kernel
def come_by(graph, chances, own, seat, tile, even):
    """How likely a seat's own choices lead to each node, by hand, if the other says anything as likely as anything."""
    nil, one, lanes = np.float32(0), np.float32(1), own.shape[1]
    for node in range(len(graph.seats)):
        for lane in range(lanes):
            own[node, lane] = nil if node > 0 else one
    for node in range(len(graph.seats)):
        calls, first = graph.calls[node], graph.first[node]
        raises = graph.first[node + 1] - first
        if graph.seats[node] != seat:
            share = one / np.float32(calls + raises)
            for raised in range(raises):
                to = graph.children[first + raised]
                for lane in range(lanes):
                    own[to, lane] += own[node, lane] * share
            continue
        part, rest = even / np.float32(raises), one - even
        for raised in range(raises):
            to, row = graph.children[first + raised], graph.rows[node] + calls + raised
            for lane in range(lanes):
                own[to, lane] += own[node, lane] * (rest * chances[tile, row, lane] + part)


@inline_kernel
def gather(graph, mine, theirs, work, seat, tile, batch, even):
    """The joint chance of every node that the batch comes to; it marks those nodes alive."""
    nil, one, joint, alive, sums = np.float32(0), np.float32(1), work.joint, work.alive, work.sums
    size, lanes = joint.shape[1], joint.shape[2]
    for node in range(len(graph.seats)):
        alive[node] = node == 0
    for other in range(size):
        for lane in range(lanes):
            joint[0, other, lane] = theirs.likely[batch, other]
    for node in range(len(graph.seats)):
        if not alive[node]:
            continue
        first, raises = graph.first[node], graph.first[node + 1] - graph.first[node]
        part, rest = even / np.float32(raises), one - even
        for raised in range(raises):
            to, row = graph.children[first + raised], graph.rows[node] + graph.calls[node] + raised
            if graph.seats[node] == seat:
                open_node(joint, alive, to)
                for lane in range(lanes):
                    sums[lane] = rest * mine.chances[tile, row, lane] + part
                for other in range(size):
                    for lane in range(lanes):
                        joint[to, other, lane] += joint[node, other, lane] * sums[lane]
                continue
            for other in range(size):
                share = theirs.chances[batch, row, other]
                if share > nil:
                    open_node(joint, alive, to)
                    for lane in range(lanes):
                        joint[to, other, lane] += joint[node, other, lane] * share


@inline_kernel
def open_node(joint, alive, node):
    if not alive[node]:
        alive[node] = True
        for other in range(joint.shape[1]):
            for lane in range(joint.shape[2]):
                joint[node, other, lane] = np.float32(0)


@inline_kernel
def choose(graph, mine, theirs, work, seat, tile, batch, node):
    """Our decision: what it is worth for every pair of hands, and the regrets of its actions."""
    nil, values, share, sums = np.float32(0), work.values, work.joint, work.sums
    size, lanes = values.shape[1], values.shape[2]
    calls, first, rows = graph.calls[node], graph.first[node], graph.rows[node]
    count = calls + graph.first[node + 1] - first
    for other in range(size):
        for lane in range(lanes):
            values[node, other, lane] = nil
            share[node, other, lane] /= work.own[node, lane]
    for action in range(count):
        below = len(graph.seats)  # a row for what a call pays
        if action < calls:
            pay(graph, mine, theirs, values, tile, batch, node, 4 * seat + 2 * action, action)
        else:
            below = graph.children[first + action - calls]
        for lane in range(lanes):
            sums[lane] = nil
        for other in range(size):
            for lane in range(lanes):
                worth = values[below, other, lane]
                values[node, other, lane] += mine.chances[tile, rows + action, lane] * worth
                sums[lane] += share[node, other, lane] * worth
        for lane in range(lanes):
            mine.regrets[tile, rows + action, lane] += sums[lane]
    for lane in range(lanes):
        sums[lane] = nil
    for other in range(size):
        for lane in range(lanes):
            sums[lane] += share[node, other, lane] * values[node, other, lane]
    for row in range(rows, rows + count):
        for lane in range(lanes):
            mine.regrets[tile, row, lane] -= sums[lane]


@inline_kernel
def answer(graph, mine, theirs, work, seat, tile, batch, node):
    """A decision of the other seat: what the choices of its hands leave us."""
    nil, values = np.float32(0), work.values
    size, lanes = values.shape[1], values.shape[2]
    calls, first, rows = graph.calls[node], graph.first[node], graph.rows[node]
    for other in range(size):
        for lane in range(lanes):
            values[node, other, lane] = nil
    for action in range(calls + graph.first[node + 1] - first):
        below = len(graph.seats)
        if action < calls:
            pay(graph, mine, theirs, values, tile, batch, node, 4 * (1 - seat) + 2 * action, action)
        else:
            below = graph.children[first + action - calls]
        for other in range(size):
            chance = theirs.chances[batch, rows + action, other]
            if chance > nil:
                for lane in range(lanes):
                    values[node, other, lane] += chance * values[below, other, lane]


@inline_kernel
def pay(graph, mine, theirs, values, tile, batch, node, paid, call):
    """Leave in the last row what a dudo (call 0) or calza (1) pays, by the number at `paid` and the one after it."""
    bid, yes, no = graph.standing[node], mine.pays[paid], mine.pays[paid + 1]
    last = len(graph.seats)
    for other in range(values.shape[1]):
        lacking = theirs.lacking[batch, bid, other]
        for lane in range(values.shape[2]):
            held = mine.held[tile, bid, lane]
            met = held >= lacking if call == 0 else held == lacking
            values[last, other, lane] = yes if met else no


@inline_kernel
def keep(graph, mine, work, seat, tile, weight):
    """The average grows by the present chances, and no regret stays below nothing."""
    nil, lanes = np.float32(0), work.own.shape[1]
    for node in range(len(graph.seats)):
        if graph.seats[node] != seat:
            continue
        rows = graph.rows[node]
        for row in range(rows, rows + graph.calls[node] + graph.first[node + 1] - graph.first[node]):
            for lane in range(lanes):
                mine.averages[tile, row, lane] += weight * work.own[node, lane] * mine.chances[tile, row, lane]
                mine.regrets[tile, row, lane] = max(mine.regrets[tile, row, lane], nil)
