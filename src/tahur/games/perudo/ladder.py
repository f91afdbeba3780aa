"""The public tree of a round between two seats, as arithmetic: where each decision's block of numbers stands.

What a seat may say depends on the standing bid alone, so all that can follow a bid is the same whatever was said before
it: the size of a subtree is a function of how many bids were made (which tells whose turn it is) and of the last one. A
*rung* is such a pair. Blocks `[action][hand]` stand depth first, a decision before those after it, and the place of a
decision is the sum of a few shifts, one for each bid of its history. So a tree of millions of histories needs a table
of a few thousand rungs, and no pointers.

A seat whose only answer is dudo decides nothing and has no block. A *limit* takes bids away from one seat: it must call
when so many bids have been made, or may raise only by so many steps. Whatever it can hold by then it can hold in the
whole round too, and the other seat lacks nothing: its best response is that of the whole round.
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
from tahur.games.perudo.cups import hands_of, matching_of
from tahur.games.perudo.round import NO_BID, Round

Menu = tuple[int, tuple[int, ...]]  # how many calls, and the states that the raises lead to

OPENING: Final = 0  # the state before the first bid; the bid of rank k stands in state k + 1
ROOT: Final = 0
TOO_MANY: Final = 2**62  # numbers: sizes are counted up to here, for rounds that nobody will ever hold


@dataclass(frozen=True, slots=True)
class BidLimit:
    """What one seat of the round denies itself; `seat` 0 is the opener, 1 the other."""

    seat: Seat
    bids: int  # once so many bids have been made, by both, it calls
    reach: int = 0  # at most so many raises are in its menu, the lowest ones; 0: all of them
    floor: int = 0  # bids of a lower rank are not in its menu, unless there would be none


@dataclass(frozen=True, eq=False)
class Ladder:
    """Rungs are numbered `depth * states + state`; `children` and `shifts` hold the raises of all rungs in a row."""

    bids: tuple[Action, ...]  # the lowest first
    hands: tuple[int, int]  # how many the opener and the other can hold
    matches: tuple[Int64s, Int64s]  # (states, hands): how many dice count for the bid
    calls: Int64s  # of each rung: 0 to 2
    first: Int64s  # of each rung: where its raises begin, and one more for the end of the last
    children: Int64s  # the state each raise leads to
    shifts: Int64s  # from the block of the rung to the block of what follows the raise
    sizes: Int64s  # of each rung: all numbers in its subtree

    @property
    def states(self) -> int:
        return len(self.bids) + 1

    @property
    def size(self) -> int:
        """Numbers in all blocks together."""
        return int(self.sizes[ROOT])

    @property
    def depth(self) -> int:
        """The most bids there can be."""
        return len(self.calls) // self.states - 1

    @cached_property
    def rank(self) -> dict[Action, int]:
        return {bid: state for state, bid in enumerate(self.bids, start=1)}

    @cached_property
    def needed(self) -> Int64s:
        """How many dice each state's bid claims."""
        return np.array([0, *map(count_of, self.bids)])

    def raises(self, rung: int) -> range:
        return range(int(self.first[rung]), int(self.first[rung + 1]))

    def rows(self, rung: int) -> int:
        """How many actions are chosen from; 0 if there is nothing to choose."""
        count = int(self.calls[rung]) + len(self.raises(rung))
        return 0 if count == 1 else count

    def menu(self, rung: int) -> tuple[Action, ...]:
        """What can be said there, in the order of the rows."""
        raises = (self.bids[self.children[raised] - 1] for raised in self.raises(rung))
        return (*range(int(self.calls[rung])), *raises)

    def find(self, history: Sequence[Action]) -> tuple[int, int]:
        """The rung, and the place of the block, that bids lead to."""
        rung, place, state = ROOT, 0, OPENING
        for depth, bid in enumerate(history, start=1):
            state = self.rank.get(bid, OPENING)
            raised = next((each for each in self.raises(rung) if self.children[each] == state), None)
            if raised is None:
                raise StrategyError(f"perudo: {action_text(bid)} is not in the tree after {depth - 1} bids")
            rung, place = depth * self.states + state, place + int(self.shifts[raised])
        return rung, place


def ladder_of(round_: Round, limit: BidLimit | None = None) -> Ladder:
    """The ladder of a round between two seats; seat 0 of it is the opener."""
    if len(round_.order) != 2:
        raise SolverError(f"perudo: {len(round_.order)} seats have dice; rounds are solved for two")
    bids = bids_in_order(round_.total, wild=not round_.palifico)
    state_of = {bid: state for state, bid in enumerate(bids, start=1)}

    def menu(depth: int, state: int) -> Menu:
        seat = depth % 2
        said = round_.menus[round_.order[seat]][bids[state - 1] if state else NO_BID]
        raises = tuple(state_of[bid] for bid in said if bid >= FIRST_BID)
        return len(said) - len(raises), limited(raises, depth, limit)

    dice = round_.cups[round_.order[0]], round_.cups[round_.order[1]]
    return ladder_from(bids, dice, menu, wild=not round_.palifico)


def limited(raises: tuple[int, ...], depth: int, limit: BidLimit | None) -> tuple[int, ...]:
    """The raises that a seat allows itself."""
    if limit is None or depth % 2 != limit.seat:
        return raises
    if 0 < limit.bids <= depth:
        return ()
    kept = tuple(raised for raised in raises if raised > limit.floor) or raises
    return kept[: limit.reach] if limit.reach else kept


def ladder_from(
    bids: tuple[Action, ...], dice: tuple[int, int], menu: Callable[[int, int], Menu], *, wild: bool
) -> Ladder:
    """A ladder of any menus that depend on how many bids were made and on the last one."""
    states, hands = len(bids) + 1, (len(hands_of(dice[0])), len(hands_of(dice[1])))
    menus = [[menu(depth, state) if state >= depth else (1, ()) for state in range(states)] for depth in range(states)]
    sizes, shifts = np.zeros((states, states), np.int64), list[list[int]]()
    for depth in reversed(range(states)):
        for state in reversed(range(states)):
            calls, raises = menus[depth][state]
            block = (calls + len(raises)) * hands[depth % 2] if raises or calls > 1 else 0
            below = accumulate((block, *(int(sizes[depth + 1, raised]) for raised in raises)))
            *before, sizes[depth, state] = (min(each, TOO_MANY) for each in below)
            shifts.append(before)
    flat = [each for row in menus for each in row]
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
