"""The public tree of a two-seat round computed by arithmetic: the offset of each decision's block of numbers.

The legal actions depend only on the standing bid, so everything that can follow a bid is the same whatever was said
before it: the size of a subtree is a function of how many bids were made (which determines whose turn it is) and of the
last one. A *rung* is such a pair. Blocks `[action][hand]` are laid out depth first, a decision before those below it,
and the offset of a decision is the sum of a few shifts, one for each bid of its history. So a tree of millions of
histories needs a table of a few thousand rungs, and no pointers.

A seat whose only action is dudo decides nothing and has no block. A *limit* removes bids from one seat's menu: it must
call once a number of bids have been made, or may raise only by a number of steps. Its strategies remain strategies of
the whole round, and the other seat is not restricted: its best response is that of the whole round.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Final

import numpy as np

from tahur.core.arrays import Int64s
from tahur.core.errors import SolverError, StrategyError
from tahur.core.game import Action, Seat
from tahur.games.perudo.bids import FIRST_BID, action_text, bids_in_order, count_of, face_of
from tahur.games.perudo.round import NO_BID, Round
from tahur.games.perudo.table import hands_of, matching_of

Menu = tuple[int, tuple[int, ...]]  # the number of calls, and the states that the raises lead to

OPENING: Final = 0  # the state before the first bid; the bid of rank k stands in state k + 1
ROOT: Final = 0
TOO_MANY: Final = 2**62  # sizes are capped here, for rounds far too large to store


@dataclass(frozen=True, slots=True)
class BidLimit:
    """A restriction of one seat's bids; `seat` 0 is the opener, 1 the other."""

    seat: Seat
    bids: int  # once this many bids have been made, by both, it must call
    reach: int = 0  # at most this many raises are in its menu, the lowest ones; 0: all of them
    floor: int = 0  # bids of a lower rank are not in its menu, unless none would be left


@dataclass(frozen=True, eq=False)
class Ladder:
    """Rungs are numbered `depth * states + state`; `children` and `shifts` hold all rungs' raises, concatenated."""

    bids: tuple[Action, ...]  # lowest first
    hands: tuple[int, int]  # the number of hands of the opener and of the other
    matches: tuple[Int64s, Int64s]  # (states, hands): how many dice count for the bid
    calls: Int64s  # for each rung: 0 to 2
    first: Int64s  # for each rung: the index of its first raise; one more entry for the end of the last
    children: Int64s  # the state each raise leads to
    shifts: Int64s  # from the block of the rung to the block after the raise
    sizes: Int64s  # for each rung: the numbers in its subtree

    @property
    def states(self) -> int:
        return len(self.bids) + 1

    @property
    def size(self) -> int:
        """The total of numbers in all blocks."""
        return int(self.sizes[ROOT])

    @property
    def depth(self) -> int:
        """The largest possible number of bids."""
        return len(self.calls) // self.states - 1

    @cached_property
    def rank(self) -> dict[Action, int]:
        return {bid: state for state, bid in enumerate(self.bids, start=1)}

    @cached_property
    def needed(self) -> Int64s:
        """How many dice the bid of each state claims."""
        return np.array([0, *map(count_of, self.bids)])

    def raises(self, rung: int) -> range:
        return range(int(self.first[rung]), int(self.first[rung + 1]))

    def rows(self, rung: int) -> int:
        """The number of actions to choose from; 0 if there is no choice."""
        count = int(self.calls[rung]) + len(self.raises(rung))
        return 0 if count == 1 else count

    def menu(self, rung: int) -> tuple[Action, ...]:
        """The actions at a rung, in the order of the rows."""
        raises = (self.bids[self.children[raised] - 1] for raised in self.raises(rung))
        return (*range(int(self.calls[rung])), *raises)

    def find(self, history: Sequence[Action]) -> tuple[int, int]:
        """The rung, and the offset of its block, after these bids."""
        rung, offset, state = ROOT, 0, OPENING
        for depth, bid in enumerate(history, start=1):
            state = self.rank.get(bid, OPENING)
            raised = next((index for index in self.raises(rung) if self.children[index] == state), None)
            if raised is None:
                raise StrategyError(f"perudo: {action_text(bid)} is not in the tree after {depth - 1} bids")
            rung, offset = depth * self.states + state, offset + int(self.shifts[raised])
        return rung, offset


def ladder_of(round_: Round, limit: BidLimit | None = None) -> Ladder:
    """The ladder of a round between two seats; its seat 0 is the opener."""
    if len(round_.order) != 2:
        raise SolverError(f"perudo: {len(round_.order)} seats have dice; rounds are solved for two")
    bids = bids_in_order(round_.total, wild=not round_.palifico)
    state_of = {bid: state for state, bid in enumerate(bids, start=1)}

    def menu(depth: int, state: int) -> Menu:
        seat = depth % 2
        actions = round_.menus[round_.order[seat]][bids[state - 1] if state else NO_BID]
        raises = tuple(state_of[bid] for bid in actions if bid >= FIRST_BID)
        return len(actions) - len(raises), limit_raises(raises, depth, limit)

    dice = round_.cups[round_.order[0]], round_.cups[round_.order[1]]
    return ladder_from(bids, dice, menu, wild=not round_.palifico)


def limit_raises(raises: tuple[int, ...], depth: int, limit: BidLimit | None) -> tuple[int, ...]:
    """The raises that are left to a seat under a limit."""
    if limit is None or depth % 2 != limit.seat:
        return raises
    if 0 < limit.bids <= depth:
        return ()
    kept = tuple(raised for raised in raises if raised > limit.floor) or raises
    return kept[: limit.reach] if limit.reach else kept


def ladder_from(
    bids: tuple[Action, ...], dice: tuple[int, int], menu: Callable[[int, int], Menu], *, wild: bool
) -> Ladder:
    """A ladder for any menus that depend only on how many bids were made and on the last one."""
    states, hands = len(bids) + 1, (len(hands_of(dice[0])), len(hands_of(dice[1])))
    menus = [[menu(depth, state) if state >= depth else (1, ()) for state in range(states)] for depth in range(states)]
    sizes, shifts = np.zeros((states, states), np.int64), list[list[int]]()
    for depth in reversed(range(states)):
        for state in reversed(range(states)):
            calls, raises = menus[depth][state]
            block = (calls + len(raises)) * hands[depth % 2] if raises or calls > 1 else 0
            below = accumulate((block, *(int(sizes[depth + 1, raised]) for raised in raises)))
            *before, sizes[depth, state] = (min(size, TOO_MANY) for size in below)
            shifts.append(before)
    flat = [entry for row in menus for entry in row]
    first = np.cumsum([0, *(len(raises) for _, raises in flat)])
    return Ladder(
        bids=bids,
        hands=hands,
        matches=(_matches(bids, dice[0], wild=wild), _matches(bids, dice[1], wild=wild)),
        calls=np.array([calls for calls, _ in flat]),
        first=first,
        children=np.array([raised for _, raises in flat for raised in raises], np.int64),
        shifts=np.array([shift for before in reversed(shifts) for shift in before], np.int64),
        sizes=sizes.ravel(),
    )


def _matches(bids: tuple[Action, ...], dice: int, *, wild: bool) -> Int64s:
    hands = hands_of(dice)
    counts = [list(matching_of(face_of(bid), wild=wild)[hands.start : hands.stop]) for bid in bids]
    return np.array([[0] * len(hands), *counts], np.int64)
