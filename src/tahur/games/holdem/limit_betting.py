"""The betting tree of a two-player limit game as flat arrays, generated from the rules.

In limit games the legal bets do not depend on the cards, so the public tree is one betting tree: 64 decisions in `fhp`,
4,964 in `hulh`. Dealing is left out: a call that closes a street leads directly to the first decision of the next one.

*Nodes* are numbered decisions first, then terminals. Decisions are in the order of the streets and, on a street, depth
first with fold before call before raise. So on the second street the lines into it follow each other, each with the
same decisions in the same order if stacks are deep enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.core.errors import SolverError, StrategyError
from tahur.core.game import CHANCE, OVER, Action, Hand
from tahur.core.player import View
from tahur.games.holdem.rules import Holdem
from tahur.games.holdem.stakes import Limit
from tahur.games.holdem.table import CALL, FOLD, HoldemTable

SLOTS: Final = ("fold", "call", "raise")  # a check is a call, a bet is a raise
NOT_LEGAL: Final = -1

_CARDS: Final = (0, 3, 4, 5)  # on the board, by street

DECISION, FOLDED, SHOWDOWN = range(3)  # kinds of nodes


@dataclass(frozen=True, eq=False)
class Betting:
    """The tree. Arrays are indexed by node; `children` and `actions` by decision and slot."""

    game: Holdem
    kind: NDArray[np.int8]  # DECISION, FOLDED or SHOWDOWN
    seat: NDArray[np.int8]  # the seat to act; the seat that folded; -1 at a showdown
    street: NDArray[np.int8]  # 0 before the flop; for a terminal, the street of its last decision
    parent: NDArray[np.int32]  # -1 for the first decision
    slot: NDArray[np.int8]  # the slot that led here, -1 for the first decision
    committed: NDArray[np.int32]  # (nodes, 2) chips each seat put in; at a terminal without uncalled chips
    children: NDArray[np.int32]  # (decisions, 3) nodes by slot, NOT_LEGAL if illegal
    actions: NDArray[np.int32]  # (decisions, 3) the slots' action numbers at the table

    @property
    def decisions(self) -> int:
        return len(self.children)

    @property
    def legal(self) -> NDArray[np.bool_]:
        """(decisions, 3)"""
        legal: NDArray[np.bool_] = self.children != NOT_LEGAL
        return legal

    @cached_property
    def first(self) -> tuple[int, ...]:
        """The first decision of each street, and the total number of decisions."""
        return tuple(np.searchsorted(self.street[: self.decisions], np.arange(self.streets + 1)).tolist())

    @property
    def streets(self) -> int:
        return self.game.stakes.structure.rounds

    def of_street(self, street: int) -> range:
        """The decisions of a street."""
        return range(self.first[street], self.first[street + 1])

    def line(self, node: int) -> tuple[int, ...]:
        """The slots played from the start to a node."""
        slots: list[int] = []
        while self.parent[node] >= 0:
            slots.append(int(self.slot[node]))
            node = int(self.parent[node])
        return tuple(reversed(slots))

    def after(self, slots: Sequence[int]) -> int:
        """The node after a line of slots."""
        node = 0
        for slot in slots:
            node = int(self.children[node, slot]) if node < self.decisions else NOT_LEGAL
            if node == NOT_LEGAL:
                raise SolverError(f"{self.game.name} has no line {', '.join(SLOTS[slot] for slot in slots)}")
        return node

    def find(self, table: HoldemTable) -> int:
        """The node of a table of this game: its decision, or its terminal if it is over."""
        node, dealt = 0, 0  # dealt: cards still to be skipped
        for action in table.history:
            if dealt:
                dealt -= 1
            elif node < self.decisions:
                above, node = node, int(self.children[node, slot_of(action)])
                if node == NOT_LEGAL:
                    raise SolverError(f"{self.game.name} has no line {list(table.history)}")
                dealt = int(_CARDS[self.street[node]] - _CARDS[self.street[above]])
        return node

    def decision_of(self, view: View) -> tuple[int, Hand]:
        """The decision and the hand of a view; raises `StrategyError` if its seat is not to act."""
        node = self.find(view.table)
        if view.hand is None or view.table.turn != view.seat or node >= self.decisions:
            raise StrategyError(f"the strategy for {self.game.name} has nothing for seat {view.seat} there")
        return node, view.hand

    def by_action(self, decision: int, chances: NDArray[Any]) -> dict[Action, float]:
        """Probabilities by slot as probabilities of the table's actions."""
        actions = self.actions[decision].tolist()
        return {action: float(chances[slot]) for slot, action in enumerate(actions) if action != NOT_LEGAL}

    def too_short(self, game: Holdem) -> str | None:
        """Why a table's stacks are too short for all bets; None if they are not."""
        most = int(self.committed.max())
        if min(game.stakes.stacks) >= most:
            return None
        return f"this strategy is for stacks of {most} chips or more; the table has {list(game.stakes.stacks)}"

    def payoff(self, node: int) -> float:
        """Chips that seat 0 wins at a fold, or that are at stake at a showdown."""
        if self.kind[node] == DECISION:
            raise SolverError(f"node {node} of {self.game.name} is a decision; only terminals have payoffs")
        lost = float(self.committed[node].min())
        return -lost if self.kind[node] == FOLDED and self.seat[node] == 0 else lost


def slot_of(action: Action) -> int:
    """The slot of an action at the table: 0 fold, 1 check or call, 2 bet or raise."""
    return action if action in (FOLD, CALL) else 2


def betting_of(game: Holdem) -> Betting:
    """The betting tree of a two-player limit game."""
    if not isinstance(game.stakes.structure, Limit) or game.seats != 2:
        raise SolverError(f"{game.name} with {game.seats} seats; only two-player limit games have a betting tree")
    visited = list(_walk(_dealt(game.start()), -1, -1))
    order = sorted(range(len(visited)), key=lambda index: (visited[index].is_terminal, visited[index].street))
    number = np.empty(len(visited) + 1, np.int32)
    number[order] = np.arange(len(visited))
    number[-1] = -1  # the parent of the first decision
    decisions = sum(not step.is_terminal for step in visited)
    children = np.full((decisions, len(SLOTS)), NOT_LEGAL, np.int32)
    actions = np.full((decisions, len(SLOTS)), NOT_LEGAL, np.int32)
    for index, step in enumerate(visited):
        if step.parent >= 0:
            children[number[step.parent], step.slot] = number[index]
            actions[number[step.parent], step.slot] = step.action
    steps = [visited[index] for index in order]
    return Betting(
        game=game,
        kind=np.array([_kind(step.table) for step in steps], np.int8),
        seat=np.array([_seat(step.table) for step in steps], np.int8),
        street=np.array([step.street for step in steps], np.int8),
        parent=np.array([number[step.parent] for step in steps], np.int32),
        slot=np.array([step.slot for step in steps], np.int8),
        committed=np.array([step.table.committed for step in steps], np.int32),
        children=children,
        actions=actions,
    )


@dataclass(frozen=True, slots=True)
class _Step:
    table: HoldemTable
    parent: int  # in the order of the walk
    slot: int
    action: Action
    street: int

    @property
    def is_terminal(self) -> bool:
        return self.table.turn == OVER


def _walk(start: HoldemTable, parent: int, slot: int) -> Iterator[_Step]:
    """Every table of the tree, depth first."""
    above = [(start, parent, slot, NOT_LEGAL, 0)]
    number = 0
    while above:
        table, parent, slot, action, street = above.pop()
        yield _Step(
            table=table, parent=parent, slot=slot, action=action, street=street if table.turn == OVER else table.street
        )
        below = [
            (_dealt(table.after(each)), number, slot_of(each), each, table.street)
            for each in (table.actions() if table.turn != OVER else ())
        ]
        above += reversed(below)
        number += 1


def _dealt(table: HoldemTable) -> HoldemTable:
    """The table after dealing until a seat is to act or the deal is over; which cards does not matter."""
    while table.turn == CHANCE:
        table = table.after(next(card for card in range(52) if card not in table.board))
    return table


def _kind(table: HoldemTable) -> int:
    if table.turn != OVER:
        return DECISION
    return FOLDED if len(table.live) == 1 else SHOWDOWN


def _seat(table: HoldemTable) -> int:
    if table.turn != OVER:
        return table.turn
    return 1 - table.live[0] if len(table.live) == 1 else -1
