"""Sweeps over a bid ladder: one seat's counterfactual values for all its hands, depth first, with no tree in memory.

A sweep has a stack of rungs, the current history, and for each a row of the other seat's reach, of values and of the
numbers that turn a block into a strategy: `scale` and `flat`, so that a probability is `weight * scale + flat`. At a
decision of the sweeping seat, the values of its actions are added to its regrets as they are returned. At a decision of
the other seat its average grows, since its reach is available there; where that reach is zero for every hand (below
`least`), neither its averages nor our regrets can change below, and the subtree is skipped.

The actions of the first decision can be swept separately, in several threads: the values of each are stored in their
own row (`side.branches`), and a last sweep combines them in order, with the same bits as in one thread.

Hands are processed eight at a time, one per SIMD lane. Scratch rows and tables are padded to eights (`widest` apart);
blocks of regrets and averages are not, so their last hands are moved by `load_part` and `store_part`. Arrays are flat,
and `at` is the offset of a row. All floats have one type, float64 or float32; `nil` is its zero, so that no constant of
another type widens the arithmetic.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from typing import Any

from tahur.core.kernels import inline_kernel, lean_kernel
from tahur.solvers.kernels.lanes import (
    LANES,
    any_positive,
    greatest,
    load,
    load_part,
    splat,
    store,
    store_part,
    total_of,
    where_equal,
    where_positive,
)

UPDATE = 0  # play the regret-matching strategy, and update regrets and the other's average
BEST = 1  # best response to the other seat's strategy
VALUE = 2  # both seats play their strategies

ALL = -1  # actions of the first decision
SWEPT = -2  # already swept separately: only combine them


@lean_kernel
def sweeps(ladder: Any, sides: Any, mode: int, source: Any, buffers: Any, weights: Any, predict: bool) -> None:
    """A sweep for each seat, alternately, for each row of `weights`: the regret discount and the weight of the
    average."""
    for row in range(len(weights)):
        for seat in range(2):
            if seat == 0:
                sweep(ladder, sides[0], mode, source, buffers, weights[row, 0], weights[row, 1], predict, ALL)
            else:
                sweep(ladder, sides[1], mode, source, buffers, weights[row, 0], weights[row, 1], predict, ALL)


@lean_kernel
def sweep(
    ladder: Any, side: Any, mode: int, source: Any, buffers: Any, keep: Any, weight: Any, predict: bool, only: int
) -> None:
    """Compute the values of the seat's hands, in the first row of `side.values`.

    `only`: ALL, or SWEPT; or an action of the first decision, whose values are stored in its row of `side.branches`.
    """
    calls, first, children = ladder.calls, ladder.first, ladder.children
    me, mine, theirs, widest = side.seat, side.mine, side.theirs, side.widest
    depth, rung, block, reach, opening = 0, 0, 0, 0, True
    while True:
        if opening:
            open_rung(ladder, side, depth, rung, block, reach, mode, source, buffers, predict)
            opening = False
            if depth == 0 and only >= 0:
                side.nexts[0], side.came[only] = only, 0
        rung, block, action = side.rungs[depth], side.blocks[depth], side.nexts[depth]
        own, count = depth % 2 == me, calls[rung] + first[rung + 1] - first[rung]
        if depth == 0 and only >= 0 and action > only:
            return  # no hand reaches it
        if action < count:
            side.nexts[depth] = action + 1
            reach = side.reach_at[depth]
            if depth == 0 and only == SWEPT:
                if side.came[action] != 0:
                    copy(side.values, widest, side.branches, action * widest, mine)
                    if own:
                        fold(side, 0, block + action * mine, mode, source, buffers, keep, predict)
                    else:
                        add(side.values, 0, widest, mine)
                continue
            if not own:
                reach = (depth + 1) * widest
                if not play(side, depth, block + action * theirs, reach, mode, source, buffers, weight, predict):
                    continue
            raised = first[rung] + action - calls[rung]
            caller, call, state = depth % 2, action, rung % ladder.states
            if action >= calls[rung]:
                caller, call, state = 1 - caller, 0, children[raised]
                child = (depth + 1) * ladder.states + state
                if calls[child] != 1 or first[child] != first[child + 1]:  # it need not be doubted
                    depth, rung, block, opening = depth + 1, child, block + ladder.shifts[raised], True
                    continue
            pay(ladder, side, caller, call, state, reach, (depth + 1) * widest)
        else:
            if own and mode == UPDATE:
                finish_regrets(buffers, block, count, side, depth, keep, predict)
            if depth == 0:
                return
            depth -= 1
            own, block, action = not own, side.blocks[depth], side.nexts[depth] - 1
        if depth == 0 and only >= 0:
            copy(side.branches, only * widest, side.values, widest, mine)
            side.came[only] = 1
            return
        if own:
            fold(side, depth, block + action * mine, mode, source, buffers, keep, predict)
        else:
            add(side.values, depth * widest, (depth + 1) * widest, mine)


@inline_kernel
def open_rung(ladder, side, depth, rung, block, reach, mode, source, buffers, predict):
    """Enter a decision: prepare its strategy."""
    own, at = depth % 2 == side.seat, depth * side.widest
    side.rungs[depth], side.blocks[depth], side.nexts[depth], side.reach_at[depth] = rung, block, 0, reach
    start = splat(side.lowest[0] if own and mode == BEST else side.nil[0])
    for hand in range(0, side.mine, LANES):
        store(side.values, at + hand, start)
    if not (own and mode == BEST):
        count = ladder.calls[rung] + ladder.first[rung + 1] - ladder.first[rung]
        prepare(side, depth, block, count, side.mine if own else side.theirs, source, buffers.forecasts, predict)


@inline_kernel
def prepare(side, depth, block, count, hands, source, forecasts, predict):
    """What turns the weights of a block into probabilities: their sum for each hand, or uniform if it is 0."""
    at, nil, one, least = depth * side.widest, splat(side.nil[0]), splat(side.one[0]), splat(side.least[0])
    even = splat(side.shares[count])
    for hand in range(0, hands, LANES):
        total = nil
        for row in range(block + hand, block + hand + count * hands, hands):
            total = total + strength_of(source, forecasts, row, hands - hand, nil, predict)
        known = total - least
        store(side.scale, at + hand, one / where_positive(known, total, one))
        store(side.flat, at + hand, where_positive(known, nil, even))


@inline_kernel
def strength_of(source, forecasts, place, count, nil, predict):
    """The weights of some hands: numbers of the source, or positive parts of what is forecast."""
    strength = load_part(source, place, count)
    if predict:
        strength = greatest(strength + load_part(forecasts, place, count), nil)
    return strength


@inline_kernel
def play(side, depth, row, to, mode, source, buffers, weight, predict):
    """The other seat's reach after an action, stored at `to`; its average grows by it. Returns whether any hand gets
    there."""
    theirs, at, reach_at = side.theirs, depth * side.widest, side.reach_at[depth]
    nil = splat(side.nil[0])
    total = nil
    for hand in range(0, theirs, LANES):
        strength = strength_of(source, buffers.forecasts, row + hand, theirs - hand, nil, predict)
        chance = strength * load(side.scale, at + hand) + load(side.flat, at + hand)
        share = load(side.reach, reach_at + hand) * chance
        store(side.reach, to + hand, share)
        total = total + share
    if not any_positive(total - splat(side.least[0])):
        return False
    if mode == UPDATE:
        weights = splat(weight)
        for hand in range(0, theirs, LANES):
            place, count = row + hand, theirs - hand
            average = load_part(buffers.averages, place, count) + weights * load(side.reach, to + hand)
            store_part(buffers.averages, place, average, count)
    return True


@inline_kernel
def fold(side, depth, row, mode, source, buffers, keep, predict):
    """Add the values of one of our actions, one row below, to those of the decision and to the regrets."""
    mine, at, values = side.mine, depth * side.widest, side.values
    below, nil, kept = at + side.widest, splat(side.nil[0]), splat(keep)
    if mode == BEST:
        for hand in range(0, mine, LANES):
            store(values, at + hand, greatest(load(values, at + hand), load(values, below + hand)))
        return
    for hand in range(0, mine, LANES):
        place, count, value = row + hand, mine - hand, load(values, below + hand)
        strength = strength_of(source, buffers.forecasts, place, count, nil, predict)
        chance = strength * load(side.scale, at + hand) + load(side.flat, at + hand)
        store(values, at + hand, load(values, at + hand) + chance * value)
        if mode == UPDATE and predict:
            store_part(buffers.forecasts, place, value, count)
        elif mode == UPDATE:
            store_part(buffers.regrets, place, load_part(buffers.regrets, place, count) * kept + value, count)


@inline_kernel
def finish_regrets(buffers, block, count, side, depth, keep, predict):
    """After all actions: subtract the value of the decision from the regrets, and clip them at zero."""
    mine, at, nil, kept = side.mine, depth * side.widest, splat(side.nil[0]), splat(keep)
    regrets, forecasts = buffers.regrets, buffers.forecasts
    for hand in range(0, mine, LANES):
        value, rest = load(side.values, at + hand), mine - hand
        for place in range(block + hand, block + hand + count * mine, mine):
            regret = load_part(regrets, place, rest)
            if predict:
                now = load_part(forecasts, place, rest) - value
                store_part(forecasts, place, now, rest)
                regret = regret * kept + now
            else:
                regret = regret - value
            store_part(regrets, place, greatest(regret, nil), rest)


@inline_kernel
def pay(ladder, side, caller, call, state, reach, to):
    """Write to `to` the payoff of a dudo (call 0) or calza (1) for each of our hands, against the other's reach."""
    at, number, worth = state * side.widest, side.worth.dtype.type, side.worth
    yes, no = splat(side.pays[4 * caller + 2 * call]), splat(side.pays[4 * caller + 2 * call + 1])
    for count in range(side.my_dice + 1):
        total, lacking = splat(side.nil[0]), splat(number(ladder.needed[state] - count))
        for hand in range(0, side.theirs, LANES):
            matches = load(side.their_matches, at + hand)
            paid = where_positive(lacking - matches, no, yes) if call == 0 else where_equal(lacking, matches, yes, no)
            total = total + paid * load(side.reach, reach + hand)
        worth[count] = total_of(total)
    for hand in range(0, side.mine, LANES):
        matches, value = load(side.my_matches, at + hand), splat(worth[0])
        for count in range(1, side.my_dice + 1):
            value = where_equal(matches, splat(number(count)), splat(worth[count]), value)
        store(side.values, to + hand, value)


@inline_kernel
def add(values, to, at, count):
    for place in range(0, count, LANES):
        store(values, to + place, load(values, to + place) + load(values, at + place))


@inline_kernel
def copy(values, to, others, at, count):
    for place in range(0, count, LANES):
        store(values, to + place, load(others, at + place))


@lean_kernel
def shares_of(ladder: Any, side: Any, averages: Any, result: Any, whole: Any, half: Any) -> None:
    """The averages as fractions of `whole` for each hand of each decision, 0 where the average is empty.

    `half` is 0.5 if the result is of integers, which truncate, and 0 otherwise.
    """
    depth, rung, block, opening = 0, 0, 0, True
    while True:
        if opening:
            side.rungs[depth], side.blocks[depth], side.nexts[depth] = rung, block, ladder.first[rung]
            count = ladder.calls[rung] + ladder.first[rung + 1] - ladder.first[rung]
            hands = side.mine if depth % 2 == side.seat else side.theirs
            if count > 1:
                share(averages, result, block, count, hands, whole, half, side.least[0])
            opening = False
        rung, raised = side.rungs[depth], side.nexts[depth]
        if raised == ladder.first[rung + 1]:
            if depth == 0:
                return
            depth -= 1
            continue
        side.nexts[depth] = raised + 1
        block = side.blocks[depth] + ladder.shifts[raised]
        depth, rung, opening = depth + 1, (depth + 1) * ladder.states + ladder.children[raised], True


@inline_kernel
def share(averages, result, block, count, hands, whole, half, least):
    for hand in range(hands):
        total = averages[block + hand]
        for action in range(1, count):
            total += averages[block + action * hands + hand]
        for action in range(count):
            place = block + action * hands + hand
            result[place] = averages[place] / total * whole + half if total > least else 0
