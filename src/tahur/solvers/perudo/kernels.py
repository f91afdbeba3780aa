"""Sweeps over a bid ladder: one seat's counterfactual values for all its hands, depth first, with no tree in memory.

A sweep has a stack of rungs, the current history, and for each a row of the other seat's reach, of values and of the
numbers that turn a block into a strategy: `scale` and `flat`, so that a probability is `weight * scale + flat`. At a
decision of the sweeping seat, the values of its actions are added to its regrets as they are returned. At a decision of
the other seat its average grows, since its reach is available there; where that reach is zero for every hand (below
`least`), neither its averages nor our regrets can change below, and the subtree is skipped.

The actions of the first decision can be swept separately, in several threads: the values of each are stored in their
own row (`side.branches`), and a last sweep combines them in order, with the same bits as in one thread.

Rows are flat arrays and `at` is the offset of one. All floats have one type, float64 or float32; `nil` is its zero, so
that no constant of another type widens the arithmetic.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from typing import Any

from tahur.core.kernels import inline_kernel, lean_kernel

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
    me, mine, theirs = side.seat, side.mine, side.theirs
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
                    copy(side.values, mine, side.branches, action * mine, mine)
                    if own:
                        fold(side, 0, block + action * mine, mode, source, buffers, keep, predict)
                    else:
                        add(side.values, 0, mine, mine)
                continue
            if not own:
                reach = (depth + 1) * theirs
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
            pay(ladder, side, caller, call, state, reach, (depth + 1) * mine)
        else:
            if own and mode == UPDATE:
                finish_regrets(buffers, block, count, side, depth, keep, predict)
            if depth == 0:
                return
            depth -= 1
            own, block, action = not own, side.blocks[depth], side.nexts[depth] - 1
        if depth == 0 and only >= 0:
            copy(side.branches, only * mine, side.values, mine, mine)
            side.came[only] = 1
            return
        if own:
            fold(side, depth, block + action * mine, mode, source, buffers, keep, predict)
        else:
            add(side.values, depth * mine, (depth + 1) * mine, mine)


@inline_kernel
def open_rung(ladder, side, depth, rung, block, reach, mode, source, buffers, predict):
    """Enter a decision: prepare its strategy."""
    own, mine = depth % 2 == side.seat, side.mine
    side.rungs[depth], side.blocks[depth], side.nexts[depth], side.reach_at[depth] = rung, block, 0, reach
    start = side.lowest[0] if own and mode == BEST else side.nil[0]
    for place in range(depth * mine, (depth + 1) * mine):
        side.values[place] = start
    if not (own and mode == BEST):
        count = ladder.calls[rung] + ladder.first[rung + 1] - ladder.first[rung]
        prepare(side, depth, block, count, mine if own else side.theirs, source, buffers.forecasts, predict)


@inline_kernel
def prepare(side, depth, block, count, hands, source, forecasts, predict):
    """What turns the weights of a block into probabilities: their sum for each hand, or uniform if it is 0."""
    at, scale, flat = depth * side.widest, side.scale, side.flat
    for hand in range(hands):
        scale[at + hand] = side.nil[0]
    for action in range(count):
        row = block + action * hands
        if predict:
            for hand in range(hands):
                weight = source[row + hand] + forecasts[row + hand]
                scale[at + hand] += weight if weight > side.nil[0] else side.nil[0]
        else:
            for hand in range(hands):
                scale[at + hand] += source[row + hand]
    for hand in range(hands):
        total = scale[at + hand]
        known = total > side.least[0]
        scale[at + hand] = side.one[0] / (total if known else side.one[0])
        flat[at + hand] = side.nil[0] if known else side.shares[count]


@inline_kernel
def play(side, depth, row, to, mode, source, buffers, weight, predict):
    """The other seat's reach after an action, stored at `to`; its average grows by it. Returns whether any hand gets
    there."""
    theirs, at, reach_at = side.theirs, depth * side.widest, side.reach_at[depth]
    reach, scale, flat = side.reach, side.scale, side.flat
    total = side.nil[0]
    for hand in range(theirs):
        strength = source[row + hand]
        if predict:
            strength += buffers.forecasts[row + hand]
            strength = strength if strength > side.nil[0] else side.nil[0]
        share = reach[reach_at + hand] * (strength * scale[at + hand] + flat[at + hand])
        reach[to + hand] = share
        total += share
    if not total > side.least[0]:
        return False
    if mode == UPDATE:
        for hand in range(theirs):
            buffers.averages[row + hand] += weight * reach[to + hand]
    return True


@inline_kernel
def fold(side, depth, row, mode, source, buffers, keep, predict):
    """Add the values of one of our actions, one row below, to those of the decision and to the regrets."""
    mine, at, up, values = side.mine, depth * side.widest, depth * side.mine, side.values
    below = up + mine
    if mode == BEST:
        for hand in range(mine):
            values[up + hand] = max(values[up + hand], values[below + hand])
        return
    for hand in range(mine):
        strength = source[row + hand]
        if predict:
            strength += buffers.forecasts[row + hand]
            strength = strength if strength > side.nil[0] else side.nil[0]
        chance = strength * side.scale[at + hand] + side.flat[at + hand]
        values[up + hand] += chance * values[below + hand]
    if mode == UPDATE and predict:
        for hand in range(mine):
            buffers.forecasts[row + hand] = values[below + hand]
    elif mode == UPDATE:
        for hand in range(mine):
            buffers.regrets[row + hand] = buffers.regrets[row + hand] * keep + values[below + hand]


@inline_kernel
def finish_regrets(buffers, block, count, side, depth, keep, predict):
    """After all actions: subtract the value of the decision from the regrets, and clip them at zero."""
    mine, at, values = side.mine, depth * side.mine, side.values
    regrets, forecasts = buffers.regrets, buffers.forecasts
    for action in range(count):
        row = block + action * mine
        if predict:
            for hand in range(mine):
                now = forecasts[row + hand] - values[at + hand]
                forecasts[row + hand] = now
                regret = regrets[row + hand] * keep + now
                regrets[row + hand] = regret if regret > side.nil[0] else side.nil[0]
        else:
            for hand in range(mine):
                regret = regrets[row + hand] - values[at + hand]
                regrets[row + hand] = regret if regret > side.nil[0] else side.nil[0]


@inline_kernel
def pay(ladder, side, caller, call, state, reach, to):
    """Write to `to` the payoff of a dudo (call 0) or calza (1) for each of our hands, against the other's reach."""
    mine, theirs, bins, worth = side.mine, side.theirs, side.bins, side.worth
    needed = ladder.needed[state]
    for count in range(side.their_dice + 1):
        bins[count] = side.nil[0]
    at = state * theirs
    for hand in range(theirs):
        bins[side.their_matches[at + hand]] += side.reach[reach + hand]
    yes, no = side.pays[4 * caller + 2 * call], side.pays[4 * caller + 2 * call + 1]
    for count in range(side.my_dice + 1):
        worth[count] = side.nil[0]
        for other in range(side.their_dice + 1):
            met = count + other >= needed if call == 0 else count + other == needed
            worth[count] += bins[other] * (yes if met else no)
    at = state * mine
    for hand in range(mine):
        side.values[to + hand] = worth[side.my_matches[at + hand]]


@inline_kernel
def add(values, to, at, count):
    for place in range(count):
        values[to + place] += values[at + place]


@inline_kernel
def copy(values, to, others, at, count):
    for place in range(count):
        values[to + place] = others[at + place]


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
