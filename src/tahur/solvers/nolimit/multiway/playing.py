"""The six-seat charts at a real table of three to nine seats, before the flop.

Seats are counted from the button, so a table of four has the charts after utg and hj folded. At larger tables the first
seats play as utg. A raise is read as the raise of the tree with the same number, if its size is similar; its answer is
scaled to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tahur.cards.rankings import class_of_combos
from tahur.core.errors import StrategyError
from tahur.core.game import Action
from tahur.core.player import View
from tahur.games.holdem.table import CALL, FOLD, HoldemTable, opening
from tahur.solvers.nolimit.multiway.actions import CHIPS
from tahur.solvers.nolimit.multiway.lines import words_to
from tahur.solvers.nolimit.multiway.situations import SIX_MAX, shipped_strategy
from tahur.solvers.nolimit.multiway.strategy import MultiwayStrategy
from tahur.solvers.nolimit.multiway.tree import PreflopTree, position_names

SIMILAR: Final = 1.8  # the ratio up to which a raise is read as another
DEEP: Final = 0.4  # of the stack: raises to more than this are read as each other
REMEMBERED: Final = 256  # histories


@dataclass(frozen=True, slots=True, eq=False)
class ChartReading:
    """A table in the tree of its charts. `lost` says why there is no chart; empty if there is one."""

    strategy: MultiwayStrategy
    node: int
    lost: str = ""


class TableCharts:
    """The shipped charts for whichever seat has to act."""

    def __init__(self, strategies: Callable[[float], MultiwayStrategy] | None = None) -> None:
        """strategies: by depth in big blinds; those that are shipped by default."""
        self._strategies = strategies or (lambda depth: shipped_strategy(SIX_MAX, depth))
        self._read = lru_cache(REMEMBERED)(self._new_reading)

    def lacks(self, table: HoldemTable) -> str:
        """Why there is no chart for a decision, as a sentence; empty if there is one."""
        return self._read(table).lost

    def probabilities(self, view: View) -> Mapping[Action, float]:
        """The probability of each action with the viewer's hand."""
        reading = self._read(view.table)
        if view.hand is None or reading.lost:
            raise StrategyError(reading.lost or "a spectator has no hand to play")
        tree, hand = reading.strategy.tree, int(class_of_combos()[view.hand])
        chances: dict[Action, float] = {}
        for place, chance in enumerate(reading.strategy.mix(reading.node)[:, hand].tolist()):
            action = _action(tree, reading.node, place, view.table)
            chances[action] = chances.get(action, 0.0) + chance
        return {action: chance for action, chance in sorted(chances.items()) if chance > 0}

    def thought(self, view: View) -> str:
        """Which chart is followed."""
        reading = self._read(view.table)
        tree = reading.strategy.tree
        position = position_names(tree.seats)[tree.tables[reading.node].turn]
        before = ",".join(step.text for step in words_to(tree, reading.node))
        return f"six-seat chart for {tree.depth:g} bb: {position}, {f'after {before}' if before else 'first in'}"

    def _new_reading(self, table: HoldemTable) -> ChartReading:
        """Follow the history from the first action."""
        big_blind = table.stakes.blinds[1]
        strategy = self._strategies(_effective(table) / big_blind)
        if table.street or table.stakes.ante or table.turn < 0 or len(table.stakes.order) < 3:
            return ChartReading(strategy, 0, "the charts are for decisions before the flop of three seats or more")
        tree, now = strategy.tree, opening(table.stakes)
        node, seats = _first(tree, now), _seats_in(tree, now)
        for action in table.history:
            seat = seats.get(now.turn)
            if seat is not None or action != FOLD:
                after = None if seat is None else _after(tree, node, now, action)
                if after is None or tree.tables[node].turn != seat:
                    return ChartReading(strategy, node, "the charts do not have what happened before the flop")
                node = after
            now = now.after(action)
        seat = seats.get(table.turn)
        is_theirs = bool(tree.children[node]) and (seat is None or tree.tables[node].turn == seat)
        return ChartReading(strategy, node, "" if is_theirs else "the charts do not have this decision")


def _effective(table: HoldemTable) -> int:
    """The chips that the seat to act can win from another one, before the blinds were posted."""
    stacks = {seat: table.stakes.stacks[seat] for seat in table.live}
    others = [stack for seat, stack in stacks.items() if seat != table.turn]
    return min(stacks.get(table.turn, max(stacks.values())), max(others, default=max(stacks.values())))


def _seats_in(tree: PreflopTree, table: HoldemTable) -> dict[int, int]:
    """The seats of the tree by those of the table; seats that a larger table has before utg are left out."""
    ours, theirs = tree.tables[0].stakes.order, table.stakes.order
    blinds, others = 2, min(len(ours), len(theirs)) - 2
    return dict(zip((*theirs[:blinds], *theirs[-others:]), (*ours[:blinds], *ours[-others:]), strict=True))


def _first(tree: PreflopTree, table: HoldemTable) -> int:
    """The tree's node at the table's first decision: seats that it lacks have folded."""
    node = 0
    for _ in range(tree.seats - len(table.stakes.order)):
        node = tree.children[node][0]
    return node


def _after(tree: PreflopTree, node: int, table: HoldemTable, action: Action) -> int | None:
    """The node after an action of the table; None if the tree has nothing like it."""
    menu = tree.menu(node) if tree.children[node] else ()
    if action <= CALL:
        return tree.children[node][menu.index(action)] if action in menu else None
    if not menu or menu[-1] <= CALL:
        return None
    chips, ours = action - 1, _raise_to(tree, node, table)
    deep = DEEP * _effective(table)
    similar = max(chips / ours, ours / chips) <= SIMILAR or min(chips, ours) >= deep
    return tree.children[node][-1] if similar else None


def _raise_to(tree: PreflopTree, node: int, table: HoldemTable) -> float:
    """The tree's raise in chips of the table: an open raise in big blinds, a later one relative to the bet."""
    abstract, chips = tree.tables[node], tree.menu(node)[-1] - 1
    if abstract.raised == 0:
        return chips / CHIPS * table.stakes.blinds[1]
    return chips / abstract.bet * table.bet


def _action(tree: PreflopTree, node: int, place: int, table: HoldemTable) -> Action:
    """An action of the tree at the table: the nearest legal one."""
    action = tree.menu(node)[place]
    if action == FOLD and table.to_call:
        return FOLD
    raises = table.raises
    if action <= CALL or not raises:
        return CALL
    abstract = tree.tables[node]
    if action - 1 == abstract.bets[abstract.turn] + abstract.stacks[abstract.turn]:
        return raises[-1] + 1
    return min(max(round(_raise_to(tree, node, table)), raises[0]), raises[-1]) + 1
