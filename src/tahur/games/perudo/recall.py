"""A round with imperfect recall: the seats know their own dice and only the last few bids.

The legal actions depend only on the standing bid, so histories that end in the same few bids can be merged. A *node* is
whose turn it is and those bids. There are few of them, even where a round has more histories than fit in any memory:
with two bids remembered, 1,557 for five dice each. *Rare* bids, which are almost never true, are left out: the seats
never make them, and doubt them at once.

Blocks `[action][hand]` of both seats are concatenated in the order of the nodes: by the standing bid, lowest first, so
the successors of a node come after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import comb
from typing import Final

import numpy as np

from tahur.core.arrays import Int64s
from tahur.core.errors import SolverError, StrategyError
from tahur.core.game import Action
from tahur.games.perudo.bids import DUDO, FIRST_BID, action_text, bids_in_order, chance_of, count_of, face_of
from tahur.games.perudo.round import NO_BID, Round
from tahur.games.perudo.table import hands_of, matching_of

Menus = dict[int, tuple[int, tuple[int, ...]]]  # by the rank of the standing bid: calls, and the ranks of raises
Node = tuple[int, ...]  # the seat to act, 0 for the opener, and the ranks of the bids it remembers

START: Final = -1  # the standing rank before the first bid
UNHEARD: Final = -1  # the node after any rare bid, where dudo is the only action
RARE: Final = 0.01  # bids whose prior probability of being true is lower are left out


@dataclass(frozen=True, slots=True)
class Recall:
    """How many bids are remembered; bids that are true less often than `rare` are never made."""

    bids: int
    rare: float = RARE


@dataclass(frozen=True, eq=False)
class Graph:
    """Nodes by number; `children` holds the nodes that all raises lead to, concatenated."""

    recall: Recall
    bids: tuple[Action, ...]  # of the whole round, lowest first
    kept: frozenset[int]  # the ranks of the bids that are not rare
    hands: tuple[int, int]
    matches: tuple[Int64s, Int64s]  # (bids, hands): how many dice count for the bid
    nodes: tuple[Node, ...]
    calls: Int64s  # for each node: 0 to 2
    first: Int64s  # for each node: the index of its first raise; one more entry for the end of the last
    children: Int64s
    offsets: Int64s  # for each node: where its block begins
    size: int  # the total of numbers in all blocks

    @cached_property
    def numbers(self) -> dict[Node, int]:
        return {node: number for number, node in enumerate(self.nodes)}

    @cached_property
    def rank(self) -> dict[Action, int]:
        return {bid: rank for rank, bid in enumerate(self.bids)}

    def rows(self, node: int) -> int:
        """The number of actions to choose from; 0 if there is no choice."""
        if node == UNHEARD:
            return 0
        count = int(self.calls[node] + self.first[node + 1] - self.first[node])
        return 0 if count == 1 else count

    def menu(self, node: int) -> tuple[Action, ...]:
        """The actions at a node, in the order of the rows."""
        if node == UNHEARD:
            return (DUDO,)
        raises = self.children[self.first[node] : self.first[node + 1]]
        return (*range(int(self.calls[node])), *(self.bids[self.nodes[child][-1]] for child in raises))

    def find(self, history: Sequence[Action]) -> tuple[int, int]:
        """The node, and the offset of its block, after these bids."""
        if unknown := [bid for bid in history if bid not in self.rank]:
            raise StrategyError(f"perudo: {action_text(unknown[0])} is not among the bids of this round")
        ranks = [self.rank[bid] for bid in history]
        if ranks and ranks[-1] not in self.kept:
            return UNHEARD, 0
        known = (len(ranks) % 2, *ranks[-self.recall.bids :])
        if known not in self.numbers:
            raise StrategyError(f"perudo: the strategy never makes the bids {', '.join(map(action_text, history))}")
        number = self.numbers[known]
        return number, int(self.offsets[number])


@lru_cache(maxsize=64)
def known_graph(round_: Round, recall: Recall) -> Graph:
    """The graph of a round between two seats."""
    if len(round_.order) != 2:
        raise SolverError(f"perudo: {len(round_.order)} seats have dice; rounds are solved for two")
    bids, wild = bids_in_order(round_.total, wild=not round_.palifico), not round_.palifico
    kept = kept_bids(round_, recall.rare)
    menus = _menus(round_, bids, kept)
    nodes = tuple(_nodes(menus, recall))
    numbers = {node: number for number, node in enumerate(nodes)}
    dice = round_.cups[round_.order[0]], round_.cups[round_.order[1]]
    hands = len(hands_of(dice[0])), len(hands_of(dice[1]))
    calls = np.array([menus[node[0]][node[-1] if node[1:] else START][0] for node in nodes])
    raises = [[numbers[child] for child in _children(menus, recall, node)] for node in nodes]
    rows = zip(nodes, calls.tolist(), raises, strict=True)
    offsets = np.cumsum([0, *((called + len(raised)) * hands[node[0]] for node, called, raised in rows)])
    return Graph(
        recall=recall,
        bids=bids,
        kept=kept,
        hands=hands,
        matches=(_matches(bids, dice[0], wild=wild), _matches(bids, dice[1], wild=wild)),
        nodes=nodes,
        calls=calls,
        first=np.cumsum([0, *map(len, raises)]),
        children=np.array([child for children_of_node in raises for child in children_of_node], np.int64),
        offsets=offsets[:-1],
        size=int(offsets[-1]),
    )


def kept_bids(round_: Round, rare: float) -> frozenset[int]:
    """The ranks of bids that are not rare; in palifico all bids, which are few."""
    bids = bids_in_order(round_.total, wild=not round_.palifico)
    if round_.palifico:
        return frozenset(range(len(bids)))
    return frozenset(rank for rank, bid in enumerate(bids) if _prior(bid, round_.total) >= rare)


def _prior(bid: Action, dice: int) -> float:
    """The probability that a bid is true when no dice are known."""
    chance = chance_of(face_of(bid), wild=True)
    return sum(comb(dice, k) * chance**k * (1 - chance) ** (dice - k) for k in range(count_of(bid), dice + 1))


def _menus(round_: Round, bids: tuple[Action, ...], kept: frozenset[int]) -> list[Menus]:
    """For each seat and each standing bid: the number of calls, and the ranks of the raises that are not rare."""
    rank, menus = {bid: number for number, bid in enumerate(bids)}, []
    standing = (START, *sorted(kept))
    for seat in round_.order:
        legal = {number: round_.menus[seat][bids[number] if number != START else NO_BID] for number in standing}
        menus.append({number: _menu(actions, rank, kept) for number, actions in legal.items()})
    return menus


def _menu(actions: Sequence[Action], rank: dict[Action, int], kept: frozenset[int]) -> tuple[int, tuple[int, ...]]:
    raises = tuple(rank[bid] for bid in actions if bid >= FIRST_BID and rank[bid] in kept)
    return sum(action < FIRST_BID for action in actions), raises


def _nodes(menus: list[Menus], recall: Recall) -> Iterator[Node]:
    """Every reachable node, in the order of its standing bid."""
    waiting: dict[int, set[Node]] = {rank: set() for rank in menus[0]}
    waiting[START].add((0,))
    for here in waiting.values():
        for node in sorted(here):
            yield node
            for child in _children(menus, recall, node):
                waiting[child[-1]].add(child)


def _children(menus: list[Menus], recall: Recall, node: Node) -> Iterator[Node]:
    seat, *known = node
    kept = known[len(known) - recall.bids + 1 :] if len(known) >= recall.bids else known
    for raised in menus[seat][known[-1] if known else START][1]:
        yield (1 - seat, *kept, raised)


def _matches(bids: tuple[Action, ...], dice: int, *, wild: bool) -> Int64s:
    hands = hands_of(dice)
    return np.array([list(matching_of(face_of(bid), wild=wild)[hands.start : hands.stop]) for bid in bids], np.int64)
