"""One CFR iteration over the graph of a round with imperfect recall, for one seat.

Many histories lead to one node, so what a seat knows there is a mixture of them, and has to be accumulated for each
pair of hands, ours and the other's. A forward sweep accumulates the joint probability of a node and both hands; a
backward sweep computes the value of each of our actions, and adds it to the regrets. A regret should be weighted by the
other seat's reach only (not our own), so the joint probability is divided by our own part of it, `own`: where only one
history leads to a node, that leaves the other's reach, as in any CFR. A small share of our reach is uniform over all
raises (`even`), so that nodes we never reach are still learned.

Pairs are processed in tiles, a few dozen of our hands times a few of the other's, so that the working set stays in the
processor's cache. A *tile* is a row of our hands, one per SIMD *lane*; lanes are independent, so tiles may be
distributed over threads, with bit-identical results. Rows of tables are `[tile, row, lane]`, scratch rows
`[node, of a batch, lane]`.

Loops over lanes have a length that the compiler does not know, and rows are not flat: it would fully unroll a loop that
it knows to be short, and check every index that might be negative, instead of processing eight at once.

All floats are float32. Nodes are ordered by their standing bids, so every child comes after its parents.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from typing import Any

import numpy as np

from tahur.core.kernels import inline_kernel, lean_kernel


@lean_kernel
def improve(graph: Any, mine: Any, theirs: Any, work: Any, seat: int, tile: int, even: Any, weight: Any) -> None:
    """Update against all batches of the other's hands, then recompute the strategy; the average grows by `weight`."""
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
    """The probabilities of a seat in proportion to its positive weights; uniform where there are none."""
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
    """A seat's own reach of each node, by hand, if the other plays uniformly."""
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
    """The joint probability of every node that the batch reaches; marks those nodes alive."""
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
    """One of our decisions: its value for every pair of hands, and the regrets of its actions."""
    nil, values, share, sums = np.float32(0), work.values, work.joint, work.sums
    size, lanes = values.shape[1], values.shape[2]
    calls, first, rows = graph.calls[node], graph.first[node], graph.rows[node]
    count = calls + graph.first[node + 1] - first
    for other in range(size):
        for lane in range(lanes):
            values[node, other, lane] = nil
            share[node, other, lane] /= work.own[node, lane]
    for action in range(count):
        below = len(graph.seats)  # a row for the payoff of a call
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
    """A decision of the other seat: our value, given its strategy."""
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
    """Store in the last row the payoff of a dudo (call 0) or calza (1), by the number at `paid` and the one after
    it."""
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
    """Add the current probabilities to the average, and clip regrets at zero."""
    nil, lanes = np.float32(0), work.own.shape[1]
    for node in range(len(graph.seats)):
        if graph.seats[node] != seat:
            continue
        rows = graph.rows[node]
        for row in range(rows, rows + graph.calls[node] + graph.first[node + 1] - graph.first[node]):
            for lane in range(lanes):
                mine.averages[tile, row, lane] += weight * work.own[node, lane] * mine.chances[tile, row, lane]
                mine.regrets[tile, row, lane] = max(mine.regrets[tile, row, lane], nil)
