"""Best responses to a strategy on a ladder, as actions: each hand's best row at each decision, and where it leads."""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from typing import Any

from tahur.core.kernels import kernel
from tahur.solvers.perudo.kernels import pay

TIE = 1e-10  # values this close are equal: among them an allowed action is preferred


@kernel
def answers(
    ladder: Any, side: Any, weights: Any, allowed: Any, best: Any, values: Any, depth: int, rung: int, block: int
) -> None:
    """Store each hand's best row in `best[block + hand]`, for all decisions from this one on, and its value in `side`.

    `values` holds the value of each row for each hand, for each depth.
    """
    mine, up, below = side.mine, depth * side.widest, (depth + 1) * side.widest
    own, calls = depth % 2 == side.seat, ladder.calls[rung]
    count = calls + ladder.first[rung + 1] - ladder.first[rung]
    for hand in range(mine):
        side.values[up + hand] = 0.0
    for action in range(count):
        if not passed_on(side, weights, own, depth, block, count, action):
            continue
        state, caller, call = rung % ladder.states, depth % 2, action
        ends = action < calls
        if not ends:
            raised = ladder.first[rung] + action - calls
            state, caller, call = ladder.children[raised], 1 - caller, 0
            child = (depth + 1) * ladder.states + state
            ends = ladder.calls[child] == 1 and ladder.first[child] == ladder.first[child + 1]
            if not ends:
                answers(ladder, side, weights, allowed, best, values, depth + 1, child, block + ladder.shifts[raised])
        if ends:
            pay(ladder, side, caller, call, state, below, below)
        for hand in range(mine):
            if own:
                values[depth, action, hand] = side.values[below + hand]
            else:
                side.values[up + hand] += side.values[below + hand]
    if own:
        for hand in range(mine):
            row = best_row(values[depth], count, hand, allowed, block, mine)
            best[block + hand] = row
            side.values[up + hand] = values[depth, row, hand]


@kernel
def passed_on(side: Any, weights: Any, own: bool, depth: int, block: int, count: int, action: int) -> bool:
    """The other's reach after an action, in the next row; whether any of its hands gets there."""
    theirs = side.theirs
    at, to, total = depth * side.widest, (depth + 1) * side.widest, 0.0
    for hand in range(theirs):
        share = 1.0
        if not own:
            all_rows = 0.0
            for row in range(count):
                all_rows += weights[block + row * theirs + hand]
            share = weights[block + action * theirs + hand] / all_rows if all_rows > side.least[0] else 1.0 / count
        side.reach[to + hand] = side.reach[at + hand] * share
        total += side.reach[to + hand]
    return total > side.least[0]


@kernel
def best_row(values: Any, count: int, hand: int, allowed: Any, block: int, mine: int) -> int:
    """The row with the highest value; among equals, the first that is allowed."""
    best = 0
    for row in range(1, count):
        if values[row, hand] > values[best, hand]:
            best = row
    for row in range(count):
        if allowed[block + row * mine + hand] and values[row, hand] >= values[best, hand] - TIE:
            return row
    return best


@kernel
def allow(
    ladder: Any, side: Any, weights: Any, allowed: Any, best: Any, here: Any, least: float, depth: int, rung: int,
    block: int,
) -> int:  # fmt: skip
    """Allow the best rows along their paths; `here` has, for each depth, the hands that get there. Returns how many are
    new.

    Where the other's reach is below `least` nothing is allowed: it could not matter.
    """
    mine, own, calls = side.mine, depth % 2 == side.seat, ladder.calls[rung]
    count = calls + ladder.first[rung + 1] - ladder.first[rung]
    added = 0
    for action in range(count):
        comes = passed_on(side, weights, own, depth, block, count, action)
        some, total = False, 0.0
        for hand in range(mine):
            stays = here[depth, hand] and (not own or best[block + hand] == action)
            here[depth + 1, hand] = stays
            some = some or stays
            if own and stays and not allowed[block + action * mine + hand]:
                allowed[block + action * mine + hand] = True
                added += 1
        for hand in range(side.theirs):
            total += side.reach[(depth + 1) * side.widest + hand]
        if not some or not comes or total < least or action < calls:
            continue
        raised = ladder.first[rung] + action - calls
        child = (depth + 1) * ladder.states + ladder.children[raised]
        if ladder.calls[child] != 1 or ladder.first[child] != ladder.first[child + 1]:
            added += allow(
                ladder, side, weights, allowed, best, here, least, depth + 1, child, block + ladder.shifts[raised]
            )
    return added
