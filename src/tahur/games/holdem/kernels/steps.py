"""One step for all rows: every seat to act acts, finished hands are paid, and the next ones dealt."""

from __future__ import annotations

from typing import NamedTuple

from tahur.cards.equity.kernels.samples import random_bits
from tahur.cards.tables import EvaluatorTables
from tahur.core.arrays import Flags, Float64s, Int32s, Int64s, Records
from tahur.core.kernels import kernel
from tahur.games.holdem.kernels.betting import act, end_street, offer
from tahur.games.holdem.kernels.dealing import deal, pay_out
from tahur.games.holdem.kernels.rows import DepthArrays

CHOICES = 1024  # random numbers reserved for a hand's random actions


class Arrays(NamedTuple):
    """Everything that changes from step to step. n is the number of hands in play at once."""

    rows: Records  # (n,) of ROW
    moves: Int32s  # (n, actions) the move of each action, MASKED if illegal
    mask: Flags  # (n, actions) which actions are legal
    rewards: Float64s  # (n, seats) big blinds won or lost in the last step, 0 in rows whose hand continues
    done: Flags  # (n,) the last step ended the hand, and the row has a new one
    next_hand: Int64s  # (1,) the number of the next hand to be dealt
    ranks: Int64s  # (9,) work space for showdowns


@kernel
def begin(arrays: Arrays, rules: Records, depths: DepthArrays) -> None:
    """Deal a hand in every row. rules: (1,) of RULES."""
    for at in range(arrays.rows.shape[0]):
        deal(arrays.rows[at], at, rules[0], depths)
        offer(at, arrays.rows[at], rules[0], arrays.moves, arrays.mask)
    arrays.next_hand[0] = arrays.rows.shape[0]


@kernel
def first_illegal(actions: Int64s, mask: Flags) -> int:
    """The first row whose action is masked or out of range, or -1."""
    for at in range(mask.shape[0]):
        if not 0 <= actions[at] < mask.shape[1] or not mask[at, actions[at]]:
            return at
    return -1


@kernel
def step(actions: Int64s, arrays: Arrays, rules: Records, depths: DepthArrays, tables: EvaluatorTables) -> None:
    """Play one action in every row; all of them must be legal."""
    rule = rules[0]
    arrays.rewards[:] = 0.0
    for at in range(actions.shape[0]):
        row = arrays.rows[at]
        goes_on = act(row, arrays.moves[at, actions[at]], rule) or end_street(row, rule)
        arrays.done[at] = not goes_on
        if not goes_on:
            pay_out(at, row, rule, tables, arrays.ranks, arrays.rewards)
            deal(row, arrays.next_hand[0], rule, depths)
            arrays.next_hand[0] += 1
        offer(at, row, rule, arrays.moves, arrays.mask)


@kernel
def choose_at_random(arrays: Arrays, rules: Records, actions: Int64s) -> None:
    """Choose uniformly random legal actions; always the same one for the same hand in the same state."""
    for at in range(actions.shape[0]):
        row = arrays.rows[at]
        legal = 0
        for action in range(arrays.mask.shape[1]):
            legal += arrays.mask[at, action]
        left = random_bits(rules[0].choices + CHOICES * row.hand + row.acted) % legal
        for action in range(arrays.mask.shape[1]):
            if arrays.mask[at, action]:
                if left == 0:
                    actions[at] = action
                    break
                left -= 1
