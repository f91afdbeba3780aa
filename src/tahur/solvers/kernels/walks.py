"""Walks over a flat tree: one seat's counterfactual values, with regret updates, best responses or plain values.

A walk is one loop over the nodes of a subtree, depth first, on rows of hands: `mine` (the walking seat's own reach),
`theirs` (the other seat's reach including chance), `values` (the value of each hand of the walking seat against that
reach) and `played` (its strategy, in the same rows as the values). `seat_tables.py` gives each node's rows. A decision
of the walking seat has a row of values for each action; at a decision of the other seat, all actions add to the node's
own row. So memory grows with the depth of the tree, not with its nodes, and subtrees can be walked separately.

Arrays of hands are flat, and `at`, `to`, `block` are offsets where a row or a block `[action][hand]` starts. Hands are
processed eight at a time, one per SIMD lane: scratch rows are padded to eights, and the last hands of a block in a
buffer are moved by `load_part` and `store_part`. Reach, values and buffers have one type, float64 or float32.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from typing import Any

import numpy as np

from tahur.core.kernels import inline_kernel, lean_kernel
from tahur.solvers.kernels.lanes import LANES, greatest, load, load_part, splat, store, store_part, where_positive

MATRIX = 3  # node kinds: 0 and 1 are the seats, 2 is chance, 3 and above are terminals
FOLD = 4
SHOWDOWN = 5

UPDATE = 0  # play the regret-matching strategy, and update regrets and averages
BEST = 1  # best response to the other seat's strategy
VALUE = 2  # both seats play their strategies


@lean_kernel
def walks(
    nodes: Any, seat_tables: Any, seats: Any, start: int, mode: int, source: Any, buffers: Any, weights: Any,
    predict: bool, work: Any,
) -> None:  # fmt: skip
    """Walk the subtree at `start` once for each row of `weights` but the last and each of the seats, alternately.

    In UPDATE, each row is an iteration. Seat 1 then plays against seat 0's next strategy, and so uses its next weights.
    """
    for row in range(len(weights) - 1):
        for turn in range(len(seats)):
            if seats[turn] == 0:
                walk(nodes, seat_tables[0], start, mode, source, buffers, weights, row, row, predict, work)
            else:
                walk(nodes, seat_tables[1], start, mode, source, buffers, weights, row, row + 1, predict, work)


@lean_kernel
def walk(nodes, seat, start, mode, source, buffers, weights, row, their_row, predict, work):
    """Compute the values of the hands at `start`, in that node's row of values.

    If `start` is below the root, the caller fills its rows of reach. A row of `weights` has the factors by which
    positive regrets, negative regrets and averages are discounted; `their_row` is the other seat's row.
    """
    kinds, parents, ends, dealings, blocks, counts = (
        nodes.kind, nodes.parent, nodes.end, nodes.dealing, nodes.block, nodes.children,
    )  # fmt: skip
    at_mine, at_theirs, at_values = seat.at_mine, seat.at_theirs, seat.at_values
    me, width, across, mine, theirs, values = seat.seat, seat.width, seat.across, work.mine, work.theirs, work.values
    if start == 0:
        fill(mine, 0, width, 1)
        copy(seat.their_prior, theirs, across)
    fill(values, at_values[start], width, 0)
    for node in range(start, ends[start]):
        if dealings[node] >= 0 and node > start:
            up = parents[node]
            deal(
                theirs, at_theirs[up], at_theirs[node], across, seat.chance, seat.mask, seat.their_open, dealings[node]
            )
            fill(values, at_values[node], width, 0)
        kind = kinds[node]
        if kind == MATRIX:
            pay_matrix(seat.matrices, nodes.first[node], seat.pays, nodes.second[node], theirs, at_theirs[node], across,
                       values, at_values[node], width)  # fmt: skip
        elif kind > MATRIX:
            pay(kind, nodes.first[node], nodes.second[node], seat, work, at_theirs[node], at_values[node])
        elif kind == me:
            below = at_values[node + 1]
            if mode == BEST:
                fill(values, below, padded(width) * counts[node], 0)
            else:
                choose(mode, predict, source, buffers, weights, row, blocks[node], counts[node], width, work.played,
                       values, below, mine, at_mine[node], at_mine[node + 1])  # fmt: skip
        elif kind == 1 - me:
            match_reach(source, buffers.forecasts, weights, their_row, predict, blocks[node], counts[node], across,
                        theirs, at_theirs[node], at_theirs[node + 1])  # fmt: skip
        ended = node
        while ended >= start and ends[ended] == node + 1:  # the last node of one or more subtrees: close them
            up = parents[ended]
            if kinds[ended] == me:
                close(mode, predict, buffers, weights, row, blocks[ended], counts[ended], width, values,
                      at_values[ended], at_values[ended + 1], work.played)  # fmt: skip
            if dealings[ended] >= 0 and ended > start:
                undeal(values, at_values[ended], at_values[up], width, seat.mask, seat.my_open, seat.renaming_start,
                       seat.renaming_rows, seat.renamings, dealings[ended])  # fmt: skip
            ended = up


@inline_kernel
def padded(width):
    """The distance between scratch rows of this many hands."""
    return (width + LANES - 1) // LANES * LANES


@inline_kernel
def fill(row, at, size, value):
    """Fill a scratch row, with its padding."""
    values = splat(row.dtype.type(value))
    for entry in range(at, at + size, LANES):
        store(row, entry, values)


@inline_kernel
def copy(source, row, size):
    for entry in range(0, size, LANES):
        store(row, entry, load_part(source, entry, size - entry))


# ---- decisions -----------------------------------------------------------------------------------


@inline_kernel
def strength(source, forecasts, place, count, weights, row, predict):
    """What hands play in proportion to: their positive regrets, or those expected after the next iteration if it is as
    forecast. Sums of the average strategy give it the same way."""
    zero = splat(source.dtype.type(0))
    regret = load_part(source, place, count)
    if predict:
        kept = regret * where_positive(regret, splat(weights[row, 0]), splat(weights[row, 1]))
        regret = kept + load_part(forecasts, place, count)
    return greatest(regret, zero)


@inline_kernel
def scale_of(source, forecasts, block, count, width, rest, weights, row, predict):
    """One over the sum of each hand's strengths, or 0 where there are none."""
    total, one = strength(source, forecasts, block, rest, weights, row, predict), splat(source.dtype.type(1))
    for place in range(block + width, block + count * width, width):
        total = total + strength(source, forecasts, place, rest, weights, row, predict)
    return where_positive(total, one / total, splat(source.dtype.type(0)))


@inline_kernel
def choose(mode, predict, source, buffers, weights, row, block, count, width, played, values, to, mine, at, below):
    """Regret matching at a decision of the walking seat: strengths in proportion, uniform where there are none.

    The values of the actions are reset to 0. In UPDATE, own reach is propagated below each action, and the averages are
    discounted and the reach added to them.
    """
    number, stride, averages = source.dtype.type, padded(width), buffers.averages
    zero, even, fade = splat(number(0)), splat(number(1) / number(count)), splat(weights[row, 2])
    for hand in range(0, width, LANES):
        rest = width - hand
        scale = scale_of(source, buffers.forecasts, block + hand, count, width, rest, weights, row, predict)
        for action in range(count):
            place, step = block + action * width + hand, action * stride + hand
            share = strength(source, buffers.forecasts, place, rest, weights, row, predict) * scale
            share = where_positive(scale, share, even)
            store(played, to + step, share)
            store(values, to + step, zero)
            if mode == UPDATE:
                reach = load(mine, at + hand) * share
                store(mine, below + step, reach)
                store_part(averages, place, load_part(averages, place, rest) * fade + reach, rest)


@inline_kernel
def match_reach(source, forecasts, weights, row, predict, block, count, across, theirs, at, below):
    """The other seat's reach below each of its actions."""
    number, stride = source.dtype.type, padded(across)
    even = splat(number(1) / number(count))
    for hand in range(0, across, LANES):
        rest = across - hand
        scale = scale_of(source, forecasts, block + hand, count, across, rest, weights, row, predict)
        for action in range(count):
            place = block + action * across + hand
            share = strength(source, forecasts, place, rest, weights, row, predict) * scale
            share = where_positive(scale, share, even)
            store(theirs, below + action * stride + hand, share * load(theirs, at + hand))


@inline_kernel
def close(mode, predict, buffers, weights, row, block, count, width, values, to, below, played):
    """Add the value of a decision of the walking seat, from those of its actions; in UPDATE, discount its regrets and
    add each action's advantage over the strategy."""
    stride, regrets = padded(width), buffers.regrets
    for hand in range(0, width, LANES):
        total = load(values, below + hand)
        if mode != BEST:
            total = total * load(played, below + hand)
        for at in range(below + hand + stride, below + hand + count * stride, stride):
            value = load(values, at)
            total = greatest(total, value) if mode == BEST else total + load(played, at) * value
        store(values, to + hand, load(values, to + hand) + total)
        if mode == UPDATE:
            positive, negative, rest = splat(weights[row, 0]), splat(weights[row, 1]), width - hand
            for action in range(count):
                place = block + action * width + hand
                gain = load(values, below + action * stride + hand) - total
                had = load_part(regrets, place, rest)
                store_part(regrets, place, had * where_positive(had, positive, negative) + gain, rest)
                if predict:
                    store_part(buffers.forecasts, place, gain, rest)


# ---- chance --------------------------------------------------------------------------------------


@inline_kernel
def deal(theirs, at, to, across, chance, mask, their_open, dealing):
    """The other seat's reach below a dealing, without the hands it rules out."""
    likely, row = chance[dealing], mask[dealing]
    for hand in range(across):
        theirs[to + hand] = theirs[at + hand] * likely * their_open[row, hand]


@inline_kernel
def undeal(values, at, to, width, mask, my_open, renaming_start, renaming_rows, renamings, dealing):
    """Add a dealing's values to those of its chance node, once for each outcome that it represents."""
    row = mask[dealing]
    for hand in range(width):
        values[at + hand] *= my_open[row, hand]
    for entry in range(renaming_start[dealing], renaming_start[dealing + 1]):
        renaming = renaming_rows[entry]
        for hand in range(width):
            values[to + hand] += values[at + renamings[renaming, hand]]


# ---- terminals -----------------------------------------------------------------------------------


@inline_kernel
def pay_matrix(matrices, entry, pays, row, theirs, at, across, values, to, width):
    """matrices: (entries, other's hands, own hands), with padded rows; its numbers are addressed as if it were flat."""
    factor, stride = pays[row, 0], padded(width)
    first = entry * across * stride
    for hand in range(0, width, LANES):
        total = load(values, to + hand)
        for other in range(across):
            total = total + load(matrices, first + other * stride + hand) * splat(theirs[at + other] * factor)
        store(values, to + hand, total)


@lean_kernel
def pay(kind, entry, row, seat, work, at, to):
    """Add the value of a terminal other than a matrix to each hand of the walking seat."""
    theirs, values, cards, pays = work.theirs, work.values, work.cards, seat.pays
    if kind == FOLD:
        pay_fold(seat.my_cards, seat.their_cards, seat.same, theirs, at, values, to, cards, pays[row, 0])
    elif kind == SHOWDOWN:
        win, lose, tie = pays[row, 0], pays[row, 1], pays[row, 2]
        pay_fold(seat.my_cards, seat.their_cards, seat.same, theirs, at, values, to, cards, tie)
        beaten(seat.my_cards, seat.their_cards, seat.my_order[entry], seat.their_order[entry], seat.my_strength[entry],
               seat.their_strength[entry], seat.my_count[entry], seat.their_count[entry], theirs, at, values, to, cards,
               win - tie, 1)  # fmt: skip
        beaten(seat.my_cards, seat.their_cards, seat.my_order[entry], seat.their_order[entry], seat.my_strength[entry],
               seat.their_strength[entry], seat.my_count[entry], seat.their_count[entry], theirs, at, values, to, cards,
               lose - tie, -1)  # fmt: skip
    else:
        pay_dice(seat.my_match[entry], seat.their_match[entry], seat.counts, theirs, at, values, to, cards, pays[row])


@lean_kernel
def pay_fold(my_cards, their_cards, same, theirs, at, values, to, cards, won):
    """The weight of all opposing hands that share no card with each hand, by inclusion and exclusion."""
    zero = cards.dtype.type(0)
    fill(cards, 0, len(cards), zero)
    total = zero
    for other in range(len(their_cards)):
        reach = theirs[at + other]
        cards[their_cards[other, 0]] += reach
        cards[their_cards[other, 1]] += reach
        total += reach
    for hand in range(len(my_cards)):
        both = theirs[at + same[hand]] if same[hand] >= 0 else zero
        values[to + hand] += won * (total - cards[my_cards[hand, 0]] - cards[my_cards[hand, 1]] + both)


@lean_kernel
def beaten(my_cards, their_cards, my_order, their_order, my_strength, their_strength, my_count, their_count, theirs, at,
           values, to, cards, won, step):  # fmt: skip
    """One sweep in order of strength, upwards (step 1) or downwards (-1).

    Adds `won` for each opposing hand that comes strictly before the own one and shares no card with it. A hand with the
    same two cards is equally strong, so it is never counted.
    """
    fill(cards, 0, len(cards), 0)
    total = cards.dtype.type(0)
    seen = 0
    for turn in range(my_count):
        hand = my_order[turn if step > 0 else my_count - 1 - turn]
        while seen < their_count:
            other = their_order[seen if step > 0 else their_count - 1 - seen]
            if (my_strength[hand] - their_strength[other]) * step <= 0:
                break
            reach = theirs[at + other]
            cards[their_cards[other, 0]] += reach
            cards[their_cards[other, 1]] += reach
            total += reach
            seen += 1
        values[to + hand] += won * (total - cards[my_cards[hand, 0]] - cards[my_cards[hand, 1]])


@lean_kernel
def pay_dice(my_match, their_match, counts, theirs, at, values, to, sums, pays):
    """A histogram of the other seat's matching dice, then the value for each own number of them."""
    fill(sums, 0, 2 * counts, 0)
    for other in range(len(their_match)):
        sums[their_match[other]] += theirs[at + other]
    for mine in range(counts):
        for other in range(min(counts, len(pays) - mine)):
            sums[counts + mine] += sums[other] * pays[mine + other]
    for hand in range(len(my_match)):
        values[to + hand] += sums[counts + my_match[hand]]


@lean_kernel
def all_finite(buffer: Any) -> bool:
    """Whether all numbers are finite."""
    for entry in range(len(buffer)):  # noqa: SIM110
        if not np.isfinite(buffer[entry]):
            return False
    return True
