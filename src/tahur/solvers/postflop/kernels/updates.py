"""CFR updates of one decision: strategies from regrets, sums of strategies, and regrets from values.

A *weight* array is what strategies are computed from: regrets while solving, sums when the average is evaluated. Where
no weight is positive, all actions are equally likely. Two and three actions, which most decisions have, are unrolled so
that everything is loaded once.

Rows are too short for the processor to guess which memory is needed next, so the rows of coming decisions are
prefetched: they follow on the way down the tree and precede on the way up.
"""

from __future__ import annotations

import numpy as np

from tahur.core.arrays import Array
from tahur.core.kernels import inline_kernel, lean_kernel
from tahur.solvers.kernels.lanes import greatest, load, prefetch, splat, store, where_positive
from tahur.solvers.postflop.tables import StreetTree

ROWS_AHEAD = 4  # as many rows as are computed, about, until memory answers
TINY = np.float32(1e-20)  # chips or probabilities below this count as 0; denormal numbers near 1e-38 are slow to add


@inline_kernel
def _fetch(numbers: Array, at: int, size: int, count: int) -> None:
    """Prefetch some numbers of each action of a decision that comes up soon: a cache line holds sixteen."""
    if at % 16 < 8:
        for action in range(count):
            prefetch(numbers, at + action * size)


@lean_kernel
def spread_and_remember(
    tree: StreetTree, me: int, node: int, first: int, count: int, size: int, offset: int, regrets: Array, sums: Array,
    keep: float, reach: Array,
) -> None:  # fmt: skip
    """The opponent's reach at a node's children, by regret matching; and the same added to the sums."""
    if count == 2:
        _spread_two(tree, me, node, first, size, offset, regrets, sums, keep, reach)
    elif count == 3:
        _spread_three(tree, me, node, first, size, offset, regrets, sums, keep, reach)
    else:
        _spread_many(tree, me, node, first, count, size, offset, regrets, sums, keep, reach)


@lean_kernel
def learn(
    tree: StreetTree, node: int, first: int, count: int, size: int, offset: int, regrets: Array, positive: float,
    negative: float, value: Array,
) -> None:  # fmt: skip
    """The value of an own decision, by regret matching; and the regrets updated by each action's value."""
    if count == 2:
        _learn_two(tree, node, first, size, offset, regrets, positive, negative, value)
    elif count == 3:
        _learn_three(tree, node, first, size, offset, regrets, positive, negative, value)
    else:
        _learn_many(tree, node, first, count, size, offset, regrets, positive, negative, value)


@lean_kernel
def spread(
    tree: StreetTree, me: int, node: int, first: int, count: int, size: int, offset: int, weight: Array, reach: Array
) -> None:
    """The opponent's reach at a node's children."""
    nothing, even, tiny = splat(np.float32(0)), splat(np.float32(1.0 / count)), splat(TINY)
    here = tree.reach[me, node] * size
    for hand in range(0, size, 8):
        _fetch(weight, offset + hand + ROWS_AHEAD * size, size, count)
        total = nothing
        for action in range(count):
            total = total + greatest(load(weight, offset + action * size + hand), nothing)
        before = load(reach, here + hand)
        share = before / total
        for action in range(count):
            part = greatest(load(weight, offset + action * size + hand), nothing) * share
            part = where_positive(total, part, before * even)
            row = tree.reach[me, tree.child[first + action]] * size
            store(reach, row + hand, where_positive(part - tiny, part, nothing))


@lean_kernel
def _spread_two(
    tree: StreetTree,
    me: int,
    node: int,
    first: int,
    size: int,
    offset: int,
    regrets: Array,
    sums: Array,
    keep: float,
    reach: Array,
) -> None:
    """`_spread_many` for two actions."""
    nothing, half, tiny, kept = splat(np.float32(0)), splat(np.float32(0.5)), splat(TINY), splat(np.float32(keep))
    here = tree.reach[me, node] * size
    one = tree.reach[me, tree.child[first]] * size
    two = tree.reach[me, tree.child[first + 1]] * size
    for hand in range(0, size, 8):
        at, then = offset + hand, offset + size + hand
        _fetch(regrets, at + ROWS_AHEAD * size, size, 2)
        _fetch(sums, at + ROWS_AHEAD * size, size, 2)
        a, b = greatest(load(regrets, at), nothing), greatest(load(regrets, then), nothing)
        total, before = a + b, load(reach, here + hand)
        share, even = before / total, before * half
        a, b = where_positive(total, a * share, even), where_positive(total, b * share, even)
        a, b = where_positive(a - tiny, a, nothing), where_positive(b - tiny, b, nothing)
        store(reach, one + hand, a)
        store(reach, two + hand, b)
        store(sums, at, load(sums, at) * kept + a)
        store(sums, then, load(sums, then) * kept + b)


@lean_kernel
def _spread_three(
    tree: StreetTree,
    me: int,
    node: int,
    first: int,
    size: int,
    offset: int,
    regrets: Array,
    sums: Array,
    keep: float,
    reach: Array,
) -> None:
    """`_spread_many` for three actions."""
    nothing, third, tiny = splat(np.float32(0)), splat(np.float32(1 / 3)), splat(TINY)
    kept = splat(np.float32(keep))
    here = tree.reach[me, node] * size
    one = tree.reach[me, tree.child[first]] * size
    two = tree.reach[me, tree.child[first + 1]] * size
    three = tree.reach[me, tree.child[first + 2]] * size
    for hand in range(0, size, 8):
        at, then, last = offset + hand, offset + size + hand, offset + 2 * size + hand
        _fetch(regrets, at + ROWS_AHEAD * size, size, 3)
        _fetch(sums, at + ROWS_AHEAD * size, size, 3)
        a, b = greatest(load(regrets, at), nothing), greatest(load(regrets, then), nothing)
        c = greatest(load(regrets, last), nothing)
        total, before = a + b + c, load(reach, here + hand)
        share, even = before / total, before * third
        a, b = where_positive(total, a * share, even), where_positive(total, b * share, even)
        c = where_positive(total, c * share, even)
        a, b = where_positive(a - tiny, a, nothing), where_positive(b - tiny, b, nothing)
        c = where_positive(c - tiny, c, nothing)
        store(reach, one + hand, a)
        store(reach, two + hand, b)
        store(reach, three + hand, c)
        store(sums, at, load(sums, at) * kept + a)
        store(sums, then, load(sums, then) * kept + b)
        store(sums, last, load(sums, last) * kept + c)


@lean_kernel
def _spread_many(
    tree: StreetTree, me: int, node: int, first: int, count: int, size: int, offset: int, regrets: Array, sums: Array,
    keep: float, reach: Array,
) -> None:  # fmt: skip
    """`spread` for any number of actions; and the sums, discounted, plus the children's reach."""
    nothing, even, tiny = splat(np.float32(0)), splat(np.float32(1.0 / count)), splat(TINY)
    kept, here = splat(np.float32(keep)), tree.reach[me, node] * size
    for hand in range(0, size, 8):
        _fetch(regrets, offset + hand + ROWS_AHEAD * size, size, count)
        _fetch(sums, offset + hand + ROWS_AHEAD * size, size, count)
        total = nothing
        for action in range(count):
            total = total + greatest(load(regrets, offset + action * size + hand), nothing)
        before = load(reach, here + hand)
        share, plain = before / total, before * even
        for action in range(count):
            at = offset + action * size + hand
            part = where_positive(total, greatest(load(regrets, at), nothing) * share, plain)
            part = where_positive(part - tiny, part, nothing)
            store(reach, tree.reach[me, tree.child[first + action]] * size + hand, part)
            store(sums, at, load(sums, at) * kept + part)


@lean_kernel
def average(
    tree: StreetTree, node: int, first: int, count: int, size: int, offset: int, weight: Array, value: Array
) -> None:
    """The value of a node whose actions are taken in proportion to their weights."""
    nothing, even = splat(np.float32(0)), splat(np.float32(1.0 / count))
    for hand in range(0, size, 8):
        _fetch(weight, offset + hand - ROWS_AHEAD * size, size, count)
        total, plain, weighted = nothing, nothing, nothing
        for action in range(count):
            each = load(value, tree.child[first + action] * size + hand)
            part = greatest(load(weight, offset + action * size + hand), nothing)
            total = total + part
            plain = plain + each
            weighted = weighted + part * each
        store(value, node * size + hand, where_positive(total, weighted / total, plain * even))


@lean_kernel
def _learn_many(
    tree: StreetTree, node: int, first: int, count: int, size: int, offset: int, regrets: Array, positive: float,
    negative: float, value: Array,
) -> None:  # fmt: skip
    """`average`; and each regret, discounted by its sign, plus the action's advantage."""
    gain, loss, even = splat(np.float32(positive)), splat(np.float32(negative)), splat(np.float32(1.0 / count))
    nothing, tiny = splat(np.float32(0)), splat(TINY)
    for hand in range(0, size, 8):
        _fetch(regrets, offset + hand - ROWS_AHEAD * size, size, count)
        total, plain, weighted = nothing, nothing, nothing
        for action in range(count):
            worth = load(value, tree.child[first + action] * size + hand)
            part = greatest(load(regrets, offset + action * size + hand), nothing)
            total, plain, weighted = total + part, plain + worth, weighted + part * worth
        here = where_positive(total, weighted / total, plain * even)
        store(value, node * size + hand, here)
        for action in range(count):
            at = offset + action * size + hand
            old = load(regrets, at)
            gained = load(value, tree.child[first + action] * size + hand) - here
            new = old * where_positive(old, gain, loss) + gained
            store(regrets, at, where_positive(greatest(new, nothing - new) - tiny, new, nothing))


@lean_kernel
def _learn_two(
    tree: StreetTree, node: int, first: int, size: int, offset: int, regrets: Array, positive: float, negative: float,
    value: Array,
) -> None:  # fmt: skip
    """`_learn_many` for two actions."""
    gain, loss, tiny = splat(np.float32(positive)), splat(np.float32(negative)), splat(TINY)
    nothing, half = splat(np.float32(0)), splat(np.float32(0.5))
    one, two = tree.child[first] * size, tree.child[first + 1] * size
    for hand in range(0, size, 8):
        at, then = offset + hand, offset + size + hand
        _fetch(regrets, at - ROWS_AHEAD * size, size, 2)
        x, y, r, s = load(value, one + hand), load(value, two + hand), load(regrets, at), load(regrets, then)
        a, b = greatest(r, nothing), greatest(s, nothing)
        total = a + b
        worth = where_positive(total, (a * x + b * y) / total, (x + y) * half)
        r = r * where_positive(r, gain, loss) + (x - worth)
        s = s * where_positive(s, gain, loss) + (y - worth)
        store(value, node * size + hand, worth)
        store(regrets, at, where_positive(greatest(r, nothing - r) - tiny, r, nothing))
        store(regrets, then, where_positive(greatest(s, nothing - s) - tiny, s, nothing))


@lean_kernel
def _learn_three(
    tree: StreetTree, node: int, first: int, size: int, offset: int, regrets: Array, positive: float, negative: float,
    value: Array,
) -> None:  # fmt: skip
    """`_learn_many` for three actions."""
    gain, loss, tiny = splat(np.float32(positive)), splat(np.float32(negative)), splat(TINY)
    nothing, third = splat(np.float32(0)), splat(np.float32(1 / 3))
    one, two, three = tree.child[first] * size, tree.child[first + 1] * size, tree.child[first + 2] * size
    for hand in range(0, size, 8):
        at, then, last = offset + hand, offset + size + hand, offset + 2 * size + hand
        _fetch(regrets, at - ROWS_AHEAD * size, size, 3)
        x, y, z = load(value, one + hand), load(value, two + hand), load(value, three + hand)
        r, s, t = load(regrets, at), load(regrets, then), load(regrets, last)
        a, b, c = greatest(r, nothing), greatest(s, nothing), greatest(t, nothing)
        total = a + b + c
        worth = where_positive(total, (a * x + b * y + c * z) / total, (x + y + z) * third)
        r = r * where_positive(r, gain, loss) + (x - worth)
        s = s * where_positive(s, gain, loss) + (y - worth)
        t = t * where_positive(t, gain, loss) + (z - worth)
        store(value, node * size + hand, worth)
        store(regrets, at, where_positive(greatest(r, nothing - r) - tiny, r, nothing))
        store(regrets, then, where_positive(greatest(s, nothing - s) - tiny, s, nothing))
        store(regrets, last, where_positive(greatest(t, nothing - t) - tiny, t, nothing))
