"""Walks over a flat tree: one seat's counterfactual values, with regret updates, best responses or plain values.

A walk is one loop over the nodes of a subtree, depth first, on rows of hands: `mine` (the walking seat's own reach),
`theirs` (the other seat's reach including chance), `values` (the value of each hand of the walking seat against that
reach) and `played` (its strategy, in the same rows as the values). `seat_tables.py` gives each node's rows. A decision
of the walking seat has a row of values for each action; at a decision of the other seat, all actions add to the node's
own row. So memory grows with the depth of the tree, not with its nodes, and subtrees can be walked separately.

Arrays of hands are flat, and `at`, `to`, `block` are offsets where a row or a block `[action][hand]` starts. Only
`walk` sees the named tuples of `seat_tables.py`: the functions it calls get only the arrays they need, since passing
each one costs time. Reach, values and buffers have one type, float64 or float32.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from typing import Any

import numpy as np

from tahur.core.kernels import inline_kernel, lean_kernel

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
    me, width, across = seat.seat, seat.width, seat.across
    mine, theirs, values, played, total = work.mine, work.theirs, work.values, work.played, work.total
    if start == 0:
        fill(mine, 0, width, 1)
        copy(seat.their_prior, 0, theirs, 0, across)
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
            below, block, count = at_values[node + 1], blocks[node], counts[node]
            if mode == BEST:
                fill(values, below, width * count, 0)
            elif predict:
                expect(source, buffers.forecasts, weights[row, 0], weights[row, 1], block, count * width, played, below)
                weigh(played, below, count, width, total)
                match_and_average(played, below, count, width, total, played, below, values, mine, at_mine[node],
                                  at_mine[node + 1], buffers.averages, block, weights[row, 2])  # fmt: skip
            elif mode == UPDATE:
                weigh(source, block, count, width, total)
                match_and_average(source, block, count, width, total, played, below, values, mine, at_mine[node],
                                  at_mine[node + 1], buffers.averages, block, weights[row, 2])  # fmt: skip
            else:
                weigh(source, block, count, width, total)
                match(source, block, count, width, total, played, below, values)
        elif kind == 1 - me:
            match_reach(source, buffers.forecasts, weights, their_row, predict, blocks[node], counts[node], across,
                        total, theirs, at_theirs[node], at_theirs[node + 1])  # fmt: skip
        ended = node
        while ended >= start and ends[ended] == node + 1:  # the last node of one or more subtrees: close them
            up = parents[ended]
            if kinds[ended] == me:
                close(mode, predict, buffers, weights, row, blocks[ended], counts[ended], width, values,
                      at_values[ended], at_values[ended + 1], played, total)  # fmt: skip
            if dealings[ended] >= 0 and ended > start:
                undeal(values, at_values[ended], at_values[up], width, seat.mask, seat.my_open, seat.copies,
                       seat.copied, seat.names, dealings[ended])  # fmt: skip
            ended = up


@inline_kernel
def fill(row, at, size, value):
    for entry in range(at, at + size):
        row[entry] = value


@inline_kernel
def copy(source, at, row, to, size):
    for entry in range(size):
        row[to + entry] = source[at + entry]


# ---- decisions -----------------------------------------------------------------------------------


@inline_kernel
def weigh(source, block, count, width, total):
    """One over the sum of each hand's positive numbers, or 0 where there are none."""
    zero, one = total.dtype.type(0), total.dtype.type(1)
    for hand in range(width):
        total[hand] = max(source[block + hand], zero)
    for action in range(1, count):
        for hand in range(width):
            total[hand] += max(source[block + action * width + hand], zero)
    for hand in range(width):
        total[hand] = one / total[hand] if total[hand] > zero else zero


@inline_kernel
def match(source, block, count, width, total, out, to, values):
    """Regret matching: positive numbers in proportion, uniform where there are none. Sums give a strategy the same way.

    The values of the actions are reset to 0.
    """
    zero, even = total.dtype.type(0), total.dtype.type(1) / total.dtype.type(count)
    for action in range(count):
        for hand in range(width):
            step = action * width + hand
            share = max(source[block + step], zero) * total[hand]
            out[to + step] = share if total[hand] > zero else even
            values[to + step] = zero


@inline_kernel
def match_and_average(source, block, count, width, total, out, to, values, mine, at, below, averages, start, fade):
    """As `match`; also propagates own reach below each action, and discounts the averages, which begin at `start`, and
    adds the reach to them."""
    zero, even = total.dtype.type(0), total.dtype.type(1) / total.dtype.type(count)
    for action in range(count):
        for hand in range(width):
            step = action * width + hand
            share = max(source[block + step], zero) * total[hand]
            share = share if total[hand] > zero else even
            reach = mine[at + hand] * share
            out[to + step] = share
            values[to + step] = zero
            mine[below + step] = reach
            averages[start + step] = averages[start + step] * fade + reach


@inline_kernel
def match_reach(source, forecasts, weights, row, predict, block, count, across, total, theirs, at, below):
    """The other seat's reach below each of its actions."""
    zero, even = total.dtype.type(0), total.dtype.type(1) / total.dtype.type(count)
    if predict:
        expect(source, forecasts, weights[row, 0], weights[row, 1], block, count * across, theirs, below)
        source, block = theirs, below
    weigh(source, block, count, across, total)
    for action in range(count):
        for hand in range(across):
            step = action * across + hand
            share = max(source[block + step], zero) * total[hand]
            theirs[below + step] = (share if total[hand] > zero else even) * theirs[at + hand]


@inline_kernel
def expect(regrets, forecasts, positive, negative, block, size, out, to):
    """The regrets expected after the next iteration, if it is as forecast."""
    zero = out.dtype.type(0)
    for entry in range(size):
        regret = regrets[block + entry]
        kept = regret * (positive if regret > zero else negative)
        out[to + entry] = kept + forecasts[block + entry]


@inline_kernel
def close(mode, predict, buffers, weights, row, block, count, width, values, to, below, played, total):
    """Add the value of a decision of the walking seat, from those of its actions; in UPDATE, update its regrets."""
    if mode == BEST:
        best(values, below, count, width, total)
    else:
        mean(values, below, played, count, width, total)
    for hand in range(width):
        values[to + hand] += total[hand]
    if mode == UPDATE:
        regret(buffers.regrets, weights[row, 0], weights[row, 1], block, count, width, values, below, total)
        if predict:
            forecast(buffers.forecasts, block, count, width, values, below, total)


@inline_kernel
def best(values, below, count, width, total):
    for hand in range(width):
        total[hand] = values[below + hand]
    for action in range(1, count):
        for hand in range(width):
            total[hand] = max(total[hand], values[below + action * width + hand])


@inline_kernel
def mean(values, below, played, count, width, total):
    for hand in range(width):
        total[hand] = played[below + hand] * values[below + hand]
    for action in range(1, count):
        for hand in range(width):
            at = below + action * width + hand
            total[hand] += played[at] * values[at]


@inline_kernel
def regret(regrets, positive, negative, block, count, width, values, below, total):
    """Discount the regrets, and add each action's advantage over the strategy."""
    zero = total.dtype.type(0)
    for action in range(count):
        for hand in range(width):
            step = action * width + hand
            had = regrets[block + step]
            kept = had * (positive if had > zero else negative)
            regrets[block + step] = kept + (values[below + step] - total[hand])


@inline_kernel
def forecast(forecasts, block, count, width, values, below, total):
    for action in range(count):
        for hand in range(width):
            step = action * width + hand
            forecasts[block + step] = values[below + step] - total[hand]


# ---- chance --------------------------------------------------------------------------------------


@inline_kernel
def deal(theirs, at, to, across, chance, mask, their_open, dealing):
    """The other seat's reach below a dealing, without the hands it rules out."""
    likely, row = chance[dealing], mask[dealing]
    for hand in range(across):
        theirs[to + hand] = theirs[at + hand] * likely * their_open[row, hand]


@inline_kernel
def undeal(values, at, to, width, mask, my_open, copies, copied, names, dealing):
    """Add a dealing's values to those of its chance node, once for each outcome that it represents."""
    row = mask[dealing]
    for hand in range(width):
        values[at + hand] *= my_open[row, hand]
    for each in range(copies[dealing], copies[dealing + 1]):
        name = copied[each]
        for hand in range(width):
            values[to + hand] += values[at + names[name, hand]]


# ---- terminals -----------------------------------------------------------------------------------


@inline_kernel
def pay_matrix(matrices, entry, pays, row, theirs, at, across, values, to, width):
    """matrices: (entries, other's hands, own hands). Three opposing hands at a time, to store sums less often."""
    factor = pays[row, 0]
    threes = across - across % 3
    for other in range(0, threes, 3):
        one, two, three = theirs[at + other] * factor, theirs[at + other + 1] * factor, theirs[at + other + 2] * factor
        for hand in range(width):
            values[to + hand] += (
                matrices[entry, other, hand] * one
                + matrices[entry, other + 1, hand] * two
                + matrices[entry, other + 2, hand] * three
            )
    for other in range(threes, across):
        one = theirs[at + other] * factor
        for hand in range(width):
            values[to + hand] += matrices[entry, other, hand] * one


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
