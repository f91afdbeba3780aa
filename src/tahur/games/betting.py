"""The betting tree of a two-player game with fold, call and raise as flat arrays, generated from the rules.

In limit hold'em, Leduc and Kuhn the legal bets do not depend on the cards, so the public tree is one betting tree: 64
decisions in `fhp`, 4,964 in `hulh`. Dealing is left out: a call that closes a street leads directly to the first
decision of the next one.

*Nodes* are numbered decisions first, then terminals. Decisions are in the order of the streets and, on a street, depth
first with fold before call before raise. So on the second street the lines into it follow each other, each with the
same decisions in the same order if stacks are deep enough. Training numbers the decisions of all streets depth first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from tahur.core.errors import SolverError, StrategyError
from tahur.core.game import CHANCE, OVER, Action, Game, Hand
from tahur.core.player import View
from tahur.games.encoders.encoder import SlotReader, Slots
from tahur.games.holdem.rules import Holdem
from tahur.games.holdem.stakes import Limit
from tahur.games.holdem.table import CALL, FOLD, HoldemTable

SLOTS: Final = ("fold", "call", "raise")  # a check is a call, a bet is a raise
NOT_LEGAL: Final = -1

Board = tuple[int, ...]

_CARDS: Final = (0, 3, 4, 5)  # on the board, by street

DECISION, FOLDED, SHOWDOWN = range(3)  # kinds of nodes


@dataclass(frozen=True, eq=False)
class Betting:
    """The tree. Arrays are indexed by node; `children` and `actions` by decision and slot."""

    game: Any  # a two-player game with these three actions; `find` and what follows it are for limit hold'em
    streets: int
    kind: NDArray[np.int8]  # DECISION, FOLDED or SHOWDOWN
    seat: NDArray[np.int8]  # the seat to act; the seat that folded; -1 at a showdown
    street: NDArray[np.int8]  # 0 before the flop; for a terminal, the street of its last decision
    parent: NDArray[np.int32]  # -1 for the first decision
    slot: NDArray[np.int8]  # the slot that led here, -1 for the first decision
    committed: NDArray[np.int32]  # (nodes, 2) chips each seat put in; at a terminal without uncalled chips
    children: NDArray[np.int32]  # (decisions, 3) nodes by slot, NOT_LEGAL if illegal
    actions: NDArray[np.int32]  # (decisions, 3) the slots' action numbers at the table
    walk: NDArray[np.int32]  # the number of each node in a depth-first walk of the whole tree
    tables: tuple[Any, ...]  # of each decision, with arbitrary cards on the board

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

    @cached_property
    def turn(self) -> NDArray[np.int8]:
        """(nodes,) the seat to act; -1 at a fold, -2 at a showdown."""
        return np.where(self.kind == DECISION, self.seat, -self.kind).astype(np.int8)

    def decisions_of(self, seat: int) -> NDArray[np.int64]:
        return np.flatnonzero(self.seat[: self.decisions] == seat)

    @cached_property
    def stake(self) -> NDArray[np.float64]:
        """(nodes,) what seat 0 wins at a fold, or what is at stake at a showdown; 0 at a decision."""
        lost = self.committed.min(axis=1).astype(np.float64)
        signed = np.where((self.kind == FOLDED) & (self.seat == 0), -lost, lost)
        return np.where(self.kind == DECISION, 0.0, signed)

    @cached_property
    def depth(self) -> int:
        """The longest path, in nodes."""
        return 1 + max(len(self.line(node)) for node in range(self.decisions, len(self.kind)))

    @cached_property
    def most(self) -> tuple[int, int]:
        """The decisions of each seat that one deal reaches at most, if the other plays one action at each."""
        return self._most(0), self._most(1)

    def _most(self, seat: int) -> int:
        """All children of the seat's own decisions, the maximum over the other's."""
        counts = np.zeros(len(self.kind) + 1, np.int64)  # the last one is that of NOT_LEGAL
        for node in reversed(range(self.decisions)):
            below = counts[self.children[node]]
            counts[node] = 1 + below.sum() if self.seat[node] == seat else below.max()
        return int(counts[0])

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


@runtime_checkable
class LimitPolicy(Protocol):
    """A policy for both seats of a limit game, with all hands' probabilities at a decision.

    Tables of every kind implement it, and nets by their average; `solvers/limit/player_policy.py` makes one of any
    policy that is measured exactly in Flop Hold'em.
    """

    def chances(self, decision: int, board: Board) -> NDArray[Any]:
        """(1326, 3) fold, call, raise at a decision of the betting tree; illegal slots are 0."""
        ...


def slot_of(action: Action) -> int:
    """The slot of an action at the table: 0 fold, 1 check or call, 2 bet or raise."""
    return action if action in (FOLD, CALL) else 2


def betting_of(game: Holdem) -> Betting:
    """The betting tree of two-player limit hold'em."""
    if not isinstance(game.stakes.structure, Limit) or game.seats != 2:
        raise SolverError(f"{game.name} with {game.seats} seats; only two-player limit games have a betting tree")
    return betting_tree(game, HoldemSlots(game.stakes.structure.rounds))


@dataclass(frozen=True, slots=True)
class HoldemSlots:
    """The slots of limit hold'em."""

    streets: int = 4

    def street(self, table: HoldemTable) -> int:
        return table.street

    def slots(self, table: HoldemTable) -> Slots:
        raises = table.raises
        return FOLD if FOLD in table.actions() else None, CALL, raises[0] + 1 if raises else None

    def committed(self, table: HoldemTable) -> tuple[int, ...]:
        return table.committed


def betting_tree(game: Game[Any], reader: SlotReader, *, depth_first: bool = False) -> Betting:
    """The tree of a game for two; decisions are numbered street by street, or all of them depth first."""
    visited = list(_walk(game, reader))
    order = sorted(
        range(len(visited)),
        key=lambda index: (visited[index].is_terminal, 0 if depth_first else visited[index].street),
    )
    number = np.empty(len(visited) + 1, np.int32)
    number[order] = np.arange(len(visited))
    number[-1] = -1  # the parent of the first decision
    steps = [visited[index] for index in order]
    decisions = sum(not step.is_terminal for step in steps)
    children = np.full((decisions, len(SLOTS)), NOT_LEGAL, np.int32)
    actions = np.full((decisions, len(SLOTS)), NOT_LEGAL, np.int32)
    for node, step in enumerate(steps[1:], start=1):
        children[number[step.parent], step.slot] = node
        actions[number[step.parent], step.slot] = step.action
    return Betting(
        game=game,
        streets=reader.streets,
        kind=np.array([step.kind for step in steps], np.int8),
        seat=np.array([step.seat for step in steps], np.int8),
        street=np.array([step.street for step in steps], np.int8),
        parent=np.array([number[step.parent] for step in steps], np.int32),
        slot=np.array([step.slot for step in steps], np.int8),
        committed=np.array([reader.committed(step.table) for step in steps], np.int32),
        children=children,
        actions=actions,
        walk=np.array(order, np.int32),
        tables=tuple(step.table for step in steps[:decisions]),
    )


@dataclass(frozen=True, slots=True)
class _Step:
    """A node of the betting tree during the walk."""

    table: Any
    parent: int  # in the order of the walk
    slot: int
    action: Action
    street: int
    seat: int  # to act, or that folded; -1 at a showdown

    @property
    def is_terminal(self) -> bool:
        return bool(self.table.turn == OVER)

    @property
    def kind(self) -> int:
        """What the node is: DECISION, SHOWDOWN or FOLDED."""
        if not self.is_terminal:
            return DECISION
        return SHOWDOWN if self.seat < 0 else FOLDED


def _walk(game: Game[Any], reader: SlotReader) -> Iterator[_Step]:
    """Every table of the tree, depth first."""
    above = [_step(game, reader, game.start(), None)]
    number = 0
    while above:
        step = above.pop()
        yield step
        slots = () if step.is_terminal else reader.slots(step.table)
        below = [
            _step(game, reader, step.table.after(action), (number, slot, action, step))
            for slot, action in enumerate(slots)
            if action is not None
        ]
        above += reversed(below)
        number += 1


def _step(game: Game[Any], reader: SlotReader, table: Any, taken: tuple[int, int, Action, _Step] | None) -> _Step:
    """The step to a table, after dealing until a seat is to act or the deal is over; which cards does not matter."""
    while table.turn == CHANCE:
        table = table.after(game.outcomes(table, ())[0])
    if taken is None:
        return _Step(table=table, parent=-1, slot=-1, action=NOT_LEGAL, street=reader.street(table), seat=table.turn)
    parent, slot, action, above = taken
    if table.turn != OVER:
        street, seat = reader.street(table), table.turn
    else:
        street, seat = above.street, above.seat if slot == slot_of(FOLD) else -1
    return _Step(table=table, parent=parent, slot=slot, action=action, street=street, seat=seat)
