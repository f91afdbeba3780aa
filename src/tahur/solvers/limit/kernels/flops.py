"""One seat's walk through the betting on many flops: the other's reach goes down, values come up, regrets change.

Strategies are computed from `theirs` and `mine`, which are regrets while solving, and sums or probabilities when they
are evaluated: positive numbers in proportion, uniform where there are none. A flop's data is, from its offset on, seat
0's rows and then seat 1's, each of `[row][hand][lane]`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tahur.cards.equity.tables import Combos
from tahur.cards.kernels import HANDS, ranks_on, sort_by_rank
from tahur.cards.tables import EvaluatorTables
from tahur.core.arrays import Array, Float64s, Int64s
from tahur.core.kernels import kernel
from tahur.solvers.kernels.lanes import (
    greatest,
    load,
    load16,
    narrow,
    splat,
    splat16,
    store,
    store16,
    where_positive,
    widen,
)
from tahur.solvers.limit.tables import FlopClasses, FlopScratch, Flow

UPDATE = 0
BEST = 1
VALUE = 2
LANES = 8
TINY = np.float32(1e-20)  # smaller numbers count as 0; denormal numbers near 1e-38 are slow to add


@kernel
def traverse(
    flops: FlopClasses, flow: Flow, begin: int, end: int, mode: int, theirs: Array, mine: Array, sums: Array,
    places: Array, weights: Array, before: Array, work: FlopScratch, out: Array,
) -> None:  # fmt: skip
    """Add to `out` (classes * 8) the value of each preflop hand from these flops.

    before: (classes * 8) the other seat's reach at the end of each line. places: (flops,) the offset of each flop's
    data. weights: factors for positive regrets, negative regrets and sums. Only UPDATE changes data.
    """
    for flop in range(begin, end):
        size = flops.start[flop + 1] - flops.start[flop]
        second = places[flop] + flow.data_rows * size * LANES
        my_place = second if flow.seat else places[flop]
        their_place = places[flop] if flow.seat else second
        _enter(flops, flop, flow.row[0], before, work.reach)
        _forward(flow, size, mode, theirs, sums, their_place, weights[2], work.reach)
        terminal_sources(flops, flow, flop, work)
        _backward(flow, size, mode, mine, my_place, weights, work.value)
        _leave(flops, flop, flow.value[0], work.value, out)


@kernel
def _enter(flops: FlopClasses, flop: int, row: int, before: Array, reach: Array) -> None:
    """The other seat's reach at the start of the flop, per class of hands."""
    start, size = flops.start[flop], flops.start[flop + 1] - flops.start[flop]
    offset = row // 2 * 16 * size + row % 2 * 8
    for hand in range(size):
        held = load(before, LANES * np.int64(flops.start_class[start + hand])) * splat(flops.many[start + hand])
        store(reach, offset + hand * 16, held)


@kernel
def _leave(flops: FlopClasses, flop: int, row: int, value: Array, out: Array) -> None:
    """Convert values of hands on the flop to those of preflop hands, summed over all flops and combos they
    represent."""
    start, size = flops.start[flop], flops.start[flop + 1] - flops.start[flop]
    offset = row // 2 * 16 * size + row % 2 * 8
    for hand in range(size):
        times = flops.weight[flop] * flops.many[start + hand]
        to, at = LANES * np.int64(flops.start_class[start + hand]), offset + hand * 16
        for lane in range(LANES):
            out[to + lane] += times * value[at + lane]


@kernel
def _forward(
    flow: Flow, size: int, mode: int, theirs: Array, sums: Array, their_place: int, keep: float, reach: Array
) -> None:
    """All rows of the other seat's reach; while solving, also adds to its sums."""
    for decision in range(len(flow.mine)):
        if not flow.mine[decision]:
            offset = their_place + flow.data[decision] * size * LANES
            if flow.moves[decision] == 2:
                _spread_two(flow, decision, size, mode, theirs, sums, offset, keep, reach)
            else:
                _spread_three(flow, decision, size, mode, theirs, sums, offset, keep, reach)


@kernel
def _spread_two(
    flow: Flow, decision: int, size: int, mode: int, theirs: Array, sums: Array, offset: int, keep: float, reach: Array
) -> None:
    """The other seat's reach after each of two actions, by its strategy; while solving, also adds it to its sums."""
    nothing, half, tiny, kept = splat(np.float32(0)), splat(np.float32(0.5)), splat(TINY), splat(np.float32(keep))
    here = _start_of(flow.row[decision], size)
    one, two = _start_of(flow.below[decision, 0], size), _start_of(flow.below[decision, 1], size)
    for hand in range(size):
        at = offset + hand * LANES
        then = at + size * LANES
        a, b = greatest(load(theirs, at), nothing), greatest(load(theirs, then), nothing)
        total, before = a + b, load(reach, here + hand * 16)
        share, even = before / total, before * half
        a, b = where_positive(total, a * share, even), where_positive(total, b * share, even)
        a, b = where_positive(a - tiny, a, nothing), where_positive(b - tiny, b, nothing)
        store(reach, one + hand * 16, a)
        store(reach, two + hand * 16, b)
        if mode == UPDATE:
            store(sums, at, load(sums, at) * kept + a)
            store(sums, then, load(sums, then) * kept + b)


@kernel
def _spread_three(
    flow: Flow, decision: int, size: int, mode: int, theirs: Array, sums: Array, offset: int, keep: float, reach: Array
) -> None:
    """`_spread_two` for three actions."""
    nothing, third, tiny = splat(np.float32(0)), splat(np.float32(1 / 3)), splat(TINY)
    kept = splat(np.float32(keep))
    here = _start_of(flow.row[decision], size)
    one, two = _start_of(flow.below[decision, 0], size), _start_of(flow.below[decision, 1], size)
    three = _start_of(flow.below[decision, 2], size)
    for hand in range(size):
        at = offset + hand * LANES
        then, last = at + size * LANES, at + 2 * size * LANES
        a, b = greatest(load(theirs, at), nothing), greatest(load(theirs, then), nothing)
        c = greatest(load(theirs, last), nothing)
        total, before = a + b + c, load(reach, here + hand * 16)
        share, even = before / total, before * third
        a, b = where_positive(total, a * share, even), where_positive(total, b * share, even)
        c = where_positive(total, c * share, even)
        a, b = where_positive(a - tiny, a, nothing), where_positive(b - tiny, b, nothing)
        c = where_positive(c - tiny, c, nothing)
        store(reach, one + hand * 16, a)
        store(reach, two + hand * 16, b)
        store(reach, three + hand * 16, c)
        if mode == UPDATE:
            store(sums, at, load(sums, at) * kept + a)
            store(sums, then, load(sums, then) * kept + b)
            store(sums, last, load(sums, last) * kept + c)


@kernel
def _backward(flow: Flow, size: int, mode: int, mine: Array, my_place: int, weights: Array, value: Array) -> None:
    """Values of all decisions from those of terminals; while solving, also changes my regrets."""
    for decision in range(len(flow.mine) - 1, -1, -1):
        offset = my_place + flow.data[decision] * size * LANES
        if not flow.mine[decision]:
            _add_up(flow, decision, size, value)
        elif mode == BEST:
            _take_best(flow, decision, size, value)
        elif mode == VALUE:
            _average(flow, decision, size, mine, offset, value)
        elif flow.moves[decision] == 2:
            _learn_two(flow, decision, size, mine, offset, weights[0], weights[1], value)
        else:
            _learn_three(flow, decision, size, mine, offset, weights[0], weights[1], value)


@kernel
def _add_up(flow: Flow, decision: int, size: int, value: Array) -> None:
    """The value before the other seat's decision: the sum over its actions, whose reach contains its strategy."""
    to = _start_of(flow.value[decision], size)
    for move in range(flow.moves[decision]):
        source, factor = _start_of(flow.source[decision, move], size), load(flow.factor, (decision * 3 + move) * LANES)
        for hand in range(size):
            got = load(value, source + hand * 16) * factor
            if move:
                got = load(value, to + hand * 16) + got
            store(value, to + hand * 16, got)


@kernel
def _take_best(flow: Flow, decision: int, size: int, value: Array) -> None:
    """The value before my decision if I take the best action with each hand."""
    to = _start_of(flow.value[decision], size)
    for move in range(flow.moves[decision]):
        source, factor = _start_of(flow.source[decision, move], size), load(flow.factor, (decision * 3 + move) * LANES)
        for hand in range(size):
            got = load(value, source + hand * 16) * factor
            if move:
                got = greatest(load(value, to + hand * 16), got)
            store(value, to + hand * 16, got)


@kernel
def _average(flow: Flow, decision: int, size: int, mine: Array, offset: int, value: Array) -> None:
    """The value before my decision if I play my strategy."""
    nothing, even = splat(np.float32(0)), splat(np.float32(1 / flow.moves[decision]))
    to = _start_of(flow.value[decision], size)
    for hand in range(size):
        total, mean, sum_ = nothing, nothing, nothing
        for move in range(flow.moves[decision]):
            source = _start_of(flow.source[decision, move], size) + hand * 16
            got = load(value, source) * load(flow.factor, (decision * 3 + move) * LANES)
            weight = greatest(load(mine, offset + (move * size + hand) * LANES), nothing)
            total, mean, sum_ = total + weight, mean + weight * got, sum_ + got
        store(value, to + hand * 16, where_positive(total, mean / total, sum_ * even))


@kernel
def _learn_two(
    flow: Flow, decision: int, size: int, regrets: Array, offset: int, positive: float, negative: float, value: Array
) -> None:
    """The value before my decision of two actions by my current strategy; updates my regrets, discounted."""
    nothing, half = splat(np.float32(0)), splat(np.float32(0.5))
    up, down = splat(np.float32(positive)), splat(np.float32(negative))
    to = _start_of(flow.value[decision], size)
    one, two = _start_of(flow.source[decision, 0], size), _start_of(flow.source[decision, 1], size)
    factor, other = load(flow.factor, decision * 3 * LANES), load(flow.factor, (decision * 3 + 1) * LANES)
    for hand in range(size):
        at = offset + hand * LANES
        then = at + size * LANES
        v, w = load(value, one + hand * 16) * factor, load(value, two + hand * 16) * other
        r, s = load(regrets, at), load(regrets, then)
        a, b = greatest(r, nothing), greatest(s, nothing)
        total = a + b
        mean = where_positive(total, (a * v + b * w) / total, (v + w) * half)
        store(regrets, at, r * where_positive(r, up, down) + (v - mean))
        store(regrets, then, s * where_positive(s, up, down) + (w - mean))
        store(value, to + hand * 16, mean)


@kernel
def _learn_three(
    flow: Flow, decision: int, size: int, regrets: Array, offset: int, positive: float, negative: float, value: Array
) -> None:
    """`_learn_two` for three actions."""
    nothing, third = splat(np.float32(0)), splat(np.float32(1 / 3))
    up, down = splat(np.float32(positive)), splat(np.float32(negative))
    to = _start_of(flow.value[decision], size)
    one, two = _start_of(flow.source[decision, 0], size), _start_of(flow.source[decision, 1], size)
    three = _start_of(flow.source[decision, 2], size)
    first = decision * 3 * LANES
    for hand in range(size):
        at = offset + hand * LANES
        then, last = at + size * LANES, at + 2 * size * LANES
        v = load(value, one + hand * 16) * load(flow.factor, first)
        w = load(value, two + hand * 16) * load(flow.factor, first + LANES)
        x = load(value, three + hand * 16) * load(flow.factor, first + 2 * LANES)
        r, s, q = load(regrets, at), load(regrets, then), load(regrets, last)
        a, b, c = greatest(r, nothing), greatest(s, nothing), greatest(q, nothing)
        total = a + b + c
        mean = where_positive(total, (a * v + b * w + c * x) / total, (v + w + x) * third)
        store(regrets, at, r * where_positive(r, up, down) + (v - mean))
        store(regrets, then, s * where_positive(s, up, down) + (w - mean))
        store(regrets, last, q * where_positive(q, up, down) + (x - mean))
        store(value, to + hand * 16, mean)


@kernel
def _start_of(row: int, size: int) -> int:
    """The offset of a row of lanes."""
    return row // 2 * 16 * size + row % 2 * 8


# ---- duels of two hands --------------------------------------------------------------------------
# One weighted range against every hand at once: the weight each hand may meet, and what it beats minus what beats it.


@kernel
def sorted_hands(board: Int64s, combos: Combos, tables: EvaluatorTables, ranks: Int64s, held: Int64s) -> int:
    """The number of hands that a final board leaves; both lists (1326,) are sorted weakest first."""
    count = ranks_on(board, combos, tables, ranks, held)
    sort_by_rank(count, ranks, held, np.empty(HANDS, np.int64), np.empty(HANDS, np.int64))
    return count


@kernel
def meetings(weights: Float64s, combos: Combos, out: Float64s) -> None:
    """weights, out: (n, 1326); out: the weight of all hands that share no card with each hand."""
    by_card = np.empty(52)
    for row in range(len(weights)):
        by_card[:] = 0.0
        total = 0.0
        for hand in range(HANDS):
            weight = weights[row, hand]
            total += weight
            by_card[combos.cards[hand, 0]] += weight
            by_card[combos.cards[hand, 1]] += weight
        for hand in range(HANDS):
            apart = total - by_card[combos.cards[hand, 0]] - by_card[combos.cards[hand, 1]]
            out[row, hand] = apart + weights[row, hand]


@kernel
def duels(count: int, ranks: Int64s, held: Int64s, weights: Float64s, combos: Combos, out: Float64s) -> None:
    """weights, out: (n, 1326); out: the weight that each hand beats minus the weight that beats it, without shared
    cards."""
    by_card = np.empty(52)
    for row in range(len(weights)):
        out[row] = 0.0
        for down in range(2):
            by_card[:] = 0.0
            total, first = 0.0, 0
            while first < count:
                after = first
                while after < count and ranks[_at(after, count, down)] == ranks[_at(first, count, down)]:
                    after += 1
                for at in range(first, after):
                    hand = held[_at(at, count, down)]
                    part = total - by_card[combos.cards[hand, 0]] - by_card[combos.cards[hand, 1]]
                    out[row, hand] += part if down == 0 else -part
                for at in range(first, after):
                    hand = held[_at(at, count, down)]
                    total += weights[row, hand]
                    by_card[combos.cards[hand, 0]] += weights[row, hand]
                    by_card[combos.cards[hand, 1]] += weights[row, hand]
                first = after


@kernel
def _at(place: int, count: int, down: int) -> int:
    return count - 1 - place if down else place


# ---- terminals -----------------------------------------------------------------------------------
# Fold and showdown values, for two rows of seven lines at once: sums over the hands the other seat may hold. Reach is
# that of a whole class of hands. Hands that share a card with mine are subtracted by orbit: the orbit's sum divided by
# its number of cards. `total` is the sum of all hands, minus those with either of my cards, plus my own hand, which was
# subtracted twice. `swept` is the weight I beat minus the weight that beats me: twice the weaker hands, plus the equal
# ones, minus all. Long sums are in float64.


Lanes = Any  # sixteen numbers in a vector


@kernel
def terminal_sources(flops: FlopClasses, flow: Flow, flop: int, work: FlopScratch) -> None:
    """The first sources: `swept` and `total` of each row of reach that leads to a terminal."""
    size = flops.start[flop + 1] - flops.start[flop]
    for row in range(0, flow.summed, 2):
        offset = row // 2 * 16 * size
        _add_up_terminal(flops, flop, offset, offset + flow.rows // 2 * 16 * size, work)
        if row < flow.swept:
            _sweep(flops, flop, offset, work)


@kernel
def _add_up_terminal(flops: FlopClasses, flop: int, offset: int, to: int, work: FlopScratch) -> None:
    """Compute `total` of every hand; `by_orbit_all` then has each orbit's sum, and the total in its last entry."""
    start, size = flops.start[flop], flops.start[flop + 1] - flops.start[flop]
    reach, value, by_orbit = work.reach, work.value, work.by_orbit_all
    nothing = splat16(np.float32(0))
    for orbit in range(flops.orbits[flop]):
        store16(by_orbit, orbit * 16, nothing)
    everything, hand = widen(nothing), 0
    while hand < size:
        end, some = flops.tied[start + hand], nothing
        while hand < end:
            held = load16(reach, offset + hand * 16)
            low, high = 16 * np.int64(flops.low_orbit[start + hand]), 16 * np.int64(flops.high_orbit[start + hand])
            some = some + held
            store16(by_orbit, low, load16(by_orbit, low) + held)
            store16(by_orbit, high, load16(by_orbit, high) + held)
            hand += 1
        everything = everything + widen(some)
    whole = narrow(everything)
    for hand in range(size):
        same = load16(reach, offset + hand * 16) / splat16(flops.many[start + hand])
        store16(value, to + hand * 16, whole - _held(flops, flop, start + hand, by_orbit) + same)
    store16(by_orbit, flops.orbits[flop] * 16, whole)


@kernel
def _sweep(flops: FlopClasses, flop: int, offset: int, work: FlopScratch) -> None:
    """`swept` of every hand; tied hands are added together before any of them is evaluated, and once more after."""
    start, size = flops.start[flop], flops.start[flop + 1] - flops.start[flop]
    reach, value, by_orbit = work.reach, work.value, work.by_orbit
    nothing = splat16(np.float32(0))
    for orbit in range(flops.orbits[flop]):
        store16(by_orbit, orbit * 16, nothing - load16(work.by_orbit_all, orbit * 16))
    met, begin = widen(nothing - load16(work.by_orbit_all, flops.orbits[flop] * 16)), 0
    while begin < size:
        end, some = flops.tied[start + begin], nothing
        for hand in range(begin, end):
            some = some + load16(reach, offset + hand * 16)
            _count(flops, start + hand, reach, offset + hand * 16, by_orbit)
        met = met + widen(some)
        now = narrow(met)
        for hand in range(begin, end):
            store16(value, offset + hand * 16, now - _held(flops, flop, start + hand, by_orbit))
        for hand in range(begin, end):
            _count(flops, start + hand, reach, offset + hand * 16, by_orbit)
        met = met + widen(some)
        begin = end


@kernel
def _count(flops: FlopClasses, hand: int, reach: Array, offset: int, by_orbit: Array) -> None:
    """Add a class of hands to the sums of its two orbits."""
    held = load16(reach, offset)
    low, high = 16 * np.int64(flops.low_orbit[hand]), 16 * np.int64(flops.high_orbit[hand])
    store16(by_orbit, low, load16(by_orbit, low) + held)
    store16(by_orbit, high, load16(by_orbit, high) + held)


@kernel
def _held(flops: FlopClasses, flop: int, hand: int, by_orbit: Array) -> Lanes:
    """The weight of hands with one of the hand's cards, counting hands with both twice."""
    low, high = np.int64(flops.low_orbit[hand]), np.int64(flops.high_orbit[hand])
    by_low, by_high = splat16(flops.share[flop, low]), splat16(flops.share[flop, high])
    return load16(by_orbit, 16 * low) * by_low + load16(by_orbit, 16 * high) * by_high
