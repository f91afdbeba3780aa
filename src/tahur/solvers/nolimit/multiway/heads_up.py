"""Preflop ranges and situations of a heads-up blueprint, in the words of the tables with more seats.

Where the blueprint has several raises, its smallest is meant; all-in is a word of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from tahur.core.arrays import Float64s
from tahur.core.errors import StrategyError
from tahur.games.holdem.fourteen import CALL, action_of, situation_of
from tahur.games.holdem.table import HoldemTable
from tahur.solvers.nolimit.blueprint import Blueprint
from tahur.solvers.nolimit.chart import action_names
from tahur.solvers.nolimit.multiway.lines import PASSIVE, PreflopAction, raise_name
from tahur.solvers.nolimit.multiway.names import CALLS, RAISES, name_of
from tahur.solvers.nolimit.tree import DECISION, BettingTree

POSITIONS: Final = ("btn", "bb")
ALL_IN: Final = "all-in"


@dataclass(frozen=True, slots=True, eq=False)
class HeadsUpState:
    """A point before the flop: the node, the table, and both seats' reaches, for each of the 1,326 combos."""

    node: int
    table: HoldemTable
    reaches: tuple[Float64s, Float64s]


def first_state(blueprint: Blueprint) -> HeadsUpState:
    """The first decision."""
    return HeadsUpState(0, blueprint.tree.game.start(), (np.ones(1326), np.ones(1326)))


def is_decision(tree: BettingTree, node: int) -> bool:
    """Whether a seat acts before the flop."""
    return bool(tree.arrays.kind[node] == DECISION and tree.arrays.street[node] == 0)


def state_after(blueprint: Blueprint, line: tuple[PreflopAction, ...]) -> HeadsUpState:
    """The state after the actions of a line."""
    state = first_state(blueprint)
    for step in line:
        if not is_decision(blueprint.tree, state.node) or POSITIONS[state.table.turn] != step.position:
            raise StrategyError(f"{step.text} is not possible there: it is not the turn of '{step.position}'")
        state = take(blueprint, state, _place(blueprint.tree, state, step))
    return state


def take(blueprint: Blueprint, state: HeadsUpState, place: int) -> HeadsUpState:
    """The state after an action of a decision, by its place."""
    tree, seat = blueprint.tree, state.table.turn
    reaches = list(state.reaches)
    reaches[seat] = reaches[seat] * blueprint.mix(state.node, ())[place]
    action = action_of(situation_of(state.table), tree.menus[state.node][place])
    child = int(tree.arrays.child[state.node, place])
    return HeadsUpState(child, state.table.after(action), (reaches[0], reaches[1]))


def named_vectors(blueprint: Blueprint) -> Iterator[tuple[str, Float64s]]:
    """The named ranges, each as the weights of the 1,326 combos."""
    todo: list[tuple[HeadsUpState, tuple[PreflopAction, ...]]] = [(first_state(blueprint), ())]
    while todo:
        state, past = todo.pop(0)
        position = POSITIONS[state.table.turn]
        for place, word in _main_actions(blueprint.tree, state.node):
            after = take(blueprint, state, place)
            if (name := _name(position, word, past)) is not None:
                yield name, after.reaches[state.table.turn]
            if word != ALL_IN and is_decision(blueprint.tree, after.node):
                step = "limp" if word == CALLS and not past else word if word == CALLS else raise_name(_raises(past))
                todo.append((after, (*past, PreflopAction(position, step))))
            elif word == ALL_IN:
                call = action_names(blueprint.tree, after.node).index("call")
                other = POSITIONS[after.table.turn]
                yield f"{other}-call-v-{position}-allin", take(blueprint, after, call).reaches[after.table.turn]


def _raises(past: tuple[PreflopAction, ...]) -> int:
    return sum(step.action != "limp" for step in past)


def _name(position: str, word: str, past: tuple[PreflopAction, ...]) -> str | None:
    if word == ALL_IN:
        return f"{position}-allin" + "".join(f"-v-{step.position}" for step in past)
    return name_of(position, word, past)


def _main_actions(tree: BettingTree, node: int) -> Iterator[tuple[int, str]]:
    """Calling, the smallest raise, and, in the first two decisions, all-in beside it, each by its place."""
    names = action_names(tree, node)
    sized = [place for place, name in enumerate(names) if name.startswith("raise")]
    if CALL in tree.menus[node]:
        yield tree.menus[node].index(CALL), CALLS
    if sized:
        yield sized[0], RAISES
        if ALL_IN in names and tree.parent[node] in (-1, 0) and "check" not in names:
            yield names.index(ALL_IN), ALL_IN
    elif ALL_IN in names:
        yield names.index(ALL_IN), RAISES


def _place(tree: BettingTree, state: HeadsUpState, step: PreflopAction) -> int:
    """Which of the actions of a decision a word means."""
    names = action_names(tree, state.node)
    if step.action in PASSIVE and CALL in tree.menus[state.node]:
        return tree.menus[state.node].index(CALL)
    starts = {ALL_IN: (ALL_IN,), "fold": ("fold",)} | dict.fromkeys(PASSIVE, ())
    for start in starts.get(step.action, ("raise", ALL_IN)):
        for place, name in enumerate(names):
            if name.startswith(start):
                return place
    raise StrategyError(f"{step.text} is not possible there; valid for {step.position}: {', '.join(names)}")
